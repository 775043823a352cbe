import assert from 'node:assert/strict';
import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { DeltaArtifact } from '../../../client/protocol/delta.ts';
import { gitRepository, temporaryFolder, type Workspace, workspace } from '../../support/repository.ts';
import { type IndexedTree, indexedTree } from './indexed-tree.ts';

/** Artifacts between clones of a repository whose files git converts when it checks them out. */

const mostBytes = 2 ** 20;

interface Clone extends IndexedTree {
  readonly tree: Workspace;
  /** Takes an artifact in; whether it waits for its files. */
  waits(artifact: unknown): Promise<boolean | undefined>;
  build(base: string, head?: string): Promise<DeltaArtifact>;
  /** Every problem, path and message. */
  validate(artifact: unknown): Promise<readonly string[]>;
}

/** Makes clones of a repository, each with some configuration and at some revision, whose notes in git's index prove nothing or do. */
function cloner(t: TestContext, origin: Workspace) {
  const folder = temporaryFolder(t);
  let count = 0;
  return async (
    revision: string,
    configuration: readonly string[] = [],
    notes: 'racy' | 'sure' = 'sure',
  ): Promise<Clone> => {
    const name = `clone-${++count}`;
    folder.git('clone', '--quiet', '--no-checkout', '--no-hardlinks', origin.root, name);
    const tree = workspace(folder.path(name));
    for (const line of configuration) tree.git('config', ...(line.split('=') as [string, string]));
    tree.git('checkout', '--quiet', '--detach', revision);
    note(tree, notes);
    const index = indexedTree(t, tree.root);
    await index.crawl();
    const output = folder.path(`${name}.json`);
    const ask = async (kind: 'validate' | 'ingest', artifact: unknown) => {
      const given = { text: Buffer.from(JSON.stringify(artifact)), file: undefined, mostBytes, mostDepth: 64 };
      const outcome = await index.engine.delta(index.repo, { kind, artifact: given });
      assert.ok(outcome.kind === 'checked');
      return outcome;
    };
    return {
      ...index,
      tree,
      waits: async artifact => (await ask('ingest', artifact)).waits,
      async build(base, head) {
        const build = { base, head, output, mostBytes, timestamp: 1 };
        await index.engine.delta(index.repo, { kind: 'build', build });
        return JSON.parse(readFileSync(output, 'utf8')) as DeltaArtifact;
      },
      async validate(artifact) {
        const { checked } = await ask('validate', artifact);
        return checked.problems.map(({ path, message }) => `${path}: ${message}`);
      },
    };
  };
}

/** Makes git's index older than the files, whose notes then prove nothing, or younger. */
function note(tree: Workspace, notes: 'racy' | 'sure'): void {
  const at = notes === 'racy' ? 1 : Date.now() / 1000 + 10;
  utimesSync(tree.path('.git/index'), at, at);
}

/** Two commits to a file, with attributes. */
function repositoryWith(t: TestContext, attributes: string): Workspace {
  const origin = gitRepository(
    t,
    `
    -- .gitattributes --
    ${attributes}
    -- a.ts --
    export function one(): number {
      return 1;
    }
    -- src/b.ts --
    import { one } from '../a';
    export const two = one() + 1;
    -- src/same.ts --
    export const same = 1;
    `,
  );
  origin.write('a.ts', 'export function one(): number {\n  return un();\n}\nfunction un() {\n  return 1;\n}\n');
  origin.write('src/c.ts', 'export const three = 3;\n');
  origin.commit('second');
  origin.git('checkout', '--quiet', '--detach');
  return origin;
}

for (const notes of ['sure', 'racy'] as const) {
  test(`line ends that attributes decide are the same in every clone (notes: ${notes})`, async t => {
    const clone = cloner(t, repositoryWith(t, '*.ts text eol=crlf'));
    const ci = await clone('main', [], notes);
    const before = await clone('main~1', [], notes);
    const after = await clone('main', [], notes);
    const built = await ci.build('HEAD~1');
    const [first, second] = [await before.crawl(), await after.crawl()];
    assert.deepEqual([built.base_snapshot_id, built.new_snapshot_id], [first.snapshotId, second.snapshotId]);
    assert.deepEqual((await before.build('HEAD', 'main')).deltas.files, built.deltas.files, 'from either side');
    for (const { validate } of [ci, before, after]) assert.deepEqual(await validate(built), []);
    before.tree.git('checkout', '--quiet', 'main');
    assert.equal((await before.crawl()).filesParsed, 2);
    assert.deepEqual(await before.validate(built), [], 'after the pull');
  });
}

