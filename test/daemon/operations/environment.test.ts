import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { OutputOf } from '../../../client/protocol/operation.ts';
import { type Operations, operations } from '../../../client/protocol/registry.ts';
import { startDaemon, temporaryHome, until } from '../../support/daemon.ts';
import { afterAll, type Cleanup, gitRepository, type Workspace } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';

const shared = await startDaemon(afterAll);
const { client } = shared;

const tree = `-- .gitignore --
node_modules
.venv
index.scip
-- package.json --
{ "name": "app" }
-- src/a.ts --
export function alpha() {}
alpha();
-- src/b.ts --
import { alpha } from './a';
import { read } from 'lib';
alpha();
read();
unknown();
-- broken.ts --
export function beta() {}
@@@ ((( ;
-- vendor/copy.ts --
export const gamma = 1;
-- tool.py --
def run():
    return run()
-- big.py --
${`#${' '.repeat(100)}\n`.repeat(30_000)}
`;

async function indexed(context: Cleanup, id: string): Promise<Workspace> {
  const workspace = gitRepository(context, tree);
  await client.daemon.addRepo({ root: workspace.root, id });
  context.after(() => client.daemon.removeRepo({ id }).catch(() => {}));
  await until(`${id} is ready`, async () => {
    const { repos } = await client.daemon.listRepos({});
    return repos.find(one => one.id === id)?.watching === 'native';
  });
  return workspace;
}

type Languages = OutputOf<Operations['environment.languages']>;

function has(languages: Languages, language: string, issue: RegExp): boolean {
  return languages.languages[language]!.knownIssues.some(one => issue.test(one));
}

test('languages are told by what was counted of them, and what is wrong for as long as it is', async t => {
  const { root, path, write } = await indexed(t, 'app');
  const before = await client.environment.languages({ repo: 'app', sync: true });
  assert.deepEqual([before.primaryLanguage, Object.keys(before.languages)], ['typescript', ['typescript', 'python']]);
  const { typescript, python } = before.languages;
  const { knownIssues: _, recommendations, ...measured } = typescript!;
  assert.deepEqual(measured, {
    displayName: 'TypeScript',
    tier: 3,
    tierName: 'syntactic',
    quality: 'poor',
    symbolCount: 3,
    // Two imports, two uses of each name that is there and one of a name that isn't.
    refCount: 6,
    callSiteCount: 4,
    callEdgeCount: 2,
    fileCount: 4,
    preciseFileCount: 0,
    refAccuracy: 0.8333,
    callResolution: 0.75,
    callGraphQuality: 'medium',
  });
  assert.deepEqual(
    [python!.refCount, python!.callSiteCount, python!.callEdgeCount, python!.callGraphQuality],
    [1, 1, 1, 'high'],
  );
  assert.deepEqual([before.totalSymbols, before.totalRefs, before.totalCallEdges], [4, 7, 3]);
  assert.deepEqual([before.completeness.unresolvedCandidates, before.completeness.skippedFiles], [1, 1]);
  assert.ok(has(before, 'typescript', /^1 of 6 references is not resolved/));
  assert.ok(has(before, 'typescript', /^1 of 4 call sites leads nowhere$/));
  assert.ok(has(before, 'typescript', /^1 of 4 files was read only in part/));
  assert.ok(has(before, 'typescript', /^1 of 4 files, by their paths generated/));
  assert.ok(has(before, 'typescript', /there is no node_modules/));
  assert.ok(has(before, 'python', /^1 more file was passed over/));
  assert.ok(recommendations.includes('npm install'));
  assert.ok(!python!.recommendations.includes('npm install'));

  mkdirSync(path('node_modules'));
  write('src/b.ts', "import { alpha } from './a';\nalpha();\n");
  write('broken.ts', 'export function beta() {}\n');
  const after = await client.environment.languages({ repo: 'app', sync: true });
  assert.deepEqual(
    [after.languages['typescript']!.refAccuracy, after.languages['typescript']!.callGraphQuality, after.overallQuality],
    [1, 'high', 'fair'],
    'one file in six is not read',
  );
  for (const gone of [/references? (?:is|are) not/, /leads? nowhere/, /in part/, /node_modules/]) {
    assert.ok(!has(after, 'typescript', gone), String(gone));
  }
  assert.match(
    after.summary,
    /^TypeScript: 4 files, 100 % of references and 100 % of calls resolved \(syntactic\); Python/,
  );
  assert.equal(root, path(''));
});

test('what indexers say makes the tier, and is told as old once they would read something else', async t => {
  const { root, write } = await indexed(t, 'app');
  const alpha = 'scip-typescript npm app 1.0 src/`a.ts`/alpha().';
  const documents = [
    {
      relativePath: 'src/a.ts',
      occurrences: [
        { range: [0, 16, 21], symbol: alpha, symbolRoles: 1 },
        { range: [1, 0, 5], symbol: alpha },
      ],
    },
    {
      relativePath: 'src/b.ts',
      occurrences: [{ range: [4, 0, 7], symbol: 'scip-typescript npm lib 2.0 unknown().' }],
    },
  ];
  const file = join(root, 'index.scip');
  writeFileSync(file, scipBytes({ metadata: { projectRoot: `file://${root}` }, documents }));
  await client.indexing.index({ repo: 'app', scip: file });
  const seen = await client.environment.languages({ repo: 'app', sync: true });
  const typescript = seen.languages['typescript']!;
  assert.deepEqual(
    [typescript.tierName, typescript.preciseFileCount, typescript.refAccuracy, typescript.callEdgeCount],
    ['mixed', 2, 1, 2],
    'what syntax could not tell is of a dependency',
  );
  assert.ok(has(seen, 'typescript', /^indexers said nothing of 2 of 4 files$/));
  assert.ok(!has(seen, 'typescript', /spoke|leads? nowhere/));
  assert.equal(seen.languages['python']!.tierName, 'syntactic');

  write('src/b.ts', '\n');
  const old = await client.environment.languages({ repo: 'app', sync: true });
  assert.equal(old.languages['typescript']!.preciseFileCount, 1);
  assert.ok(has(old, 'typescript', /^indexers said nothing of 3 of 4 files$/));
  assert.ok(has(old, 'typescript', /^indexers spoke of 1 file before other files or the configuration changed$/));
  assert.ok(old.languages['typescript']!.recommendations.includes('svc index --repo app'));
});

