import { isCode } from '../../model/families.ts';
import type { CodeGraph, GraphDocument, GraphSite } from '../../model/graph.ts';
import { baseName, directoryOf } from '../../model/paths.ts';
import { type Everything, everythingBy, runsTests } from './everything.ts';
import {
  type FileGraph,
  type FileReach,
  type FileRoot,
  type FileWay,
  fileConfidence,
  reachByFiles,
} from './file-reach.ts';
import { folderOfData, isTestData, isTestSite, isWholeTest } from './runnable-tests.ts';
import { type ByNameAlone, reachBySymbols, type SymbolWay } from './symbol-reach.ts';

/** A file that has changed, and what a snapshot has of it. */
export interface ChangedFile {
  readonly path: string;
  /** Undefined where nobody reads it, or where it is not there. */
  readonly document: GraphDocument | undefined;
  /** Of a file that is there and that nobody reads: those that import it. */
  readonly importers: readonly GraphDocument[];
  /** Of a file that is not there: those who look for it, or for what it defined. */
  readonly seekers: readonly GraphDocument[];
}

/**
 * How a test hangs on a changed file: it is one; it uses what one defines; it imports one, uses or is compiled with what
 * does; what sets it up does; something looks for one that is not there; it reads test data; one settles how all is done.
 */
export type TestRelation = 'changed' | 'symbol' | 'import' | 'setup' | 'missing' | 'data' | 'everything';

export interface AffectedTest {
  readonly path: string;
  /** A runner of tests takes it for some; else it helps others, or is read by them. */
  readonly isRunnable: boolean;
  readonly relation: TestRelation;
  /** Steps from the changed file. */
  readonly distance: number;
  /** How sure that the change makes a difference to it, 0 to 1. */
  readonly confidence: number;
  /** A way from the changed file to the test, without that. */
  readonly because: readonly Place[];
}

/** A file, or a definition in it. */
export interface Place {
  readonly path: string;
  readonly site?: GraphSite;
}

export interface WholeRepository extends Everything {
  readonly path: string;
  /** The changed file by way of which; the path itself where it has changed. */
  readonly changed: string;
}

export interface Affected {
  /** What uses a symbol first, then what hangs on a file, the nearest first, of these the surest. */
  readonly tests: readonly AffectedTest[];
  /** Changed code that no runnable test hangs on. */
  readonly untested: readonly string[];
  /** What may make a difference to all tests below a folder. */
  readonly everything: readonly WholeRepository[];
  /** Of the tests that could not be read those in a folder of what has changed or is reached: they may hang on it. */
  readonly unread: readonly string[];
}

export interface AffectedOptions {
  readonly graph: CodeGraph;
  /** Paths of runnable tests, sorted. */
  readonly runnable: readonly string[];
  /** Those of them that could not be read. */
  readonly unread: readonly string[];
  /** Files that settings of runners have loaded before any test, and the folders whose tests they do it for. */
  readonly setUps: ReadonlyMap<string, string>;
  /** What the `__init__.py` of a folder runs before: the modules in it, and the `__init__.py` of those right below. */
  readonly modulesIn: (folder: string) => readonly string[];
  readonly documentAt: (path: string) => GraphDocument | undefined;
  readonly byNameAlone: (symbol: number) => ByNameAlone;
  /** Whether all tests are listed that something may make a difference to which settles everything. */
  readonly everything: 'told' | 'listed';
}

/** The tests that hang on changed files, in any number of steps. */
export function affectedTests(changed: readonly ChangedFile[], options: AffectedOptions): Affected {
  const { graph, runnable } = options;
  const isRunnable = new Set(runnable);
  const here = changed.flatMap(({ document }) => (document === undefined ? [] : [document]));
  const symbols = reachBySymbols(graph, here, options.byNameAlone, site => isTestSite(site, isRunnable));
  const roots = rootsOf(changed);
  const files = reachByFiles(
    filesOf(options),
    roots.map(({ root }) => root),
  );
  const found = new Map<string, AffectedTest>();
  const add = (test: Omit<AffectedTest, 'isRunnable'>): void => {
    const known = found.get(test.path);
    if (known === undefined || inOrder(test, known) < 0) {
      found.set(test.path, { ...test, isRunnable: isRunnable.has(test.path) });
    }
  };
  for (const { path, document } of changed)
    if (document === undefined && isRunnable.has(path)) add({ ...itself, path });
  for (const way of symbols.values()) add(testBySymbol(way));
  for (const way of files.ways.values()) {
    // What stands between other code hangs on what it uses, not on all that this does.
    const isChangedTest = way.relation === undefined && isRunnable.has(way.in.path);
    if (isChangedTest || isWholeTest(way.in, isRunnable)) add(testByFile(way, roots));
  }
  for (const { path, document } of changed) for (const one of testsReading(path, document, runnable)) add(one);
  const everything = everythingOf(changed, files, roots, options.setUps);
  if (options.everything === 'listed')
    for (const one of everything) for (const test of testsBelow(one, runnable)) add(test);
  return {
    tests: [...found.values()].sort(inOrder),
    untested: untestedOf(changed, symbols, files, isRunnable).filter(path => !options.setUps.has(path)),
    everything,
    unread: unreadBeside(options.unread, changed, symbols, files).filter(path => !found.has(path)),
  };
}

