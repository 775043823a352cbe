import type { RepoPath } from '../model/paths.ts';
import { factKeyAt, factRow } from './fact-table.ts';
import { hintBatch, hintsOf } from './hints.ts';
import { intern } from './intern.ts';
import { documentsOf, type LinkBatch } from './link-batch.ts';
import { LinkBody } from './link-body.ts';
import { addBody, addLink, factDigest } from './link-table.ts';
import { holdingAt, preciseFor } from './precise-table.ts';
import type { FactKey, FactRow } from './publication.ts';
import { countUses } from './publish-evidence.ts';
import { recordFirstQuestions } from './questions.ts';
import { digestOf, documentAt, firstDocument, hintTables, lastDocument, openEnd, type Prepare } from './rows.ts';
import { damagedPlaces } from './scrub.ts';
import { latestSnapshot, repoRow } from './snapshot-table.ts';
import { isWellFormed } from './well-formed.ts';

/** What does not hold its digest, as far as the files of one repository can make it good. */
export interface Damage {
  /** Facts of the newest snapshot, to be extracted anew. */
  readonly facts: readonly FactKey[];
  /** Rows of facts that nobody needs but older snapshots. */
  readonly unusedFacts: readonly number[];
  /** Documents to be linked anew, or dropped where the newest snapshot has none of them. */
  readonly documents: readonly RepoPath[];
}

/** With more than this the file has lost too much to be worth mending. */
const mostMended = 1000;

/**
 * Compares a whole file with its digests. Undefined where what does not hold is not this repository's alone, can't be
 * named, or is too much. Throws where SQLite itself finds the file broken.
 */
export function damageOf(key: string, prepare: Prepare): Damage | undefined {
  const repo = repoRow(key, prepare);
  // What SQLite itself finds wrong is not made good row by row.
  if (repo === undefined || !isWellFormed(prepare) || hasLostEvidence(prepare)) return undefined;
  const facts = new Set<number>();
  const documents = new Set(lostLinks(prepare));
  for (const place of damagedPlaces(prepare)) {
    if (place.table === 'fact_body') facts.add(place.key[0]);
    else if (place.table === 'link') documents.add(place.key[0]);
    else return undefined;
    if (facts.size + documents.size > mostMended) return undefined;
  }
  const needed = new Set<number>();
  for (const { document, fact, to_seq, isLost } of usesOfFacts(prepare)) {
    if (isLost === 1) facts.add(fact);
    if (!facts.has(fact)) continue;
    if (to_seq === openEnd) needed.add(fact);
    if (to_seq !== openEnd || !isOf(repo, document)) documents.add(document);
  }
  const keys = [...needed].map(id => factKeyAt(id, prepare));
  const paths = [...documents].map(id => (isOf(repo, id) ? pathOf(id, prepare) : undefined));
  if (keys.includes(undefined) || paths.includes(undefined)) return undefined;
  return {
    facts: keys as FactKey[],
    unusedFacts: [...facts].filter(id => !needed.has(id)),
    documents: (paths as RepoPath[]).sort(),
  };
}

/** Puts facts in the place of damaged ones, which must be those of the damage, and drops those that nobody needs. */
export function mendFacts({ unusedFacts }: Damage, rows: readonly FactRow[], prepare: Prepare): void {
  const replace = prepare<[number, Buffer, Buffer, Uint8Array, Uint8Array]>(
    'INSERT OR REPLACE INTO fact_body (id, digest, text_digest, facts, text) VALUES (?, ?, ?, ?, ?)',
  );
  for (const row of rows) {
    replace.run(factRow(row, prepare)!, digestOf(row.facts), digestOf(row.text), row.facts, row.text);
  }
  for (const id of unusedFacts) {
    for (const table of ['fact', 'fact_body']) prepare<[number]>(`DELETE FROM ${table} WHERE id = ?`).run(id);
  }
}

/**
 * Puts links in the place of those of damaged documents. They say what those said, so the snapshot stays the one that it
 * is; those before it go, for nobody vouches for them.
 */
