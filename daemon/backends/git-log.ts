import type { CommitFacts, PathChange } from '../model/history.ts';
import type { RunOverObjects } from './git-head.ts';
import { hashLines, isHash, notUnderstood, readParts } from './git-parts.ts';
import { streamGit } from './git-process.ts';
import type { GitRepository } from './git-repository.ts';

/** What stands before the files of each commit, in the order of `CommitFacts`: none of it can hold a NUL. */
const format = ['%H', '%P', '%an', '%ae', '%at', '%ct'];

/** Even of a million commits, on a machine that has other things to do. */
const walkTimeoutMs = 30 * 60_000;
const walkBytes = 16 * 1024 ** 3;
/** A commit that did more holds too much. */
const mostChanges = 1_000_000;

/**
 * Commits that one came from and none of `not` did, in the order of `git log`, as they are read: no more than one commit is
 * held. Renames are what git finds by itself (`-M`).
 */
export async function commitsFrom(
  run: RunOverObjects,
  repository: GitRepository,
  from: string,
  not: readonly string[],
  onCommit: (commit: CommitFacts) => void,
): Promise<void> {
  const input = `${hashLines([from])}${hashLines(not).replace(/^(?=.)/gm, '^')}`;
  const asking = ['log', '--stdin', '-z', '-M', '--name-status', `--format=tformat:${format.join('%x00')}`];
  const reader = readCommits(onCommit);
  const parts = readParts('\0', reader.take);
  await run(repository, asking, one =>
    streamGit({ ...one, input, timeoutMs: walkTimeoutMs, maxBytes: walkBytes }, parts.take),
  );
  parts.end();
  reader.end();
}

/** Part by part: the fields of `format`, then for each file a letter and the path, or both paths of a rename. */
function readCommits(onCommit: (commit: CommitFacts) => void) {
  let fields: string[] = [];
  let changes: PathChange[] = [];
  let letter = '';
  let paths: string[] = [];
  const finish = (): void => {
    if (letter !== '' || (fields.length > 0 && fields.length < format.length)) throw notUnderstood();
    if (fields.length > 0) onCommit(commitOf(fields, changes));
    fields = [];
    changes = [];
  };
  const take = (part: string): void => {
    if (fields.length > 0 && fields.length < format.length) {
      fields.push(part);
    } else if (letter !== '') {
      paths.push(part);
      if (letter === 'R' && paths.length === 1) return;
      changes.push(changeOf(letter, paths));
      letter = '';
      paths = [];
      if (changes.length > mostChanges) throw notUnderstood();
    } else {
      // Between the fields and the files there is an empty line.
      const word = part.replace(/^\n+/, '');
      if (word === '') return;
      if (isHash(word)) {
        finish();
        fields.push(word);
      } else letter = letterOf(word);
    }
  };
  return { take, end: finish };
}

function commitOf(fields: readonly string[], changes: readonly PathChange[]): CommitFacts {
  const [hash = '', parents = '', name = '', email = '', authored = '', committed = ''] = fields;
  return {
    hash,
    parents: parents === '' ? [] : parents.split(' '),
    author: { name, email },
    authoredAt: secondsOf(authored),
    committedAt: secondsOf(committed),
    changes,
  };
}

/** The last that a `Date` can tell. */
const lastSecond = 8.64e12;

/** 0 where the commit says none, or one that no calendar has: git shows these as 1970 too. */
function secondsOf(text: string): number {
  const seconds = /^-?\d+$/.test(text) ? Number(text) : 0;
  return Math.abs(seconds) <= lastSecond ? seconds : 0;
}

const letters = /^(?:[ADMT]|R\d{1,3})$/;

function letterOf(word: string): string {
  if (!letters.test(word)) throw notUnderstood();
  return word[0]!;
}

const kinds: Readonly<Record<string, PathChange['kind']>> = { A: 'added', D: 'deleted', R: 'renamed' };

function changeOf(letter: string, [first = '', second]: readonly string[]): PathChange {
  const kind = kinds[letter] ?? 'modified';
  return second === undefined ? { kind, path: first } : { kind, path: second, from: first };
}
