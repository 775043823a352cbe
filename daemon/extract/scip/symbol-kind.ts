import type { SymbolKind } from '../../model/symbol.ts';
import type { ScipDescriptor } from './symbol-grammar.ts';
import { isAccessor, isModuleItself } from './symbol-tail.ts';

/**
 * What kind of thing a symbol is: what the indexer says (a number of SCIP's enumeration), else what its signature begins
 * with (`kindOfSignature`), else what its last descriptor allows. `descriptors` is empty for a local one.
 */
export function kindOfScip(
  told: number,
  written: SymbolKind | undefined,
  descriptors: readonly ScipDescriptor[],
): SymbolKind {
  const own = kinds[told];
  if (own !== undefined) return own;
  const last = descriptors.at(-1);
  if (last === undefined) return written ?? 'variable';
  const isMember = descriptors.at(-2)?.suffix === 'type';
  const allowed = kindOfDescriptor(last, isMember);
  return written !== undefined && fits(written, allowed) ? memberKind(written, isMember) : allowed;
}

/** SCIP's enumeration, as far as there is a kind of ours. */
const kinds: Readonly<Record<number, SymbolKind>> = {
  3: 'type',
  4: 'field',
  7: 'class',
  8: 'constant',
  9: 'constructor',
  11: 'enum',
  12: 'enum-member',
  13: 'event',
  15: 'field',
  16: 'module',
  17: 'function',
  18: 'property',
  21: 'interface',
  22: 'property',
  25: 'macro',
  26: 'method',
  27: 'parameter',
  28: 'class',
  29: 'module',
  30: 'namespace',
  33: 'object',
  34: 'method',
  35: 'package',
  36: 'object',
  37: 'parameter',
  38: 'parameter',
  41: 'property',
  42: 'interface',
  44: 'parameter',
  45: 'property',
  47: 'method',
  49: 'struct',
  52: 'parameter',
  53: 'trait',
  54: 'type',
  55: 'type',
  56: 'interface',
  57: 'type',
  58: 'type-parameter',
  59: 'struct',
  60: 'variable',
  61: 'variable',
  66: 'method',
  67: 'method',
  68: 'method',
  69: 'method',
  70: 'method',
  71: 'method',
  72: 'property',
  73: 'type',
  74: 'method',
  75: 'class',
  76: 'method',
  77: 'field',
  78: 'event',
  79: 'field',
  80: 'method',
  81: 'property',
  82: 'variable',
  84: 'class',
  85: 'class',
  86: 'type',
};

/** The first line that is neither a fence nor a decorator says it: `(property) x: T`, `class A`, `async def f(`. */
export function kindOfSignature(text: string): SymbolKind | undefined {
  for (const line of text.slice(0, 1024).split('\n', 8)) {
    if (line.startsWith('```') || line.startsWith('@') || line === '') continue;
    const word =
      /^\(([a-z ]{1,20})\)|^(?:(?:export|declare|abstract|async|public|private|static) )*([a-z]{1,12})\b/.exec(line);
    return words.get(word?.[1] ?? word?.[2] ?? '');
  }
  return undefined;
}

const words: ReadonlyMap<string, SymbolKind> = new Map([
  ['function', 'function'],
  ['def', 'function'],
  ['method', 'method'],
  ['constructor', 'constructor'],
  ['class', 'class'],
  ['interface', 'interface'],
  ['struct', 'struct'],
  ['trait', 'trait'],
  ['type', 'type'],
  ['enum', 'enum'],
  ['enum member', 'enum-member'],
  ['property', 'property'],
  ['getter', 'property'],
  ['setter', 'property'],
  ['accessor', 'property'],
  ['field', 'field'],
  ['parameter', 'parameter'],
  ['type parameter', 'type-parameter'],
  ['var', 'variable'],
  ['let', 'variable'],
  ['const', 'constant'],
  ['variable', 'variable'],
  ['module', 'module'],
  ['namespace', 'namespace'],
  ['package', 'package'],
]);

function kindOfDescriptor(last: ScipDescriptor, isMember: boolean): SymbolKind {
  if (isModuleItself(last)) return 'module';
  switch (last.suffix) {
    case 'namespace':
      return last.name.includes('.') ? 'module' : 'namespace';
    case 'type':
      return 'class';
    case 'term':
      return isMember ? 'field' : 'variable';
    case 'method':
      if (isAccessor(last)) return 'property';
      if (constructors.has(last.name)) return 'constructor';
      return isMember ? 'method' : 'function';
    case 'type-parameter':
      return 'type-parameter';
    case 'parameter':
      return 'parameter';
    case 'meta':
      return 'property';
    case 'macro':
      return 'macro';
  }
}

const constructors: ReadonlySet<string> = new Set(['<constructor>', '<init>', '__init__', '__construct', 'initialize']);

/** A signature may be that of something else: of the class whose instance a variable holds. */
function fits(written: SymbolKind, allowed: SymbolKind): boolean {
  return families.some(family => family.has(written) && family.has(allowed));
}

const families: readonly ReadonlySet<SymbolKind>[] = [
  new Set(['class', 'interface', 'struct', 'trait', 'type', 'enum']),
  new Set(['function', 'method']),
  new Set(['variable', 'constant', 'field', 'property', 'enum-member']),
  new Set(['module', 'namespace', 'package']),
];

function memberKind(written: SymbolKind, isMember: boolean): SymbolKind {
  return written === 'function' && isMember ? 'method' : written;
}
