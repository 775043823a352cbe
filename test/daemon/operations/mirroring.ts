import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../../client/protocol/faults.ts';
import type { Privacy } from '../../../daemon/model/privacy.ts';
import { startDaemon, type TestDaemon } from '../../support/daemon.ts';
import { type Cleanup, gitRepository } from '../../support/repository.ts';
import { type ServedFile, type StandIn, servedFile, standIn } from '../../support/served-index.ts';
import { type IndexedTree, indexedTree } from '../jobs/indexed-tree.ts';

const source = `
-- src/a.ts --
/** Adds. */
export function add(one: number, other: number) { return one + other; }
export class Sum { total() { return add(1, 2); } }
-- src/b.ts --
import { add, Sum } from './a.ts';
export function twice(n: number) { return add(n, n); }
new Sum().total();
`;

/** A tree whose index is served. */
export interface Served {
  readonly tree: IndexedTree;
  readonly repository: ReturnType<typeof gitRepository>;
  readonly served: ServedFile;
  readonly server: StandIn;
  /** Edits a file and publishes. */
  edit(path: string, text: string): Promise<void>;
}

export async function serving(
  context: Parameters<typeof indexedTree>[0],
  privacy: Partial<Privacy> = {},
): Promise<Served> {
  const repository = gitRepository(context, source);
  const tree = indexedTree(context, repository.root);
  await tree.crawl();
  const served = servedFile(tree.repo.indexFile, privacy);
  const server = await standIn(context, served);
  return {
    ...{ repository, tree, served, server },
    edit: async (path, text) => {
      writeFileSync(join(repository.root, path), text);
      const { seq } = await tree.changed(path);
      served.publications = [...served.publications, seq];
    },
  };
}

/** A daemon, and the file of a key. */
export async function daemonOf(context: Cleanup): Promise<TestDaemon & { readonly key: (text: string) => string }> {
  const daemon = await startDaemon(context);
  return {
    ...daemon,
    key: text => {
      const file = join(daemon.home.path, 'key');
      writeFileSync(file, text, { mode: 0o600 });
      return file;
    },
  };
}

export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const error = await promise.then(
    () => assert.fail('it succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Fault, String(error));
  return error;
}
