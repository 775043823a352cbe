import { runnableTests } from '../../analysis/impact/runnable-tests.ts';
import type { AnalysedSnapshot } from './analyses.ts';

/** By what tells of a snapshot's documents, which stays the same value for as long as these do. */
const runnableKept = new WeakMap<object, readonly string[]>();

/** Paths of the files that a runner of tests takes for some, sorted. */
export function runnableIn({ asked, moduleOf, reader, snapshot }: AnalysedSnapshot): readonly string[] {
  const told = reader.told(asked.repo.key, snapshot.seq)!;
  const known = runnableKept.get(told) ?? [...runnableTests(told.values(), path => moduleOf(path).packageId)].sort();
  runnableKept.set(told, known);
  return known;
}
