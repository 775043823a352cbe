import type { DefinitionFact } from './facts.ts';

/** Whether a definition of Rust is in a namespace: `#` has types and modules, `()` values, `!` macros, '' is all of them. */
export function isAmong({ kind, type }: Pick<DefinitionFact, 'kind' | 'type'>, namespace: string): boolean {
  switch (namespace) {
    case '#':
      return types.test(kind);
    case '()':
      // A struct without names for its fields is a value, too, and has a type as such.
      return values.test(kind) || (kind === 'struct' && type >= 0);
    case '!':
      return kind === 'macro';
    default:
      return true;
  }
}

const types = /^(?:struct|enum|trait|type|module|enum-member)$/;
const values = /^(?:function|method|constant|variable|enum-member)$/;

/** Values that the language gives every module, whatever types of their names it binds. */
export const preludeValues: ReadonlySet<string> = new Set(['Some', 'None', 'Ok', 'Err', 'drop']);
