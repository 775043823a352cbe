import { descriptor } from '../../model/identity.ts';
import type { ScipDescriptor } from './symbol-grammar.ts';

/**
 * A symbol's descriptors as a tail of ours: what stands for the file and its folders or for the module is gone, and so is
 * whatever an indexer counts (`typeLiteral12:`, the 0 of `code0:`), as counters change with edits elsewhere. '' for the
 * file or module itself.
 */
export function tailOfScip(descriptors: readonly ScipDescriptor[]): string {
  return descriptors
    .slice(afterFile(descriptors))
    .map(one => segment(one))
    .join('');
}

/** What somebody would call it: the last descriptor's name as it is written in code. */
export function nameOfScip(descriptors: readonly ScipDescriptor[]): string {
  const last = descriptors.at(-1);
  if (last === undefined) return '';
  if (isModuleItself(last)) return descriptors.at(-2)?.name ?? last.name;
  return plainName(last);
}

/** Whether it stands for the module that its container names: scip-python's `__init__:`. */
export function isModuleItself(one: ScipDescriptor): boolean {
  return one.suffix === 'meta' && one.name === '__init__';
}

/** A getter or setter of TypeScript. */
export function isAccessor(one: ScipDescriptor): boolean {
  return one.suffix === 'method' && accessor.test(one.name);
}

const accessor = /^<[gs]et>/;
const literal = /^(?:typeLiteral|objectLiteral)\d+$/;

/** Behind the last of the leading namespaces that is a file's name or a dotted module's. */
function afterFile(descriptors: readonly ScipDescriptor[]): number {
  let leading = 0;
  while (descriptors[leading]?.suffix === 'namespace') leading++;
  return descriptors.slice(0, leading).findLastIndex(one => one.name.includes('.')) + 1;
}

function segment(one: ScipDescriptor): string {
  if (isModuleItself(one) || (one.suffix === 'meta' && literal.test(one.name))) return '';
  if (one.suffix === 'meta' || one.suffix === 'term' || isAccessor(one)) return descriptor(plainName(one), 'term');
  return descriptor(one.name, one.suffix, one.disambiguator);
}

/** A key in quotes is the key. */
function plainName(one: ScipDescriptor): string {
  if (isAccessor(one)) return one.name.replace(accessor, '');
  if (one.name === '<constructor>') return 'constructor';
  const counted = one.suffix === 'meta' ? one.name.replace(/\d+$/, '') : one.name;
  return counted.replace(/^(['"])(.+)\1$/s, '$2');
}
