import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Indexer } from '../backends/indexer-table.ts';
import { linkerVersion } from '../link/linker.ts';
import type { ManifestLine } from '../model/manifest.ts';
import type { RepositoryRecord } from '../model/repository.ts';

/** Dialects of source code by the language that they count under; all other dialects are configuration. */
const dialectsOf: Readonly<Record<string, readonly string[]>> = {
  typescript: ['typescript', 'tsx'],
  c: ['c', 'header'],
  cpp: ['cpp', 'cpp-header', 'header'],
};
const sourceDialects = new Set(
  [
    ...[
      'typescript',
      'javascript',
      'python',
      'go',
      'rust',
      'java',
      'kotlin',
      'c',
      'cpp',
      'dart',
      'ruby',
      'csharp',
      'php',
    ],
  ].flatMap(language => dialectsOf[language] ?? [language]),
);

/**
 * Over all that an indexer's answer follows from, as far as the manifest knows: its files, configuration files, itself; and
 * what else decides whether it counts, the versions by which the files were read. One whose digest is that of its last run
 * would say the same again.
 */
export function preciseDigest(
  indexer: Indexer,
  program: string,
  trusted: boolean,
  lines: readonly ManifestLine[],
): string {
  const own = new Set(indexer.languages.flatMap(language => dialectsOf[language] ?? [language]));
  const hash = createHash('sha256').update(`${indexer.name}\0${program}\0${trusted}\0${linkerVersion}\0`);
  for (const { entry, version } of lines) {
    if (entry.dialect === '' || (sourceDialects.has(entry.dialect) && !own.has(entry.dialect))) continue;
    hash.update(`${entry.path}\0${entry.hash}\0${version}\0`);
  }
  return hash.digest('hex');
}

/** The digests of the last runs, by indexer. They lie beside the index file of an epoch and go with it: what is lost runs again. */
export function readDigests(repo: RepositoryRecord, epoch: string): Readonly<Record<string, string>> {
  try {
    const value = JSON.parse(readFileSync(fileOf(repo), 'utf8')) as Partial<StoredDigests> | null;
    return value?.epoch === epoch ? (value.digests ?? {}) : {};
  } catch {
    return {};
  }
}

export function saveDigest(repo: RepositoryRecord, epoch: string, indexer: string, digest: string): void {
  const file = fileOf(repo);
  const digests = { ...readDigests(repo, epoch), [indexer]: digest };
  writeFileSync(`${file}.new`, JSON.stringify({ epoch, digests } satisfies StoredDigests), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

interface StoredDigests {
  readonly epoch: string;
  readonly digests: Readonly<Record<string, string>>;
}

function fileOf({ indexFile, worktreeKey }: RepositoryRecord): string {
  const name = createHash('sha256').update(worktreeKey).digest('hex').slice(0, 16);
  return join(dirname(indexFile), `indexers-${name}.json`);
}
