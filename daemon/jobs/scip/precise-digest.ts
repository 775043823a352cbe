import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Indexer } from '../../backends/indexer-table.ts';
import { linkerVersion } from '../../link/linker.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import { contextIn, type InputDigests } from '../../store/inputs.ts';

/**
 * Over all that an indexer's answer follows from, as far as the manifest knows: its files, configuration files, itself; and
 * what else decides whether it counts, the versions by which files were read. One whose digest is that of its last run would
 * say the same again.
 */
export function preciseDigest(
  { name, languages }: Indexer,
  program: string,
  trusted: boolean,
  tree: { readonly inputs: InputDigests; readonly lines: readonly ManifestLine[] },
): string {
  const contexts = languages.map(language => contextIn(tree.inputs, language));
  const versions = new Set(tree.lines.map(({ entry, version }) => `${entry.dialect} ${version}`));
  const parts = [name, program, trusted, linkerVersion, ...contexts, ...[...versions].sort()];
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}

/** What the last run of an indexer came to. */
export interface LastRun {
  /** Of the tree of which the index has its facts; without one it runs again. */
  readonly digest?: string | undefined;
  /** What it did not do, in public words. */
  readonly trouble?: string | undefined;
}

/** The last runs, by indexer. They lie beside the index file of an epoch and go with it: what is lost runs again. */
export function readLastRuns(repo: RepositoryRecord, epoch: string): Readonly<Record<string, LastRun>> {
  try {
    const value = JSON.parse(readFileSync(fileOf(repo), 'utf8')) as Partial<StoredRuns> | null;
    return value?.epoch === epoch ? (value.runs ?? {}) : {};
  } catch {
    return {};
  }
}

export function saveLastRun(repo: RepositoryRecord, epoch: string, indexer: string, run: LastRun): void {
  const file = fileOf(repo);
  const runs = { ...readLastRuns(repo, epoch), [indexer]: run };
  writeFileSync(`${file}.new`, JSON.stringify({ epoch, runs } satisfies StoredRuns), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

interface StoredRuns {
  readonly epoch: string;
  readonly runs: Readonly<Record<string, LastRun>>;
}

function fileOf({ indexFile, worktreeKey }: RepositoryRecord): string {
  const name = createHash('sha256').update(worktreeKey).digest('hex').slice(0, 16);
  return join(dirname(indexFile), `indexers-${name}.json`);
}
