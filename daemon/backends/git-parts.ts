import type { PathChange } from '../model/history.ts';
import { GitFailed } from './git-process.ts';

/** Takes what git writes as it comes. `end` rejects what was cut off. */
export interface PartReader {
  take(chunk: Buffer): void;
  end(): void;
}

/** A longer one is no path, and no name. */
const longestPart = 16 * 1024 * 1024;

/**
 * Hands on what stands before each separator, as text. No more is held than the part that is not whole yet, nor by the
 * texts: each is by itself, where those cut out of a longer one would keep all of it.
 */
export function readParts(separator: '\0' | '\n', onPart: (part: string) => void): PartReader {
  const byte = separator.charCodeAt(0);
  let begun: Buffer[] = [];
  let length = 0;
  return {
    take(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(byte); end >= 0; end = chunk.indexOf(byte, from)) {
        const part =
          length === 0
            ? chunk.toString('utf8', from, end)
            : Buffer.concat([...begun, chunk.subarray(from, end)]).toString('utf8');
        begun = [];
        length = 0;
        from = end + 1;
        onPart(part);
      }
      if (from === chunk.length) return;
      begun.push(chunk.subarray(from));
      length += chunk.length - from;
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
