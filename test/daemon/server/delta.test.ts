import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startDaemon, svcProgram, type TestDaemon, temporaryHome, until } from '../../support/daemon.ts';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace, workspace } from '../../support/repository.ts';
import { project, secondCommit } from '../jobs/delta-clones.ts';

const closing: (() => unknown)[] = [];
const cleanup = { after: (work: () => unknown) => closing.unshift(work) } as unknown as Cleanup;
const deltaBytes = 200_000;
let daemon: TestDaemon;
let ci: Workspace;
let dev: Workspace;
let artifact: string;
let base: string;
let url: string;
let token: string;

const svc = (directory: string, ...words: readonly string[]) =>
  execFileSync(process.execPath, [svcProgram, ...words], {
    cwd: directory,
    env: daemon.home.env,
    encoding: 'utf8',
    stdio: 'pipe',
  });

/** What it writes to both of its outputs. */
function withInput(input: string, cwd: string, ...words: readonly string[]): readonly [string, string] {
  const { env } = daemon.home;
  const { stdout, stderr, status } = spawnSync(process.execPath, [svcProgram, ...words], {
    ...{ cwd, env, input },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return [stdout, stderr];
}

before(async () => {
  const home = temporaryHome(cleanup);
  home.configure(`[limits]\ndelta_bytes = ${deltaBytes}\n`);
  daemon = await startDaemon(cleanup, home);
  ci = gitRepository(cleanup, project);
  base = ci.git('rev-parse', 'HEAD');
  const folder = temporaryFolder(cleanup);
  folder.git('clone', '--quiet', '--no-hardlinks', ci.root, 'dev');
  dev = workspace(folder.path('dev'));
  secondCommit(ci);
  ci.commit('second');
  dev.git('fetch', '--quiet', 'origin');
  svc(ci.root, 'index');
  svc(dev.root, 'index');
  artifact = join(folder.root, 'delta.json');
  const { http } = await daemon.client.daemon.status({});
  url = `http://localhost:${http!.port}`;
  token = readFileSync(daemon.record.tokenFile, 'utf8').trim();
});
after(async () => {
  for (const work of closing) await work();
});

interface Told {
  readonly [field: string]: unknown;
  readonly errors?: readonly string[];
  readonly details?: { readonly reason?: string; readonly errors?: readonly string[] };
}

async function post(path: string, body: string, type = 'application/json') {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body,
  });
  return { status: answer.status, told: (await answer.json()) as Told };
}

