import { truncateSync } from 'node:fs';
import { amount } from '../../client/protocol/amount.ts';
import { ProgramFailed, type ProgramWords } from './bounded-program.ts';
import { documentCounter, type WholeDocuments, wholeDocuments } from './growing-index.ts';
import { type CountedRun, isWritten, placeOf, start, type WrittenIndex, wroteNone } from './indexer-run.ts';
import type { IndexerPlace } from './indexer-table.ts';
import {
  isTypescriptConfig,
  isTypescriptFile,
  type ProjectOptions,
  readTypescriptConfigs,
  type TypescriptProject,
  typescriptProjects,
  writeProjectFiles,
} from './typescript-projects.ts';

/** What is read together, by one checker: a project, or what of it one process has the memory for. */
interface Part extends TypescriptProject {
  readonly options: ProjectOptions;
}

/**
 * Runs scip-typescript over project files of ours: all in one process, as long as that lives.
 *
 * - A configuration that this TypeScript refuses takes its whole project along, so that what came to nothing is read again
 *   with options of ours.
 * - Where memory ends, what is written stays, and what is left of the project goes to processes of its own, each with
 *   fewer files than were too many. `run.filesAtOnce` keeps how many for the next run.
 * - Where time is up, what is written stays.
 *
 * Rejects with `ProgramFailed` where nothing is written.
 */
export async function indexTypescript(
  run: CountedRun,
): Promise<{ readonly written: readonly WrittenIndex[]; readonly problems: readonly string[] }> {
  const configs = readTypescriptConfigs(run.root, run.paths.filter(isTypescriptConfig));
  const projects = typescriptProjects(run.paths.filter(isTypescriptFile), configs);
  const waiting = firstBatches(run, projects);
  const written: WrittenIndex[] = [];
  const refused: Part[] = [];
  const unread = new Problems(run);
  const endMs = performance.now() + run.timeoutMs;
  let failure: ProgramFailed | undefined;
  for (let number = 0; ; number++) {
    const parts = waiting.shift() ?? refused.splice(0);
    if (parts.length === 0) break;
    const batch = await readBatch({ ...run, timeoutMs: Math.max(1, endMs - performance.now()) }, parts, number);
    if (batch.file !== undefined) written.push({ file: batch.file, folder: '' });
    if (batch.left.length === 0) continue;
    failure ??= batch.failure;
    const { reason } = batch.failure;
    if (reason === 'timeout') {
      unread.tell([...batch.left, ...waiting.flat(), ...refused], batch.failure);
      break;
    }
    if (reason === 'out_of_memory') waiting.unshift(...smaller(run, parts, batch, unread));
    else refused.push(...withOurs(run, batch.left, batch.failure, unread));
  }
  if (written.length === 0 && failure !== undefined) throw failure;
  return { written, problems: unread.words };
}

/** All of them at once, but for those of which it is known that they are too many for one process. */
function firstBatches(run: CountedRun, projects: readonly TypescriptProject[]): Part[][] {
  const together: Part[] = [];
  const apart: Part[][] = [];
  for (const project of projects) {
    const part = { ...project, options: 'of the repository' } as const;
    const atOnce = run.filesAtOnce?.get(project.config) ?? Number.POSITIVE_INFINITY;
    if (part.files.length <= atOnce) together.push(part);
    else apart.push(...inPieces(part, atOnce));
  }
  return [...(together.length === 0 ? [] : [together]), ...apart];
}

function inPieces(part: Part, atOnce: number): Part[][] {
  const count = Math.ceil(part.files.length / atOnce);
  const size = Math.ceil(part.files.length / count);
  return Array.from({ length: count }, (_, at) => [{ ...part, files: part.files.slice(at * size, (at + 1) * size) }]);
}

/** What became of the parts that one process was given. */
interface Batch {
  /** The index, as far as it was written. */
  readonly file: string | undefined;
  /** Parts that were not read to their end. */
  readonly left: readonly Part[];
  /** Files that the index tells of, where it ends before all was read. */
  readonly told: ReadonlySet<string>;
  readonly failure: ProgramFailed;
}

