import { familyOf } from '../../model/families.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { HandedOn } from './handed-on.ts';

/** A definition that documents may name. */
export interface DocumentedDefinition {
  /** 32 hex digits. */
  readonly hash: string;
  readonly name: string;
  readonly kind: SymbolKind;
  /** Names of what it stands in, outermost first. */
  readonly containers: readonly string[];
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly language: string;
  /** Others can have it: its file exports it, or it is public where files export nothing. */
  readonly exported: boolean;
  /** It stands in a function, and nobody outside can name it. */
  readonly isLocal: boolean;
}

/** What was defined once. */
export interface GoneDefinition extends DocumentedDefinition {
  /** Hash of what took its place. */
  readonly replacedBy: string | undefined;
  /** Milliseconds. */
  readonly goneAt: number;
}

/** A package of the repository. */
export interface NamedPackage {
  /** As imports have it: `fastify`, `axum_core`, `github.com/spf13/cobra`. */
  readonly name: string;
  /** '' for the root. */
  readonly folder: string;
}

/** The definitions of a snapshot by their names, code of tests and of examples left out. */
export interface DefinitionTable {
  named(name: string): readonly DocumentedDefinition[];
  readonly packages: readonly NamedPackage[];
  /** How many files of each family of languages a folder has, with all below; missing where nobody counts. */
  familiesIn?(folder: string): ReadonlyMap<string, number>;
  /** What a package of JavaScript or TypeScript hands on of others; missing where nobody knows. */
  handedOn?(folder: string): readonly HandedOn[];
  /** Whether a file of JavaScript or TypeScript may export under a name what it does not define; missing where nobody knows. */
  mayHandOn?(path: string, name: string): boolean;
}

/** Definitions that are one thing to whoever reads: overloads, a declaration and what it declares. The first stands for all. */
export function merged<Definition extends DocumentedDefinition>(
  definitions: readonly Definition[],
): readonly Definition[] {
  if (definitions.length < 2) return definitions;
  const found: Definition[] = [];
  /** Where in `found` each stands, by its hash, and by family, containers and path. */
  const places = new Map<string, number>();
  /** By family and containers: declarations that nothing has been found for, and all else. */
  const groups = new Map<string, { readonly declarations: Set<number>; readonly others: Set<number> }>();
  for (const one of definitions) {
    const key = [familyOf(one.language), ...one.containers].join('\0');
    const group = groups.get(key) ?? { declarations: new Set(), others: new Set() };
    groups.set(key, group);
    const place = `${key}\0${one.path}`;
    const isOwn = isDeclaration(one.path);
    const partners = isOwn ? group.others : group.declarations;
    const at = places.get(one.hash) ?? places.get(place) ?? partnerIn(partners, found, one.path);
    if (at === undefined) {
      (isOwn ? group.declarations : group.others).add(found.length);
      found.push(one);
    } else if (group.declarations.has(at) && !isOwn) {
      found[at] = one;
      group.declarations.delete(at);
      group.others.add(at);
    } else if (found[at]!.kind === 'namespace' && one.kind !== 'namespace') {
      // What holds the types of a thing is not what is meant by its name.
      found[at] = one;
    }
    places.set(one.hash, at ?? found.length - 1);
    places.set(place, at ?? found.length - 1);
  }
  return found;
}

/** What a file declares, or what declares what it has. */
function partnerIn(partners: ReadonlySet<number>, found: readonly DocumentedDefinition[], path: string) {
  for (const at of partners) {
    const other = found[at]!.path;
    if (declares(path, other) || declares(other, path)) return at;
  }
  return undefined;
}

/** Whether a file is there to say what another has: what is written in TypeScript needs nobody to declare it. */
function declares(path: string, other: string): boolean {
  return declaring.some(([declaration, code]) => declaration.test(path) && code.test(other));
}

const declaring: readonly (readonly [RegExp, RegExp])[] = [
  [/\.d\.[cm]?ts$/, /\.[cm]?jsx?$/],
  [/\.pyi$/, /\.py$/],
  [/\.(?:h|hh|hpp|hxx)$/, /\.(?:c|cc|cpp|cxx|c\+\+)$/],
];

function isDeclaration(path: string): boolean {
  return declaring.some(([declaration]) => declaration.test(path));
}

const types: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'type',
  'object',
  'namespace',
  'module',
]);
const callable: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor', 'macro']);
const members: ReadonlySet<SymbolKind> = new Set(['field', 'property', 'enum-member', 'event']);

export function isType({ kind }: Pick<DocumentedDefinition, 'kind'>): boolean {
  return types.has(kind);
}

export function isCallable({ kind }: Pick<DocumentedDefinition, 'kind'>): boolean {
  return callable.has(kind);
}

/** Whether it is a part of a value, as options and settings are. */
export function isPart({ kind }: Pick<DocumentedDefinition, 'kind'>): boolean {
  return members.has(kind);
}

const uncallable: ReadonlySet<SymbolKind> = new Set(['module', 'namespace', 'package', 'variable', 'type-parameter']);

/** Whether it may be what a name with parentheses is; constants of Python hold what is made elsewhere. */
export function mayBeCalled({ kind, language }: Pick<DocumentedDefinition, 'kind' | 'language'>): boolean {
  return !uncallable.has(kind) && !(kind === 'constant' && language === 'python');
}

/** Others can have it by its name alone. */
export function isPublicByName({ exported, isLocal, containers, kind }: DocumentedDefinition): boolean {
  return exported && !isLocal && (containers.length === 0 || types.has(kind) || kind === 'function');
}
