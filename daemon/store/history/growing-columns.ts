import { type CommitColumns, linesUnknown, type Person } from '../../model/history.ts';
import type { CommitSink } from './commit-codec.ts';

const firstLength = 1024;

/** Commits in columns, numbered from 1 as they are added. */
export class GrowingColumns implements CommitColumns, CommitSink {
  readonly paths: string[] = [''];
  readonly people: Person[] = [{ name: '', email: '' }];
  count = 1;
  parentStart = new Int32Array(firstLength);
  parent = new Int32Array(firstLength);
  author = new Int32Array(firstLength);
  authoredAt = new Float64Array(firstLength);
  committedAt = new Float64Array(firstLength);
  changeStart = new Int32Array(firstLength);
  changeKind = new Uint8Array(firstLength);
  changePath = new Int32Array(firstLength);
  changeFrom = new Int32Array(firstLength);
  changeAdded = new Int32Array(firstLength);
  changeDeleted = new Int32Array(firstLength);
  isCounted = new Uint8Array(firstLength);
  readonly #pathNumbers = new Map<string, number>();
  /** Hashes are texts of one character for each byte: half as long as in hex. */
  readonly #hashes: string[] = [''];
  readonly #numbers = new Map<string, number>();
  /** Places in `parent` whose commits were not stored yet. */
  readonly #missing = new Map<number, string>();

  get hasAllParents(): boolean {
    return this.#missing.size === 0;
  }

  numberOf(hash: string): number | undefined {
    return this.#numbers.get(Buffer.from(hash, 'hex').toString('latin1'));
  }

  hashOf(commit: number): string {
    return Buffer.from(this.#hashes[commit]!, 'latin1').toString('hex');
  }

  pathNumber(path: string): number | undefined {
    return this.#pathNumbers.get(path);
  }

  addPath(path: string): void {
    this.#pathNumbers.set(path, this.paths.push(path) - 1);
  }

  addPerson(person: Person): void {
    this.people.push(person);
  }

  addCommit({ hash, parents, author, authoredAt, committedAt }: Parameters<CommitSink['addCommit']>[0]): void {
    const commit = this.count++;
    if (this.count === this.author.length) this.#growCommits();
    this.#hashes.push(hash);
    this.#numbers.set(hash, commit);
    this.author[commit] = author;
    this.authoredAt[commit] = authoredAt;
    this.committedAt[commit] = committedAt;
    let at = this.parentStart[commit]!;
    for (const parent of parents) {
      if (at === this.parent.length) this.parent = twice(this.parent, Int32Array);
      this.parent[at] = -1;
      this.#missing.set(at++, parent);
    }
    this.parentStart[commit + 1] = at;
    this.changeStart[commit + 1] = this.changeStart[commit]!;
  }

  addChange(kind: number, path: number, from: number): void {
    const change = this.changeStart[this.count]!++;
    if (change === this.changePath.length) this.#growChanges();
    this.changeKind[change] = kind;
    this.changePath[change] = path;
    this.changeFrom[change] = from;
    this.changeAdded[change] = linesUnknown;
    this.changeDeleted[change] = linesUnknown;
  }

  setLines(commit: number, nth: number, added: number, deleted: number): void {
    this.isCounted[commit] = 1;
    const change = this.changeStart[commit]! + nth;
    if (change >= this.changeStart[commit + 1]!) return;
    this.changeAdded[change] = added;
    this.changeDeleted[change] = deleted;
  }

  /** Those that are stored by now: most are behind what came from them. */
  findParents(): void {
    for (const [at, hash] of this.#missing) {
      const number = this.#numbers.get(hash);
      if (number === undefined) continue;
      this.parent[at] = number;
      this.#missing.delete(at);
    }
  }

  #growCommits(): void {
    this.parentStart = twice(this.parentStart, Int32Array);
    this.author = twice(this.author, Int32Array);
    this.authoredAt = twice(this.authoredAt, Float64Array);
    this.committedAt = twice(this.committedAt, Float64Array);
    this.changeStart = twice(this.changeStart, Int32Array);
    this.isCounted = twice(this.isCounted, Uint8Array);
  }

  #growChanges(): void {
    this.changeKind = twice(this.changeKind, Uint8Array);
    this.changePath = twice(this.changePath, Int32Array);
    this.changeFrom = twice(this.changeFrom, Int32Array);
    this.changeAdded = twice(this.changeAdded, Int32Array);
    this.changeDeleted = twice(this.changeDeleted, Int32Array);
  }
}

function twice<Column extends { readonly length: number; set(from: Column): void }>(
  column: Column,
  Kind: new (length: number) => Column,
): Column {
  const larger = new Kind(2 * column.length);
  larger.set(column);
  return larger;
}
