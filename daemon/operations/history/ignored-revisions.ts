import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readSmallFile } from '../../backends/git-repository.ts';

/** Commits that count as if they had changed nothing: who wrote a line is looked for before them. */
export interface IgnoredRevisions {
  /** Full hashes. */
  readonly hashes: readonly string[];
  /** '' of none; else the same for the same ones. */
  readonly digest: string;
}

export const noRevisions: IgnoredRevisions = { hashes: [], digest: '' };

const fileName = '.git-blame-ignore-revs';
const mostBytes = 1024 * 1024;

/** Those that the work tree's `.git-blame-ignore-revs` names: a full hash a line, and comments behind `#`. */
export function ignoredRevisions(top: string): IgnoredRevisions {
  const text = readSmallFile(join(top, fileName), mostBytes) ?? '';
  const lines = text.split('\n').map(line => line.replace(/#.*/, '').trim().toLowerCase());
  const hashes = [...new Set(lines.filter(line => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(line)))].sort();
  const digest = hashes.length === 0 ? '' : createHash('sha256').update(hashes.join()).digest('hex').slice(0, 16);
  return { hashes, digest };
}
