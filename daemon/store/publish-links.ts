import { askedAnew } from './asked.ts';
import { factKeyAt, factRow, storedFact } from './fact-table.ts';
import { hintsOf } from './hints.ts';
import { contextsApart, type InputDigests } from './inputs.ts';
import { intern } from './intern.ts';
import { documentsOf, type LinkBatch, type NumberedLinks, type PackedDocument } from './link-batch.ts';
import { LinkBody, type RowNumbers } from './link-body.ts';
import {
  addBody,
  addLink,
  checkLink,
  currentStoredLink,
  type LinkDigests,
  linkAt,
  type StoredLink,
  storedLink,
} from './link-table.ts';
import type { PreciseBody } from './precise-body.ts';
import { preciseBody, saidAnewSince } from './precise-table.ts';
import type { FactKey } from './publication.ts';
import { documentOf, findDocument, isFirst, pathOf, type Step } from './publish-step.ts';
import { recordFirstQuestions, recordQuestions } from './questions.ts';
import { digestOf, type LinkRow, linkDigest, openEnd } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** Writes the links of documents that were linked anew, and takes these off `unlinked`. */
export function writeLinks(linked: readonly LinkBatch[] | NumberedLinks, unlinked: Set<number>, step: Step): void {
  const first: [document: number, questions: Uint8Array][] = [];
  for (const [one, rows] of 'documents' in linked ? asTheyAre(linked) : interned(linked, step)) {
    const document = documentOf(one.path, step);
    unlinked.delete(document);
    const before = isFirst(step) ? undefined : currentStoredLink(document, step.prepare);
    const body = rows === undefined ? one.body : new LinkBody(one.body).renumbered(rows);
    writeLink(document, one, body, before, step);
    if (before === undefined) first.push([document, one.questions]);
  }
  recordFirstQuestions(first, step.repo, step.prepare);
}

function* asTheyAre({ documents }: NumberedLinks): Iterable<[PackedDocument, undefined]> {
  for (const one of documents) yield [one, undefined];
}

function* interned(batches: readonly LinkBatch[], { prepare }: Step): Iterable<[PackedDocument, RowNumbers]> {
  const rows = intern(batches, prepare);
  for (const [at, batch] of batches.entries()) for (const one of documentsOf(batch)) yield [one, rows[at]!];
}

function writeLink(
  document: number,
  { path, key, isTest, language, questions, again }: PackedDocument,
  linked: Uint8Array,
  before: StoredLink | undefined,
  step: Step,
): void {
  const { prepare } = step;
  const fact = storedFact(key, prepare);
  if (fact === undefined) throw new Error(`${path}: linked without stored facts`);
  const links = { fact: fact.id, is_test: isTest ? 1 : 0, language, evidence: step.evidence.of(path, key) };
  const old = before?.stored();
  if (again !== undefined) {
    if (before?.row.fact !== fact.id) throw new Error(`${path}: was linked in part only`);
    // What stays of it gets a digest of its own.
    checkLink(before.row, path, old!.digest, old!.body, prepare);
  }
  const bytes = again === undefined ? linked : before!.links().linkedAgain(again.references, new LinkBody(linked));
  const asked = again === undefined ? questions : askedAnew(old!.asked, again.groups, questions);
  const digest = digestOf(bytes);
  const sameBody = old?.digest.equals(digest) && old.asked.equals(asked) ? before!.row.body : undefined;
  if (before !== undefined && sameBody !== undefined && isSameLink(before.row, links)) return;
  const body = sameBody ?? addBody(digest, bytes, asked, prepare);
  const digests = { fact: fact.digest, body: digest };
  const after = sameBody === undefined ? new LinkBody(bytes) : before!.links();
  replaceLink(before, { ...links, document, body }, { path, digests, after }, step);
  if (old !== undefined && sameBody === undefined) recordQuestions(document, old.asked, asked, prepare);
}

/**
 * Makes the links of an earlier snapshot hold again: its documents are those of this publication, and links are a pure
 * function of them. Takes their documents off `unlinked`.
 */
export function restoreLinks(seq: number, unlinked: Set<number>, step: Step): void {
  const { repo, prepare } = step;
  const touched = prepare<[number, number], { document: number }>(
    'SELECT DISTINCT document FROM changed WHERE repo = ? AND seq > ?',
  );
  const first: [document: number, questions: Uint8Array][] = [];
  for (const { document } of touched.all(repo, seq)) {
    const row = linkAt(document, seq, prepare);
    if (row === undefined) continue;
    unlinked.delete(document);
    const before = currentStoredLink(document, prepare);
    const path = pathOf(document, step);
    const then = storedLink(row, prepare);
    const { digest, body, asked } = then.stored();
    checkLink(row, path, digest, body, prepare);
    if (before === undefined) first.push([document, asked]);
    const key = factKeyAt(row.fact, prepare);
    if (key === undefined) throw new StoreError('corrupt', `facts ${row.fact} are missing`);
    const links = { ...row, evidence: step.evidence.of(path, key) };
    if (before?.row.body === row.body && isSameLink(before.row, links)) continue;
    if (before !== undefined) recordQuestions(document, before.stored().asked, asked, prepare);
    const digests = { fact: then.factDigest(), body: digest };
    replaceLink(before, links, { path, digests, after: then.links() }, step);
  }
  recordFirstQuestions(first, repo, prepare);
}

