import type { PathChange } from '../model/history.ts';
import { GitFailed } from './git-process.ts';

/** Takes what git writes as it comes. `end` rejects what was cut off. */
export interface PartReader {
  take(chunk: Buffer): void;
  end(): void;
}

/** A longer one is no path, and no name. */
const longestPart = 16 * 1024 * 1024;

/** Hands on what stands before each separator, as text. No more is held than the part that is not whole yet. */
export function readParts(separator: '\0' | '\n', onPart: (part: string) => void): PartReader {
  const byte = separator.charCodeAt(0);
  let begun: Buffer[] = [];
  let length = 0;
  return {
    take(chunk) {
      // A separator is never inside a character, so that what stands between two is decoded like each by itself.
      const end = chunk.lastIndexOf(byte);
      if (end >= 0) {
        const text = Buffer.concat([...begun, chunk.subarray(0, end)]).toString('utf8');
        begun = [];
        length = 0;
        for (const part of text.split(separator)) onPart(part);
      }
      const rest = chunk.subarray(end + 1);
      if (rest.length === 0) return;
      begun.push(rest);
      length += rest.length;
      if (length > longestPart) throw notUnderstood();
    },
    end() {
      if (length > 0) throw notUnderstood();
    },
  };
}

export function notUnderstood(): GitFailed {
  return new GitFailed('failed', 'git answers in a way that is not understood');
}

export function tooMuch(what: string): GitFailed {
  return new GitFailed('output_too_large', what);
}

/** git ends with this where it can't go on: mostly for something that is not here. */
const fatal = 128;

export function isStopped(error: unknown): error is GitFailed {
  return error instanceof GitFailed && error.exitCode === fatal;
}

/** What the letters of `--raw` and `--name-status` stand for: of a change of type too a modification. */
export function changeKind(letter: string): PathChange['kind'] {
  return letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : letter === 'R' ? 'renamed' : 'modified';
}

/** For git's stdin, where it takes a name on each line. */
export function hashLines(hashes: readonly string[]): string {
  return hashes.map(hash => `${fullHash(hash)}\n`).join('');
}

/** The same: commits that one of `from` came from and none of `not` did. */
export function withoutThose(from: readonly string[], not: readonly string[]): string {
  return hashLines(from) + not.map(hash => `^${fullHash(hash)}\n`).join('');
}

/** Throws where it is none: it may mean anything to git. */
export function fullHash(text: string): string {
  if (!isHash(text)) throw new GitFailed('failed', 'git is asked for what is no hash');
  return text;
}

export function isHash(text: string): boolean {
  return (text.length === 40 || text.length === 64) && /^[0-9a-f]+$/.test(text);
}
