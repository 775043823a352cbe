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
  askedFor,
  checkLink,
  currentLink,
  factDigest,
  type LinkDigests,
  linkAt,
  linkBody,
  storedBody,
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
    const before = isFirst(step) ? undefined : currentLink(document, step.prepare);
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
  { path, key, isTest, language, questions: askedNow, again }: PackedDocument,
  linked: Uint8Array,
  before: LinkRow | undefined,
  step: Step,
): void {
  const { prepare } = step;
  const stored = storedFact(key, prepare);
  if (stored === undefined) throw new Error(`${path}: linked without stored facts`);
  const fact = stored.id;
  if (again !== undefined && before?.fact !== fact)
    throw new Error(`${path}: linked in part, and not stored as it was`);
  const asked = before === undefined ? undefined : askedFor(before.body, prepare);
  const bytes =
    again === undefined ? linked : linkBody(before!.body, prepare).linkedAgain(again.references, new LinkBody(linked));
  const questions = again === undefined ? askedNow : askedAnew(asked!, again.groups, askedNow);
  const digest = digestOf(bytes);
  const isSame = before !== undefined && storedBody(before.body, prepare).digest.equals(digest);
  const sameBody = isSame && asked?.equals(questions) ? before.body : undefined;
  const links = { fact, is_test: isTest ? 1 : 0, language, evidence: step.evidence.of(path, key) };
  if (before !== undefined && sameBody !== undefined && isSameLink(before, links)) return;
  const body = sameBody ?? addBody(digest, bytes, questions, prepare);
  const digests = { fact: stored.digest, body: digest };
  replaceLink(before, { ...links, document, body }, { path, digests, after: new LinkBody(bytes) }, step);
  if (asked !== undefined && sameBody === undefined) recordQuestions(document, asked, questions, prepare);
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
    const then = linkAt(document, seq, prepare);
    if (then === undefined) continue;
    unlinked.delete(document);
    const before = currentLink(document, prepare);
    const path = pathOf(document, step);
    const { digest, body } = storedBody(then.body, prepare);
    checkLink(then, path, digest, body, prepare);
    const asked = askedFor(then.body, prepare);
    if (before === undefined) first.push([document, asked]);
    const key = factKeyAt(then.fact, prepare);
    if (key === undefined) throw new StoreError('corrupt', `facts ${then.fact} are missing`);
    const links = { ...then, evidence: step.evidence.of(path, key) };
    if (before?.body === then.body && isSameLink(before, links)) continue;
    if (before !== undefined) recordQuestions(document, askedFor(before.body, prepare), asked, prepare);
    const digests = { fact: factDigest(then.fact, prepare), body: digest };
    replaceLink(before, links, { path, digests, after: new LinkBody(body) }, step);
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
  const before = document === undefined ? undefined : currentLink(document, step.prepare);
  if (before === undefined || before.fact !== factRow(key, step.prepare)) return;
  const evidence = step.evidence.of(path, key);
  if (before.evidence === evidence) return;
  const digests = {
    fact: factDigest(before.fact, step.prepare),
    body: storedBody(before.body, step.prepare).digest,
  };
  replaceLink(before, { ...before, evidence }, { path, digests, after: linkBody(before.body, step.prepare) }, step);
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
  before: LinkRow | undefined,
  { document, fact, body, is_test, language, evidence }: Omit<LinkRow, 'from_seq' | 'to_seq' | 'digest'>,
  { path, digests, after }: NewLink,
  step: Step,
): void {
  const old = before === undefined ? undefined : linkBody(before.body, step.prepare);
  if (before !== undefined) closeLink(before, path, old!, step);
  const row = { document, from_seq: step.seq, to_seq: openEnd, fact, body, is_test, language, evidence };
  addLink(row, path, digests, step.prepare);
  step.counts.document(language, after, inUse(evidence, step), 1);
  if (evidence !== 0) step.evidence.count(evidence, 1);
  step.changed.add(document);
  noteDifference(document, old, after, step);
  if (evidence !== 0 || (before?.evidence ?? 0) !== 0) step.evidence.recount.add(document);
}

export function dropLinks(document: number, step: Step): void {
  const before = currentLink(document, step.prepare);
  if (before === undefined) return;
  const body = linkBody(before.body, step.prepare);
  closeLink(before, pathOf(document, step), body, step);
  noteDifference(document, body, undefined, step);
  recordQuestions(document, askedFor(before.body, step.prepare), Buffer.alloc(0), step.prepare);
}

function closeLink(row: LinkRow, path: string, body: LinkBody, step: Step): void {
  const digest = linkDigest(
    { ...row, to_seq: step.seq },
    path,
    factDigest(row.fact, step.prepare),
    storedBody(row.body, step.prepare).digest,
  );
  step
    .prepare<[number, Buffer, number, number]>(
      'UPDATE link SET to_seq = ?, digest = ? WHERE document = ? AND from_seq = ?',
    )
    .run(step.seq, digest, row.document, row.from_seq);
  step.counts.document(row.language, body, inUse(row.evidence, step), -1);
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
