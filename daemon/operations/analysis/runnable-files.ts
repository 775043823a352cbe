import { runnableTests } from '../../analysis/impact/runnable-tests.ts';
import { type TestSettings, testSettings } from '../../analysis/impact/test-settings.ts';
import type { ToldDocument } from '../../store/told-documents.ts';
import type { AnalysedSnapshot } from './analyses.ts';

/** The files of a snapshot that a runner of tests takes for some, and what settings of runners say besides. */
export interface RunnableFiles {
  /** Paths, sorted. */
  readonly runnable: readonly string[];
  readonly settings: TestSettings;
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
  return { runnable: [...runnableTests(files, moduleOf, settings)].sort(), settings };
}
