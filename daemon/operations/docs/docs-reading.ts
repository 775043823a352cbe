import { defaultParseSteps } from '../../extract/budget.ts';
import { defaultSourceLimits } from '../../extract/read-file.ts';
import type { ExtractCalls, ExtractLimitsPerWorker, FileText } from '../../jobs/extract-service.ts';
import { nothingSaid } from '../../model/mentions.ts';
import { noRoutes, type SeenRoutes } from '../../model/routes.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { entryOf } from '../../workers/entry.ts';
import { createWorkerPool, WorkerLost, type WorkerPool } from '../../workers/pool.ts';
import { analysed } from '../analysis/analyses.ts';
import { contentDigest } from '../content-digest.ts';
import type { Asked } from '../symbols/answers.ts';
import { type DocsQuestion, docsAnswer, docsTold } from './docs-answers.ts';
import { type DocsState, docsStateOf, documentsIn, type GoneTold, unreadDocuments } from './docs-state.ts';
import type { UnreadDocument } from './parsed-documents.ts';

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
  /** Has all documents read that a question is about. */
  prepare(reader: IndexReader, call: DocsCall, signal: AbortSignal): Promise<void>;
  /** Undefined where what is gone must be told first. */
  answer(reader: IndexReader, call: DocsCall): DocsReply | undefined;
}

/** How documents are answered about: they are read by threads of their own, which may be held up by what somebody wrote. */
export function docsReading(): DocsReading {
  const pool = mentionsPool();
  const steps = new WeakMap<DocsCall, DocsStepTold>();
  return {
    prepare: async (reader, call, signal) => {
      const state = docsStateOf(reader, call.asked, call.gone);
      if (state === undefined) return;
      const { question } = call;
      const isStep = question.operation === 'docs.index';
      if (isStep && question.force) forget(state);
      const unread = unreadDocuments(reader, call.asked, state);
      const some = isStep ? unread.slice(0, question.most) : unread;
      await readAll(some, state, pool, call.asked.repo.key, signal);
      const left = unread.length - some.length;
      steps.set(call, { read: some.length, left });
      if (left === 0 && tellsOfRoutes(question) && mentionsRoutes(reader, call.asked, state))
        await state.routes.bring(reader, call.asked, files => routesOf(files, pool, call.asked.repo.key, signal));
    },
    answer: (reader, call) => {
      const { asked, question } = call;
      const state = docsStateOf(reader, asked, call.gone);
      if (state === undefined) return undefined;
      return analysed(reader, asked, of => {
        if (question.operation !== 'docs.index') {
          const output = docsAnswer(of, state, question);
          return { output, treeId: contentDigest(output) };
        }
        const step = steps.get(call) ?? { read: 0, left: 0 };
        if (step.left > 0) return { output: step, treeId: undefined };
        state.parsed.keep(documentsIn(of.graph));
        return { output: { ...step, ...docsTold(of, state) }, treeId: undefined };
      });
    },
  };
}

function forget({ parsed, routes }: DocsState): void {
  parsed.clear();
  routes.clear();
}

/** Answers that have routes in them; others need not wait for these. */
function tellsOfRoutes({ operation }: DocsCall['question']): boolean {
  return operation === 'docs.index' || operation === 'docs.file' || operation === 'docs.stale';
}

function mentionsRoutes(reader: IndexReader, asked: Asked, { parsed }: DocsState): boolean {
  return analysed(reader, asked, ({ graph, snapshot }) =>
    documentsIn(graph).some(document => {
      const said = parsed.of(document, () => reader.text(asked.repo.key, snapshot.seq, document.path) ?? '');
      return said !== undefined && said.routes.length > 0;
    }),
  );
}

/** Of files of which one costs a thread its life, the others are read again alone; that one tells nothing. */
async function routesOf(
  files: readonly FileText[],
  pool: WorkerPool<ExtractCalls>,
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

/** What a document says that costs a thread its life is nothing. */
async function readAll(
  documents: readonly UnreadDocument[],
  { parsed }: DocsState,
  pool: WorkerPool<ExtractCalls>,
  lane: string,
  signal: AbortSignal,
): Promise<void> {
  const reading = documents.map(async ({ hash, text }) => {
    try {
      const { mentions } = await pool.run('mentions', { text }, { lane, signal });
      parsed.add(hash, mentions);
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error;
      parsed.add(hash, nothingSaid('unreadable'));
    }
  });
  await Promise.all(reading);
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
