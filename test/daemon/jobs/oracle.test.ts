import assert from 'node:assert/strict';
import { lstatSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { SeenContents } from '../../../daemon/jobs/scip/scip-source.ts';
import { type Arrival, evidencedIndexes } from '../../oracle/evidence.ts';
import { indexTree } from '../../oracle/indexer.ts';
import { describe, type Operation, operate, plan } from '../../oracle/operations.ts';
import { furnish, project } from '../../oracle/project.ts';
import { copyReadable, namesIn, statsAt } from '../../oracle/readable.ts';
import { differenceOf } from '../../oracle/stored.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';
import { settledIn } from './counted-lines.ts';
import { type IndexedTree, indexedTree } from './indexed-tree.ts';

/**
 * The oracle without a daemon: whatever happened to a tree, an engine that is told which paths were touched comes to the
 * rows of a fresh index. Seeds are printed; `ORACLE_SEEDS=<n>` runs one again, `ORACLE_SEEDS=100-200` many, each of
 * `ORACLE_OPERATIONS=<n>` operations: the longer the history, the more evidence lies about.
 */
const [firstSeed = 1, lastSeed = firstSeed] = (process.env['ORACLE_SEEDS'] ?? '1-2').split('-').map(Number);
const count = Number(process.env['ORACLE_OPERATIONS'] ?? 60);

for (let seed = firstSeed; seed <= lastSeed; seed++) {
  test(`after random operations the index equals a fresh one (seed ${seed}) (P16)`, async t => {
    const workspace = gitRepository(t, project);
    furnish(workspace);
    const tree = indexedTree(t, workspace.root);
    await tree.crawl();
    const fresh = evidencedIndexes(t, workspace);
    const file = temporaryFolder(t).path('index.scip');
    let [made, atCommit]: (MadeIndex | undefined)[] = [];
    let before = printsOf(workspace);
    const history: string[] = [];
    for (const operation of plan(seed, count)) {
      history.push(describe(operation));
      operate(workspace, operation);
      if (operation.kind === 'commit') atCommit = madeAtCommit(workspace);
      if (operation.kind === 'kill' || operation.kind === 'restart') {
        await tree.restart();
        await tree.crawl();
      }
      const isHeld = operation.kind === 'barrier' || operation.kind === 'scip';
      if (!isHeld && !isSeldomAlone(operation)) continue;
      const after = printsOf(workspace);
      await tree.changed(...touched(before, after));
      before = after;
      if (operation.kind === 'scip') {
        if (!operation.isLate || made === undefined) made = madeOf(t, workspace, tree, operation.seed);
        const { bytes, seen, of } = (operation.way === 'commit' ? atCommit : undefined) ?? made;
        writeFileSync(file, bytes);
        const isKnown = operation.way === 'run' || operation.way === 'commit';
        await tree.engine.ingestScip(tree.repo, { parts: [{ file }], seen: isKnown ? seen : { kind: 'tree' } });
        await fresh.arrive(file, { by: 'import', seen: isKnown ? of : 'evident' });
      }
      if (operation.kind !== 'barrier') continue;
      const difference = differenceOf(tree.dump(), await fresh.dump());
      assert.equal(difference, undefined, `- incremental, + fresh\n${difference}\n${history.slice(-12).join('\n')}`);
      const { counted, listed } = settledIn(tree.dump().lines);
      assert.deepEqual(counted, listed, 'what is counted is what is listed');
    }
  });
}

/** A SCIP index, and of which tree it is: as the engine is told, and as the fresh side is. */
interface MadeIndex {
  readonly bytes: Uint8Array;
  readonly seen: SeenContents;
  readonly of: Arrival['seen'];
}

function madeOf(t: TestContext, { root }: Workspace, tree: IndexedTree, seed: number): MadeIndex {
  const folder = temporaryFolder(t).path('then');
  copyReadable(root, folder);
  const entries = tree.dump().lines.flatMap(line => (line.startsWith('entry\t') ? [line.split('\t')] : []));
  const contents = new Map(entries.map(([, path, hash]) => [path!, hash!]));
  return { bytes: indexTree(root, seed), seen: { kind: 'contents', contents }, of: { folder } };
}

function madeAtCommit({ root, git }: Workspace): MadeIndex {
  const commit = git('rev-parse', 'HEAD');
  return { bytes: indexTree(root, 1), seen: { kind: 'commit', commit }, of: { commit } };
}

/** So that some changes are published alone, and others many at a time. */
function isSeldomAlone({ kind }: Operation): boolean {
  return kind === 'pause' || kind === 'rename' || kind === 'moveFolder' || kind === 'thaw';
}

/** What tells that something happened to a path, for everything in the tree, git's own folders but for their being there. */
function printsOf({ root, path }: Workspace): ReadonlyMap<string, string> {
  const prints = new Map<string, string>();
  const walk = (directory: string): void => {
    for (const name of namesIn(path(directory))) {
      const inside = directory === '' ? name : `${directory}/${name}`;
      const stat = statsAt(path(inside));
      if (stat === undefined) continue;
      const isFolder = stat.isDirectory();
      prints.set(
        inside,
        isFolder ? `folder ${stat.ino} ${stat.birthtimeNs} ${stat.mode}` : `${stat.ino} ${stat.ctimeNs}`,
      );
      if (isFolder && name !== '.git') walk(inside);
    }
  };
  walk('');
  const index = lstatSync(path('.git/index'), { bigint: true });
  return prints.set('.git', `${index.ino} ${index.mtimeNs} ${root}`);
}

/** The paths that a watcher would name; '' where other rules may hold now. */
function touched(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
    path => before.get(path) !== after.get(path),
  );
  return differing.some(path => /(^|\/)\.git(ignore)?$/.test(path)) ? ['', ...differing] : differing;
}