test('the environments of Python are those that lie in the work tree now', async t => {
  const { root, path } = await indexed(t, 'app');
  const none = await client.environment.pythonEnv({ repo: 'app' });
  assert.deepEqual([none.activeVenv, none.isActive, none.detectedVenvs, none.packageManager], ['', false, [], 'none']);
  mkdirSync(path('.venv'));
  writeFileSync(path('.venv/pyvenv.cfg'), 'version = 3.12\n');
  const bare = await client.environment.pythonEnv({ repo: 'app' });
  assert.match(bare.recommendation, /^\.venv, where indexers look for packages, has no folder for any/);
  mkdirSync(path('.venv/lib/python3.12/site-packages/requests-2.0.dist-info'), { recursive: true });
  writeFileSync(path('requirements.txt'), 'requests\nflask\n');
  const lacking = await client.environment.pythonEnv({ repo: 'app' });
  assert.match(lacking.recommendation, /lacks 1 of the 2 that are required \(flask\)\. Install them: \.venv\/bin\/pip/);
  assert.ok(has(await client.environment.languages({ repo: 'app' }), 'python', /lacks 1 of the 2 .*\(flask\)$/));
  writeFileSync(path('requirements.txt'), 'requests\n');
  const { timestamp: _, recommendation, ...found } = await client.environment.pythonEnv({ repo: 'app' });
  assert.deepEqual(found, {
    activeVenv: '.venv',
    isActive: false,
    detectedVenvs: ['.venv'],
    hasPyproject: false,
    hasRequirements: true,
    hasPipfile: false,
    packageManager: 'pip',
  });
  assert.match(
    recommendation,
    /^(?:Nothing to do: scip-python|Install scip-python, which) sees the packages of \.venv/,
  );
  const active = await startDaemon(t, temporaryHome(t, { VIRTUAL_ENV: join(root, '.venv') }));
  await active.client.daemon.addRepo({ root, id: 'other' });
  await active.client.indexing.index({ repo: 'other' });
  const notReady = Object.entries(operations).filter(([name]) => name.startsWith('environment.'));
  assert.ok(
    notReady.every(([, { faults }]) => faults.includes('notReady')),
    'before the first snapshot none answers',
  );
  assert.equal((await active.client.environment.pythonEnv({ repo: 'other' })).isActive, true);
});

test('a workspace is told with what indexers miss of its packages, until that is built', async t => {
  const { write, remove } = await indexed(t, 'app');
  const ask = () => client.environment.typescriptMonorepo({ repo: 'app', sync: true });
  const none = await ask();
  assert.deepEqual(
    [none.isMonorepo, none.workspaceType, none.packages, none.hasRootTsconfig],
    [false, 'none', [], false],
  );
  write('.gitignore', 'dist\n');
  write('package.json', '{ "name": "app", "workspaces": ["packages/*"] }');
  write('yarn.lock', '');
  write(
    'packages/lib/package.json',
    '{ "name": "@app/lib", "types": "dist/index.d.ts", "scripts": { "build": "tsc" } }',
  );
  write('packages/lib/index.ts', 'export const lib = 1;\n');
  write('packages/doc/package.json', '{ "name": "@app/doc" }');
  const { timestamp: _, snapshotId, recommendation, ...found } = await ask();
  assert.deepEqual(found, {
    isMonorepo: true,
    workspaceType: 'yarn',
    taskRunner: 'none',
    hasRootTsconfig: false,
    packages: ['packages/doc', 'packages/lib'],
    packagesWithTsconfig: [],
  });
  assert.notEqual(snapshotId, none.snapshotId);
  assert.match(recommendation, /^Build the types of the packages, .*\(@app\/lib\): yarn workspaces run build$/);
  const unbuilt = /^types of 1 package of the workspace are not built \(@app\/lib\)/;
  assert.ok(has(await client.environment.languages({ repo: 'app' }), 'typescript', unbuilt));

  write('tsconfig.json', '{ "compilerOptions": { "paths": { "@app/*": ["./packages/*"] } } }');
  const mapped = await client.environment.languages({ repo: 'app', sync: true });
  assert.ok(!has(mapped, 'typescript', unbuilt), 'configuration leads to the source');
  write('tsconfig.json', '{}');

  write('packages/lib/dist/index.d.ts', '');
  assert.match(
    (await ask()).recommendation,
    /^Give each package .* \(packages\/lib\): \(cd packages\/lib && npx -p typescript tsc --init\)$/,
  );
  assert.ok(!has(await client.environment.languages({ repo: 'app' }), 'typescript', unbuilt));
  write('packages/lib/tsconfig.json', '{}');
  assert.deepEqual(
    [(await ask()).packagesWithTsconfig, (await ask()).recommendation],
    [['packages/lib'], 'Nothing to do'],
  );
  remove('yarn.lock');
  assert.equal((await ask()).workspaceType, 'npm');
});
