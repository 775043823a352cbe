import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { amount } from '../../client/protocol/amount.ts';
import { failedBy, ProgramFailed, type ProgramWords, runProgram } from './bounded-program.ts';
import { compilationsInCopy } from './compilations.ts';
import { type FoundProgram, findProgram, type ProgramPlaces } from './find-program.ts';
import { documentCounter, watchDocuments } from './growing-index.ts';
import { type Indexer, type IndexerPlace, indexers, isProjectFile } from './indexer-table.ts';
import { programEnvironment } from './program-environment.ts';
import { pythonPlaces, writeToldPython } from './python-places.ts';
import { copyTree } from './tree-copy.ts';
import {
  isTypescriptConfig,
  isTypescriptFile,
  readTypescriptConfigs,
  type TypescriptProject,
  typescriptProjects,
  writeProjectFiles,
} from './typescript-projects.ts';

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
  readonly signal: AbortSignal;
  /** Told as it goes on: of how many files an index is written. */
  readonly onFiles?: (count: number) => void;
  /** Told of what failed and leaves the rest: what it wrote last is for the log. */
  readonly onFailure?: (failure: ProgramFailed) => void;
}

/** Largest index that is taken in, and largest tree that is copied. */
const mostIndexBytes = 2 * 2 ** 30;
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

/** A run, and counters of the documents in each file that it writes. */
interface CountedRun extends IndexerRun {
  readonly counters: (() => number)[];
}

async function indexFolders(run: CountedRun): ReturnType<typeof runIndexer> {
  const folders = projectFolders(run.indexer, run.paths);
  const root = await readRoot(run);
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
  if (written.length === 0 && failures[0] !== undefined) throw failures[0];
  for (const failure of failures) run.onFailure?.(failure);
  return { written, problems: failures.map(({ message }) => message) };
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

/**
 * One run over project files of ours. A configuration that this TypeScript refuses takes its whole project along, so what
 * came to nothing is read again with options of ours.
 */
async function indexTypescript(run: CountedRun): ReturnType<typeof runIndexer> {
  const configs = readTypescriptConfigs(run.root, run.paths.filter(isTypescriptConfig));
  const projects = typescriptProjects(run.paths.filter(isTypescriptFile), configs);
  if (projects.length === 0) return { written: [], problems: [] };
  const written: WrittenIndex[] = [];
  const problems: string[] = [];
  let left = projects;
  let failure: ProgramFailed | undefined;
  for (const [number, options] of (['of the repository', 'ours'] as const).entries()) {
    const files = writeProjectFiles(run.root, left, run.scratch, options);
    const place = placeOf(run, run.root, `index-${number}`);
    run.counters.push(documentCounter(place.output));
    let words: ProgramWords;
    try {
      words = await start(run, place, files);
    } catch (error) {
      if (!(error instanceof ProgramFailed) || error.reason !== 'failed') throw error;
      failure = error;
      words = error.words;
    }
    if (isWritten(place.output)) written.push({ file: place.output, folder: '' });
    else failure ??= wroteNone(run, words);
    left = left.filter((_, index) => !words.stdout.includes(`+ ${files[index]!} (`));
    if (left.length === 0) break;
    const unread = `${run.indexer.name} could not read ${amount(left.length, 'project')} with options ${options}`;
    run.onFailure?.(new ProgramFailed('failed', unread, words));
    if (options === 'of the repository') problems.push(refusal(left, words));
  }
  if (written.length === 0 && failure !== undefined) throw failure;
  return {
    written,
    problems: left.length === 0 ? problems : [...problems, `${amount(left.length, 'project')} could not be read`],
  };
}

const mostNamed = 3;

/** What of the options TypeScript said first tells the rest. */
function refusal(projects: readonly TypescriptProject[], { last }: ProgramWords): string {
  const some = projects.slice(0, mostNamed).map(({ config }) => config || 'no tsconfig.json');
  const more = projects.length > mostNamed ? ` and ${projects.length - mostNamed} more` : '';
  const why = /error (TS\d+: .+)/.exec(last)?.[1];
  const said = why === undefined ? '' : ` (${why})`;
  return `its TypeScript refused the options of ${some.join(', ')}${more}${said}; they were read with options of ours`;
}

function placeOf({ scratch, project }: IndexerRun, folder: string, name: string): IndexerPlace {
  return { folder, output: join(scratch, `${name}.scip`), scratch, project };
}

async function start(run: IndexerRun, place: IndexerPlace, more: readonly string[]): Promise<ProgramWords> {
  const { indexer, found, root, trusted, scratch, memoryBytes, environment } = run;
  const pathFirst = [join(root, '.venv/bin'), join(root, 'venv/bin')];
  const env = programEnvironment({ from: environment, trusted, scratch, memoryBytes, pathFirst });
  if (indexer.name === 'scip-python') {
    writeFileSync(join(scratch, 'no-packages.json'), '[]');
    const told = trusted ? undefined : await pythonPlaces(run);
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

/** Where it reads the tree. */
async function readRoot({ indexer, root, scratch, paths, signal }: IndexerRun): Promise<string> {
  if (indexer.reads === 'tree') return root;
  const to = join(scratch, 'tree');
  mkdirSync(to, { mode: 0o700 });
  const folders = indexer.alsoCopied ?? [];
  const files = indexer.alsoCopiedFiles;
  if (await copyTree({ root, paths, folders, files, to, mostBytes: mostCopyBytes, signal })) return to;
  throw new ProgramFailed('failed', `${indexer.name} reads a copy of the tree, which is too large to make`);
}

/** It ended well, and yet there is nothing to take in. */
function wroteNone({ indexer }: IndexerRun, words: ProgramWords): ProgramFailed {
  return failedBy(`${indexer.name} wrote no index`, words);
}

/** A database names files absolutely: those of the tree, into which a compiler told so might write. */
async function moveCompilations({ root }: IndexerRun, copy: string, { folder }: IndexerPlace): Promise<void> {
  const file = join(folder, 'compile_commands.json');
  const { size } = statSync(file);
  if (size > mostDatabaseBytes) {
    throw new ProgramFailed('failed', `scip-clang reads a compilation database, which is too large (${file})`);
  }
  writeFileSync(file, await compilationsInCopy(await readFile(file, 'utf8'), { root, copy }));
}

function isWritten(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size > 0;
}

function hasAbove(folder: string, all: ReadonlySet<string>): boolean {
  for (let at = folder; at !== ''; ) {
    at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
    if (all.has(at)) return true;
  }
  return false;
}
