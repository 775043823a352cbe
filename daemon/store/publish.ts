import type { FileStat } from '../model/file-stat.ts';
import { hasFacts, type ManifestLine } from '../model/manifest.ts';
import { factRow, putFact } from './fact-table.ts';
import { type HintBatch, hintBatch, hintsOf } from './hints.ts';
import { intern } from './intern.ts';
import type { LinkBatch, PackedDocument } from './link-batch.ts';
import { LinkBody } from './link-body.ts';
import { addBody, addLink, currentLink, factDigest, isDefined, linkBody, storedBody } from './link-table.ts';
import { writeStat } from './manifest-table.ts';
import type { Publication, Published } from './publication.ts';
import { forgetQuestions, hasAsked, recordFirstQuestions, recordQuestions } from './questions.ts';
import { digestOf, firstDocument, type LinkRow, linkDigest, openEnd, type Prepare } from './rows.ts';
import { type CountKeeper, countFrom, noCounts } from './snapshot-counts.ts';
import { latestSnapshot } from './snapshot-table.ts';

/** One publication under way: the statements, what they count, and which symbols came and went. */
interface Step {
  readonly repo: number;
  readonly seq: number;
  readonly prepare: Prepare;
  readonly counts: CountKeeper;
  readonly hints: HintBatch;
  readonly changed: Set<number>;
  readonly appeared: Set<number>;
  readonly vanished: Set<number>;
}

/**
 * Applies a publication. Runs inside the caller's transaction; from an empty base the same statements run, only with
 * more rows in each sorted batch.
 */
export function applyPublication(repo: number, publication: Publication, prepare: Prepare): Published {
  const before = latestSnapshot(repo, prepare);
  const step: Step = {
    repo,
    seq: (before?.seq ?? 0) + 1,
    prepare,
    counts: countFrom(before?.counts ?? noCounts),
    hints: hintBatch(prepare),
    changed: new Set(),
    appeared: new Set(),
    vanished: new Set(),
  };
  for (const row of publication.facts ?? []) putFact(row, publication.publishedAt, prepare);
  for (const path of publication.removed) removeEntry(path, publication.publishedAt, step);
  const unlinked = writeEntries(publication, step);
  writeLinks(publication.linked, unlinked, step);
  if (unlinked.size > 0) throw new Error(`${unlinked.size} documents have facts but no links`);
  for (const { path, stat } of publication.touched ?? []) noteStat(path, stat, step);
  step.hints.write();
  const gone = settleSymbols(before === undefined, step);
  writeChanged(step);
  const snapshot = {
    seq: step.seq,
    snapshotId: publication.snapshotId,
    evidenceId: publication.evidenceId ?? '',
    publishedAt: publication.publishedAt,
    counts: step.counts.result(),
  };
  prepare<unknown[]>(
    'INSERT INTO snapshot (repo, seq, id, evidence, published_at, counts) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(
    repo,
    snapshot.seq,
    snapshot.snapshotId,
    snapshot.evidenceId,
    snapshot.publishedAt,
    JSON.stringify(snapshot.counts),
  );
  return { ...snapshot, gone };
}

interface EntryRow {
  readonly from_seq: number;
  readonly to_seq: number;
  readonly hash: Buffer;
  readonly dialect: string;
  readonly version: number;
  readonly scope: string;
  readonly skip: string;
}

