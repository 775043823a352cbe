import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import type { ScipSource, SeenContents } from '../../../daemon/jobs/scip/scip-source.ts';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import type { RepositoryRecord } from '../../../daemon/model/repository.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';
import type { PartOf, ScipIndex } from '../../support/scip.ts';
import { type IndexedTree, indexedTree } from './indexed-tree.ts';
import { says, writeScip } from './says.ts';

export const sources = `
  -- src/a.ts --
  export class Box { open() { return 1 } }
  -- src/b.ts --
  export function use(x: any) { return x.open() }
  -- src/c.ts --
  import { Box } from './a'
  new Box().open()
`;

/** An indexed tree, and what an indexer is made to say of it. */
export async function bench(t: TestContext, text = sources) {
  const work = gitRepository(t, text);
  const tree = indexedTree(t, work.root);
  const { snapshotId } = await tree.crawl();
  const folder = temporaryFolder(t);
  const arrive = async (
    lines: readonly string[],
    seen: SeenContents = contents(work),
    repo = tree.repo,
    ran?: ScipSource['ran'],
  ) => {
    const index = says(path => readFileSync(`${repo.root}/${path}`, 'utf8'), lines);
    return await hand(tree, folder.path('index.scip'), index, seen, repo, ran);
  };
  const edit = async (path: string, text: string) => {
    work.write(path, text);
    return await tree.changed(path);
  };
  return { work, tree, arrive, edit, folder, snapshotId };
}

/** Has an engine take in an index that an indexer made where `seen` was there. */
export async function hand(
  { engine }: IndexedTree,
  file: string,
  index: PartOf<ScipIndex>,
  seen: SeenContents,
  repo: RepositoryRecord,
  ran?: ScipSource['ran'],
) {
  writeScip(file, repo.root, index);
  const { published, outcome } = await engine.ingestScip(repo, { parts: [{ file }], seen, ran });
  return { ...published, outcome };
}

/** The same index with more places in one of its documents that are none than any document may have. */
export function damaged({ documents = [], ...rest }: PartOf<ScipIndex>, path: string): PartOf<ScipIndex> {
  const broken = documents.map(one => {
    const [first] = one.relativePath === path ? one.occurrences! : [];
    const nowhere = { ...first, range: [9, 5, 2] };
    return first === undefined ? one : { ...one, occurrences: [...one.occurrences!, ...Array(9).fill(nowhere)] };
  });
  return { ...rest, documents: broken };
}

/** That the indexer saw the tree as it is. */
export function contents({ root, git }: Pick<Workspace, 'root' | 'git'>): SeenContents {
  const paths = git('ls-files', '--cached', '--others').split('\n');
  const sha256 = (path: string) =>
    createHash('sha256')
      .update(readFileSync(`${root}/${path}`))
      .digest('hex');
  return { kind: 'contents', contents: new Map(paths.map(path => [path, sha256(path)])) };
}

/** Where a symbol occurs, as `path:line` with who says so: an indexer, syntax or the name alone. */
export function uses(
  { repo }: Pick<IndexedTree, 'repo'>,
  path: string,
  tail: string,
  merge: 'union' | 'prefer-first' = 'union',
): readonly string[] {
  const reader = openIndexReader(repo.indexFile);
  try {
    const { seq } = reader.snapshot(repo.worktreeKey)!;
    const query = { includeTests: true, includeDefinition: false, merge, offset: 0, limit: 100 } as const;
    const page = reader.references(repo.worktreeKey, seq, symbolHash(path as ScopeKey, tail), query);
    return (page?.rows ?? []).map(row => {
      const who = row.by === 'indexer' ? 'scip' : row.confidence > 0.5 ? 'syntax' : 'name';
      return `${row.path}:${row.range.startLine} ${who}`;
    });
  } finally {
    reader.close();
  }
}

/** Where the one method of `sources` is used. */
export const open = (tree: Pick<IndexedTree, 'repo'>) => uses(tree, 'src/a.ts', 'Box#open().');
