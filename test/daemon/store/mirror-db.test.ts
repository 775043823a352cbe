import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openRemoteIndex, type RemoteIndex } from '../../../daemon/backends/remote-index.ts';
import { defaultScipLimits } from '../../../daemon/extract/scip/limits.ts';
import { type MirrorSync, syncMirror } from '../../../daemon/jobs/mirror/sync-mirror.ts';
import type { MirroredRows } from '../../../daemon/model/mirrored-rows.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import type { Privacy } from '../../../daemon/model/privacy.ts';
import { changeMirror, mirrorState, newMirror } from '../../../daemon/store/mirror-db.ts';
import { openMirror } from '../../../daemon/store/mirror-reader.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';
import { pageRows, servedFile, standIn } from '../../support/served-index.ts';
import { indexedTree } from '../jobs/indexed-tree.ts';

const hash = (digit: string): string => digit.repeat(32);
const path = (text: string): RepoPath => text as RepoPath;
const symbol = (digit: string, of: string, line = 0) => ({
  ...({ hash: hash(digit), path: path(of), line, column: 0, kind: 'function', name: `f${digit}` } as const),
  ...{ container: 'A.B', signature: 's', documentation: 'd' },
});
const ref = (target: string, of: string, line: number) =>
  ({ path: path(of), line, column: 2, kind: 'call', target: hash(target), enclosing: '' }) as const;
const edge = (caller: string, callee: string, of: string, line: number) =>
  ({ path: path(of), line, column: 2, caller: caller && hash(caller), callee: hash(callee) }) as const;
const rows: MirroredRows = {
  files: [
    { path: path('a.ts'), language: 'typescript' },
    { path: path('b.rb'), language: 'ruby' },
  ],
  symbols: [symbol('1', 'a.ts'), symbol('2', 'b.rb', 3)],
  refs: [ref('2', 'a.ts', 1), ref('2', 'a.ts', 1), ref('9', 'b.rb', 4)],
  edges: [edge('1', '2', 'a.ts', 1), edge('', '2', 'a.ts', 1)],
};
const state = { source: 'x', syncSeq: 1, version: 'v1', commit: '' };
const nothing = {
  files: { added: [], modified: [], deleted: [] },
  symbols: { added: [], modified: [], deleted: [] },
  refs: { added: [], deleted: [] },
  edges: { added: [], deleted: [] },
};

function dump(file: string): readonly string[] {
  const mirror = openMirror(file);
  try {
    return [...mirror.documents()].map(document => JSON.stringify(document));
  } finally {
    mirror.close();
  }
}

test('rows come back by document, a multiple as often as it was told', context => {
  const file = temporaryFolder(context).path('mirror.db');
  const fill = newMirror(file);
  fill.add(rows);
  assert.deepEqual(fill.counts(), { files: 2, symbols: 2, refs: 3, edges: 2 });
  assert.ok(!existsSync(file));
  assert.ok(fill.finish(state));
  assert.deepEqual(mirrorState(file), state);
  const [a, b] = dump(file).map(line => JSON.parse(line));
  assert.deepEqual([a.path, a.language, a.symbols, a.refs.length], ['a.ts', 'typescript', [rows.symbols[0]], 2]);
  assert.deepEqual(
    a.edges.map(({ caller }: { caller: string }) => caller),
    ['', hash('1')],
  );
  assert.deepEqual(b.refs, [{ line: 4, column: 2, target: hash('9'), kind: 'call', enclosing: '' }]);
});

const misfits: Readonly<Record<string, Parameters<ReturnType<typeof changeMirror>['apply']>[0]>> = {
  'a file that is not there goes': { ...nothing, files: { ...nothing.files, deleted: [path('c.ts')] } },
  'a symbol that is not there goes': { ...nothing, symbols: { ...nothing.symbols, deleted: [hash('7')] } },
  'one that is there comes': { ...nothing, symbols: { ...nothing.symbols, added: [symbol('1', 'a.ts')] } },
  'one comes twice': { ...nothing, symbols: { ...nothing.symbols, added: [symbol('3', 'a.ts'), symbol('3', 'a.ts')] } },
  'one that is not there changes': { ...nothing, symbols: { ...nothing.symbols, modified: [symbol('7', 'a.ts')] } },
  'a reference goes more often than it is there': {
    ...nothing,
    refs: { added: [], deleted: [ref('2', 'a.ts', 1), ref('2', 'a.ts', 1), ref('2', 'a.ts', 1)] },
  },
  'a call goes that another makes': { ...nothing, edges: { added: [], deleted: [edge('2', '2', 'a.ts', 1)] } },
  'a reference comes in a file that nobody has': { ...nothing, refs: { added: [ref('2', 'c.ts', 1)], deleted: [] } },
};

for (const [what, deltas] of Object.entries(misfits)) {
  test(`nothing changes where ${what}`, context => {
    const file = temporaryFolder(context).path('mirror.db');
    const fill = newMirror(file);
    fill.add(rows);
    fill.finish(state);
    const before = dump(file);
    const change = changeMirror(file);
    assert.ok(!(change.apply(deltas) && change.commit({ ...state, syncSeq: 2 })));
    change.abandon();
    assert.deepEqual(dump(file), before);
    assert.deepEqual(mirrorState(file), state);
  });
}

