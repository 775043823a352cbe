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

/**
 * Who may name what a `use` binds, as it stands in front of the name that is exported: the module alone and those in it,
 * those in the module around it, the crate, everybody.
 */
export type UseVisibility = 'use ' | 'super ' | 'crate ' | '';

/** By the modifier, as it is written; `pub(in a::b)` is taken for `pub(crate)`. */
export function visibilityOfUse(modifier: string): UseVisibility {
  if (modifier === '' || /^pub\s*\(\s*(?:in\s+)?self\s*\)$/.test(modifier)) return 'use ';
  if (modifier === 'pub') return '';
  return /^pub\s*\(\s*(?:in\s+)?super\s*\)$/.test(modifier) ? 'super ' : 'crate ';
}
