import { keepNewest } from '../model/keep-newest.ts';
import { firstDocument, lastDocument, type Prepare } from './rows.ts';
import { snapshotDigest } from './snapshot-table.ts';

/** Of each repository a few words on every linked document of its newest snapshot, brought along from publication to publication. */
export interface DocumentSummaries<Summary> {
  /** By document number; the same value for as long as no summary changes. */
  at(repo: number, seq: number): ReadonlyMap<number, Summary>;
}

export interface SummariesOptions<Summary> {
  /** What makes the summaries of one repository's documents: undefined of one that the sequence doesn't have. */
  readonly summariser: (repo: number) => (document: number, seq: number) => Summary | undefined;
  readonly isSame: (one: Summary, other: Summary) => boolean;
  readonly prepare: Prepare;
}

interface Kept<Summary> {
  readonly seq: number;
  readonly documents: ReadonlyMap<number, Summary>;
}

const repositoriesKept = 4;

/** Over one connection. */
export function documentSummaries<Summary>(options: SummariesOptions<Summary>): DocumentSummaries<Summary> {
  const kept = new Map<number, Kept<Summary>>();
  return {
    at: (repo, seq) => {
      const known = kept.get(repo);
      if (known?.seq === seq) return known.documents;
      const documents = (known && later(known, repo, seq, options)) ?? allOf(repo, seq, options);
      // A question may come late, of a snapshot that another publication overtook.
      if (known !== undefined && seq < known.seq) return documents;
      keepNewest(kept, repo, { seq, documents }, repositoriesKept);
      return documents;
    },
  };
}

function allOf<Summary>(
  repo: number,
  seq: number,
  { summariser, prepare }: SummariesOptions<Summary>,
): ReadonlyMap<number, Summary> {
  const linked = prepare<[number, number, number, number], { document: number }>(
    'SELECT document FROM link WHERE document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ?',
  ).all(firstDocument(repo), lastDocument(repo), seq, seq);
  const summarise = summariser(repo);
  const all = new Map<number, Summary>();
  for (const { document } of linked) {
    const one = summarise(document, seq);
    if (one !== undefined) all.set(document, one);
  }
  return all;
}

/** Those of a later snapshot; undefined where what changed since is not known any more. */
function later<Summary>(
  { seq: before, documents }: Kept<Summary>,
  repo: number,
  seq: number,
  { summariser, isSame, prepare }: SummariesOptions<Summary>,
): ReadonlyMap<number, Summary> | undefined {
  if (seq < before || snapshotDigest(repo, before, prepare) === undefined) return undefined;
  const changed = prepare<[number, number, number], { document: number }>(
    'SELECT DISTINCT document FROM changed WHERE repo = ? AND seq > ? AND seq <= ?',
  ).all(repo, before, seq);
  const summarise = summariser(repo);
  let next: Map<number, Summary> | undefined;
  for (const { document } of changed) {
    const one = summarise(document, seq);
    const other = documents.get(document);
    if (one === undefined ? other === undefined : other !== undefined && isSame(one, other)) continue;
    next ??= new Map(documents);
    if (one === undefined) next.delete(document);
    else next.set(document, one);
  }
  return next ?? documents;
}
