import { askedAnew } from './asked.ts';
import { factRow, storedFact } from './fact-table.ts';
import { eachOtherUse } from './hints.ts';
import { contextsApart, type InputDigests } from './inputs.ts';
import { intern } from './intern.ts';
import { documentsOf, type LinkBatch, type NumberedLinks, type PackedDocument } from './link-batch.ts';
import { LinkBody, type RowNumbers } from './link-body.ts';
import {
  addBody,
  addLink,
  checkStored,
  type LinkDigests,
  type StoredLink,
  sharesSymbols,
  storedLinkAt,
} from './link-table.ts';
import { preciseRow, saidAnewSince } from './precise-table.ts';
import type { FactKey } from './publication.ts';
import { documentOf, findDocument, isFirst, type Step } from './publish-step.ts';
import { recordFirstQuestions } from './questions.ts';
import { resolutionOf } from './resolution.ts';
import { digestOf, type LinkRow, linkDigest, openEnd } from './rows.ts';

/** Writes the links of documents that were linked anew, and takes these off `unlinked`. */
export function writeLinks(linked: readonly LinkBatch[] | NumberedLinks, unlinked: Set<number>, step: Step): void {
  const first: [document: number, questions: Uint8Array][] = [];
  for (const [one, rows] of 'documents' in linked ? asTheyAre(linked) : interned(linked, step)) {
    const document = documentOf(one.path, step);
    unlinked.delete(document);
    const before = isFirst(step) ? undefined : step.held.of(document);
    const body = rows === undefined ? one.body : new LinkBody(one.body).renumbered(rows);
    writeLink(document, one, body, before, step);
    if (before === undefined && one.questions.length > 0) first.push([document, one.questions]);
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
  const fact = before !== undefined && isSameKey(before.key, key) ? factOf(before) : storedFact(key, prepare);
  if (fact === undefined) throw new Error(`${path}: linked without stored facts`);
  const links = { fact: fact.id, is_test: isTest ? 1 : 0, language, evidence: step.evidence.of(path, key) };
  if (again !== undefined) {
    if (before?.fact !== fact.id) throw new Error(`${path}: was linked in part only`);
    // What stays of it gets a digest of its own.
    step.held.checkedOf(document);
  }
  const bytes = again === undefined ? linked : before!.links().linkedAgain(again.references, new LinkBody(linked));
  const asked = again === undefined ? questions : askedAnew(before!.asked, again.groups, questions);
  const digest = digestOf(bytes);
  const sameBody = before?.bodyDigest.equals(digest) && before.asked.equals(asked) ? before.body : undefined;
  if (before !== undefined && sameBody !== undefined && isSameLink(before, links)) return;
  const body = sameBody ?? addBody(digest, bytes, asked, prepare);
  const digests = { fact: fact.digest, body: digest };
  const after = sameBody === undefined ? new LinkBody(bytes) : before!.links();
  replaceLink(before, { ...links, document, body }, { path, digests, after }, step);
  if (before !== undefined && sameBody === undefined) step.questions.replace(document, before.asked, asked);
}

function isSameKey(one: FactKey, other: FactKey): boolean {
  return one.hash === other.hash && one.dialect === other.dialect && one.version === other.version;
}

function factOf({ fact, factDigest }: StoredLink): { readonly id: number; readonly digest: Buffer } {
  return { id: fact, digest: factDigest };
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
    const then = storedLinkAt(document, prepare, seq);
    if (then === undefined) continue;
    unlinked.delete(document);
    const before = step.held.of(document);
    const { path } = then;
    checkStored(then);
    if (before === undefined) first.push([document, then.asked]);
    const links = { ...then, evidence: step.evidence.of(path, then.key) };
    if (before?.body === then.body && isSameLink(before, links)) continue;
    if (before !== undefined) step.questions.replace(document, before.asked, then.asked);
    const digests = { fact: then.factDigest, body: then.bodyDigest };
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
  const before = document === undefined ? undefined : step.held.of(document);
  if (before === undefined || before.fact !== factRow(key, step.prepare)) return;
  const evidence = step.evidence.of(path, key);
  if (before.evidence === evidence) return;
  const digests = { fact: before.factDigest, body: before.bodyDigest };
  replaceLink(before, { ...before, evidence }, { path, digests, after: before.links() }, step);
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
  if (before !== undefined) closeLink(before, step);
  const row = { document, from_seq: step.seq, to_seq: openEnd, fact, body, is_test, language, evidence };
  addLink(row, path, digests, step.prepare);
  count({ document, path, language, links: after, evidence }, 1, step);
  if (evidence !== 0) step.evidence.count(evidence, 1);
  step.changed.add(document);
  noteDifference(document, before?.links(), after, step);
  if (!isFirst(step)) noteShared(before, { language, links: () => after }, step);
}

export function dropLinks(document: number, step: Step): void {
  const before = step.held.of(document);
  if (before === undefined) return;
  closeLink(before, step);
  noteDifference(document, before.links(), undefined, step);
  noteShared(before, undefined, step);
  step.questions.replace(document, before.asked, nothing);
}

const nothing = new Uint8Array();

function closeLink(link: StoredLink, step: Step): void {
  step.held.forgetOne(link.document);
  const { document, path, from_seq, language, evidence, bodyDigest, factDigest } = link;
  const digest = linkDigest({ ...link, to_seq: step.seq }, path, factDigest, bodyDigest);
  step
    .prepare<[number, Buffer, number, number]>(
      'UPDATE link SET to_seq = ?, digest = ? WHERE document = ? AND from_seq = ?',
    )
    .run(step.seq, digest, document, from_seq);
  count({ document: link.document, path, language, links: link.links(), evidence }, -1, step);
  if (evidence !== 0) step.evidence.count(evidence, -1);
}

interface Counted {
  readonly document: number;
  readonly path: string;
  readonly language: string;
  readonly links: LinkBody;
  readonly evidence: number;
}

/** What a version of a document's links adds to the counts. How one is settled that an indexer saw hangs on what else there is: `recount`. */
function count({ document, path, language, links, evidence }: Counted, sign: 1 | -1, step: Step): void {
  const { counts, prepare, isExternal } = step;
  const context = evidence === 0 ? undefined : preciseRow(evidence, prepare).context;
  counts.document({ path, language, links, context, isPrecise: step.isSourceless || context !== undefined }, sign);
  if (evidence === 0) {
    counts.resolution(language, resolutionOf({ links, precise: undefined }, { holds: () => true, isExternal }), sign);
  } else step.evidence.recount.add(document);
}

/** Hints and symbols that the new version has and the old one had not, and the other way round. */
function noteDifference(document: number, before: LinkBody | undefined, after: LinkBody | undefined, step: Step): void {
  if (before === undefined || after?.definesAs(before) !== true) noteDefinitions(document, before, after, step);
  if (after !== undefined) step.hints.add('post', newIn(after.pointsAt(), before?.pointsAt()), document);
  eachOtherUse(before, after, (name, uses) => step.hints.addUses(name, document, uses));
}

function noteDefinitions(
  document: number,
  before: LinkBody | undefined,
  after: LinkBody | undefined,
  step: Step,
): void {
  const come = newIn(after?.symbols(), before?.symbols());
  const names = new Set(before?.names());
  step.hints.add('definition', come, document);
  step.hints.add('bearer', after?.names().filter(name => !names.has(name)) ?? [], document);
  if (step.appeared !== undefined && after !== undefined) for (const symbol of come) step.appeared.add(symbol);
  for (const symbol of newIn(before?.symbols(), after?.symbols())) step.vanished.add(symbol);
}

type LanguageLinks = Pick<StoredLink, 'language' | 'links'>;

/** Symbols that one version of a document defines and another does not, or in another language, where that may be another's as well. */
function noteShared(before: LanguageLinks | undefined, after: LanguageLinks | undefined, { shared }: Step): void {
  if (![before, after].some(one => one !== undefined && sharesSymbols(one.language))) return;
  const [was, is] = [before?.links().symbols(), after?.links().symbols()];
  const isOther = before?.language !== after?.language;
  for (const symbol of newIn(was, isOther ? noKeys : is)) shared.add(symbol);
  for (const symbol of newIn(is, isOther ? noKeys : was)) shared.add(symbol);
}

/** Keys that are not among others; both ascending. */
function newIn(keys: Uint32Array = noKeys, known: Uint32Array = noKeys): Uint32Array | readonly number[] {
  if (known.length === 0) return keys;
  const found: number[] = [];
  let at = 0;
  for (const key of keys) {
    while (at < known.length && known[at]! < key) at++;
    if (known[at] !== key) found.push(key);
  }
  return found;
}

const noKeys = new Uint32Array();