export function mendLinks(key: string, { documents }: Damage, linked: LinkBatch, prepare: Prepare): void {
  const repo = repoRow(key, prepare)!;
  const { seq, counts } = latestSnapshot(repo, prepare)!;
  prepare<[number, number]>('DELETE FROM snapshot WHERE repo = ? AND seq < ?').run(repo, seq);
  for (const path of documents) dropLinkRows(documentAt(repo, path, prepare)!, prepare);
  const [rows] = intern([linked], prepare);
  const asked: [document: number, questions: Uint8Array][] = [];
  const precise: number[] = [];
  const hints = hintBatch(repo, prepare);
  for (const one of documentsOf(linked)) {
    const { path, isTest, language } = one;
    const document = documentAt(repo, path, prepare)!;
    const bytes = new LinkBody(one.body).renumbered(rows!);
    const digest = digestOf(bytes);
    const row = {
      ...{ document, from_seq: seq, to_seq: openEnd, fact: factRow(one.key, prepare)! },
      ...{ body: addBody(digest, bytes, one.questions, prepare), is_test: isTest ? 1 : 0, language },
      evidence: preciseFor(repo, path, one.key, counts.inputs, prepare)?.id ?? 0,
    };
    addLink(row, path, { fact: factDigest(row.fact, prepare), body: digest }, prepare);
    const body = new LinkBody(bytes);
    const keys = hintsOf(body);
    for (const table of ['definition', 'post', 'bearer'] as const) hints.add(table, keys[table], document);
    body.eachUnresolved((name, uses) => hints.addUses(name, document, uses));
    if (row.evidence !== 0) precise.push(document);
    asked.push([document, one.questions]);
  }
  hints.write();
  recordFirstQuestions(asked, repo, prepare);
  countUses(precise, holdingAt(repo, seq, prepare), prepare);
}

/** No index leads from a document to its hints and questions: each table is read whole, once in the life of a disk. */
function dropLinkRows(document: number, prepare: Prepare): void {
  prepare<[number]>('DELETE FROM link_body WHERE id IN (SELECT body FROM link WHERE document = ?)').run(document);
  for (const table of ['link', 'question', ...hintTables]) {
    prepare<[number]>(`DELETE FROM ${table} WHERE document = ?`).run(document);
  }
}

/** What an indexer said can't be made anew from files, and the snapshot's evidence id tells of it. */
function hasLostEvidence(prepare: Prepare): boolean {
  return (
    prepare('SELECT 1 FROM link WHERE evidence <> 0 AND evidence NOT IN (SELECT id FROM precise) LIMIT 1').get() !==
    undefined
  );
}

/** Documents that have facts and no links to them. */
function lostLinks(prepare: Prepare): readonly number[] {
  return prepare<[number, number], { document: number }>(
    `SELECT document FROM entry WHERE to_seq = ? AND dialect <> '' AND skip = '' AND length(hash) > 0
     AND NOT EXISTS (SELECT 1 FROM link WHERE link.document = entry.document AND link.to_seq = ?)`,
  )
    .all(openEnd, openEnd)
    .map(({ document }) => document);
}

interface UseOfFacts {
  readonly document: number;
  readonly fact: number;
  readonly to_seq: number;
  readonly isLost: number;
}

function usesOfFacts(prepare: Prepare): readonly UseOfFacts[] {
  return prepare<[], UseOfFacts>(
    `SELECT document, fact, to_seq, fact_body.id IS NULL AS isLost
     FROM link LEFT JOIN fact_body ON fact_body.id = link.fact`,
  ).all();
}

function isOf(repo: number, document: number): boolean {
  return document >= firstDocument(repo) && document <= lastDocument(repo);
}

function pathOf(document: number, prepare: Prepare): RepoPath | undefined {
  return prepare<[number], { path: RepoPath }>('SELECT path FROM document WHERE id = ?').get(document)?.path;
}
