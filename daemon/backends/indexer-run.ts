import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failedBy, type ProgramFailed, type ProgramWords, runProgram } from './bounded-program.ts';
import type { FoundProgram } from './find-program.ts';
import type { Indexer, IndexerPlace } from './indexer-table.ts';
import { programEnvironment } from './program-environment.ts';
import { askPython, pythonPlaces, writeToldPython } from './python-places.ts';

/** A SCIP index that was written. */
export interface WrittenIndex {
  readonly file: string;
  /** What its documents' paths are relative to: a folder of the repository, '' for the root. */
  readonly folder: string;
}

export interface IndexerRun {
  readonly indexer: Indexer;
  readonly found: FoundProgram;
  readonly root: string;
  /** Names the repository. */
  readonly project: string;
  readonly trusted: boolean;
  /** Every file of the tree that the index lists. */
  readonly paths: readonly string[];
  /** Absolute: an empty folder of ours, removed by whoever made it. */
  readonly scratch: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  /** By project, how many files of it one process has the memory for, as earlier runs found; kept along. */
  readonly filesAtOnce?: Map<string, number>;
  readonly signal: AbortSignal;
  /** Told as it goes on: of how many files an index is written. */
  readonly onFiles?: (count: number) => void;
  /** Told of what failed and leaves the rest: what it wrote last is for the log. */
  readonly onFailure?: (failure: ProgramFailed) => void;
}

/** A run, and counters of the documents in each file that it writes. */
export interface CountedRun extends IndexerRun {
  readonly counters: (() => number)[];
}

/** Largest index that is taken in. */
const mostIndexBytes = 2 * 2 ** 30;

export function placeOf({ scratch, project }: IndexerRun, folder: string, name: string): IndexerPlace {
  return { folder, output: join(scratch, `${name}.scip`), scratch, project };
}

/** Rejects with `ProgramFailed`. */
export async function start(run: IndexerRun, place: IndexerPlace, more: readonly string[]): Promise<ProgramWords> {
  const { indexer, found, root, trusted, scratch, memoryBytes, environment } = run;
  const pathFirst = [join(root, '.venv/bin'), join(root, 'venv/bin')];
  const env = programEnvironment({ from: environment, trusted, scratch, memoryBytes, pathFirst });
  if (indexer.name === 'scip-python') {
    writeFileSync(join(scratch, 'no-packages.json'), '[]');
    const told = trusted ? undefined : await pythonPlaces(run, (program, path) => askPython(program, path, run));
    if (told !== undefined) writeToldPython(told, env['PATH']!);
  }
  return runProgram({
    name: indexer.name,
    program: found.program,
    arguments: [...found.arguments, ...indexer.arguments(place), ...more],
    cwd: place.folder,
    env,
    signal: run.signal,
    timeoutMs: run.timeoutMs,
    memoryBytes,
    writes: { files: [place.output], bytes: mostIndexBytes },
  });
}

/** It ended well, and yet there is nothing to take in. */
export function wroteNone({ indexer }: IndexerRun, words: ProgramWords): ProgramFailed {
  return failedBy(`${indexer.name} wrote no index`, words);
}

export function isWritten(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size > 0;
}
