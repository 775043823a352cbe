import type { QuestionKey } from '../model/links.ts';
import { addRows } from './add-rows.ts';
import { firstDocument, lastDocument, type Prepare } from './rows.ts';

/** Replaces what a document asked; the row of a question that was asked before stays untouched. */
export function recordQuestions(document: number, before: Buffer, keys: Buffer, prepare: Prepare): void {
  const known = new Set(unpacked(before));
  const add = prepare<[number, number]>('INSERT OR IGNORE INTO question (key, document) VALUES (?, ?)');
  const drop = prepare<[number, number]>('DELETE FROM question WHERE key = ? AND document = ?');
  for (const key of unpacked(keys)) if (!known.delete(key)) add.run(key, document);
  for (const key of known) drop.run(key, document);
}

/** Documents that asked nothing before, together: sorted rows are appended, not searched a place for. */
export function recordFirstQuestions(
  documents: Iterable<readonly [document: number, keys: Buffer]>,
  prepare: Prepare,
): void {
  const askers = new Map<number, number[]>();
  for (const [document, keys] of documents) {
    for (const key of unpacked(keys)) {
      const known = askers.get(key);
      if (known === undefined) askers.set(key, [document]);
      else known.push(document);
    }
  }
  const rows: number[] = [];
  for (const key of Float64Array.from(askers.keys()).sort()) {
    for (const document of askers.get(key)!) rows.push(key, document);
  }
  addRows({ insert: 'INSERT OR IGNORE INTO question (key, document)', columns: 2 }, rows, prepare);
}

/** Documents of a repository that asked one of the questions (or one whose hash collides with it). */
export function askers(repo: number, questions: Iterable<QuestionKey>, prepare: Prepare): Set<number> {
  const find = prepare<[number, number, number], { document: number }>(
    'SELECT document FROM question WHERE key = ? AND document BETWEEN ? AND ?',
  );
  const documents = new Set<number>();
  for (const question of questions) {
    for (const row of find.iterate(hashOf(question), firstDocument(repo), lastDocument(repo)))
      documents.add(row.document);
  }
  return documents;
}

/** 53 bits of a question's text (MurmurHash3's mixing, two lanes): what SQLite and JavaScript both hold as an integer. */
function hashOf(text: string): number {
  let a = 0xdeadbeef ^ text.length;
  let b = 0x41c6ce57 ^ text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 2_654_435_761);
    b = Math.imul(b ^ unit, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & b) + (a >>> 0);
}

/** Hashes of questions as they are stored: sorted, each once. */
export function packedQuestions(questions: readonly QuestionKey[]): Buffer {
  const keys = Float64Array.from(questions, hashOf).sort();
  return Buffer.from(keys.filter((key, index) => key !== keys[index - 1]).buffer);
}

/** Hashes of questions, as they were packed. */
export function unpacked(keys: Buffer): Float64Array {
  return new Float64Array(new Uint8Array(keys).buffer);
}