type LinkFields = Pick<LinkRow, 'fact' | 'is_test' | 'evidence'>;

function isSameLink(one: LinkFields, other: LinkFields): boolean {
  return one.fact === other.fact && one.is_test === other.is_test && one.evidence === other.evidence;
}

/** Lets the links of a document rest on another precise document from here on, where it is not the one already. */
export function repointLinks(path: string, key: FactKey, step: Step): void {
  const document = findDocument(path, step);
  const before = document === undefined ? undefined : currentStoredLink(document, step.prepare);
  if (before === undefined || before.row.fact !== factRow(key, step.prepare)) return;
  const evidence = step.evidence.of(path, key);
  if (before.row.evidence === evidence) return;
  const digests = { fact: before.factDigest(), body: before.stored().digest };
  replaceLink(before, { ...before.row, evidence }, { path, digests, after: before.links() }, step);
}

/** Where indexers have other inputs to read than before, lets documents rest on what was said of these. */
export function repointSeen(before: InputDigests, step: Step): void {
  for (const context of contextsApart(before, step.evidence.inputs())) {
    for (const { path, key } of saidAnewSince(step.repo, context, step.prepare)) repointLinks(path, key, step);
  }
}

interface NewLink {
  readonly path: string;
  readonly digests: LinkDigests;
  readonly after: LinkBody;
}

/** Closes a document's version of links and lets another hold from here on. */
function replaceLink(
  before: StoredLink | undefined,
  { document, fact, body, is_test, language, evidence }: Omit<LinkRow, 'from_seq' | 'to_seq' | 'digest'>,
  { path, digests, after }: NewLink,
  step: Step,
): void {
  if (before !== undefined) closeLink(before, path, step);
  const row = { document, from_seq: step.seq, to_seq: openEnd, fact, body, is_test, language, evidence };
  addLink(row, path, digests, step.prepare);
  step.counts.document(language, after, inUse(evidence, step), 1);
  if (evidence !== 0) step.evidence.count(evidence, 1);
  step.changed.add(document);
  noteDifference(document, before?.links(), after, step);
  if (evidence !== 0 || (before?.row.evidence ?? 0) !== 0) step.evidence.recount.add(document);
}

export function dropLinks(document: number, step: Step): void {
  const before = currentStoredLink(document, step.prepare);
  if (before === undefined) return;
  closeLink(before, pathOf(document, step), step);
  noteDifference(document, before.links(), undefined, step);
  recordQuestions(document, before.stored().asked, Buffer.alloc(0), step.prepare);
}

function closeLink({ row, stored, links, factDigest }: StoredLink, path: string, step: Step): void {
  const digest = linkDigest({ ...row, to_seq: step.seq }, path, factDigest(), stored().digest);
  step
    .prepare<[number, Buffer, number, number]>(
      'UPDATE link SET to_seq = ?, digest = ? WHERE document = ? AND from_seq = ?',
    )
    .run(step.seq, digest, row.document, row.from_seq);
  step.counts.document(row.language, links(), inUse(row.evidence, step), -1);
  if (row.evidence !== 0) step.evidence.count(row.evidence, -1);
}

function inUse(evidence: number, { prepare }: Step): PreciseBody | undefined {
  return evidence === 0 ? undefined : preciseBody(evidence, prepare);
}

/** Hints and symbols that the new version has and the old one had not, and the other way round. */
function noteDifference(document: number, before: LinkBody | undefined, after: LinkBody | undefined, step: Step): void {
  const old = before === undefined ? undefined : hintsOf(before);
  const now = after === undefined ? undefined : hintsOf(after);
  if (now !== undefined) {
    for (const table of ['definition', 'post', 'bearer'] as const) {
      step.hints.add(table, without(now[table], old?.[table]), document);
    }
    if (step.appeared !== undefined) {
      for (const symbol of without(now.definition, old?.definition)) step.appeared.add(symbol);
    }
  }
  if (old !== undefined) for (const symbol of without(old.definition, now?.definition)) step.vanished.add(symbol);
  after?.eachUnresolved((name, uses) => {
    if (before?.unresolvedCount(name) !== uses) step.hints.addUses(name, document, uses);
  });
  if (old !== undefined) {
    for (const name of without(old.candidate, now?.candidate)) step.hints.addUses(name, document, 0);
  }
}

function without(keys: Uint32Array, known: Uint32Array | undefined): Iterable<number> {
  if (known === undefined) return keys;
  const set = new Set(known);
  return keys.filter(key => !set.has(key));
}
