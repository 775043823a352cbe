import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { Fault } from '../../../client/protocol/faults.ts';
import { countedChunks, scipChunks } from '../../extract/scip/chunks.ts';
import type { ScipDocument } from '../../extract/scip/document.ts';
import type { ScipLimits } from '../../extract/scip/limits.ts';
import { tooLarge, unacceptable } from '../../extract/scip/problem.ts';
import { readScip, type ScipReading, type ScipVisitor, scipTables } from '../../extract/scip/read-scip.ts';
import { factsOfScip, mergeScipFacts, type ScipFacts, type ScipReadings } from '../../extract/scip/scip-facts.ts';
import type { ScratchMemory } from '../../extract/scip/scratch-memory.ts';
import { surveyScip } from '../../extract/scip/survey-scip.ts';
import { symbolMeanings } from '../../extract/scip/symbol-meaning.ts';
import { symbolTellings } from '../../extract/scip/symbol-told.ts';
import type { ContentHash } from '../../model/document.ts';
import { FactsWriter } from '../../model/facts-writer.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { IndexWriter } from '../../store/index-db.ts';
import type { FactKey, FactRow, Published } from '../../store/publication.ts';
import { keyOfScip } from './drafts.ts';
import { type NumberedUpload, type Part, UploadLinks } from './links.ts';
import { type TwinsFound, twinsAmong } from './twins.ts';

export interface UploadRun {
  /** The SCIP file, plain or gzip. */
  readonly file: string;
  /** Of the repository in the index. */
  readonly key: string;
  readonly limits: ScipLimits;
  readonly signal: AbortSignal;
  /** Also true where no message gets through, in the midst of a transaction. */
  readonly isCancelled: () => boolean;
  /** How many bytes of the index, inflated, are read. */
  readonly onRead: (bytes: number) => void;
  readonly onRest: (phase: 'link' | 'publish') => void;
}

export interface UploadTools {
  /** Of a new file that is nobody else's yet. */
  readonly writer: Pick<IndexWriter, 'putFacts' | 'facts' | 'text' | 'dropFacts' | 'addFirstRows' | 'publish'>;
  /** For what is known of symbols, however many. */
  readonly memory: ScratchMemory;
  /** Wall clock, milliseconds. */
  readonly now: () => number;
}

export interface UploadOutcome {
  readonly snapshot: Published;
  readonly reading: Pick<ScipReading, 'metadata' | 'report' | 'bytes'>;
  readonly twins: TwinsFound;
}

/**
 * Makes an index of a repository that nobody has the source of: definitions, identity and links are what a SCIP index
 * says. The file is looked over before anything is made of it, and then read a document at a time; what its facts say lies
 * in the new index before the next is read, and numbers alone wait until it is known what they point at.
 */
export async function ingestUpload(run: UploadRun, tools: UploadTools): Promise<UploadOutcome> {
  const { links, numbered, ...read } = await readAll(run, tools);
  return { snapshot: publishLinks(links, numbered, run, tools), ...read };
}

type Publishing = Pick<UploadRun, 'key' | 'signal' | 'isCancelled' | 'onRest'>;

/** Publishes all that was read, as the first snapshot of a new file. */
export function publishLinks(
  links: UploadLinks,
  numbered: NumberedUpload,
  run: Publishing,
  { writer, now }: UploadTools,
): Published {
  run.onRest('publish');
  writer.addFirstRows(numbered.first);
  return writer.publish(run.key, {
    entries: entriesOf(links, run),
    removed: [],
    linked: { documents: numbered.documents },
    snapshotId: `sha256:${numbered.digest()}`,
    publishedAt: now(),
  });
}

async function readAll(
  run: UploadRun,
  tools: UploadTools,
): Promise<Omit<UploadOutcome, 'snapshot'> & { readonly links: UploadLinks; readonly numbered: NumberedUpload }> {
  await surveyScip(scipChunks(run.file), run.limits, run.signal);
  const links = new UploadLinks(tools.memory);
  const shelf = factsOnTheirWay(tools.writer);
  let readings: ScipReadings | undefined;
  const tables = scipTables(run.limits, tools.memory);
  const { rejections } = tables;
  const visitor: ScipVisitor = {
    metadata: (_, symbols) => {
      readings = { meanings: symbolMeanings(symbols), toldOf: symbolTellings(), writer: new FactsWriter(), rejections };
    },
    document: document => {
      throwIfCancelled(run);
      takeIn(document, readings!, shelf, links);
    },
    external: () => {},
  };
  const chunks = countedChunks(scipChunks(run.file), run.onRead);
  const { symbols, ...reading } = await readScip(chunks, run.limits, visitor, tables, run.signal);
  shelf.flush();
  mergeAll(run.limits, { ...tools, links, shelf });
  run.onRest('link');
  throwIfCancelled(run);
  const numbered = links.numbered(readings!.meanings, symbols.count);
  return { links, numbered, reading, twins: twinsAmong(links.paths()) };
}

