import { compareHits, type Hit } from '../../analysis/best-hits.ts';
import { fittingOf, type LongName, type PackageName, type PackageNames } from '../../analysis/long-name.ts';
import { directoryOf } from '../../model/paths.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import { type Catalogue, documentsBefore } from '../../store/catalogue/columns.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { EnclosedRow, SymbolRow } from '../../store/symbol-rows.ts';
import type { AliasesOf } from './aliases.ts';
import { likelyPlaces } from './likely-places.ts';
import type { CatalogueQuery, SearchedCatalogue } from './search-catalogue.ts';

/** A tree to find names in. */
export interface NamedTree {
  readonly reader: IndexReader;
  readonly catalogue: Catalogue;
  readonly searched: SearchedCatalogue;
  /** What a type, by its hash, says to extend or implement, as far as that is linked. */
  readonly basesOf: (hash: string) => readonly SymbolRow[];
  readonly aliasesOf: AliasesOf;
}

/** A definition that the words before a name lead to. */
export interface Meant {
  readonly hit: Hit;
  readonly row: EnclosedRow;
  /** How they lead there: by its file, by what encloses it, by what leads to its file; or they name a type that inherits it. */
  readonly by: 'file' | 'containers' | 'place' | 'base';
}

export interface MeantByName {
  /** Best first. */
  readonly meant: readonly Meant[];
  /** How many bear such a name, where those were too many to look at each; else undefined. */
  readonly unseenOf: number | undefined;
}

export type IsSame = (a: string, b: string) => boolean;

/** Where each definition stands is in its file's facts, which take 16 µs to read: so many of a name are looked at. */
export const mostLookedAt = 2_000;
/** Types that are looked through for what another inherits. */
const mostBases = 100;

/**
 * What a qualified name means: definitions of its last word, narrowed by the words before it. Of very many the best
 * are looked at, and the best of files that those words speak of.
 */
export function meantBy(tree: NamedTree, query: CatalogueQuery, long: LongName, isSame: IsSame): MeantByName {
  const { reader, catalogue, searched } = tree;
  const packages = knownPackages(catalogue);
  const named = { ...query, text: long.name };
  const best = searched.find(named, mostLookedAt);
  const isPassed = best.total > mostLookedAt;
  const isInPlace = isPassed || long.inFile !== undefined;
  const likely = isInPlace ? searched.bestIn(named, mostLookedAt, likelyPlaces(tree, long, packages)) : [];
  const hits = together(catalogue, likely, best.hits).filter(({ match }) => match !== 'fuzzy');
  const unseenOf = isPassed ? best.total : undefined;
  const { mayFit, isInFile, isInside, isUnder } = fittingOf(long, isSame);
  const inFile = meantInFile(tree, long, hits, isInFile);
  if (inFile !== undefined) return { meant: inFile, unseenOf };
  const rows = reader.enclosed(catalogue, hits, mayFit);
  const byOf = (row: EnclosedRow): Meant['by'] | undefined => {
    if (isInFile(row)) return 'file';
    if (isInside(row)) return 'containers';
    return isUnder(row, packages) ? 'place' : undefined;
  };
  const meant = hits.flatMap((hit, at): Meant[] => {
    const row = rows[at];
    const by = row && byOf(row);
    return row === undefined || by === undefined ? [] : [{ hit, row, by }];
  });
  if (likely.length > 0) meant.sort(inOrder);
  const isFound = meant.some(({ hit }) => hit.match === 'exact');
  return {
    meant: isFound ? meant : [...inherited(tree, query, long, isSame), ...meant],
    unseenOf,
  };
}

function inOrder(a: Meant, b: Meant): number {
  return compareHits(a.hit, b.hit);
}

/**
 * Where the file that the words name has something of that very name, outside of tests: what it has of such names. It is
 * what everybody takes, so that nothing else needs to be looked at. Undefined of any other.
 */
function meantInFile(
  { reader, catalogue }: NamedTree,
  { name, inFile }: LongName,
  hits: readonly Hit[],
  isInFile: (row: EnclosedRow) => boolean,
): readonly Meant[] | undefined {
  if (inFile === undefined) return undefined;
  const documentOf = ({ definition }: Hit) => catalogue.documents[catalogue.documentOf[definition]!]!;
  const there = hits.filter(hit => documentOf(hit).path.endsWith(inFile.path));
  const rows = reader.enclosed(catalogue, there);
  const meant = there.flatMap((hit, at): Meant[] => (isInFile(rows[at]!) ? [{ hit, row: rows[at]!, by: 'file' }] : []));
  const isClear = meant.some(({ hit }) => hit.match === 'exact' && hit.name === name && !documentOf(hit).isTest);
  return isClear ? [...meant].sort(inOrder) : undefined;
}