async function readBatch(run: CountedRun, parts: readonly Part[], number: number): Promise<Batch> {
  const files = writeProjectFiles(run.root, parts, run.scratch, `project-${number}`);
  const place = placeOf(run, run.root, `index-${number}`);
  run.counters.push(documentCounter(place.output));
  const { words, failure } = await ended(run, place, files);
  const left = parts.filter((_, index) => !words.stdout.includes(`+ ${files[index]!} (`));
  const isThere = isWritten(place.output);
  const whole = isThere && failure !== undefined ? cutToWhole(place.output) : undefined;
  return {
    file: isThere && whole?.paths.length !== 0 ? place.output : undefined,
    left,
    told: new Set(whole?.paths),
    failure:
      failure ?? (isThere ? new ProgramFailed('failed', 'it passed projects over', words) : wroteNone(run, words)),
  };
}

/** Rejects where the whole run has come to nothing. */
async function ended(
  run: CountedRun,
  place: IndexerPlace,
  files: readonly string[],
): Promise<{ readonly words: ProgramWords; readonly failure?: ProgramFailed }> {
  try {
    return { words: await start(run, place, files) };
  } catch (error) {
    if (!(error instanceof ProgramFailed) || !leavesTheRest.has(error.reason)) throw error;
    return { words: error.words, failure: error };
  }
}

const leavesTheRest: ReadonlySet<ProgramFailed['reason']> = new Set(['failed', 'out_of_memory', 'timeout']);

/** Of an index whose writer was ended the documents that are whole. */
function cutToWhole(file: string): WholeDocuments {
  const whole = wholeDocuments(file);
  truncateSync(file, whole.bytes);
  return whole;
}

/** Of what was too many at once this share is tried next. */
const lessAtOnce = 0.7;

/** What is left where memory ended, for processes of their own. */
function smaller(run: CountedRun, parts: readonly Part[], { left, told, failure }: Batch, unread: Problems): Part[][] {
  // It reads one after the other.
  const [last, ...others] = left as readonly [Part, ...Part[]];
  const files = last.files.filter(file => !told.has(file));
  const read = last.files.length - files.length;
  const rest = others.length === 0 ? [] : [others];
  if (read === 0 && last === parts[0]) {
    unread.tell([last], failure);
    return rest;
  }
  run.onFailure?.(failure);
  // What came behind others had less than all of the memory.
  const atOnce = read === 0 ? last.files.length : Math.max(1, Math.floor(read * lessAtOnce));
  run.filesAtOnce?.set(last.config, atOnce);
  return [...inPieces({ ...last, files }, atOnce), ...rest];
}

/** Those that were refused with the options of the repository, to be read by ours; of the others nothing can be had. */
function withOurs(run: CountedRun, left: readonly Part[], { words }: ProgramFailed, unread: Problems): readonly Part[] {
  const theirs = left.filter(({ options }) => options === 'of the repository');
  const ours = left.filter(({ options }) => options === 'ours');
  for (const [options, some] of [
    ['of the repository', theirs],
    ['ours', ours],
  ] as const) {
    const text = `${run.indexer.name} could not read ${amount(some.length, 'project')} with options ${options}`;
    if (some.length > 0) run.onFailure?.(new ProgramFailed('failed', text, words));
  }
  if (theirs.length > 0) unread.words.push(refusal(theirs, words));
  if (ours.length > 0) unread.words.push(`${amount(ours.length, 'project')} could not be read`);
  return theirs.map(part => ({ ...part, options: 'ours' }));
}

/** What kept files from being read. */
class Problems {
  readonly words: string[] = [];
  readonly #run: CountedRun;

  constructor(run: CountedRun) {
    this.#run = run;
  }

  tell(parts: readonly Part[], failure: ProgramFailed): void {
    this.#run.onFailure?.(failure);
    const files = parts.reduce((sum, one) => sum + one.files.length, 0);
    this.words.push(`${failure.message}; ${amount(files, 'file')} of ${configsOf(parts)} were not read`);
  }
}

const mostNamed = 3;

function configsOf(projects: readonly TypescriptProject[]): string {
  const configs = [...new Set(projects.map(({ config }) => config || 'no tsconfig.json'))];
  const more = configs.length > mostNamed ? ` and ${configs.length - mostNamed} more` : '';
  return `${configs.slice(0, mostNamed).join(', ')}${more}`;
}

/** What of the options TypeScript said first tells the rest. */
function refusal(projects: readonly TypescriptProject[], { last }: ProgramWords): string {
  const why = /error (TS\d+: .+)/.exec(last)?.[1];
  const said = why === undefined ? '' : ` (${why})`;
  return `its TypeScript refused the options of ${configsOf(projects)}${said}; they were read with options of ours`;
}
