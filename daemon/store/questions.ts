import { type QuestionKey, questionHash } from '../model/question.ts';
import { hashesOf } from './asked.ts';
import { NumberList } from './number-list.ts';
import { addPackedRows, dropPackedRows, keyRange, packedRow } from './packed-rows.ts';
import { firstDocument, lastDocument, type Prepare } from './rows.ts';

/** Rows of questions that a publication adds and drops, gathered so that the table takes them in key order. */
export interface QuestionBatch {
  /** What a document asks now in place of what it did before; the row of a question that it asks still stays untouched. */
  replace(document: number, before: Uint8Array, asked: Uint8Array): void;
  write(): void;
}

export function questionBatch(repo: number, prepare: Prepare): QuestionBatch {
  const first = firstDocument(repo);
  const [come, gone] = [new NumberList(), new NumberList()];
  return {
    replace(document, before, asked) {
      const old = hashesOf(before);
      const now = hashesOf(asked);
      let next = 0;
      for (const was of old) {
        for (; next < now.length && now[next]! < was; next++) come.push(packedRow(now[next]!, document, first));
        if (now[next] === was) next++;
        else gone.push(packedRow(was, document, first));
      }
      for (; next < now.length; next++) come.push(packedRow(now[next]!, document, first));
    },
    write() {
      dropPackedRows('question', gone.takeSorted(), first, prepare);
      addPackedRows('question', come.takeSorted(), first, prepare);
    },
  };
}

/** Rows that are gathered and sorted in one go: eight bytes each, twice. */
const rowsAtOnce = 2 ** 20;

/** Documents of a repository that asked nothing before, together: sorted rows are appended, not searched a place for. */
export function recordFirstQuestions(
  documents: readonly (readonly [document: number, asked: Uint8Array])[],
  repo: number,
  prepare: Prepare,
): void {
  const first = firstDocument(repo);
  const rowsOf = documents.map(([document, asked]) => ({ document, keys: hashesOf(asked), at: 0 }));
  const total = rowsOf.reduce((sum, { keys }) => sum + keys.length, 0);
  const turns = Math.ceil(total / rowsAtOnce);
  for (let turn = 1; turn <= turns; turn++) {
    const upTo = (keyRange / turns) * turn;
    const rows = new NumberList();
    for (const one of rowsOf) {
      for (; one.at < one.keys.length && one.keys[one.at]! < upTo; one.at++) {
        rows.push(packedRow(one.keys[one.at]!, one.document, first));
      }
    }
    addPackedRows('question', rows.takeSorted(), first, prepare);
  }
}

/** Documents of a repository that asked one of the questions (or one whose hash collides with it), each with the hashes of those. */
export function askers(
  repo: number,
  questions: Iterable<QuestionKey>,
  prepare: Prepare,
): ReadonlyMap<number, readonly number[]> {
  const find = prepare<[number, number, number], { document: number }>(
    'SELECT document FROM question WHERE key = ? AND document BETWEEN ? AND ?',
  );
  const found = new Map<number, number[]>();
  for (const question of questions) {
    const hash = questionHash(question);
    for (const { document } of find.iterate(hash, firstDocument(repo), lastDocument(repo))) {
      const hashes = found.get(document);
      if (hashes === undefined) found.set(document, [hash]);
      else hashes.push(hash);
    }
  }
  return found;
}