test('the command line builds, shows, checks and takes in', async () => {
  const built = JSON.parse(svc(ci.root, 'delta', 'build', '--base', 'main~1', '-o', artifact, '--json'));
  assert.deepEqual([built.baseCommit, built.commit], [base, ci.git('rev-parse', 'HEAD')]);
  const shown = JSON.parse(svc(ci.root, 'delta', 'inspect', artifact, '--json'));
  assert.deepEqual([shown.stats, shown.newSnapshotId], [built.stats, built.newSnapshotId]);
  const [piped, told] = withInput('', ci.root, 'delta', 'build', '--base', 'main~1', '-o', '-', '--json');
  const timeless = (text: string) => ({ ...JSON.parse(text), timestamp: 0 });
  assert.deepEqual(timeless(piped), timeless(readFileSync(artifact, 'utf8')));
  assert.deepEqual({ ...JSON.parse(told), path: '', timestamp: '' }, { ...built, path: '', timestamp: '' });
  assert.equal(existsSync(ci.path('-')), false);
  const fromInput = (verb: string) => JSON.parse(withInput(piped, dev.root, 'delta', verb, '-', '--json')[0]);
  assert.deepEqual(fromInput('inspect'), shown);
  assert.equal(fromInput('validate').valid, true);
  const checked = JSON.parse(svc(dev.root, 'delta', 'validate', artifact, '--json'));
  assert.deepEqual([checked.valid, checked.baseSnapshotMatch, checked.stats], [true, true, built.stats]);
  const fetched = JSON.parse(svc(dev.root, 'delta', 'ingest', artifact, '--json'));
  assert.deepEqual([fetched.status, fetched.published, fetched.pending], ['success', false, true]);
  assert.deepEqual([fetched.outcome, fetched.awaitedCommit], ['pending', built.commit]);
  assert.deepEqual(Object.values(fetched.applied), [0, 0, 0, 0, 0, 0, 0], 'nothing of it is active yet');
  const waiting = withInput(piped, dev.root, 'delta', 'ingest', '-')[0];
  assert.match(waiting, new RegExp(`^outcome +waits for commit ${built.commit}: .*git pull`));
  const before = await daemon.client.delta.status({ repo: dev.root });
  assert.deepEqual([before.activeSnapshotId, before.pendingDeltas], [built.baseSnapshotId, 1]);
  assert.ok(before.lastDeltaIngested !== null, 'it is taken in, be it active or not');
  writeFileSync(join(dev.root, 'mine.ts'), 'export const mine = 1;\n');
  await daemon.client.symbols.search({ repo: dev.root, q: 'mine', sync: true });
  assert.equal((await daemon.client.delta.status({ repo: dev.root })).pendingDeltas, 1, 'it waits for its own files');
  dev.git('merge', '--quiet', '--ff-only', 'origin/main');
  const pulled = JSON.parse(svc(dev.root, 'delta', '--json'));
  assert.equal(pulled.pendingDeltas, 0, 'whatever lies uncommitted');
  assert.notEqual(pulled.activeSnapshotId, before.activeSnapshotId);
  for (const commit of [base, 'main']) {
    dev.git('checkout', '--quiet', commit);
    await daemon.client.symbols.search({ repo: dev.root, q: 'mine', sync: true });
    assert.equal((await daemon.client.delta.status({ repo: dev.root })).pendingDeltas, 0, 'it had its files once');
  }
  const beside = JSON.parse(svc(dev.root, 'delta', 'ingest', artifact, '--json'));
  assert.deepEqual([beside.pending, beside.published], [false, false], 'HEAD has it, and nothing of it is to come');
  assert.deepEqual([beside.outcome, beside.applied], ['already', built.stats]);
  dev.remove('mine.ts');
  const merged = JSON.parse(svc(dev.root, 'delta', 'ingest', artifact, '--json'));
  assert.deepEqual(
    [merged.status, merged.newSnapshotId, merged.activeSnapshotId, merged.pending],
    ['success', built.newSnapshotId, built.newSnapshotId, false],
  );
  assert.match(svc(dev.root, 'delta', 'ingest', artifact), /^outcome +was there already/);
  const again = JSON.parse(svc(dev.root, 'delta', 'ingest', artifact, '--json'));
  assert.deepEqual([again.outcome, again.applied], ['already', built.stats], 'what was there counts as well');
  await until('the tree is in the answers', async () => {
    const { activeSnapshotId } = await daemon.client.delta.status({ repo: dev.root });
    return activeSnapshotId === built.newSnapshotId;
  });
  const status = await daemon.client.delta.status({ repo: dev.root });
  assert.ok(status.lastDeltaIngested !== null && status.pendingDeltas === 0);
});

