import type { Expression, ReferenceKind } from '../model/facts.ts';
import type { SymbolKind } from '../model/symbol.ts';

/** A definition as somebody sees it who has nothing but its name. */
export interface Bearer {
  readonly kind: SymbolKind;
  /** Its family of languages: see `familyOf`. */
  readonly family: string;
  /** Kind of what it stands in, undefined at the top of its file. */
  readonly container: SymbolKind | undefined;
}

/** How a name occurs that nothing settled. */
export interface Use {
  readonly kind: ReferenceKind;
  /** What the reference says that it denotes. */
  readonly op: Expression['op'];
}

/**
 * Whether an occurrence that nothing settled may mean the definition: its kind is used like that, and it is within
 * reach. A member access (`x.name`) never reaches a function's own names, nor what stands at the top of a JavaScript
 * file, whose importers are settled; and a bare name reaches no member of a type where the language wants a receiver.
 */
export function mayMean({ kind, op }: Use, bearer: Bearer): boolean {
  if (!mayUse(kind, bearer.kind)) return false;
  if (isBare(op)) return !(wantsReceiver.has(bearer.family) && members.has(bearer.kind));
  if (members.has(bearer.kind)) return true;
  return bearer.container === undefined ? bearer.family !== 'ecmascript' : !callables.has(bearer.container);
}

/** Whether the definition is within reach of bare names and member accesses alike, so that no occurrence's own must be known. */
export function isReachable(bearer: Bearer): boolean {
  const uses: readonly Expression['op'][] = ['free', 'member'];
  return uses.every(op => mayMean({ kind: 'read', op }, bearer));
}

/** A name without receiver. */
function isBare(op: Expression['op']): boolean {
  return op === 'free' || op === 'import' || op === 'slot';
}

const wantsReceiver: ReadonlySet<string> = new Set(['ecmascript', 'python']);
const members: ReadonlySet<SymbolKind> = new Set([
  'method',
  'constructor',
  'field',
  'property',
  'enum-member',
  'event',
]);
const callables: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor']);

const typeKinds: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'type',
  'namespace',
  'module',
  'object',
  'type-parameter',
]);
const neverCalled: ReadonlySet<SymbolKind> = new Set([
  'interface',
  'type',
  'package',
  'module',
  'namespace',
  'type-parameter',
]);
const written: ReadonlySet<SymbolKind> = new Set([
  'variable',
  'constant',
  'field',
  'property',
  'parameter',
  'event',
  'object',
]);

/** Whether a use of this kind can mean a definition of that kind. */
export function mayUse(use: ReferenceKind, kind: SymbolKind): boolean {
  switch (use) {
    case 'call':
      return !neverCalled.has(kind);
    case 'write':
      return written.has(kind);
    case 'type':
    case 'implementation':
      return typeKinds.has(kind);
    case 'read':
    case 'import':
    case 'reference':
      return true;
  }
}
