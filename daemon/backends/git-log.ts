import type { CommitFacts, PathChange } from '../model/history.ts';
import { changeKind, isHash, isStopped, notUnderstood, readParts, tooMuch, withoutThose } from './git-parts.ts';
import type { RunOverObjects } from './git-process.ts';
import { streamGit } from './git-process.ts';
import type { GitRepository } from './git-repository.ts';

/** What stands before the files of each commit: none of it can hold a NUL. */
const format = ['%H', '%P', '%an', '%ae', '%at', '%ct'];

/** Enough for a million commits on a machine that has other things to do. */
const walkTimeoutMs = 30 * 60_000;
const walkBytes = 16 * 1024 ** 3;
const mostChanges = 1_000_000;

/**
 * Commits that one came from and none of `not` did, in the order of `git log`, as they are read: no more than one of them is
 * held. Renames are those that git finds by itself (`-M`). Where contents are missing that it would have to compare, those
 * that moved a file unchanged are told from there on, of any other that one file went and another came. Rejects with
 * `GitFailed`: where one of the commits is not here, or trees are missing; `output_too_large` where a commit changed more
 * than a million files.
 */
export async function commitsFrom(
  run: RunOverObjects,
  repository: GitRepository,
  from: string,
  not: readonly string[],
  onCommit: (commit: CommitFacts) => void,
): Promise<void> {
  const input = withoutThose([from], not);
  let told = 0;
  const reader = readCommits(commit => {
    told++;
    onCommit(commit);
  });
  const walk = async (how: readonly string[]): Promise<void> => {
    const asking = ['log', '--stdin', ...how, '-z', '--name-status', `--format=tformat:${format.join('%x00')}`];
    const parts = readParts('\0', reader.take);
    await run(repository, asking, one =>
      streamGit({ ...one, input, timeoutMs: walkTimeoutMs, maxBytes: walkBytes }, parts.take),
    );
    parts.end();
    reader.end();
  };
  try {
    await walk(['-M']);
  } catch (error) {
    if (!isStopped(error)) throw error;
    // It stops before it has said anything of the commit that it can't compare.
    if (reader.isWhole()) reader.end();
    reader.clear();
    await walk(['-M100%', `--skip=${told}`]);
  }
}

/** Part by part: the fields of `format`, then for each file a letter and the path, or both paths of a rename. */
function readCommits(onCommit: (commit: CommitFacts) => void) {
  let fields: string[] = [];
  let changes: PathChange[] = [];
  let letter = '';
  let from: string | undefined;
  const isWhole = (): boolean => letter === '' && (fields.length === 0 || fields.length === format.length);
  const clear = (): void => {
    fields = [];
    changes = [];
    letter = '';
    from = undefined;
  };
  const end = (): void => {
    if (!isWhole()) throw notUnderstood();
    const commit = fields.length > 0 ? commitOf(fields, changes) : undefined;
    clear();
    if (commit !== undefined) onCommit(commit);
  };
  const takePath = (path: string): void => {
    if (letter === 'R' && from === undefined) {
      from = path;
      return;
    }
    const kind = changeKind(letter);
    changes.push(from === undefined ? { kind, path } : { kind, path, from });
    if (changes.length > mostChanges) throw tooMuch('a commit changes too many files');
    letter = '';
    from = undefined;
  };
  const take = (part: string): void => {
    if (fields.length > 0 && fields.length < format.length) fields.push(part);
    else if (letter !== '') takePath(part);
    else {
      // Between the fields and the files there is an empty line.
      const word = part.startsWith('\n') ? part.slice(1) : part;
      if (letters.test(word)) letter = word[0]!;
      else if (isHash(word)) {
        end();
        fields.push(word);
      } else if (word !== '') throw notUnderstood();
    }
  };
  return { take, isWhole, clear, end };
}

const letters = /^(?:[ADMT]|R\d{1,3})$/;

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

/** 0 where the commit says none, or one that is in no calendar: git dates these 1970 too. */
function secondsOf(text: string): number {
  const seconds = /^-?\d+$/.test(text) ? Number(text) : 0;
  return Math.abs(seconds) <= lastSecond ? seconds : 0;
}