/** A changed test that could not be read. */
const itself = { relation: 'changed', distance: 0, confidence: 1, because: [] } as const;

function unreadBeside(
  unread: readonly string[],
  changed: readonly ChangedFile[],
  symbols: ReadonlyMap<number, SymbolWay>,
  { ways }: FileReach,
): readonly string[] {
  if (unread.length === 0) return [];
  const folders = new Set(changed.map(({ path }) => directoryOf(path)));
  for (const { site } of symbols.values()) folders.add(directoryOf(site.in.path));
  for (const way of ways.values()) folders.add(directoryOf(way.in.path));
  return unread.filter(path => folders.has(directoryOf(path)));
}

/** Where a way by files begins, and which changed file that is. */
interface Root {
  readonly root: FileRoot;
  readonly changed: ChangedFile;
  /** How what it begins with hangs on that. */
  readonly relation: 'changed' | 'import' | 'missing';
}

/** That an import looks for a file that is not there says that something is missing, not that it is this one. */
const seekerConfidence = 0.7;

function rootsOf(changed: readonly ChangedFile[]): readonly Root[] {
  const beside = (
    some: readonly GraphDocument[],
    confidence: number,
    relation: 'import' | 'missing',
    of: ChangedFile,
  ) => some.map((one): Root => ({ root: { in: one, distance: 1, confidence }, changed: of, relation }));
  return changed.flatMap(one => [
    ...(one.document === undefined
      ? []
      : [{ root: { in: one.document, distance: 0, confidence: 1 }, changed: one, relation: 'changed' } as const]),
    ...beside(one.importers, fileConfidence, 'import', one),
    ...beside(one.seekers, seekerConfidence, 'missing', one),
  ]);
}

function filesOf({ graph, runnable, documentAt, setUps, modulesIn }: AffectedOptions): FileGraph {
  const testsIn = (folder: string, names: RegExp) =>
    below(folder, runnable).flatMap(test => (names.test(test) ? (documentAt(test) ?? []) : []));
  return {
    document: document => graph.document(document),
    eachUse: (symbol, take) => graph.eachUse(symbol, take),
    eachImport: (of, take) => graph.eachImport(of, take),
    documentsIn: scope => graph.documentsIn(scope),
    setUpBy: ({ path }) => {
      if (baseName(path) === 'conftest.py') return testsIn(directoryOf(path), /\.py$/);
      const folder = setUps.get(path);
      return folder === undefined ? [] : testsIn(folder, /\.[cm]?[jt]sx?$/);
    },
    loadedAfter: ({ path }) =>
      baseName(path) === '__init__.py' ? modulesIn(directoryOf(path)).flatMap(one => documentAt(one) ?? []) : [],
  };
}

function testBySymbol(way: SymbolWay): Omit<AffectedTest, 'isRunnable'> {
  const because: Place[] = [];
  for (let at = way.by; at !== undefined; at = at.by) because.unshift({ path: at.site.in.path, site: at.site });
  const { distance, confidence } = way;
  return { path: way.site.in.path, relation: 'symbol', distance, confidence, because };
}

function testByFile(way: FileWay, roots: readonly Root[]): Omit<AffectedTest, 'isRunnable'> {
  const { root, changed, relation: begins } = roots[way.root]!;
  const because: Place[] = [];
  let isSetUp = way.relation === 'setup';
  for (let at = way.by; at !== undefined; at = at.by) {
    because.unshift({ path: at.in.path });
    isSetUp ||= at.relation === 'setup';
  }
  if (root.distance > 0) because.unshift({ path: changed.path });
  const isFirst = begins === 'missing' || way.distance === 0;
  const relation = isFirst ? begins : isSetUp ? 'setup' : 'import';
  return { path: way.in.path, relation, distance: way.distance, confidence: way.confidence, because };
}