export function throwIfCancelled({ signal, isCancelled }: Pick<UploadRun, 'signal' | 'isCancelled'>): void {
  signal.throwIfAborted();
  if (isCancelled()) throw new Fault('cancelled', 'Cancelled');
}

/** Facts on their way into the index. */
export interface Shelf {
  put(facts: ScipFacts, text: string | undefined): ContentHash;
  flush(): void;
}

function takeIn(document: ScipDocument, readings: ScipReadings, shelf: Shelf, links: UploadLinks): void {
  const text = document.text();
  const facts = factsOfScip(document, text, readings);
  links.add(document.path, shelf.put(facts, text), facts);
}

type MergeTools = Pick<UploadTools, 'writer'> & { readonly links: UploadLinks; readonly shelf: Shelf };

/** Several documents of one path, as of a file that is part of two projects, are one. */
function mergeAll(limits: ScipLimits, tools: MergeTools): void {
  const merged = tools.links.ofOnePath().flatMap(parts => merge(tools.links.path(parts[0]!), parts, limits, tools));
  if (merged.length === 0) return;
  tools.shelf.flush();
  const kept = new Set(Array.from(tools.links.keys(), ([, key]) => key.hash));
  tools.writer.dropFacts(merged.filter(key => !kept.has(key.hash)));
}

const remedyForTexts = 'Run the indexer once, over one state of the repository';

/** Returns the keys of the parts that differed. Which of two texts a file has, nobody could tell. */
function merge(
  path: RepoPath,
  parts: readonly number[],
  limits: ScipLimits,
  { writer, links, shelf }: MergeTools,
): readonly FactKey[] {
  const all = parts.map(number => links.part(number));
  const different = all.filter((part, at) => !all.slice(0, at).some(before => isSame(part, before)));
  if (different.length > 1) {
    const occurrences = different.reduce((sum, { used, defined }) => sum + used.length + defined.length, 0);
    if (occurrences > limits.occurrences)
      throw tooLarge(`Documents of one path with more than ${limits.occurrences} occurrences`, 0, 'occurrences');
    const facts = mergeScipFacts(different.map(part => ({ ...part, encoded: writer.facts(part.key)! })));
    const texts = new Set(different.map(({ key }) => writer.text(key) ?? '').filter(one => one !== ''));
    if (texts.size > 1)
      throw unacceptable(`${texts.size} documents of ${JSON.stringify(path)} with other text each`, 0, remedyForTexts);
    const [text] = texts;
    for (const number of parts) links.drop(number);
    links.add(path, shelf.put(facts, text), facts);
    return different.map(({ key }) => key);
  }
  for (const number of parts.slice(1)) links.drop(number);
  return [];
}

function* entriesOf(links: UploadLinks, run: Publishing): Iterable<ManifestLine> {
  for (const [path, key] of links.keys()) {
    throwIfCancelled(run);
    yield {
      entry: { path, hash: key.hash, dialect: key.dialect, skip: '' },
      version: key.version,
      scope: path as string as ManifestLine['scope'],
      stat: undefined,
    };
  }
}

function isSame(part: Part, other: Part): boolean {
  return (
    part.key.hash === other.key.hash && sameNumbers(part.defined, other.defined) && sameNumbers(part.used, other.used)
  );
}

function sameNumbers(some: Int32Array, others: Int32Array): boolean {
  return some.length === others.length && some.every((number, at) => number === others[at]);
}

/** So many bytes of facts and texts wait for one transaction, and no more of them. */
const batchBytes = 4 * 1024 * 1024;
const batchRows = 4096;
const noText = deflateSync('');

export function factsOnTheirWay(writer: Pick<UploadTools['writer'], 'putFacts'>): Shelf {
  let rows: FactRow[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (rows.length > 0) writer.putFacts(rows);
    rows = [];
    bytes = 0;
  };
  return {
    put: (facts, text) => {
      const hash = contentHash(facts.encoded, text);
      const deflated = text === undefined ? noText : deflateSync(text, { level: 3 });
      rows.push({ ...keyOfScip(hash), facts: facts.encoded, text: deflated });
      bytes += facts.encoded.length + deflated.length;
      if (bytes > batchBytes || rows.length === batchRows) flush();
      return hash;
    },
    flush,
  };
}

/** Of what stands in for the file's bytes. */
function contentHash(facts: Uint8Array, text: string | undefined): ContentHash {
  const ofFacts = hash('sha256', facts, 'hex');
  return (text === undefined ? ofFacts : hash('sha256', `${ofFacts}\n${text}`, 'hex')) as ContentHash;
}
