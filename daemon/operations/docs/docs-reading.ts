import { defaultParseSteps } from '../../extract/budget.ts';
import { defaultSourceLimits } from '../../extract/read-file.ts';
import type { ExtractCalls, ExtractLimitsPerWorker } from '../../jobs/extract-service.ts';
import { nothingSaid } from '../../model/mentions.ts';
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
      if (isStep && question.force) state.parsed.clear();
      const unread = unreadDocuments(reader, call.asked, state);
      const some = isStep ? unread.slice(0, question.most) : unread;
      await readAll(some, state, pool, call.asked.repo.key, signal);
      steps.set(call, { read: some.length, left: unread.length - some.length });
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
