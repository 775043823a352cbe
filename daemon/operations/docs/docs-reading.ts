import type { ExtractCalls, FileText } from '../../jobs/extract-service.ts';
import { nothingSaid } from '../../model/mentions.ts';
import { noRoutes } from '../../model/routes.ts';
import type { ContentOfFile } from '../../store/graph/snapshot-files.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { WorkerLost, type WorkerPool } from '../../workers/pool.ts';
import { analysed } from '../analysis/analyses.ts';
import { contentDigest } from '../content-digest.ts';
import { extractionAside } from '../readers/extraction-aside.ts';
import type { Asked } from '../symbols/answers.ts';
import { type DocsQuestion, docsAnswer, docsTold } from './docs-answers.ts';
import {
  bringNames,
  type DocsState,
  docsStateOf,
  documentsIn,
  type GoneTold,
  keepRead,
  saidIn,
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
export function docsReading(pool: ExtractPool = extractionAside(mentionsPool)): DocsReading {
  return {
    answer: async (reader, call, signal) => {
      const { asked, question } = call;
      const state = docsStateOf(reader, asked, call.gone);
      if (state === undefined) return undefined;
      const reading = { reader, asked, state, pool, signal };
      if (question.operation === 'docs.index') return stepOf(reading, question);
      for (;;) {
        await readMeanwhile(reading);
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
  const read = await readMeanwhile(reading, most);
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

function unreadIn({ reader, asked, state }: Reading): readonly ContentOfFile[] {
  return analysed(reader, asked, of => unreadDocuments(of, state));
}

/** Has documents read, and makes in this thread meanwhile what they are held against. */
async function readMeanwhile(reading: Reading, most?: number): Promise<number> {
  const { reader, asked, state } = reading;
  const reads = readDocuments(reading, most);
  reads.catch(() => {}); // it is awaited below, unless the other fails first
  analysed(reader, asked, of => bringNames(of, state));
  return reads;
}

/** Parts at one time: as many as both threads have in work and at the door. */
const abreast = 4;
/** Of a part: documents, and characters, which are read in a moment. */
const mostTogether = 25;
const together = 256 * 1024;

/** Has those read that nobody has read as they are, or so many of them; resolves with how many that were. */
async function readDocuments(reading: Reading, most = Number.POSITIVE_INFINITY): Promise<number> {
  const unread = unreadIn(reading).slice(0, most);
  const size = Math.min(mostTogether, Math.ceil(unread.length / abreast));
  let at = 0;
  const readOn = async (): Promise<void> => {
    while (at < unread.length) {
      reading.signal.throwIfAborted();
      const part = textsOf(reading, unread.slice(at, at + size));
      at += part.length;
      await readPart(reading, part);
    }
  };
  await Promise.all(Array.from({ length: abreast }, readOn));
  return unread.length;
}

interface DocumentText {
  readonly content: string;
  readonly text: string;
}

/** The first of some documents, as many as are read at one time. */
function textsOf({ reader, asked }: Reading, documents: readonly ContentOfFile[]): readonly DocumentText[] {
  return analysed(reader, asked, ({ snapshot }) => {
    const found: DocumentText[] = [];
    let left = together;
    for (const { path, content } of documents) {
      if (left <= 0) break;
      const text = reader.text(asked.repo.key, snapshot.seq, path) ?? '';
      found.push({ content, text });
      left -= text.length;
    }
    return found;
  });
}

/** What two questions want is read once. */
async function readPart({ asked, state, pool, signal }: Reading, part: readonly DocumentText[]): Promise<void> {
  // Whoever began them may give them up; they are looked for again then.
  const others = part.map(({ content }) => state.reading.get(content)?.catch(() => {}));
  const own = part.filter(({ content }) => !state.reading.has(content));
  const run = async (texts: readonly string[]) =>
    (await pool.run('mentions', { texts }, { lane: asked.repo.key, signal })).mentions;
  const read = async (): Promise<void> => {
    try {
      const texts = own.map(({ text }) => text);
      const told = await readApart(texts, run, nothingSaid('unreadable'));
      for (const [at, { content }] of own.entries()) state.parsed.add(content, told[at]!);
    } finally {
      for (const { content } of own) state.reading.delete(content);
    }
  };
  const reading = read();
  for (const { content } of own) state.reading.set(content, reading);
  await Promise.all([reading, ...others]);
}

async function readRoutes({ reader, asked, state, pool, signal }: Reading): Promise<void> {
  const isMentioned = analysed(reader, asked, of =>
    documentsIn(of, state).some(one => (saidIn(one, state)?.routes.length ?? 0) > 0),
  );
  if (!isMentioned) return;
  const run = async (files: readonly FileText[]) =>
    (await pool.run('routes', { files }, { lane: asked.repo.key, signal })).seen;
  await state.routes.bring(reader, asked, files => readApart(files, run, noRoutes));
}

/** Of texts of which one costs a thread its life, the others are read again alone; that one says nothing. */
async function readApart<Text, Said>(
  texts: readonly Text[],
  read: (texts: readonly Text[]) => Promise<readonly Said[]>,
  nothing: Said,
): Promise<readonly Said[]> {
  if (texts.length === 0) return [];
  try {
    return await read(texts);
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error;
    if (texts.length === 1) return [nothing];
    const parts: Said[] = [];
    for (const one of texts) parts.push(...(await readApart([one], read, nothing)));
    return parts;
  }
}

/** A document of 256 KiB takes half a second on a machine of these days. Tokens live short: with room for them the collector has less to do. */
const mentionsPool = { size: 2, stuckAfterMs: 10_000, maxYoungGenerationSizeMb: 96 };