test('over HTTP the body is the artifact: any JSON has a verdict, and what is none is refused', async () => {
  const good = readFileSync(artifact, 'utf8');
  const where = `repo=${encodeURIComponent(dev.root)}`;
  const validate = (body: string, type?: string) => post(`/delta/validate?${where}`, body, type);
  const ingest = (body: string, type?: string) => post(`/delta/ingest?${where}`, body, type);
  const accepted = await validate(good);
  assert.deepEqual([accepted.status, accepted.told['valid']], [200, true], JSON.stringify(accepted.told));
  assert.deepEqual([accepted.told['baseSnapshotMatch'], accepted.told['base']], [false, 'commit']);
  assert.equal((await ingest(good)).told['status'], 'success');
  const limits = (await daemon.client.system.doctor({})).checks.find(({ name }) => name === 'limits')!;
  const deepest = Number(/json_depth (\d+)/.exec(limits.message)![1]);
  const deep = '['.repeat(deepest) + ']'.repeat(deepest);
  for (const body of ['[]', 'null', '"x"', '{}', '{"repo":"other","sync":true}', deep]) {
    const { status, told } = await validate(body);
    assert.deepEqual([status, told['valid'], told['schemaVersion']], [200, false, 1], body);
    assert.ok(told.errors!.length > 0);
    const refused = await ingest(body);
    assert.deepEqual([refused.status, refused.told['code']], [422, 'INVALID_PARAMETER'], body);
    assert.deepEqual(refused.told.details?.errors, told.errors, 'for the same reasons');
  }
  for (const body of ['', '{', '['.repeat(1000), `[${deep}]`])
    assert.equal((await validate(body)).status, 400, body.slice(0, 9));
  assert.equal((await validate(good, 'text/plain')).status, 415);
  const wrongBase = good.replace(/"base_snapshot_id":"sha256:..../, '"base_snapshot_id":"sha256:0000');
  const { status, told } = await ingest(wrongBase);
  assert.deepEqual([status, told['code'], told.details?.reason], [412, 'PRECONDITION_FAILED', 'wrong_base']);
  assert.equal((await validate(wrongBase)).told['baseSnapshotMatch'], false);
  assert.equal((await ingest(JSON.stringify('x'.repeat(deltaBytes)))).status, 413);
  assert.equal((await post(`/index?${where}`, JSON.stringify('x'.repeat(2 ** 20)))).status, 413, 'others stay small');
});

test('files that are no artifact are refused where they are read', async () => {
  const folder = temporaryFolder(cleanup);
  const failsWith = (words: readonly string[], code: number) =>
    assert.throws(
      () => svc(dev.root, ...words),
      (error: { status: number; stderr: string }) => error.status === code && !/not registered/.test(error.stderr),
    );
  writeFileSync(folder.path('large.json'), JSON.stringify('x'.repeat(deltaBytes)));
  failsWith(['delta', 'ingest', folder.path('large.json')], 2);
  failsWith(['delta', 'validate', folder.path('absent.json')], 2);
  failsWith(['delta', 'validate', folder.root], 2);
  assert.throws(() => svc(dev.root, 'delta', 'inspect', '/dev/null'), /file: is no regular file/);
  assert.throws(() => svc(dev.root, 'delta', 'inspect', folder.path('absent.json')), /There is no such file/);
  const whole = JSON.parse(readFileSync(artifact, 'utf8'));
  const { base_snapshot_id: _, ...rest } = whole;
  const others = [
    ['{}', /no delta artifact: it has no delta_schema_version, base_snapshot_id, deltas, stats\n/],
    [JSON.stringify(rest), /it has no base_snapshot_id\n/],
    [
      JSON.stringify({ ...whole, deltas: { ...whole.deltas, refs: {} } }),
      /no deltas.refs.added, deltas.refs.deleted\n/,
    ],
    [JSON.stringify({ ...whole, deltas: { ...whole.deltas, files: [] }, stats: null }), /no deltas.files, stats\n/],
    ['[]', /no JSON object/],
  ] as const;
  for (const [text, message] of others) {
    writeFileSync(folder.path('other.json'), text);
    assert.throws(() => svc(dev.root, 'delta', 'inspect', folder.path('other.json')), message);
  }
  const stats = { ...whole.stats, symbolsAdded: whole.stats.symbolsAdded + 1 };
  writeFileSync(
    folder.path('wrong.json'),
    JSON.stringify({ ...whole, base_snapshot_id: `sha256:${'0'.repeat(64)}`, stats }),
  );
  assert.throws(
    () => svc(dev.root, 'delta', 'ingest', folder.path('wrong.json')),
    ({ stderr }: { stderr: string }) =>
      /^svc: base_snapshot_id: .*\n {2}stats\.symbolsAdded: .*\n {2}new_snapshot_id: not checked: .*\n {2}deltas: not checked: .*\n$/.test(
        stderr,
      ),
  );
  writeFileSync(folder.path('later.json'), JSON.stringify({ ...whole, delta_schema_version: 2 }));
  assert.match(svc(dev.root, 'delta', 'inspect', folder.path('later.json')), /^schemaVersion +2$/m);
  assert.throws(() => svc(dev.root, 'index', '--scip', '-'), /--scip: must be a file/);
  execFileSync('mkfifo', [folder.path('pipe')]);
  failsWith(['delta', 'ingest', folder.path('pipe')], 2);
  failsWith(['delta', 'build', '--base', '--output=/x', '-o', folder.path('out')], 4);
  failsWith(['delta', 'build', '--base', 'nowhere', '-o', folder.path('out')], 4);
  failsWith(['delta', 'build', '--base', base, '-o', folder.path('absent/out')], 5);
});
