import { runnableTests } from '../../analysis/impact/runnable-tests.ts';
import { type TestSettings, testSettings } from '../../analysis/impact/test-settings.ts';
import { baseName, directoryOf } from '../../model/paths.ts';
import type { ToldDocument } from '../../store/told-documents.ts';
import type { AnalysedSnapshot } from './analyses.ts';

/** The files of a snapshot that a runner of tests takes for some, and what settings of runners say besides. */
export interface RunnableFiles {
  /** Paths, sorted. */
  readonly runnable: readonly string[];
  /** The same. */
  readonly isRunnable: ReadonlySet<string>;
  readonly settings: TestSettings;
  /** Paths of modules of Python by the folder whose `__init__.py` runs before them. */
  readonly modulesIn: (folder: string) => readonly string[];
}

/** By what tells of a snapshot's documents, which stays the same value for as long as these do. */
const runnableKept = new WeakMap<object, RunnableFiles>();

export function runnableIn({ asked, moduleOf, reader, snapshot }: AnalysedSnapshot): RunnableFiles {
  const told = reader.told(asked.repo.key, snapshot.seq)!;
  const known = runnableKept.get(told) ?? found([...told.values()], path => moduleOf(path).packageId);
  runnableKept.set(told, known);
  return known;
}

function found(files: readonly ToldDocument[], moduleOf: (path: string) => string): RunnableFiles {
  const settings = testSettings(files);
  const runnable = [...runnableTests(files, moduleOf, settings)].sort();
  const modules = modulesByFolder(files);
  return { runnable, isRunnable: new Set(runnable), settings, modulesIn: folder => modules.get(folder) ?? [] };
}

function modulesByFolder(files: readonly ToldDocument[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, language } of files) {
    if (language !== 'python' || path.endsWith('.pyi')) continue;
    const folder = directoryOf(path);
    const isPackage = baseName(path) === '__init__.py';
    if (isPackage && folder === '') continue;
    const after = isPackage ? directoryOf(folder) : folder;
    const known = found.get(after);
    if (known === undefined) found.set(after, [path]);
    else known.push(path);
  }
  return found;
}
