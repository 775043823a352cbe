import {
  type CommitColumns,
  changeKinds,
  type FileHistory,
  type HistoryCommit,
  linesOfBinary,
  type Touch,
} from '../../model/history.ts';
import { type FollowedFiles, followingFiles } from './follow-files.ts';
import { logOrder } from './log-order.ts';

/** The history of a commit, of the facts of all that are stored. Undefined where it is not stored itself. */
export function fileHistoryOf(columns: CommitColumns, head: string): FileHistory | undefined {
  const making = makingHistory(columns, head);
  for (let place = 0; place < (making?.commitCount ?? 0); place++) making!.follow(place);
  return making?.end();
}

/** One that is made bit by bit, of 40,000 commits for some hundredths of a second. */
export interface MakingHistory {
  readonly commitCount: number;
  /** To be called with each number below that, from 0 on. */
  follow(place: number): void;
  end(): FileHistory;
}

/** As `fileHistoryOf`. */
export function makingHistory(columns: CommitColumns, head: string): MakingHistory | undefined {
  const start = columns.numberOf(head);
  if (start === undefined) return undefined;
  const order = logOrder(columns, start);
  const { follow, end } = followingFiles(columns, order);
  return { commitCount: order.length, follow, end: () => historyIn(columns, { head, order, files: end() }) };
}

interface Made {
  readonly head: string;
  readonly order: Int32Array;
  readonly files: FollowedFiles;
}

function historyIn(columns: CommitColumns, { head, order, files }: Made): FileHistory {
  const places = new Int32Array(columns.count);
  order.forEach((commit, place) => {
    places[commit] = place + 1;
  });
  return {
    head,
    commitCount: order.length,
    commit: at => new Commit(columns, order[at]!),
    fileCount: files.newestPath.length,
    fileOf: path => files.fileOf(columns.pathNumber(path)),
    pathOf: file => columns.paths[files.newestPath[file]!]!,
    commitsOf: file => files.commitOfFile.subarray(files.fileStart[file], files.fileStart[file + 1]),
    filesOf: at => files.touchedFile.subarray(files.commitStart[at], files.commitStart[at + 1]),
    touches: (path, isMeant) => {
      const file = files.fileOf(columns.pathNumber(path));
      return file === undefined ? [] : touchesOf(columns, files, file, place => isMeant?.(order[place]!) ?? true);
    },
    isBinary: path => {
      const file = files.fileOf(columns.pathNumber(path));
      return file !== undefined && isBinary(columns, files, file);
    },
    indexOf: hash => {
      const place = places[columns.numberOf(hash) ?? 0] ?? 0;
      return place === 0 ? undefined : place - 1;
    },
  };
}

/** What is told of it is looked up when it is asked for: most look at many commits, and ask each for one thing. */
class Commit implements HistoryCommit {
  readonly #columns: CommitColumns;
  readonly number: number;

  constructor(columns: CommitColumns, number: number) {
    this.#columns = columns;
    this.number = number;
  }

  get hash(): string {
    return this.#columns.hashOf(this.number);
  }

  get parentCount(): number {
    const { parentStart } = this.#columns;
    return parentStart[this.number + 1]! - parentStart[this.number]!;
  }

  get author(): number {
    return this.#columns.author[this.number]!;
  }

  get authoredAt(): number {
    return this.#columns.authoredAt[this.number]!;
  }

  get committedAt(): number {
    return this.#columns.committedAt[this.number]!;
  }
}

/** A commit that moved it only says nothing of that. */
function isBinary({ changeAdded, changeDeleted }: CommitColumns, files: FollowedFiles, file: number): boolean {
  for (let at = files.fileStart[file]!; at < files.fileStart[file + 1]!; at++) {
    const change = files.changeOfFile[at]!;
    if (changeAdded[change] !== 0 || changeDeleted[change] !== 0) return changeAdded[change] === linesOfBinary;
  }
  return false;
}

function* touchesOf(
  columns: CommitColumns,
  files: FollowedFiles,
  file: number,
  isMeant: (place: number) => boolean,
): Iterable<Touch> {
  for (let at = files.fileStart[file]!; at < files.fileStart[file + 1]!; at++) {
    const place = files.commitOfFile[at]!;
    if (isMeant(place)) yield new FileTouch(columns, files.changeOfFile[at]!, place);
  }
}

/** As of commits. */
class FileTouch implements Touch {
  readonly #columns: CommitColumns;
  readonly #change: number;
  readonly commit: number;

  constructor(columns: CommitColumns, change: number, commit: number) {
    this.#columns = columns;
    this.#change = change;
    this.commit = commit;
  }

  get path(): string {
    const { paths, changePath } = this.#columns;
    return paths[changePath[this.#change]!]!;
  }

  get kind(): Touch['kind'] {
    return changeKinds[this.#columns.changeKind[this.#change]!]!;
  }

  get lines(): Touch['lines'] {
    const { changeAdded, changeDeleted } = this.#columns;
    const added = changeAdded[this.#change]!;
    return added < 0 ? undefined : { added, deleted: changeDeleted[this.#change]! };
  }
}
