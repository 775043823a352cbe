import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { indexers } from '../../daemon/backends/indexer-table.ts';
import { findIndexer, runIndexer } from '../../daemon/backends/indexers.ts';
import { packageRoot } from '../../daemon/package-root.ts';
import { temporaryFolder } from './repository.ts';

/** The index that it writes of a folder, as whoever runs it there has it. */
export async function scipTypescript(t: TestContext, root: string, paths: readonly string[]): Promise<string> {
  const indexer = indexers.find(({ name }) => name === 'scip-typescript')!;
  const found = findIndexer(indexer, '', { path: '', packageFolders: [packageRoot] });
  assert.ok(found, 'an optional dependency: npm ci');
  const { written } = await runIndexer({
    ...{ indexer, found, root, project: 'app', trusted: false, paths, scratch: temporaryFolder(t).root },
    ...{ environment: {}, timeoutMs: 60_000, memoryBytes: 2 ** 30, signal: new AbortController().signal },
  });
  return written[0]!.file;
}
