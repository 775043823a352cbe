import { defaultParseSteps } from '../../extract/budget.ts';
import { defaultSourceLimits } from '../../extract/read-file.ts';
import type { ExtractCalls, ExtractLimitsPerWorker, FileText } from '../../jobs/extract-service.ts';
import { type DocumentMentions, nothingSaid } from '../../model/mentions.ts';
import { noRoutes, type SeenRoutes } from '../../model/routes.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { entryOf } from '../../workers/entry.ts';
import { createWorkerPool, WorkerLost, type WorkerPool } from '../../workers/pool.ts';
import { analysed } from '../analysis/analyses.ts';
import { contentDigest } from '../content-digest.ts';
import type { Asked } from '../symbols/answers.ts';
import { type DocsQuestion, docsAnswer, docsTold } from './docs-answers.ts';
import {
  type DocsState,
  docsStateOf,
  documentsIn,
  type GoneTold,
  keepRead,
  saidIn,
  type UnreadDocument,
  unreadDocuments,
} from './docs-state.ts';

/** A question about documents; plain values, so that it crosses to the read worker. */
export interface DocsCall {
  readonly asked: Asked;
  readonly gone: GoneTold;
  readonly question: DocsQuestion | DocsStep;
}

/** A step of the job that reads documents: the first so many that are unread, all anew where that is asked for. */
export interface DocsStep {
  readonly operation: 'docs.index';
  readonly force: boolean;
  readonly most: number;
}

export interface DocsReply {
  readonly output: object;
  /** Of the answer, its time left out. */
  readonly treeId: string | undefined;
}

/** What a step comes to: how many documents were read, and how many are left. */
export interface DocsStepTold {
  readonly read: number;
  readonly left: number;
}

export interface DocsReading {
  /** Once all that it is about has been read; undefined where what is gone must be told first. The reader stays open meanwhile. */
  answer(reader: IndexReader, call: DocsCall, signal: AbortSignal): Promise<DocsReply | undefined>;
}

type ExtractPool = Pick<WorkerPool<ExtractCalls>, 'run'>;

/** How documents are answered about: they are read by threads of their own, which may be held up by what somebody wrote. */
export function docsReading(pool: ExtractPool = mentionsPool()): DocsReading {
  return {
    answer: async (reader, call, signal) => {
      const { asked, question } = call;
      const state = docsStateOf(reader, asked, call.gone);
      if (state === undefined) return undefined;
      const reading = { reader, asked, state, pool, signal };
      if (question.operation === 'docs.index') return stepOf(reading, question);
      for (;;) {
        await readDocuments(reading);
        if (tellsOfRoutes(question)) await readRoutes(reading);
        const output = analysed(reader, asked, of => {
          // Somebody has all read anew.
          if (unreadDocuments(of, state).length > 0) return undefined;
          keepRead(of, state, false);
          return docsAnswer(of, state, question);
        });
        if (output !== undefined) return { output, treeId: contentDigest(output) };
      }
    },
  };
}

/** What a question is about, and what reads for it. */
interface Reading {
  readonly reader: IndexReader;
  readonly asked: Asked;
  readonly state: DocsState;
  readonly pool: ExtractPool;
  readonly signal: AbortSignal;
}

async function stepOf(reading: Reading, { force, most }: DocsStep): Promise<DocsReply> {
  const { reader, asked, state } = reading;
  if (force) {
    state.parsed.clear();
    state.routes.clear();
  }
  const read = await readDocuments(reading, most);
  const left = unreadIn(reading).length;
  if (left > 0) return { output: { read, left } satisfies DocsStepTold, treeId: undefined };
  await readRoutes(reading);
  const output = analysed(reader, asked, of => {
    keepRead(of, state, true);
    return { read, left, ...docsTold(of, state) };
  });
  return { output, treeId: undefined };
}

/** Answers that have routes in them; others need not wait for these. */
function tellsOfRoutes({ operation }: DocsQuestion): boolean {
  return operation === 'docs.file' || operation === 'docs.stale';
}

function unreadIn({ reader, asked, state }: Reading): readonly UnreadDocument[] {
  return analysed(reader, asked, of => unreadDocuments(of, state));
}

/** Documents at one time: as many as both threads have in work and at the door. */
const abreast = 4;

/** Has those read that nobody has read as they are, or so many of them; resolves with how many that were. */
async function readDocuments(reading: Reading, most = Number.POSITIVE_INFINITY): Promise<number> {
  const unread = unreadIn(reading).slice(0, most);
  let at = 0;
  const readOn = async (): Promise<void> => {
    while (at < unread.length) {
      reading.signal.throwIfAborted();
      await readDocument(reading, unread[at++]!);
    }
  };
  await Promise.all(Array.from({ length: abreast }, readOn));
  return unread.length;
}

/** What two questions want is read once. */
async function readDocument({ reader, asked, state, pool, signal }: Reading, { content, path }: UnreadDocument) {
  const known = state.reading.get(content);
  // Whoever began it may give it up; it is looked for again then.
  if (known !== undefined) return known.catch(() => {});
  const text = analysed(reader, asked, ({ snapshot }) => reader.text(asked.repo.key, snapshot.seq, path) ?? '');
  const work = mentionsOf(text, pool, asked.repo.key, signal)
    .then(mentions => state.parsed.add(content, mentions))
    .finally(() => state.reading.delete(content));
  state.reading.set(content, work);
  return work;
}

/** What a document says that costs a thread its life is nothing. */
async function mentionsOf(
  text: string,
  pool: ExtractPool,
  lane: string,
  signal: AbortSignal,
): Promise<DocumentMentions> {
  try {
    return (await pool.run('mentions', { text }, { lane, signal })).mentions;
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error;
    return nothingSaid('unreadable');
  }
}

async function readRoutes({ reader, asked, state, pool, signal }: Reading): Promise<void> {
  const isMentioned = analysed(reader, asked, of =>
    documentsIn(of.graph).some(one => (saidIn(one, of, state)?.routes.length ?? 0) > 0),
  );
  if (isMentioned) await state.routes.bring(reader, asked, files => routesOf(files, pool, asked.repo.key, signal));
}

/** Of files of which one costs a thread its life, the others are read again alone; that one tells nothing. */
async function routesOf(
  files: readonly FileText[],
  pool: ExtractPool,
  lane: string,
  signal: AbortSignal,
): Promise<readonly SeenRoutes[]> {
  try {
    return (await pool.run('routes', { files }, { lane, signal })).seen;
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error;
    if (files.length <= 1) return files.map(() => noRoutes);
    const parts: SeenRoutes[] = [];
    for (const one of files) parts.push(...(await routesOf([one], pool, lane, signal)));
    return parts;
  }
}

/** A document of 256 KiB takes half a second on a machine of these days. */
const stuckAfterMs = 10_000;
const memoryBytes = 512 * 1024 * 1024;

function mentionsPool(): WorkerPool<ExtractCalls> {
  return createWorkerPool<ExtractCalls>({
    entry: entryOf('extract'),
    size: 2,
    workerData: {
      filesPerParser: 500,
      maxMemoryBytes: memoryBytes,
      parseSteps: defaultParseSteps,
      sourceLimits: defaultSourceLimits,
    } satisfies ExtractLimitsPerWorker,
    // Tokens live short: with room for them the collector has less to do.
    resourceLimits: { maxOldGenerationSizeMb: memoryBytes / 2 ** 20, maxYoungGenerationSizeMb: 96 },
    idleMs: 20_000,
    stuckAfterMs,
  });
}