/** The members of that very name that a type inherits: those of its nearest bases that have any. */
function inherited(tree: NamedTree, query: CatalogueQuery, long: LongName, isSame: IsSame): readonly Meant[] {
  const { reader, catalogue, searched } = tree;
  const levels = new Map<string, number>();
  let types = typesOf(tree, long, isSame);
  for (let level = 0; types.length > 0 && levels.size < mostBases; level++) {
    const met = new Map(types.map(type => [insideOf(type), type]));
    for (const inside of levels.keys()) met.delete(inside);
    for (const inside of met.keys()) levels.set(inside, level);
    types = [...met.values()].flatMap(({ hash }) => tree.basesOf(hash));
  }
  if (levels.size === 0) return [];
  const paths = [...levels.keys()].map(inside => inside.split('\0')[0]!);
  const there = new Set(paths.map(path => documentsBefore(catalogue.documents, path)));
  const isThere = (definition: number): boolean => there.has(catalogue.documentOf[definition]!);
  const exact = searched.exact({ ...query, text: long.name }, mostLookedAt, isThere);
  const members = reader.enclosed(catalogue, exact).map((row, at) => ({ row, hit: exact[at]!, by: 'base' as const }));
  const levelOf = ({ row }: Meant): number =>
    levels.get([row.path, ...row.containers].join('\0')) ?? Number.POSITIVE_INFINITY;
  const nearest = Math.min(...members.map(levelOf));
  return Number.isFinite(nearest) ? members.filter(one => levelOf(one) === nearest) : [];
}

/** What stands inside of it has this file and these containers. */
function insideOf({ path, containers, name }: SymbolRow): string {
  return [path, ...containers, name].join('\0');
}

/** The types that the words before a name may mean. */
function typesOf(tree: NamedTree, { qualifier }: LongName, isSame: IsSame): readonly SymbolRow[] {
  const type = { name: qualifier.at(-1)!, qualifier: qualifier.slice(0, -1), inFile: undefined };
  const query = { text: type.name, kinds: typeKinds, scope: undefined };
  const hits = tree.searched.exact(query, mostBases);
  const rows = tree.reader.rows(tree.catalogue, hits).filter(({ name }) => isSame(name, type.name));
  if (type.qualifier.length === 0) return rows;
  const { isInside, isUnder } = fittingOf(type, isSame);
  const packages = knownPackages(tree.catalogue);
  return rows.filter(row => isInside(row) || isUnder(row, packages));
}

const typeKinds: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'struct', 'trait']);

/** What is exported under a name that it is not defined under. */
export function aliased(tree: NamedTree, query: CatalogueQuery, isSame: IsSame): readonly Hit[] {
  const { catalogue, searched, aliasesOf } = tree;
  const aliases = aliasesOf(query.text).filter(({ alias }) => isSame(alias, query.text));
  const symbols = new Set(aliases.map(({ symbol }) => symbol));
  const isMeant = (definition: number): boolean => symbols.has(catalogue.symbolOf[definition]!);
  const names = [...new Set(aliases.map(({ name }) => name))];
  return names.flatMap(text => searched.exact({ ...query, text }, mostLookedAt, isMeant));
}

/** Each symbol once, by its site in the likely places where it has one there; in no order. */
function together({ symbolOf }: Catalogue, likely: readonly Hit[], best: readonly Hit[]): readonly Hit[] {
  if (likely.length === 0) return best;
  const known = new Set(likely.map(({ definition }) => symbolOf[definition]!));
  return [...likely, ...best.filter(({ definition }) => !known.has(symbolOf[definition]!))];
}

/** Of each catalogue, as it was at a snapshot. */
const packagesKnown = new WeakMap<Catalogue, { readonly seq: number; readonly packages: PackageNames }>();

/** The packages of a catalogue's manifests, by folder. */
export function knownPackages(catalogue: Catalogue): PackageNames {
  const known = packagesKnown.get(catalogue);
  if (known?.seq === catalogue.seq) return known.packages;
  const packages = packagesOf(catalogue);
  packagesKnown.set(catalogue, { seq: catalogue.seq, packages });
  return packages;
}

/** As manifests name their packages, and as code writes that: `grep-searcher` is `grep_searcher`. */
function packagesOf({ documents }: Catalogue): PackageNames {
  const packages = new Map<string, PackageName>();
  for (const { path, language, scope } of documents) {
    if (language !== 'configuration') continue;
    const [, manager, name] = /^(npm|cargo|pypi|go:module):(.+)$/.exec(scope) ?? [];
    if (name === undefined) continue;
    const isPathlike = manager === 'npm' || manager === 'go:module';
    packages.set(directoryOf(path), {
      name: isPathlike ? name : name.replaceAll('-', '_'),
      isByFolder: manager === 'go:module',
    });
  }
  return packages;
}
