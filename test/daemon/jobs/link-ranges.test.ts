import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkRanges } from '../../../daemon/jobs/link-ranges.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import type { FinishedBatch } from '../../../daemon/store/link-batch.ts';

const paths = Array.from({ length: 3_000 }, (_, at) => `f${at}.ts` as RepoPath);

/** A batch that tells by whom its documents were linked. */
async function batchOf(names: string[], by: string, range: readonly RepoPath[]): Promise<FinishedBatch> {
  names.push(by);
  return {
    hashes: new Uint8Array(),
    externals: new Map(),
    names: [by, ...range],
    documents: [],
    bytes: new Uint8Array(),
  };
}

test('batches are in the order of their paths, whoever linked them', async () => {
  const by: string[] = [];
  const told: number[] = [];
  const helper = { link: (range: readonly RepoPath[]) => batchOf(by, 'helper', range), close: async () => {} };
  const batches = await linkRanges(
    paths,
    range => batchOf(by, 'here', range),
    [helper],
    done => told.push(done),
  );
  assert.deepEqual(
    batches.flatMap(({ names }) => names.slice(1)),
    paths,
  );
  assert.deepEqual(new Set(by), new Set(['helper', 'here']));
  assert.equal(told.at(-1), paths.length);
});

test('what a helper fails at is linked here, and a failure here is one', async () => {
  const by: string[] = [];
  const helper = { link: () => Promise.reject(new Error('the worker ended')), close: async () => {} };
  const batches = await linkRanges(
    paths,
    range => batchOf(by, 'here', range),
    [helper, helper],
    () => {},
  );
  assert.deepEqual(
    batches.flatMap(({ names }) => names.slice(1)),
    paths,
  );
  assert.deepEqual(new Set(by), new Set(['here']));
  await assert.rejects(
    linkRanges(
      paths,
      () => Promise.reject(new Error('no facts')),
      [helper],
      () => {},
    ),
    /no facts/,
  );
});
