import { defaultScipLimits } from '../../daemon/extract/scip/limits.ts';
import type { CanonicalDump } from '../../daemon/jobs/dump.ts';
import { canonicalDump } from '../../daemon/jobs/dump.ts';
import { factKeyOf, factKeyText } from '../../daemon/jobs/fact-key.ts';
import { joinScip } from '../../daemon/jobs/join-scip.ts';
import type { JoinedIndex } from '../../daemon/jobs/precise-batch.ts';
import { TreeManifest } from '../../daemon/model/manifest.ts';
import { type IndexWriter, openIndexWriter } from '../../daemon/store/index-db.ts';
import { contextIn, type InputDigests } from '../../daemon/store/inputs.ts';
import type { PreciseDocument } from '../../daemon/store/precise-table.ts';
import type { Cleanup } from '../support/repository.ts';
import { type FreshIndex, freshFiles } from './stored.ts';

/** Indexes from nothing of a tree, with the evidence that came in over its history. */
export interface EvidencedIndexes {
  /** Takes note of what a SCIP file says of the tree as it is; `contents`: what its indexer saw, sha256 by path, by default all of the tree. */
  arrive(file: string, contents?: ReadonlyMap<string, string>): Promise<void>;
  dump(): Promise<CanonicalDump>;
}

/**
 * What counts of all evidence is told here once more, in the shortest words: of each document of the tree, what came last
 * for that path with that content of those whose indexer had read what the tree has, or else of all.
 */
export function evidencedIndexes(scope: Cleanup, root: string): EvidencedIndexes {
  const make = freshFiles(scope, root);
  const arrived: JoinedIndex[] = [];
  return {
    async arrive(file, contents) {
      const index = await make();
      const signal = new AbortController().signal;
      const scratch = `${index.indexFile}.scratch`;
      const of = { parts: [{ file }] as const, root, scratch, inputs: {}, limits: defaultScipLimits };
      const run = { ...of, signal, onRead() {}, onJoin() {} };
      await writing(index, async (writer, tree) => {
        const seen = contents ?? new Map([...tree.lines()].map(({ entry }) => [entry.path as string, entry.hash]));
        arrived.push((await joinScip({ ...run, isImported: false, key: index.worktreeKey, seen, tree }, writer)).batch);
      });
    },
    async dump() {
      const index = await make();
      await writing(index, async (writer, tree) => {
        const counting = newest(arrived, tree, writer.snapshot(index.worktreeKey)!.counts.inputs);
        for (const batch of arrived) publish(batch, counting, index, writer);
      });
      return canonicalDump(index.indexFile, index.worktreeKey);
    },
  };
}

/** By path, the evidence that came last for what the tree has there. */
function newest(
  arrived: readonly JoinedIndex[],
  tree: TreeManifest,
  inputs: InputDigests,
): ReadonlySet<PreciseDocument> {
  const last = new Map<string, PreciseDocument>();
  for (const one of arrived.flatMap(({ documents }) => documents)) {
    const line = tree.get(one.path);
    const key = line === undefined ? undefined : factKeyOf(line);
    if (key === undefined || factKeyText(key) !== factKeyText(one.key)) continue;
    const context = contextIn(inputs, key.dialect);
    if (one.context === context || last.get(one.path)?.context !== context) last.set(one.path, one);
  }
  return new Set(last.values());
}

function publish(
  batch: JoinedIndex,
  counting: ReadonlySet<PreciseDocument>,
  { worktreeKey }: FreshIndex,
  writer: IndexWriter,
): void {
  const documents = batch.documents.filter(one => counting.has(one));
  if (documents.length === 0) return;
  writer.publish(worktreeKey, {
    ...{ entries: [], removed: [], linked: [], evidence: { ...batch, documents } },
    ...{ snapshotId: writer.snapshot(worktreeKey)!.snapshotId, publishedAt: 0 },
  });
}

async function writing(
  { indexFile, worktreeKey }: FreshIndex,
  work: (writer: IndexWriter, tree: TreeManifest) => Promise<void>,
): Promise<void> {
  const writer = openIndexWriter(indexFile);
  try {
    await work(writer, new TreeManifest(writer.manifest(worktreeKey)));
  } finally {
    writer.close();
  }
}
