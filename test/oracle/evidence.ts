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

/** How a SCIP index came in. */
export interface Arrival {
  /** Whether somebody brought it, or an indexer that the daemon ran wrote it. */
  readonly by: 'import' | 'run' | 'forced run';
  /** What its indexer saw, sha256 by path; `tree`: all of the tree, `evident`: what the tree has, where that may be. */
  readonly seen: ReadonlyMap<string, string> | 'tree' | 'evident' | OfCommit;
}

/** Of these files, sha256 by path, those that the tree has. */
interface OfCommit {
  readonly files: ReadonlyMap<string, string>;
}

/** Indexes from nothing of a tree, with the evidence that came in over its history. */
export interface EvidencedIndexes {
  /** Takes note of what a SCIP file says of the tree as it is. Returns of how many documents; throws the Fault of a file that can't be read. */
  arrive(file: string, arrival: Arrival): Promise<number>;
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
    async arrive(file, { by, seen }) {
      const index = await make();
      const signal = new AbortController().signal;
      const scratch = `${index.indexFile}.scratch`;
      const of = { parts: [{ file }] as const, root, scratch, limits: defaultScipLimits, isImported: by === 'import' };
      const run = { ...of, signal, onRead() {}, onJoin() {} };
      return await writing(index, async (writer, tree) => {
        const { inputs } = writer.snapshot(index.worktreeKey)!.counts;
        const known = contentsSeen(seen, tree);
        const joined = await joinScip({ ...run, key: index.worktreeKey, inputs, seen: known, tree }, writer);
        const said = arrived.flatMap(({ documents }) => documents);
        const documents = joined.batch.documents.filter(one => isNews(one, by, said, inputs));
        arrived.push({ ...joined.batch, documents });
        return joined.outcome.joined;
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

function contentsSeen(seen: Arrival['seen'], tree: TreeManifest): ReadonlyMap<string, string> | 'evident' {
  if (seen === 'evident' || seen instanceof Map) return seen;
  const contents = [...tree.lines()].map(({ entry }): [string, string] => [entry.path, entry.hash]);
  return new Map(contents.filter(([path, hash]) => seen === 'tree' || (seen as OfCommit).files.get(path) === hash));
}

/**
 * What is said again changes nothing, but that it is somebody's now who brought it. What somebody brought who had what the
 * tree has is not for a run that nobody insisted on.
 */
function isNews(one: PreciseDocument, by: Arrival['by'], said: readonly PreciseDocument[], inputs: InputDigests) {
  const before = said.filter(({ path, key }) => path === one.path && factKeyText(key) === factKeyText(one.key));
  const last = before.at(-1);
  const isSame = last?.content.equals(one.content) === true && last.context === one.context;
  if (isSame && (last.isImported || !one.isImported)) return false;
  const context = contextIn(inputs, one.key.dialect);
  return by !== 'run' || before.filter(document => document.context === context).at(-1)?.isImported !== true;
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

async function writing<T>(
  { indexFile, worktreeKey }: FreshIndex,
  work: (writer: IndexWriter, tree: TreeManifest) => Promise<T>,
): Promise<T> {
  const writer = openIndexWriter(indexFile);
  try {
    return await work(writer, new TreeManifest(writer.manifest(worktreeKey)));
  } finally {
    writer.close();
  }
}
