import assert from 'node:assert/strict';
import { renameSync, symlinkSync } from 'node:fs';
import { delimiter } from 'node:path';
import { test } from 'node:test';
import { ready } from '../oracle/stored.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace } from '../support/repository.ts';

async function followed(t: Cleanup, env: NodeJS.ProcessEnv = {}, tree = gitRepository(t, '-- a.ts --')) {
  const daemon = await startDaemon(t, temporaryHome(t, { SVC_HTTP_ENABLED: 'false', ...env }));
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  await until('it is watched', async () => (await statusOf(daemon, 'watch')) !== 'info');
  return { tree, daemon };
}

async function statusOf({ client }: TestDaemon, check: string): Promise<string | undefined> {
  return (await client.system.doctor({ repo: 'app' })).checks.find(({ name }) => name === check)?.status;
}

/** A fault must show while it is there, and must be gone with it. */
async function shows(daemon: TestDaemon, check: string, status: string, tree: Fault): Promise<void> {
  await until(`${check}: pass`, async () => (await statusOf(daemon, check)) === 'pass');
  tree.begins();
  await until(`${check}: ${status}`, async () => (await statusOf(daemon, check)) === status);
  tree.ends();
  await until(`${check}: pass again`, async () => (await statusOf(daemon, check)) === 'pass');
}

interface Fault {
  begins(): void;
  ends(): void;
}

test('doctor names a root that is gone, and an ignore file that is not followed', async t => {
  const { tree, daemon } = await followed(t);
  await shows(daemon, 'repository.ignore-files', 'warn', {
    begins: () => symlinkSync('/etc/passwd', tree.path('.gitignore')),
    ends: () => tree.remove('.gitignore'),
  });
  const gone: Fault = {
    begins: () => renameSync(tree.root, `${tree.root}.away`),
    ends: () => renameSync(`${tree.root}.away`, tree.root),
  };
  await shows(daemon, 'repository.root', 'fail', gone);
  await shows(daemon, 'watch', 'fail', gone);
});

test('doctor names a tree on a network file system', async t => {
  const tree: Workspace = gitRepository(t, '-- a.ts --');
  const { daemon } = await followed(t, { SVC_FSTYPE: `${tree.root}=6969` }, tree);
  assert.equal(await statusOf(daemon, 'watch'), 'warn');
  assert.equal(await statusOf(daemon, 'repository.file-system'), 'warn');
});

test('doctor names a git that is missing', async t => {
  const { daemon } = await followed(t, { PATH: [temporaryFolder(t).root, '/nonexistent'].join(delimiter) });
  assert.ok(['warn', 'fail'].includes((await statusOf(daemon, 'git')) ?? ''));
});
