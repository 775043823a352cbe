import type { HeldLinks } from './held-links.ts';
import type { HintBatch } from './hints.ts';
import type { InputDigests } from './inputs.ts';
import type { FactKey } from './publication.ts';
import type { QuestionBatch } from './questions.ts';
import { documentAt, firstDocument, type Prepare } from './rows.ts';
import type { CountKeeper } from './snapshot-counts.ts';

/** One publication under way: the statements, what they count, and which symbols came and went. */
export interface Step {
  readonly repo: number;
  readonly seq: number;
  readonly prepare: Prepare;
  readonly counts: CountKeeper;
  readonly held: HeldLinks;
  readonly hints: HintBatch;
  readonly questions: QuestionBatch;
  readonly changed: Set<number>;
  /** By path, those that were looked for or made: each is asked for several times. */
  readonly documents: Map<string, number>;
  /** Symbols that a document defines which did not before; undefined in a first publication, where all have appeared. */
  readonly appeared: Set<number> | undefined;
  readonly vanished: Set<number>;
  /** Symbols that a document defines anew, or no more, of a language that shares symbols with another: they may be of that from here on. */
  readonly shared: Set<number>;
  /** Wall clock, milliseconds. */
  readonly nowMs: number;
  readonly evidence: EvidenceKeeper;
  readonly isExternal: (symbol: number) => boolean;
  /** The index was made of what an indexer says, and of nothing else. */
  readonly isSourceless: boolean;
}

/** What a publication does to the precise documents in use. */
export interface EvidenceKeeper {
  /** The one for a document's path and facts, 0 where there is none. To be asked once the entries are written. */
  readonly of: (path: string, key: FactKey) => number;
  /** What indexers have to read in the new snapshot. */
  readonly inputs: () => InputDigests;
  /** Documents of which it must be counted anew how they are settled: those that have a precise one, or had. */
  readonly recount: Set<number>;
  /** A precise document comes into use (+ 1) or goes out of it (- 1). */
  readonly count: (id: number, sign: 1 | -1) => void;
}

/** Whether nothing of the repository was published before. */
export function isFirst({ appeared }: Step): boolean {
  return appeared === undefined;
}

export function findDocument(path: string, step: Step): number | undefined {
  const known =
    step.documents.get(path) ?? step.held.documentAt(step.repo, path) ?? documentAt(step.repo, path, step.prepare);
  if (known !== undefined) step.documents.set(path, known);
  return known;
}

export function documentOf(path: string, step: Step): number {
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
  step.documents.set(path, id);
  return id;
}
