import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';
import { indexedTree } from './indexed-tree.ts';

const files: Readonly<Record<string, string>> = {
  'a.ts': 'export const limit = 4\n',
  'b.ts': "import { limit } from './a'\nlimit\n",
  'c.ts': 'export const other = 1\n',
  'tsconfig.json': '{}\n',
  'tool.py': 'def run(): ...\n',
};
const limit = 'scip-typescript npm app 1.0 `a.ts`/limit.';

test('what an indexer says counts for less while its other inputs are not what it saw, and in full once they are', async t => {
  const folder = temporaryFolder(t);
  for (const [path, text] of Object.entries(files)) folder.write(path, text);
  const { engine, repo, crawl, changed } = indexedTree(t, folder.root);
  await crawl();
  const file = `${temporaryFolder(t).root}/index.scip`;
  const documents = [
    { relativePath: 'a.ts', occurrences: [{ range: [0, 13, 18], symbol: limit, symbolRoles: 1 }] },
    { relativePath: 'b.ts', occurrences: [{ range: [1, 0, 5], symbol: limit }] },
  ];
  writeFileSync(file, scipBytes({ metadata: { projectRoot: `file://${folder.root}` }, documents }));
  const ingest = (tree: Readonly<Record<string, string>>) => {
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const contents = new Map(Object.entries(tree).map(([path, text]) => [path, hash(text)]));
    return engine.ingestScip(repo, { parts: [{ file }], seen: { kind: 'contents', contents } });
  };
  const use = (): unknown => {
    const reader = openIndexReader(repo.indexFile);
    const { seq, evidenceId } = reader.snapshot(repo.worktreeKey)!;
    const query = { includeTests: true, includeDefinition: false, merge: 'prefer-first', offset: 0, limit: 9 } as const;
    const { rows } = reader.references(repo.worktreeKey, seq, symbolHash('a.ts' as ScopeKey, 'limit.'), query)!;
    reader.close();
    const at = rows.find(({ path, range }) => path === 'b.ts' && range.startLine === 1)!;
    return [at.by, at.isContextChanged, at.confidence, evidenceId];
  };

  const { published } = await ingest(files);
  const { evidenceId } = published;
  const inFull = ['indexer', false, 1, evidenceId];
  assert.deepEqual(use(), inFull);
  folder.write('tool.py', 'def walk(): ...\n');
  await changed('tool.py');
  assert.deepEqual(use(), inFull, 'what its indexer never reads is nothing to it');
  for (const path of ['c.ts', 'tsconfig.json']) {
    folder.write(path, '\n');
    await changed(path);
    assert.deepEqual(use(), ['indexer', true, 0.9, evidenceId], `${path} is another`);
    folder.write(path, files[path]!);
    await changed(path);
    assert.deepEqual(use(), inFull, `${path} is as it was`);
  }

  folder.write('c.ts', '\n');
  await changed('c.ts');
  const again = await ingest({ ...files, 'c.ts': '\n' });
  assert.notEqual(again.published.evidenceId, evidenceId, 'the same was said of other inputs');
  assert.deepEqual(use(), ['indexer', false, 1, again.published.evidenceId]);
  assert.equal((await ingest({ ...files, 'c.ts': '\n' })).published.seq, again.published.seq, 'nothing new');

  const edit = async (text: string) => {
    folder.write('c.ts', text);
    await changed('c.ts');
  };
  await edit(files['c.ts']!);
  assert.deepEqual(use(), inFull, 'what was said of the inputs that are back');
  await edit('export const third = 3\n');
  assert.deepEqual(use(), ['indexer', true, 0.9, again.published.evidenceId], 'the newest, where nobody saw these');
  await edit('\n');
  assert.deepEqual(use(), ['indexer', false, 1, again.published.evidenceId]);
});

test('what an indexer says of a file of configuration counts again as well, when the others are what they were', async t => {
  const tree = { 'package.json': '{ "name": "app" }\n', 'tsconfig.json': '{}\n', 'tool.py': files['tool.py']! };
  const folder = temporaryFolder(t);
  const edit = (path: string, text: string) => {
    folder.write(path, text);
    return changed(path);
  };
  for (const [path, text] of Object.entries(tree)) folder.write(path, text);
  const { engine, repo, crawl, changed } = indexedTree(t, folder.root);
  await crawl();
  const file = `${temporaryFolder(t).root}/index.scip`;
  const use = { range: [0, 10, 15], symbol: 'scip-typescript npm library 1.0 app.' };
  const documents = [{ relativePath: 'package.json', occurrences: [use] }];
  writeFileSync(file, scipBytes({ metadata: { projectRoot: `file://${folder.root}` }, documents }));
  const ingest = (seen: Readonly<Record<string, string>>) => {
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const contents = new Map(Object.entries(seen).map(([path, text]) => [path, hash(text)]));
    return engine.ingestScip(repo, { parts: [{ file }], seen: { kind: 'contents', contents } });
  };

  const { evidenceId } = (await ingest(tree)).published;
  await edit('tsconfig.json', '\n');
  const again = (await ingest({ ...tree, 'tsconfig.json': '\n' })).published.evidenceId;
  assert.notEqual(again, evidenceId);
  await edit('tool.py', 'def walk(): ...\n');
  assert.equal((await edit('tsconfig.json', '{}\n')).evidenceId, evidenceId);
  assert.equal((await edit('tsconfig.json', '\n')).evidenceId, again);
});
