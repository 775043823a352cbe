import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Fault, type FaultBody, faultBody, faultTable } from '../../../client/protocol/faults.ts';
import { addRepo, startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { afterAll, gitRepository, temporaryFolder } from '../../support/repository.ts';

/** Most tests share a daemon: each leaves it without a repository. */
const shared = await startDaemon(afterAll);

test('doctor examines the daemon where nothing is registered, and names the command where one stands elsewhere', async context => {
  const { client, home } = shared;
  const bare = await client.system.doctor({});
  const registered = bare.checks.find(({ name }) => name === 'repository.registered');
  assert.deepEqual([registered?.status, bare.summary.failed], ['info', 0]);
  assert.ok(bare.checks.some(({ name }) => name === 'http.listener'));
  const { root } = gitRepository(context, '-- a.go --\npackage a\n');
  for (const [folder, commands] of [
    [root, [`svc repo add ${root}`]],
    [temporaryFolder(context).root, undefined],
  ] as const) {
    const { code, stdout } = await svc(home, ['doctor', '--json'], folder);
    const { issues } = JSON.parse(stdout) as typeof bare;
    const issue = issues.find(({ check }) => check === 'repository.registered');
    assert.deepEqual([code, issue?.suggestedFixes.map(({ command }) => command)], [0, commands]);
  }
  const { issues } = await client.system.doctor({ repo: '/no/such/place' });
  const named = issues.find(({ check }) => check === 'repository.registered');
  assert.equal(named?.message, '/no/such/place lies in no registered repository: the daemon alone was examined');
});

test('where several could be meant the doctor examines the daemon and tells how to ask of each; other questions name the ways on', async context => {
  const { client, home } = shared;
  for (const id of ['a', 'b']) {
    const { root } = gitRepository(context, '-- go.mod --\nmodule x\n-- a.go --\npackage a\n');
    await addRepo(context, shared, { root, id });
  }
  const overHttp = async (path: string, method = 'GET') => {
    const answer = await fetch(`${await urlOf(client)}${path}`, {
      method,
      headers: { authorization: `Bearer ${readFileSync(home.places.tokenFile, 'utf8').trim()}` },
    });
    return [answer.status, await answer.json()] as const;
  };
  const [code, examined] = await overHttp('/doctor');
  const { checks } = examined as Awaited<ReturnType<typeof client.system.doctor>>;
  assert.equal(code, 200);
  for (const told of [checks, (await client.system.doctor({})).checks]) {
    const found = told.find(({ name }) => name === 'repository.registered');
    assert.equal(found?.status, 'info');
    assert.match(found?.message ?? '', /\/doctor\?repo=ID: a, b$/);
    assert.ok(told.some(({ name }) => name === 'http.listener'));
  }
  assert.equal((await overHttp('/doctor/fix', 'POST'))[0], 200);
  const script = await svc(home, ['doctor', 'fix'], '/');
  assert.deepEqual([script.code, /repo add/.test(script.stdout)], [0, false], script.stdout);
  const [status, body] = await overHttp('/status');
  const { suggestedFixes, drilldowns } = body as FaultBody;
  assert.equal(status, 400);
  assert.deepEqual(
    suggestedFixes.map(({ command, safe }) => [command, safe]),
    [
      ['svc repo list', true],
      ['svc repo default a', false],
      ['svc repo default b', false],
    ],
  );
  assert.deepEqual(
    drilldowns.map(({ query }) => query),
    ['/status?repo=a', '/status?repo=b'],
  );
});

test('outside every registered repository a question ends with 4 and the command; languages are languages', async context => {
  const { client, home } = shared;
  const elsewhere = temporaryFolder(context).root;
  const asked = async (...words: string[]) => svc(home, words, elsewhere);
  const none = await asked('status');
  assert.equal(none.code, 4);
  assert.deepEqual([/repo add/.test(none.stderr), /svc repo list/.test(none.stderr)], [false, true], none.stderr);
  for (const id of ['a', 'b']) {
    const { root } = gitRepository(
      context,
      '-- go.mod --\nmodule x\n-- a.go --\npackage a\nfunc Twice() {}\n-- b/b.go --\npackage b\nfunc Twice() {}\n',
    );
    await addRepo(context, shared, { root, id });
  }
  await until('both are indexed', async () =>
    (await client.daemon.listRepos({})).repos.every(({ status }) => status === 'ready'),
  );
  const several = await asked('search', 'x');
  assert.equal(several.code, 4);
  assert.match(several.stderr, /--repo\n {2}svc repo list /);
  assert.ok(!several.stderr.includes('repo add'), several.stderr);
  const indexed = await client.indexing.index({ repo: 'a', force: true });
  assert.deepEqual('languages' in indexed && indexed.languages, ['go']);
  const { changes } = (await client.jobs.list({})).jobs.find(({ repo }) => repo === 'b')!.result as { changes: object };
  assert.deepEqual(changes, { files: 3, symbols: 2 });
  const refs = await asked('refs', 'Twice', '--repo', 'a');
  const lines = refs.stderr.split('\n').filter(line => line.startsWith('  svc refs svc:'));
  assert.equal(lines.length, 2, refs.stderr);
  for (const line of lines) assert.match(line, /^ {2}svc refs svc:a:sym:[0-9a-f]{32} {2}# function Twice \S+:\d+$/);
  await client.daemon.defaultRepo({ id: 'a' });
  assert.equal((await asked('status')).code, 0, 'the default decides');
});

test('a configured default that is not registered is named with its key; a symbol id that is cut short is told as one', async context => {
  const home = temporaryHome(context, { SVC_DEFAULT_REPO: 'gone' });
  const { client } = await startDaemon(context, home);
  for (const id of ['a', 'b']) {
    const { root } = gitRepository(context, '-- go.mod --\nmodule x\n-- a.go --\npackage a\n');
    await client.daemon.addRepo({ root, id });
  }
  const elsewhere = temporaryFolder(context).root;
  const asked = async (...words: string[]) => svc(home, words, elsewhere);
  const status = await asked('status');
  assert.equal(status.code, 4);
  assert.match(status.stderr, /no repository "gone", which default_repo names/);
  const examined = await client.system.doctor({});
  const issue = examined.issues.find(({ check }) => check === 'config.default_repo');
  assert.match(issue?.message ?? '', /default_repo \(environment SVC_DEFAULT_REPO\) names "gone"/);
  const overruled = await asked('repo', 'default', 'a');
  assert.equal(overruled.code, 5, overruled.stdout);
  assert.match(overruled.stderr, /no effect: default_repo \(environment SVC_DEFAULT_REPO\)/);
  assert.ok((await client.daemon.listRepos({})).repos.every(({ isDefault }) => !isDefault));
  for (const verb of ['symbol', 'refs']) {
    const { code, stderr } = await asked(verb, 'svc:a:sym:00');
    assert.deepEqual([code, /id: must be a symbol id/.test(stderr)], [2, true], stderr);
  }
});

test('no remedy of the fault table holds a placeholder', () => {
  for (const reason of Object.keys(faultTable) as (keyof typeof faultTable)[]) {
    for (const { command } of faultBody(new Fault(reason, 'x')).suggestedFixes) assert.match(command, /^svc [a-z ]+$/);
  }
});

async function urlOf(client: Awaited<ReturnType<typeof startDaemon>>['client']): Promise<string> {
  await until('it listens', async () => (await client.daemon.status({})).http !== null);
  const { http } = await client.daemon.status({});
  return `http://${http!.host}:${http!.port}`;
}
