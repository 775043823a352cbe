import type { FileStat } from '../model/file-stat.ts';
import { hasFacts, type ManifestLine } from '../model/manifest.ts';
import { addRows } from './add-rows.ts';
import { digestSum } from './digest-sum.ts';
import { addEntry, currentEntry, type EntryRow, endEntry } from './entry-table.ts';
import { putFact } from './fact-table.ts';
import type { HeldLinks } from './held-links.ts';
import { hintBatch } from './hints.ts';
import { isDefined, languageDefining } from './link-table.ts';
import { writeStat } from './manifest-table.ts';
import type { Publication, Published } from './publication.ts';
import { evidenceKeeper, recount, storeEvidence } from './publish-evidence.ts';
import { dropLinks, repointLinks, repointSeen, restoreLinks, writeLinks } from './publish-links.ts';
import { documentOf, findDocument, isFirst, type Step } from './publish-step.ts';
import { questionBatch } from './questions.ts';
import { externalTest } from './resolution.ts';
import { firstDocument, lastDocument, type Prepare } from './rows.ts';
import { countFrom, noCounts } from './snapshot-counts.ts';
import { addSnapshot, identityOf, latestSnapshot } from './snapshot-table.ts';

/**
 * Applies a publication. Runs inside the caller's transaction; from an empty base the same statements run, only with
 * more rows in each sorted batch.
 */
export function applyPublication(repo: number, publication: Publication, held: HeldLinks, prepare: Prepare): Published {
  const before = latestSnapshot(repo, prepare);
  const sum = digestSum(before?.evidenceId ?? '');
  const counts = countFrom(before?.counts ?? noCounts);
  const inputs = () => counts.result().inputs;
  const step: Step = {
    repo,
    seq: (before?.seq ?? 0) + 1,
    prepare,
    counts,
    held,
    hints: hintBatch(repo, prepare),
    questions: questionBatch(repo, prepare),
    changed: new Set(),
    documents: new Map(),
    appeared: before === undefined ? undefined : new Set(),
    vanished: new Set(),
    shared: new Set(),
    nowMs: publication.publishedAt,
    evidence: evidenceKeeper(repo, publication.publishedAt, prepare, sum, inputs),
    isExternal: externalTest(before === undefined, prepare),
    isSourceless: identityOf(prepare) === 'descriptor',
  };
  const arrived = publication.evidence === undefined ? [] : storeEvidence(publication.evidence, step);
  for (const row of publication.facts ?? []) putFact(row, publication.publishedAt, prepare);
  for (const path of publication.removed) removeEntry(path, publication.publishedAt, step);
  const unlinked = writeEntries(publication, step);
  const { linked } = publication;
  if ('seq' in linked) restoreLinks(linked.seq, unlinked, step);
  else writeLinks(linked, unlinked, step);
  if (unlinked.size > 0) throw new Error(`${unlinked.size} documents have facts but no links`);
  for (const { path, key } of arrived) repointLinks(path, key, step);
  if (before !== undefined) repointSeen(before.counts.inputs, step);
  for (const { path, stat } of publication.touched ?? []) noteStat(path, stat, step);
  step.hints.write();
  step.questions.write();
  const { come, gone } = settleSymbols(step);
  recount([...come, ...gone], step);
  writeChanged(step);
  const snapshot = {
    seq: step.seq,
    snapshotId: publication.snapshotId,
    evidenceId: sum.id(),
    publishedAt: publication.publishedAt,
    counts: step.counts.result(),
  };
  addSnapshot(repo, snapshot, prepare);
  const hashes = (symbols: readonly number[]) => symbols.map(symbol => hashOf(symbol, step));
  return { ...snapshot, gone: hashes(gone), come: come.length > mostNamed ? [] : hashes(come) };
}

/** Names of more symbols that came would take as long as a switch of branches takes for something that people wait for. */
const mostNamed = 10_000;