test('clones with core.autocrlf take what others with it build, and tell why they don’t take that of those without', async t => {
  const clone = cloner(t, repositoryWith(t, '# nothing'));
  const [with1, with2] = [await clone('main', ['core.autocrlf=true']), await clone('main~1', ['core.autocrlf=true'])];
  const plain = await clone('main');
  assert.deepEqual(await with2.validate(await with1.build('HEAD~1')), []);
  const problems = await with2.validate(await plain.build('HEAD~1'));
  assert.match(
    problems.find(one => one.startsWith('a.ts: '))!,
    /has the content with other line ends here \(core\.autocrlf/,
  );
  assert.match(
    problems.find(one => one.startsWith('base_snapshot_id'))!,
    /git checks files out otherwise here \(core\.autocrlf/,
  );
});

const isUnchecked = (problem: string): boolean => problem.includes(': not checked: ');

test('what a filter makes is known where it is checked out, and a build or a check that can’t know says so', async t => {
  const marks = temporaryFolder(t);
  const rot = [
    'filter.rot.clean=sed s/Number/number/',
    `filter.rot.smudge=touch ${marks.path('ran')} && sed s/number/Number/`,
  ];
  for (const notes of ['sure', 'racy'] as const) {
    const clone = cloner(t, repositoryWith(t, 'a.ts filter=rot'));
    const ci = await clone('main~1', rot, notes);
    const before = await clone('main~1', rot, notes);
    const after = await clone('main', rot, notes);
    const { snapshotId } = await ci.crawl();
    ci.tree.git('checkout', '--quiet', 'main');
    note(ci.tree, notes);
    await ci.crawl();
    await assert.rejects(ci.build('HEAD~1'), /has at a\.ts is not known: the filter rot makes it/);
    const built = await ci.build(snapshotId);
    assert.equal(built.new_snapshot_id, (await after.crawl()).snapshotId);
    const [converted, ...unseen] = await before.validate(built);
    assert.equal(
      converted,
      'a.ts: is converted by the filter rot when it is checked out, which svc does not do: check the commit out',
    );
    assert.ok(unseen.every(isUnchecked));
    before.tree.git('checkout', '--quiet', 'main');
    note(before.tree, notes);
    await before.crawl();
    assert.deepEqual(await before.validate(built), [], 'the base is kept');
    const [problem, ...others] = await after.validate({ ...built, base_commit: ci.tree.git('rev-parse', 'main~1') });
    assert.match(problem!, /^base_snapshot_id: .* is not known here: the filter rot makes it .*is here already/);
    assert.ok(others.every(isUnchecked));
  }
  assert.equal(existsSync(marks.path('ran')), true, 'by git itself');
});

test('an artifact without a commit is held against what was fetched, and told to name one where that is not enough', async t => {
  const origin = repositoryWith(t, '# nothing');
  const clone = cloner(t, origin);
  const ci = await clone('main');
  const { commit: _, ...nameless } = await ci.build('HEAD~1');
  const before = await clone('main~1');
  before.tree.git('fetch', '--quiet', 'origin', 'main');
  assert.deepEqual(await before.validate(nameless), []);
  assert.equal(await before.waits(nameless), true, 'until the pull');
  origin.write('a.ts', 'export const other = 1;\n');
  origin.commit('third');
  before.tree.git('fetch', '--quiet', origin.root, 'HEAD');
  before.tree.git('update-ref', '-d', 'refs/remotes/origin/main');
  const [problem] = await before.validate(nameless);
  assert.match(problem!, /^a\.ts: .* and the artifact names none in which to look: fetch/);
});

test('a clone without the base’s commit says so, and that the artifact brings nothing', async t => {
  const origin = repositoryWith(t, '# nothing');
  const clone = cloner(t, origin);
  const built = await (await clone('main')).build('HEAD~1');
  const folder = temporaryFolder(t);
  folder.git('clone', '--quiet', '--depth', '1', `file://${origin.root}`, 'shallow');
  const shallow = indexedTree(t, folder.path('shallow'));
  await shallow.crawl();
  const given = { text: Buffer.from(JSON.stringify(built)), file: undefined, mostBytes, mostDepth: 64 };
  const outcome = await shallow.engine.delta(shallow.repo, { kind: 'validate', artifact: given });
  assert.ok(outcome.kind === 'checked');
  const [problem, ...others] = outcome.checked.problems;
  assert.match(problem!.message, /is not in this clone: git fetch brings it .*is here already/);
  assert.ok(others.every(({ reason }) => reason === 'unchecked'));
  folder.git('-C', 'shallow', 'fetch', '--quiet', '--unshallow');
  const whole = await shallow.engine.delta(shallow.repo, { kind: 'validate', artifact: given });
  assert.ok(whole.kind === 'checked');
  assert.deepEqual(whole.checked.problems, []);
});
