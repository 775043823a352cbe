import type { TestContext } from 'node:test';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash, symbolId } from '../../../daemon/model/identity.ts';
import { type AnalysisName, analyse } from '../../../daemon/operations/analysis/analyses.ts';
import type { Asked } from '../../../daemon/operations/symbols/answers.ts';
import { type IndexReader, openIndexReader } from '../../../daemon/store/index-reader.ts';
import { temporaryFolder, type Workspace } from '../../support/repository.ts';
import { type IndexedTree, indexedTree } from '../jobs/indexed-tree.ts';

/** A tree that is indexed, to be analysed. */
export interface AnalysedTree {
  readonly folder: Workspace;
  readonly tree: IndexedTree;
  /** Answers about the newest snapshot, as the read worker does. */
  ask<Name extends AnalysisName>(
    operation: Name,
    input: InputOf<Operations[Name]>,
  ): OutputOf<Operations[Name]> | undefined;
  /** Reads the newest snapshot, as the main thread does. */
  about<T>(work: (reader: IndexReader, asked: Asked) => T): T;
}

export async function analysedTree(t: TestContext, text: string): Promise<AnalysedTree> {
  const folder = temporaryFolder(t, text);
  const tree = indexedTree(t, folder.root);
  await tree.crawl();
  const { id, indexFile, worktreeKey } = tree.repo;
  const reader = openIndexReader(indexFile);
  t.after(() => reader.close());
  const about = <T>(work: (reader: IndexReader, asked: Asked) => T): T => {
    const { seq, snapshotId } = reader.snapshot(worktreeKey)!;
    const repo = { id, indexFile, key: worktreeKey };
    return work(reader, { repo, current: { seq, snapshotId }, cursorSecret: 'ab'.repeat(32), dirtyFiles: 0, now: 0 });
  };
  return {
    folder,
    tree,
    ask: <Name extends AnalysisName>(operation: Name, input: InputOf<Operations[Name]>) =>
      about((read, asked) => analyse(read, { operation, asked, input })),
    about,
  };
}

/** The id of a definition by its scope (most languages': the path) and tail. */
export function idIn({ tree }: AnalysedTree, scope: string, tail: string): string {
  return symbolId(tree.repo.id, symbolHash(scope as ScopeKey, tail));
}