/** A snapshot is one test file's; other data is read by tests around it, nobody says which. */
const snapshotConfidence = 0.9;
const dataConfidence = 0.3;

function testsReading(
  path: string,
  document: GraphDocument | undefined,
  runnable: readonly string[],
): readonly Omit<AffectedTest, 'isRunnable'>[] {
  const read = { relation: 'data', distance: 1, because: [{ path }] } as const;
  const [, folder, name] = /^(.*?)__snapshots__\/(.+)\.(?:snap|shot)(?:\.\w+)?$/.exec(path) ?? [];
  if (folder !== undefined && runnable.includes(folder + name)) {
    return [{ ...read, path: folder + name, confidence: snapshotConfidence }];
  }
  const around = folderOfData(path) ?? (document === undefined ? testFolderOf(path) : undefined);
  if (around === undefined) return [];
  return below(around, runnable).map(test => ({ ...read, path: test, confidence: dataConfidence }));
}

/** The innermost folder of tests that a file lies in. */
function testFolderOf(path: string): string | undefined {
  return /^(?:.*\/)?(?:tests?|__tests__|specs?|e2e)(?=\/)/.exec(path)?.[0];
}

function everythingOf(
  changed: readonly ChangedFile[],
  { ways }: FileReach,
  roots: readonly Root[],
  setUps: ReadonlyMap<string, string>,
): readonly WholeRepository[] {
  const found = new Map<string, WholeRepository>();
  const setUp = (path: string): Everything | undefined => {
    const directory = setUps.get(path);
    return directory === undefined ? undefined : { directory, because: 'how tests are run' };
  };
  for (const { path } of changed) {
    const one = setUp(path) ?? everythingBy(path);
    if (one !== undefined) found.set(path, { path, changed: path, ...one });
  }
  for (const way of ways.values()) {
    const { path } = way.in;
    const one = setUp(path) ?? (runsTests(path) ? everythingBy(path) : undefined);
    if (one !== undefined && !found.has(path))
      found.set(path, { path, changed: roots[way.root]!.changed.path, ...one });
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const everythingConfidence = 0.2;

function testsBelow(
  { path, directory }: WholeRepository,
  runnable: readonly string[],
): readonly Omit<AffectedTest, 'isRunnable'>[] {
  const told = { relation: 'everything', distance: 1, confidence: everythingConfidence, because: [{ path }] } as const;
  return below(directory, runnable).map(test => ({ ...told, path: test }));
}

function below(directory: string, paths: readonly string[]): readonly string[] {
  return directory === '' ? paths : paths.filter(path => path.startsWith(`${directory}/`));
}

function untestedOf(
  changed: readonly ChangedFile[],
  symbols: ReadonlyMap<number, SymbolWay>,
  files: FileReach,
  isRunnable: ReadonlySet<string>,
): readonly string[] {
  const isTested = (one: GraphDocument): boolean => isRunnable.has(one.path);
  const tested = new Set(files.leadingTo(one => isTested(one) && isWholeTest(one, isRunnable)));
  for (const { document } of changed) if (document !== undefined && isTested(document)) tested.add(document.document);
  for (const way of symbols.values()) if (isRunnable.has(way.site.in.path)) tested.add(beginningOf(way));
  return changed.flatMap(({ path, document }) =>
    document === undefined || !isCode(document.language) || isNoCodeOfTests(path) || tested.has(document.document)
      ? []
      : [path],
  );
}

/** Tests read it, or it settles how they are run: none is to be expected of it. */
function isNoCodeOfTests(path: string): boolean {
  return isTestData(path) || everythingBy(path) !== undefined;
}

function beginningOf(way: SymbolWay): number {
  return way.by === undefined ? way.site.in.document : beginningOf(way.by);
}

const ranks: Readonly<Record<TestRelation, number>> = {
  changed: 0,
  symbol: 1,
  import: 2,
  setup: 2,
  missing: 2,
  data: 3,
  everything: 4,
};

type Ordered = Pick<AffectedTest, 'relation' | 'distance' | 'confidence' | 'path'>;

function inOrder(a: Ordered, b: Ordered): number {
  return (
    ranks[a.relation] - ranks[b.relation] ||
    a.distance - b.distance ||
    b.confidence - a.confidence ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
  );
}
