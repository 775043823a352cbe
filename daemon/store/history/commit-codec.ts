import {
  type BlameRun,
  type CommitFacts,
  changeKinds,
  type LineCounts,
  linesOfBinary,
  linesUnknown,
  type Person,
} from '../../model/history.ts';
import { NumberReader, NumberWriter } from '../packed-numbers.ts';

/** Commits that are stored together, and what they are the first to name. */
export interface CommitBatch {
  readonly paths: readonly string[];
  readonly people: readonly Person[];
  readonly commits: readonly CommitFacts[];
}

/** The numbers of what is named. */
export interface Numbers {
  path(path: string): number;
  person(person: Person): number;
}

/**
 * Numbers of seven bits to a byte: how many paths, and each; how many people, name and address of each; how many commits, and
 * how many bytes a hash has; of each commit its author, how many parents and changes. Of each change the number of its path,
 * four times, with its kind below, then of a rename that of its old path. Behind them the hashes, those of all parents, and
 * the times, as doubles.
 */
export function encodeCommits({ paths, people, commits }: CommitBatch, numbers: Numbers): Buffer {
  const body = new NumberWriter();
  body.put(paths.length);
  for (const path of paths) body.putText(path);
  body.put(people.length);
  for (const { name, email } of people) {
    body.putText(name);
    body.putText(email);
  }
  body.put(commits.length);
  body.put((commits[0]?.hash.length ?? 0) / 2);
  for (const { author, parents, changes } of commits) {
    body.put(numbers.person(author));
    body.put(parents.length);
    body.put(changes.length);
    for (const { kind, path, from } of changes) {
      body.put(numbers.path(path) * 4 + changeKinds.indexOf(kind));
      if (kind === 'renamed') body.put(numbers.path(from ?? path));
    }
  }
  const times = Float64Array.from(commits.flatMap(({ authoredAt, committedAt }) => [authoredAt, committedAt]));
  return Buffer.concat([
    body.taken(),
    Buffer.from(commits.map(({ hash }) => hash).join(''), 'hex'),
    Buffer.from(commits.flatMap(({ parents }) => parents).join(''), 'hex'),
    Buffer.from(times.buffer),
  ]);
}

/** What takes in commits one after the other. Hashes are texts of one character for each byte. */
export interface CommitSink {
  addPath(path: string): void;
  addPerson(person: Person): void;
  /** Its changes follow. */
  addCommit(commit: {
    readonly hash: string;
    readonly parents: readonly string[];
    readonly author: number;
    readonly authoredAt: number;
    readonly committedAt: number;
  }): void;
  /** `from` is -1 but of a rename. */
  addChange(kind: number, path: number, from: number): void;
}

/** What is named by numbers so far is passed over: so many paths, people and commits of the batch are known. */
export function decodeCommits(body: Buffer, known: BatchCounts, sink: CommitSink): BatchCounts {
  const numbers = new NumberReader(body);
  const paths = numbers.take();
  for (let at = 0; at < paths; at++) {
    const path = numbers.takeText();
    if (at >= known.paths) sink.addPath(path);
  }
  const people = numbers.take();
  for (let at = 0; at < people; at++) {
    const person = { name: numbers.takeText(), email: numbers.takeText() };
    if (at >= known.people) sink.addPerson(person);
  }
  const commits = numbers.take();
  const length = numbers.take();
  const shapes = shapesOf(numbers, commits);
  const allParents = shapes.reduce((sum, { parents }) => sum + parents, 0);
  const hashes = body.length - 16 * commits - allParents * length - commits * length;
  const parentHashes = hashes + commits * length;
  const times = body.length - 16 * commits;
  const hashAt = (at: number): string => body.toString('latin1', at, at + length);
  let parent = 0;
  shapes.forEach(({ author, parents, changes }, at) => {
    const begin = parent;
    parent += parents;
    if (at < known.commits) return;
    sink.addCommit({
      hash: hashAt(hashes + at * length),
      parents: Array.from({ length: parents }, (_, nth) => hashAt(parentHashes + (begin + nth) * length)),
      author,
      authoredAt: body.readDoubleLE(times + 16 * at),
      committedAt: body.readDoubleLE(times + 16 * at + 8),
    });
    for (let change = 0; change < changes.length; change += 3) {
      sink.addChange(changes[change]!, changes[change + 1]!, changes[change + 2]!);
    }
  });
  return { paths, people, commits };
}

export interface BatchCounts {
  readonly paths: number;
  readonly people: number;
  readonly commits: number;
}

function shapesOf(numbers: NumberReader, commits: number) {
  return Array.from({ length: commits }, () => {
    const author = numbers.take();
    const parents = numbers.take();
    const changes: number[] = [];
    for (let left = numbers.take(); left > 0; left--) {
      const change = numbers.take();
      const kind = change % 4;
      changes.push(kind, Math.floor(change / 4), changeKinds[kind] === 'renamed' ? numbers.take() : -1);
    }
    return { author, parents, changes };
  });
}

/** The lines of one commit's changes, in the order of these. */
export interface CommitLines {
  readonly commit: number;
  readonly paths: readonly string[];
  readonly counts: readonly LineCounts[];
}

/**
 * Of each commit its number, how many changes it has, and of each of these 0 where its lines are not known, 1 of a binary
 * file, else the lines added and 2, then those deleted.
 */
export function encodeLines(commits: readonly CommitLines[]): Buffer {
  const body = new NumberWriter();
  for (const { commit, paths, counts } of commits) {
    const known = new Map(counts.map(one => [one.path, one]));
    body.put(commit);
    body.put(paths.length);
    for (const path of paths) {
      const count = known.get(path);
      if (count === undefined) body.put(0);
      else if (count.lines === undefined) body.put(1);
      else {
        body.put(count.lines.added + 2);
        body.put(count.lines.deleted);
      }
    }
  }
  return Buffer.from(body.taken());
}

/** `onChange` gets the number of a commit, which of its changes, and lines, or what says why there are none. */
export function decodeLines(
  body: Uint8Array,
  onChange: (commit: number, change: number, added: number, deleted: number) => void,
): void {
  const numbers = new NumberReader(body);
  while (numbers.hasMore) {
    const commit = numbers.take();
    const changes = numbers.take();
    for (let change = 0; change < changes; change++) {
      const added = numbers.take();
      if (added === 0) onChange(commit, change, linesUnknown, linesUnknown);
      else if (added === 1) onChange(commit, change, linesOfBinary, linesOfBinary);
      else onChange(commit, change, added - 2, numbers.take());
    }
  }
}

/** The number of a commit, 0 where nobody can tell, and how many lines. Undefined where a commit has no number. */
export function encodeRuns(
  runs: readonly BlameRun[],
  commitNumber: (hash: string) => number | undefined,
): Buffer | undefined {
  const body = new NumberWriter();
  for (const { commit, count } of runs) {
    const number = commit === '' ? 0 : commitNumber(commit);
    if (number === undefined) return undefined;
    body.put(number);
    body.put(count);
  }
  return Buffer.from(body.taken());
}

/** `onRun` gets the number of a commit, or 0, and how many of the next lines it wrote. */
export function decodeRuns(body: Uint8Array, onRun: (commit: number, count: number) => void): void {
  const numbers = new NumberReader(body);
  while (numbers.hasMore) onRun(numbers.take(), numbers.take());
}
