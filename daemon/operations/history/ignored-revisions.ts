import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readSmallFile } from '../../backends/git-repository.ts';

/** Commits that count as if they had changed nothing: who wrote a line is looked for before them. */
export interface IgnoredRevisions {
  /** Full hashes. */
  readonly hashes: readonly string[];
  /** '' of none; else the same for the same ones. */
  readonly digest: string;
  /** Numbers of lines, from 1, that are no full hash. */
  readonly oddLines: readonly number[];
}

export const noRevisions: IgnoredRevisions = { hashes: [], digest: '', oddLines: [] };

export const ignoredRevisionsFile = '.git-blame-ignore-revs';
const mostBytes = 1024 * 1024;

/** Those that the work tree's `.git-blame-ignore-revs` names: a full hash a line, and comments behind `#`. */
export function ignoredRevisions(top: string): IgnoredRevisions {
  const text = readSmallFile(join(top, ignoredRevisionsFile), mostBytes) ?? '';
  const lines = text.split('\n').map(line => line.replace(/#.*/, '').trim().toLowerCase());
  const isHash = (line: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(line);
  const hashes = [...new Set(lines.filter(isHash))].sort();
  const digest = hashes.length === 0 ? '' : createHash('sha256').update(hashes.join()).digest('hex').slice(0, 16);
  return { hashes, digest, oddLines: lines.flatMap((line, at) => (line === '' || isHash(line) ? [] : [at + 1])) };
}
