import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readSmallFile } from '../../backends/git-repository.ts';
import { keptFiles, whyNotRead } from '../../extract/kept-file.ts';
import type { RepoPath } from '../../model/paths.ts';

/** Commits that count as if they had changed nothing: who wrote a line is looked for before them. */
export interface IgnoredRevisions {
  /** Full hashes. */
  readonly hashes: readonly string[];
  /** '' of none; else the same for the same ones. */
  readonly digest: string;
  /** Numbers of lines, from 1, that are no full hash. */
  readonly oddLines: readonly number[];
  /** Why the file does not count, to be read behind its name. */
  readonly notRead: string | undefined;
}

export const noRevisions: IgnoredRevisions = { hashes: [], digest: '', oddLines: [], notRead: undefined };

export const ignoredRevisionsFile = '.git-blame-ignore-revs' as RepoPath;
const mostBytes = 1024 * 1024;

/**
 * Those that the work tree's `.git-blame-ignore-revs` names: a full hash a line, and comments behind `#`. `top` is absolute and
 * real. Throws where descriptors ran out, and nothing else.
 */
export function ignoredRevisions(top: string): IgnoredRevisions {
  const text = readSmallFile(join(top, ignoredRevisionsFile), mostBytes);
  if (text === undefined) {
    return { ...noRevisions, notRead: whyNotRead(unread.at(top, ignoredRevisionsFile), mostBytes) };
  }
  const lines = text.split('\n').map(line => line.replace(/#.*/, '').trim().toLowerCase());
  const isHash = (line: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(line);
  const hashes = [...new Set(lines.filter(isHash))].sort();
  const digest = hashes.length === 0 ? '' : createHash('sha256').update(hashes.join()).digest('hex').slice(0, 16);
  const oddLines = lines.flatMap((line, at) => (line === '' || isHash(line) ? [] : [at + 1]));
  return { hashes, digest, oddLines, notRead: undefined };
}

/** To tell what stands in the file's place. */
const unread = keptFiles(() => undefined, mostBytes, { mostKept: 0 });