/** Writes what differs; returns the documents whose facts are new, which must be linked. */
function writeEntries(publication: Publication, step: Step): Set<number> {
  const unlinked = new Set<number>();
  for (const stored of publication.entries) {
    const { entry } = stored;
    const document = documentOf(entry.path, step);
    writeStat(document, stored.stat, step.prepare);
    const before = isFirst(step) ? undefined : currentEntry(document, step.prepare);
    if (before !== undefined && isSameEntry(before, stored)) continue;
    if (before !== undefined) closeEntry(before, entry.path, publication.publishedAt, step);
    addEntry(document, step.seq, stored, step.prepare);
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
  const before = document === undefined ? undefined : currentEntry(document, step.prepare);
  if (document === undefined || before === undefined) return;
  closeEntry(before, path, nowMs, step);
  dropLinks(document, step);
  step.prepare<[number]>('DELETE FROM stat WHERE document = ?').run(document);
  step.changed.add(document);
}

function closeEntry(row: EntryRow, path: string, nowMs: number, step: Step): void {
  endEntry(row, step.seq, path, step.prepare);
  step.counts.entry({ path, dialect: row.dialect, hash: row.hash.toString('hex'), skip: row.skip }, -1);
  step
    .prepare<[number, Buffer, string, number]>(
      'UPDATE fact SET used_at = ? WHERE hash = ? AND dialect = ? AND version = ?',
    )
    .run(nowMs, row.hash, row.dialect, row.version);
}

/** Counts distinct symbols, and names those that documents define now, or none any more. From nothing all have come: none is named. */
function settleSymbols(step: Step): { readonly come: number[]; readonly gone: number[] } {
  const { appeared, vanished, repo, seq, prepare } = step;
  if (appeared === undefined) {
    for (const { language, symbols } of definedSymbols(step)) step.counts.symbols(language, symbols);
    return { come: [], gone: [] };
  }
  const defined = (symbol: number, seq: number): boolean => isDefined(symbol, repo, seq, prepare);
  const come = [...appeared].filter(symbol => !vanished.has(symbol) && !defined(symbol, seq - 1));
  const gone = [...vanished].filter(symbol => !appeared.has(symbol) && !defined(symbol, seq));
  for (const symbol of new Set([...come, ...gone, ...step.shared])) {
    const before = languageDefining(symbol, repo, seq - 1, prepare);
    const now = languageDefining(symbol, repo, seq, prepare);
    if (before === now) continue;
    if (before !== undefined) step.counts.symbols(before, -1);
    if (now !== undefined) step.counts.symbols(now, 1);
  }
  return { come, gone };
}

/** How many symbols of each language a first publication defines, each in one: see `languageDefining`. Its hints are those of one version. */
function definedSymbols({ repo, prepare }: Step): readonly { readonly language: string; readonly symbols: number }[] {
  return prepare<[number, number], { language: string; symbols: number }>(
    `SELECT language, count(*) AS symbols FROM (
       SELECT min(language) AS language FROM definition JOIN link ON link.document = definition.document
       WHERE definition.document BETWEEN ? AND ? GROUP BY key
     ) GROUP BY language`,
  ).all(firstDocument(repo), lastDocument(repo));
}

function hashOf(symbol: number, step: Step): string {
  return step
    .prepare<[number], { hash: Buffer }>('SELECT hash FROM symbol WHERE id = ?')
    .get(symbol)!
    .hash.toString('hex');
}

function writeChanged({ repo, seq, changed, prepare }: Step): void {
  const rows = [...changed].sort((a, b) => a - b).flatMap(document => [repo, seq, document]);
  addRows({ insert: 'INSERT INTO changed (repo, seq, document)', columns: 3 }, rows, prepare);
}

function noteStat(path: string, stat: FileStat, step: Step): void {
  const document = findDocument(path, step);
  if (document !== undefined) writeStat(document, stat, step.prepare);
}
