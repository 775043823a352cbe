import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { amount } from '../../client/protocol/amount.ts';
import { ProgramFailed, runProgram } from './bounded-program.ts';
import { compilationsInCopy } from './compilations.ts';
import { type FoundProgram, findProgram, type ProgramPlaces } from './find-program.ts';
import { documentCounter, watchDocuments } from './growing-index.ts';
import {
  type CountedRun,
  type IndexerRun,
  isWritten,
  placeOf,
  start,
  type WrittenIndex,
  wroteNone,
} from './indexer-run.ts';
import { type Indexer, type IndexerPlace, indexers, isProjectFile } from './indexer-table.ts';
import { programEnvironment } from './program-environment.ts';
import { copyTree } from './tree-copy.ts';
import { indexTypescript } from './typescript-run.ts';

/** Largest tree that is copied. */
const mostCopyBytes = 4 * 2 ** 30;
const mostDatabaseBytes = 128 * 2 ** 20;
const mostProjects = 50;

/** The program of an indexer, by the configuration, on PATH or in a package. */
export function findIndexer(indexer: Indexer, configured: string, places: ProgramPlaces): FoundProgram | undefined {
  return findProgram({ configured, program: indexer.program, npm: indexer.npm }, places);
}

/** The indexers that know a language of those that a repository has. */
export function indexersFor(languages: Iterable<string>): readonly Indexer[] {
  const present = new Set(languages);
  return indexers.filter(one => one.languages.some(language => present.has(language)));
}

/** The folders to run it in: the outermost with a project file; the root alone for those that need none. */
export function projectFolders(indexer: Indexer, paths: readonly string[]): readonly string[] {
  if (indexer.projectFiles.length === 0) return [''];
  const found = new Set<string>();
  for (const path of paths) {
    const slash = path.lastIndexOf('/');
    if (isProjectFile(indexer, path.slice(slash + 1))) found.add(slash < 0 ? '' : path.slice(0, slash));
  }
  const outermost = [...found].filter(folder => !hasAbove(folder, found));
  return outermost.sort().slice(0, mostProjects);
}

/**
 * Runs an indexer over a work tree or a copy of it. Rejects with `ProgramFailed`. A project that fails among several is
 * told as a problem; where all fail, the first failure is thrown.
 */
export async function runIndexer(
  asked: IndexerRun,
): Promise<{ readonly written: readonly WrittenIndex[]; readonly problems: readonly string[] }> {
  const run: CountedRun = { ...asked, counters: [] };
  const stop = watchDocuments(run.counters, count => asked.onFiles?.(count));
  try {
    return await (run.indexer.name === 'scip-typescript' ? indexTypescript(run) : indexFolders(run));
  } finally {
    stop();
  }
}

async function indexFolders(run: CountedRun): ReturnType<typeof runIndexer> {
  const folders = projectFolders(run.indexer, run.paths);
  const { root, unread } = await readRoot(run);
  const written: WrittenIndex[] = [];
  const failures: ProgramFailed[] = [];
  for (const [number, folder] of folders.entries()) {
    const place = placeOf(run, join(root, folder), `index-${number}`);
    try {
      const file = run.indexer.writes === undefined ? place.output : join(place.folder, run.indexer.writes);
      run.counters.push(documentCounter(file));
      if (run.indexer.name === 'scip-clang') await moveCompilations(run, root, place);
      const words = await start(run, place, []);
      if (isWritten(file)) written.push({ file, folder });
      else failures.push(wroteNone(run, words));
    } catch (error) {
      if (!(error instanceof ProgramFailed) || error.reason === 'cancelled') throw error;
      failures.push(error);
    }
  }
  const [first] = failures;
  if (written.length === 0 && first !== undefined) {
    throw new ProgramFailed(first.reason, [first.message, ...unread].join('; '), first.words);
  }
  for (const failure of failures) run.onFailure?.(failure);
  return { written, problems: [...unread, ...failures.map(({ message }) => message)] };
}

/** The version that a program tells; undefined where it tells none. Rejects with `ProgramFailed`. */
export async function askVersion(
  { indexer, found }: Pick<IndexerRun, 'indexer' | 'found'>,
  around: Pick<IndexerRun, 'scratch' | 'environment' | 'signal'>,
): Promise<string | undefined> {
  if (found.version !== undefined) return found.version;
  const memoryBytes = 2 ** 30;
  const { stdout } = await runProgram({
    name: indexer.name,
    program: found.program,
    arguments: [...found.arguments, ...indexer.versionArguments],
    cwd: around.scratch,
    env: programEnvironment({ from: around.environment, trusted: true, scratch: around.scratch, memoryBytes }),
    signal: around.signal,
    timeoutMs: 10_000,
    memoryBytes,
  });
  return /\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/.exec(stdout)?.[0];
}

/** Where it reads the tree, and what it lacks there, in public words. */
async function readRoot({ indexer, root, scratch, paths, signal }: IndexerRun) {
  if (indexer.reads === 'tree') return { root, unread: [] };
  const to = join(scratch, 'tree');
  mkdirSync(to, { mode: 0o700 });
  const folders = indexer.alsoCopied ?? [];
  const files = indexer.alsoCopiedFiles;
  const closed = await copyTree({ root, paths, folders, files, to, mostBytes: mostCopyBytes, signal });
  if (closed === undefined) {
    throw new ProgramFailed('failed', `${indexer.name} reads a copy of the tree, which is too large to make`);
  }
  const some = closed.slice(0, 3).join(', ') + (closed.length > 3 ? ', …' : '');
  const lacks = `${indexer.name} saw nothing of ${amount(closed.length, 'file')} that can’t be read: ${some}`;
  return { root: to, unread: closed.length === 0 ? [] : [lacks] };
}

/** A database names files absolutely: those of the tree, into which a compiler told so might write. */
async function moveCompilations({ root }: IndexerRun, copy: string, { folder }: IndexerPlace): Promise<void> {
  const file = join(folder, 'compile_commands.json');
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) {
    throw new ProgramFailed('failed', `scip-clang reads a compilation database, which can’t be read`);
  }
  if (size > mostDatabaseBytes) {
    throw new ProgramFailed('failed', `scip-clang reads a compilation database, which is too large (${file})`);
  }
  writeFileSync(file, await compilationsInCopy(await readFile(file, 'utf8'), { root, copy }));
}

function hasAbove(folder: string, all: ReadonlySet<string>): boolean {
  for (let at = folder; at !== ''; ) {
    at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
    if (all.has(at)) return true;
  }
  return false;
}
