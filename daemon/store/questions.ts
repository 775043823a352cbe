import { type Question, type QuestionKey, questionHash } from '../model/question.ts';
import { NumberList } from './number-list.ts';
import { addPackedRows, keyRange, packedRow } from './packed-rows.ts';
import { firstDocument, lastDocument, type Prepare } from './rows.ts';

/** Replaces what a document asked; the row of a question that was asked before stays untouched. */
export function recordQuestions(document: number, before: Uint8Array, keys: Uint8Array, prepare: Prepare): void {
  const known = new Set(unpacked(before));
  const add = prepare<[number, number]>('INSERT OR IGNORE INTO question (key, document) VALUES (?, ?)');
  const drop = prepare<[number, number]>('DELETE FROM question WHERE key = ? AND document = ?');
  for (const key of unpacked(keys)) if (!known.delete(key)) add.run(key, document);
  for (const key of known) drop.run(key, document);
}

/** Rows that are gathered and sorted in one go: eight bytes each, twice. */
const rowsAtOnce = 2 ** 20;

/** Documents of a repository that asked nothing before, together: sorted rows are appended, not searched a place for. */
export function recordFirstQuestions(
  documents: readonly (readonly [document: number, keys: Uint8Array])[],
  repo: number,
  prepare: Prepare,
): void {
  const first = firstDocument(repo);
  const asked = documents.map(([document, keys]) => ({ document, keys: unpacked(keys), at: 0 }));
  const total = asked.reduce((sum, { keys }) => sum + keys.length, 0);
  const turns = Math.ceil(total / rowsAtOnce);
  for (let turn = 1; turn <= turns; turn++) {
    const upTo = (keyRange / turns) * turn;
    const rows = new NumberList();
    for (const one of asked) {
      for (; one.at < one.keys.length && one.keys[one.at]! < upTo; one.at++) {
        rows.push(packedRow(one.keys[one.at]!, one.document, first));
      }
    }
    addPackedRows('question', rows.takeSorted(), first, prepare);
  }
}

/** Documents of a repository that asked one of the questions (or one whose hash collides with it). */
export function askers(repo: number, questions: Iterable<QuestionKey>, prepare: Prepare): Set<number> {
  const find = prepare<[number, number, number], { document: number }>(
    'SELECT document FROM question WHERE key = ? AND document BETWEEN ? AND ?',
  );
  const documents = new Set<number>();
  for (const question of questions) {
    for (const row of find.iterate(questionHash(question), firstDocument(repo), lastDocument(repo)))
      documents.add(row.document);
  }
  return documents;
}

/** Hashes of questions as they are stored: sorted, each once, four bytes each. */
export function packedQuestions(questions: readonly Question[]): Uint8Array<ArrayBuffer> {
  const keys = new Uint32Array(questions.length);
  for (let at = 0; at < keys.length; at++) keys[at] = questions[at]!.hash;
  keys.sort();
  let count = 0;
  for (let at = 0; at < keys.length; at++) if (count === 0 || keys[at] !== keys[count - 1]) keys[count++] = keys[at]!;
  return new Uint8Array(keys.buffer, 0, count * 4);
}

/** Hashes of questions, as they were packed. */
export function unpacked(keys: Uint8Array): Uint32Array {
  const isAligned = keys.byteOffset % 4 === 0;
  const bytes = isAligned ? keys : keys.slice();
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}