test('what is left half-done leaves what was there', context => {
  const file = temporaryFolder(context).path('mirror.db');
  const fill = newMirror(file);
  fill.add(rows);
  fill.finish(state);
  const before = dump(file);
  const next = newMirror(file);
  next.add({ files: rows.files });
  next.abandon();
  const twice = newMirror(file);
  twice.add({ files: rows.files, symbols: [symbol('1', 'a.ts'), symbol('1', 'b.rb')] });
  assert.ok(!twice.finish({ ...state, syncSeq: 2 }));
  const change = changeMirror(file);
  assert.ok(change.apply({ ...nothing, symbols: { ...nothing.symbols, deleted: [hash('1')] } }));
  change.abandon();
  assert.deepEqual(dump(file), before);
  assert.deepEqual(mirrorState(file), state);
  assert.ok(!existsSync(`${file}.new`));
});

const privacies: readonly Partial<Privacy>[] = [{}, { exposeDocs: false }, { exposePaths: false }];

for (const [number, privacy] of privacies.entries()) {
  test(`changes applied one after the other are the rows of a full read: ${JSON.stringify(privacy)}`, async context => {
    const random = randomFrom(number + 1);
    const { root } = gitRepository(context, 'x');
    const tree = new Map<string, string>();
    const edit = editor(root, tree, random);
    for (let times = 0; times < 12; times++) edit();
    const { repo, crawl, changed } = indexedTree(context, root);
    await crawl();
    pageRows.most = 40;
    context.after(() => {
      pageRows.most = 1000;
    });
    const served = servedFile(repo.indexFile, privacy);
    const server = await standIn(context, served);
    const folder = temporaryFolder(context);
    const sync = (file: string, isFull: boolean): Promise<MirrorSync> =>
      asking(server.url, remote => {
        const options = { file: folder.path(file), source: 'x', isFull, limits: defaultScipLimits, onRead: () => {} };
        return syncMirror(remote, options);
      });
    await sync('changed.db', false);
    const modes: (string | undefined)[] = [];
    for (let round = 0; round < 15; round++) {
      // Where paths are kept back, files that come and go, or are shown alike, have all read anew.
      const isRewritten = privacy.exposePaths === false && round > 4;
      const paths = Array.from({ length: 1 + Math.floor(random() * 4) }, () => edit(isRewritten));
      const { seq } = await changed(...paths);
      if (seq !== served.publications.at(-1)) served.publications = [...served.publications, seq];
      // Some publications are passed over.
      if (random() < 0.3) continue;
      modes.push((await sync('changed.db', false)).mode);
      await sync('full.db', true);
      assert.deepEqual(dump(folder.path('changed.db')), dump(folder.path('full.db')), `round ${round}`);
    }
    assert.equal(modes.includes('full'), privacy.exposePaths === false, modes.join());
    assert.ok(modes.includes('changes'), modes.join());
  });
}

async function asking<T>(url: string, ask: (remote: RemoteIndex) => Promise<T>): Promise<T> {
  const { signal } = new AbortController();
  const remote = openRemoteIndex({ url, repo: 'acme/app', token: undefined, signal });
  try {
    return await ask(remote);
  } finally {
    await remote.close();
  }
}

/** Writes, changes or deletes a file that defines and uses what others do, and gives its path. */
/** Writes a file anew, or removes one; to be told where it is to be one that is there, and the only one of its base name. */
function editor(root: string, tree: Map<string, string>, random: () => number): (isRewritten?: boolean) => string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const paths = ['a.ts', 'src/a.ts', 'src/b.ts', 'src/deep/c.ts', 'lib/m.rb', 'lib/n.rb', 'index.ts', 'src/index.ts'];
  const names = ['alpha', 'beta', 'gamma', 'delta'];
  const alone = ['src/b.ts', 'src/deep/c.ts', 'lib/m.rb', 'lib/n.rb'];
  return (isRewritten = false) => {
    const at = pick(isRewritten ? alone.filter(path => tree.has(path)) : paths);
    const file = join(root, at);
    if (!isRewritten && tree.has(at) && random() < 0.2) {
      tree.delete(at);
      rmSync(file);
      return at;
    }
    const own = names.filter(() => random() < 0.6);
    const text = at.endsWith('.rb')
      ? `module Shared\n${own.map(name => `  def self.${name}(x) = ${pick(names)}(x)\n`).join('')}  ${pick(names)}(1)\nend\n`
      : [
          `import { ${names.join(', ')} } from '${pick(['./a.ts', '../a.ts', './index.ts', './b.ts'])}';`,
          ...own.map(
            name =>
              `/** ${name} ${Math.floor(random() * 3)}. */\nexport function ${name}2() { return ${pick(names)}(); }`,
          ),
          ...own.map(name => `export class ${name}K { ${pick(names)}() { ${pick(names)}2(); } }`),
          ...(random() < 0.5 ? own.map(name => `export const ${name} = () => ${pick(names)}2();`) : []),
          `${pick(names)}();\n`,
        ].join('\n');
    tree.set(at, text);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return at;
  };
}

function randomFrom(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x12345) | 0;
    return ((state >>> 0) % 100_003) / 100_003;
  };
}