/** Writes what differs; returns the documents whose facts are new, which must be linked. */
function writeEntries(publication: Publication, step: Step): Set<number> {
  const unlinked = new Set<number>();
  for (const stored of publication.entries) {
    const { entry, version, scope } = stored;
    const document = documentOf(entry.path, step);
    writeStat(document, stored.stat, step.prepare);
    const before = currentEntry(document, step);
    if (before !== undefined && isSameEntry(before, stored)) continue;
    if (before !== undefined) closeEntry(document, before, publication.publishedAt, step);
    step
      .prepare<unknown[]>(
        'INSERT INTO entry (document, from_seq, to_seq, hash, dialect, version, scope, skip) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(document, step.seq, openEnd, Buffer.from(entry.hash, 'hex'), entry.dialect, version, scope, entry.skip);
    step.counts.entry(entry, 1);
    step.changed.add(document);
    if (hasFacts(stored)) unlinked.add(document);
    else if (before !== undefined) dropLinks(document, step);
  }
  return unlinked;
}

function isSameEntry(row: EntryRow, { entry, version, scope }: ManifestLine): boolean {
  return (
    row.hash.toString('hex') === entry.hash &&
    row.dialect === entry.dialect &&
    row.version === version &&
    row.scope === scope &&
    row.skip === entry.skip
  );
}

function removeEntry(path: string, nowMs: number, step: Step): void {
  const document = findDocument(path, step);
  const before = document === undefined ? undefined : currentEntry(document, step);
  if (document === undefined || before === undefined) return;
  closeEntry(document, before, nowMs, step);
  dropLinks(document, step);
  step.prepare<[number]>('DELETE FROM stat WHERE document = ?').run(document);
  step.changed.add(document);
}

function closeEntry(document: number, row: EntryRow, nowMs: number, step: Step): void {
  step
    .prepare<[number, number, number]>('UPDATE entry SET to_seq = ? WHERE document = ? AND from_seq = ?')
    .run(step.seq, document, row.from_seq);
  step.counts.entry(row, -1);
  step
    .prepare<[number, Buffer, string, number]>(
      'UPDATE fact SET used_at = ? WHERE hash = ? AND dialect = ? AND version = ?',
    )
    .run(nowMs, row.hash, row.dialect, row.version);
}

function writeLinks(linked: LinkBatch, unlinked: Set<number>, step: Step): void {
  const rows = intern(linked, step.prepare);
  const first: [document: number, questions: Buffer][] = [];
  for (const one of linked.documents) {
    const document = documentOf(one.path, step);
    unlinked.delete(document);
    writeLink(document, one, new LinkBody(one.body).renumbered(rows), step);
    if (hasAsked(document, step.prepare)) recordQuestions(document, one.questions, step.prepare);
    else first.push([document, one.questions]);
  }
  recordFirstQuestions(first, step.prepare);
}

function writeLink(document: number, one: PackedDocument, bytes: Uint8Array, step: Step): void {
  const { prepare, seq } = step;
  const fact = factRow(one.key, prepare);
  if (fact === undefined) throw new Error(`${one.path}: linked without stored facts`);
  const before = currentLink(document, prepare);
  const bodyBefore = before === undefined ? undefined : storedBody(before.body, prepare);
  const digest = digestOf(bytes);
  const isTest = one.isTest ? 1 : 0;
  const sameBody = bodyBefore?.digest.equals(digest) ?? false;
  if (before !== undefined && sameBody && before.fact === fact && before.is_test === isTest) return;
  const after = new LinkBody(bytes);
  const old = bodyBefore === undefined ? undefined : new LinkBody(bodyBefore.body);
  if (before !== undefined) closeLink(before, one.path, old!, step);
  const body = sameBody ? before!.body : addBody(bytes, prepare);
  const { language } = one;
  const row = { document, from_seq: seq, to_seq: openEnd, fact, body, is_test: isTest, language, evidence: 0 };
  addLink(row, one.path, digest, prepare);
  step.counts.document(language, after.definitionCount, after.referenceCount, 1);
  step.changed.add(document);
  noteDifference(document, old, after, step);
}

/** Hints and symbols that the new version has and the old one had not, and the other way round. */
function noteDifference(document: number, before: LinkBody | undefined, after: LinkBody | undefined, step: Step): void {
  const old = before === undefined ? undefined : hintsOf(before);
  const now = after === undefined ? undefined : hintsOf(after);
  if (now !== undefined) {
    for (const table of ['definition', 'post', 'bearer'] as const) {
      step.hints.add(table, without(now[table], old?.[table]), document);
    }
    for (const symbol of without(now.definition, old?.definition)) step.appeared.add(symbol);
  }
  if (old !== undefined) for (const symbol of without(old.definition, now?.definition)) step.vanished.add(symbol);
  for (const name of now?.candidate ?? []) {
    const uses = after!.unresolvedCount(name);
    if (before?.unresolvedCount(name) !== uses) step.hints.addUses(name, document, uses);
  }
  if (old !== undefined) {
    for (const name of without(old.candidate, now?.candidate)) step.hints.addUses(name, document, 0);
  }
}

function without(keys: Uint32Array, known: Uint32Array | undefined): Iterable<number> {
  if (known === undefined) return keys;
  const set = new Set(known);
  return keys.filter(key => !set.has(key));
}

function dropLinks(document: number, step: Step): void {
  const before = currentLink(document, step.prepare);
  if (before === undefined) return;
  const body = linkBody(before.body, step.prepare);
  closeLink(before, pathOf(document, step), body, step);
  noteDifference(document, body, undefined, step);
  forgetQuestions(document, step.prepare);
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
  step.counts.document(row.language, body.definitionCount, body.referenceCount, -1);
}

/** Counts distinct symbols, and names those that no document defines any more. */
function settleSymbols(fromEmpty: boolean, step: Step): string[] {
  const gone: string[] = [];
  if (fromEmpty) {
    step.counts.symbols(step.appeared.size);
    return gone;
  }
  const defined = (symbol: number, seq: number): boolean => isDefined(symbol, step.repo, seq, step.prepare);
  let difference = 0;
  for (const symbol of step.appeared) {
    if (!step.vanished.has(symbol) && !defined(symbol, step.seq - 1)) difference++;
  }
  for (const symbol of step.vanished) {
    if (step.appeared.has(symbol) || defined(symbol, step.seq)) continue;
    difference--;
    gone.push(hashOf(symbol, step));
  }
  step.counts.symbols(difference);
  return gone;
}

function hashOf(symbol: number, step: Step): string {
  return step
    .prepare<[number], { hash: Buffer }>('SELECT hash FROM symbol WHERE id = ?')
    .get(symbol)!
    .hash.toString('hex');
}

function writeChanged(step: Step): void {
  const add = step.prepare<[number, number, number]>('INSERT INTO changed (repo, seq, document) VALUES (?, ?, ?)');
  for (const document of [...step.changed].sort((a, b) => a - b)) add.run(step.repo, step.seq, document);
}

function findDocument(path: string, step: Step): number | undefined {
  return step
    .prepare<[number, string], { id: number }>('SELECT id FROM document WHERE repo = ? AND path = ?')
    .get(step.repo, path)?.id;
}

function documentOf(path: string, step: Step): number {
  const known = findDocument(path, step);
  if (known !== undefined) return known;
  const next = step
    .prepare<[number], { n: number }>(
      'UPDATE repo SET next_document = next_document + 1 WHERE id = ? RETURNING next_document - 1 AS n',
    )
    .get(step.repo)!.n;
  const id = firstDocument(step.repo) + next;
  step
    .prepare<[number, number, string]>('INSERT INTO document (id, repo, path) VALUES (?, ?, ?)')
    .run(id, step.repo, path);
  return id;
}

function pathOf(document: number, step: Step): string {
  return step.prepare<[number], { path: string }>('SELECT path FROM document WHERE id = ?').get(document)!.path;
}

function currentEntry(document: number, step: Step): EntryRow | undefined {
  const row = step
    .prepare<[number], EntryRow>('SELECT * FROM entry WHERE document = ? ORDER BY from_seq DESC LIMIT 1')
    .get(document);
  return row?.to_seq === openEnd ? row : undefined;
}

function noteStat(path: string, stat: FileStat, step: Step): void {
  const document = findDocument(path, step);
  if (document !== undefined) writeStat(document, stat, step.prepare);
}
