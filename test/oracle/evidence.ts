import { defaultScipLimits } from '../../daemon/extract/scip/limits.ts';
import { ScratchMemory } from '../../daemon/extract/scip/scratch-memory.ts';
import type { CanonicalDump } from '../../daemon/jobs/dump.ts';
import { canonicalDump } from '../../daemon/jobs/dump.ts';
import { factKeyOf, factKeyText } from '../../daemon/jobs/fact-key.ts';
import { createFactShelf } from '../../daemon/jobs/linking-manifest.ts';
import { joinScip, type ScipRun } from '../../daemon/jobs/scip/join-scip.ts';
import type { JoinedIndex } from '../../daemon/jobs/scip/precise-batch.ts';
import { indexedTree } from '../../daemon/jobs/scip/seen-tree.ts';
import { syntaxAt } from '../../daemon/jobs/scip/syntax-at.ts';
import { difference } from '../../daemon/model/delta.ts';
import { TreeManifest } from '../../daemon/model/manifest.ts';
import { type IndexWriter, openIndexWriter } from '../../daemon/store/index-db.ts';
import { contextIn, type InputDigests } from '../../daemon/store/inputs.ts';
import type { PreciseDocument } from '../../daemon/store/precise-table.ts';
import type { FactKey } from '../../daemon/store/publication.ts';
import { type Cleanup, temporaryFolder, type Workspace } from '../support/repository.ts';
import { type FreshIndex, freshFiles, inMemory } from './stored.ts';

/** How a SCIP index came in. */
export interface Arrival {
  /** Whether somebody brought it, or an indexer that the daemon ran wrote it. */
  readonly by: 'import' | 'run' | 'forced run';
  /** What its indexer saw; `evident`: the tree or what HEAD has, as far as that may be. */
  readonly seen: 'tree' | 'evident' | OtherTree;
}

/** The tree of a commit, or one that lies in a folder. */
type OtherTree = { readonly commit: string } | { readonly folder: string };

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
export function evidencedIndexes(scope: Cleanup, workspace: Workspace): EvidencedIndexes {
  const { root, git } = workspace;
  const make = freshFiles(scope, root);
  const arrived: JoinedIndex[] = [];
  const others = new Map<string, FreshIndex>();
  const indexOf = async (other: OtherTree): Promise<FreshIndex> => {
    const name = 'commit' in other ? other.commit : other.folder;
    const index =
      others.get(name) ??
      (await freshFiles(scope, 'commit' in other ? checkOut(other.commit, workspace, scope) : other.folder)());
    others.set(name, index);
    return index;
  };
  return {
    async arrive(file, { by, seen }) {
      const isImported = by === 'import';
      const memory = new ScratchMemory(`${file}.scratch`);
      scope.after(() => memory.close());
      const limits = defaultScipLimits;
      const of = {
        parts: [{ file }] as const,
        root,
        memory,
        limits,
        isImported,
        signal,
        onRead() {},
        onJoin() {},
      };
      return await writing(await make(), async here => {
        const other = seen === 'evident' ? { commit: git('rev-parse', 'HEAD') } : seen;
        const { batch } =
          other === 'tree'
            ? await joinScip(...knownOf(of, here))
            : await writing(await indexOf(other), there =>
                joinScip(...(seen === 'evident' ? evidentOf(of, here, there) : knownOf(of, there))),
              );
        const said = arrived.flatMap(({ documents }) => documents);
        const documents = batch.documents.filter(one => isNews(one, by, said, here.inputs));
        arrived.push({ ...batch, documents });
        return batch.documents.filter(one => isIn(here.tree, one)).length;
      });
    },
    async dump() {
      const index = await make();
      await writing(index, async here => {
        const counting = newest(arrived, here);
        for (const batch of arrived) publish(batch, counting, here);
      });
      return canonicalDump(index.indexFile, index.worktreeKey);
    },
  };
}

/** Absolute path of a folder that holds what a commit has. */
function checkOut(commit: string, { root, git }: Workspace, scope: Cleanup): string {
  const place = temporaryFolder(scope, '', inMemory).path('checkout');
  git('clone', '--quiet', '--shared', '--no-checkout', root, place);
  git('-C', place, 'checkout', '--quiet', '--detach', commit);
  return place;
}

const { signal } = new AbortController();

type OfIndex = Omit<ScipRun, 'tree' | 'inputs' | 'seen'>;
type Joining = Parameters<typeof joinScip>;

/** That an index is of the tree that there is an index of. */
function knownOf(of: OfIndex, { key, tree, inputs, writer }: OpenIndex): Joining {
  const syntaxAt = async () => writer.syntax(key);
  const { facts, text, hasMark } = writer;
  return [
    { ...of, tree, inputs, seen: { kind: 'known', tree: indexedTree } },
    { facts, text, hasMark, syntaxAt },
  ];
}

/** That an index is of the tree, or of what HEAD has. */
function evidentOf(of: OfIndex, { key, tree, inputs, writer }: OpenIndex, head: OpenIndex): Joining {
  const facts = (one: FactKey) => writer.facts(one) ?? head.writer.facts(one);
  const text = (one: FactKey) => writer.text(one) ?? head.writer.text(one);
  const hasMark = (one: FactKey) => writer.hasMark(one) || head.writer.hasMark(one);
  const shelf = createFactShelf(facts, 2 ** 25);
  const paths = [...tree.lines(), ...head.tree.lines()].map(({ entry }) => entry.path);
  const delta = difference(path => tree.get(path), new Map(paths.map(path => [path, head.tree.get(path)])));
  const other = async () => ({ delta, isWhole: true });
  return [
    { ...of, tree, inputs, seen: { kind: 'evident', other } },
    { facts, text, hasMark, syntaxAt: (to, those) => syntaxAt(to, those, { key, tree, shelf, writer, signal }) },
  ];
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

function isIn(tree: TreeManifest, { path, key }: PreciseDocument): boolean {
  const line = tree.get(path);
  const here = line === undefined ? undefined : factKeyOf(line);
  return here !== undefined && factKeyText(here) === factKeyText(key);
}

/** By path, the evidence that came last for what the tree has there. */
function newest(arrived: readonly JoinedIndex[], { tree, inputs }: OpenIndex): ReadonlySet<PreciseDocument> {
  const last = new Map<string, PreciseDocument>();
  for (const one of arrived.flatMap(({ documents }) => documents)) {
    if (!isIn(tree, one)) continue;
    const context = contextIn(inputs, one.key.dialect);
    if (one.context === context || last.get(one.path)?.context !== context) last.set(one.path, one);
  }
  return new Set(last.values());
}

function publish(batch: JoinedIndex, counting: ReadonlySet<PreciseDocument>, { key, writer }: OpenIndex): void {
  const documents = batch.documents.filter(one => counting.has(one));
  if (documents.length === 0) return;
  writer.publish(key, {
    ...{ entries: [], removed: [], linked: [], evidence: { ...batch, documents } },
    ...{ snapshotId: writer.snapshot(key)!.snapshotId, publishedAt: 0 },
  });
}

interface OpenIndex {
  readonly key: string;
  readonly writer: IndexWriter;
  readonly tree: TreeManifest;
  readonly inputs: InputDigests;
}

async function writing<T>(
  { indexFile, worktreeKey: key }: FreshIndex,
  work: (index: OpenIndex) => Promise<T>,
): Promise<T> {
  const writer = openIndexWriter(indexFile);
  try {
    const { inputs } = writer.snapshot(key)!.counts;
    return await work({ key, writer, tree: new TreeManifest(writer.manifest(key)), inputs });
  } finally {
    writer.close();
  }
}
