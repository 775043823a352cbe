import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import { maskSecrets } from '../../client/protocol/mask.ts';
import { fieldInPath } from '../../client/protocol/operation.ts';
import type { OperationName } from '../../client/protocol/registry.ts';
import { routes } from '../../http/routes.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository } from '../support/repository.ts';
import { request, wire } from '../support/rpc-wire.ts';
import { askEverything } from './ask-everything.ts';

const tokenMade = randomBytes(32).toString('base64url');

const masked: readonly (readonly [text: string, shown: string])[] = [
  ['token=abc', 'token=***'],
  ['api_key=a%20b&limit=5', 'api_key=***&limit=5'],
  ['/search?q=x&access_token=abc#y', '/search?q=x&access_token=***'],
  ['{"query":"token=abc&x=1"}', '{"query":"token=***&x=1"}'],
  ['{"auth.token":"a\\"b","port":1}', '{"auth.token":"***","port":1}'],
  ['{"msg":"got {\\"password\\":\\"abc\\"}"}', '{"msg":"got {\\"password\\":\\"***\\"}"}'],
  ['Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
  ['https://user:pass@example.org/x', 'https://user:***@example.org/x'],
  ['svc_sk_1aB', '***'],
  [`/jobs/${tokenMade}`, '/jobs/***'],
  ['f'.repeat(64), '***'],
  [`sha256:${'f'.repeat(64)}`, `sha256:${'f'.repeat(64)}`],
  [`svc:app:sym:${'a'.repeat(32)}`, `svc:app:sym:${'a'.repeat(32)}`],
  ['/src/tokens/monkey.ts?limit=5', '/src/tokens/monkey.ts?limit=5'],
];
test('a run as long as a token is found wherever it begins, a shorter one is left', () => {
  for (let at = 0; at < 100; at++) {
    const around = (run: string): string => `${'. '.repeat(at).slice(0, at)}${run} .`;
    assert.equal(maskSecrets(around(` ${'a'.repeat(39)}`)), around(` ${'a'.repeat(39)}`));
    assert.equal(maskSecrets(around(` ${'a'.repeat(40)}`)), around(' ***'));
  }
});
for (const [text, shown] of masked) {
  test(`in the log: ${shown}`, () => assert.equal(maskSecrets(text), shown));
}

test('a token shown at every door is found again in no log, no answer, and no file but its own (P31)', async context => {
  const canary = randomBytes(32).toString('base64url');
  const home = temporaryHome(context, { CANARY: canary, SVC_LOG_LEVEL: 'debug' });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what the user writes
  home.configure('[auth]\ntoken = "${CANARY}"\n');
  const daemon = await startDaemon(context, home);
  const { client, connect } = daemon;
  const [kept, written] = [0, 1].map(() => randomBytes(32).toString('base64url')) as [string, string];
  const { root, git, commit } = gitRepository(context, treeWith(canary, kept, written));
  commit(`Add ${canary}`);
  git('remote', 'add', 'origin', `https://user:${canary}@example.org/app.git`);
  git('config', 'http.extraHeader', `Authorization: Bearer ${canary}`);
  await client.daemon.addRepo({ root, id: 'app' });
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const { url } = readDaemonRecord(home.places)!;
  const answers: string[] = [];
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${path}`, init);
    answers.push(JSON.stringify([...answer.headers]) + (await answer.text()));
    return answer.status;
  };
  const headers = { authorization: `Bearer ${canary}`, 'x-api-key': canary };
  assert.equal(await ask('/status?repo=app', { headers }), 200);
  assert.equal(await ask('/status', { headers: { authorization: `Basic ${canary}` } }), 401);
  assert.equal(await ask(`/status?token=${canary}`, { headers }), 400);
  assert.equal(await ask(`/status?repo=app&api_key=${canary}`, { headers }), 400);
  assert.equal(await ask(`/${canary}`, { headers }), 404);
  const json = { ...headers, 'content-type': 'application/json' };
  assert.equal(await ask('/index', { method: 'POST', headers: json, body: JSON.stringify({ token: canary }) }), 422);
  assert.equal(await ask('/index', { method: 'POST', headers: json, body: `{"token":"${canary}` }), 400);
  for (const path of ['/metrics', '/health/detailed', '/daemon/status', '/doctor?repo=app', '/jobs']) {
    assert.equal(await ask(path, { headers }), 200, path);
  }
  assert.equal(await ask('/doctor/fix?repo=app', { method: 'POST', headers: json, body: '{}' }), 200);
  await client.indexing.index({ repo: 'app' });
  await askWithSecret(url!, headers, canary);
  const line = wire(await connect());
  for (const params of [{ token: canary }, { origin: true }]) {
    answers.push(JSON.stringify(await line.ask(request(1, 'daemon.config', params))));
  }
  answers.push(JSON.stringify(await line.ask(request(2, 'system.status', { workDoneToken: 1, repo: 'app' }))));

  for (const path of [
    '/metrics',
    '/daemon/status',
    '/doctor?repo=app',
    '/jobs',
    '/health/detailed',
    '/status?repo=app',
  ]) {
    assert.equal(await ask(path, { headers }), 200, path);
  }
  await ready(daemon);
  answers.push(await askEverything(daemon));
  for (const secret of [canary, kept]) for (const answer of answers) assert.ok(!answer.includes(secret), answer);
  const holding = (secret: string) => filesBelow(home.path).filter(file => readFileSync(file).includes(secret));
  assert.deepEqual(
    holding(canary),
    [join(home.places.runtime, 'configured-token')],
    'where clients find it, as long as the daemon runs',
  );
  assert.deepEqual(holding(kept), [], 'what is no code is not read');
  // What code says is what an index is made of; it stands nowhere else.
  const elsewhere = holding(written).filter(file => !file.startsWith(home.places.repos));
  assert.deepEqual(elsewhere, []);
  const { script } = await client.system.doctorFix({ repo: 'app' });
  assert.ok(![canary, kept, written].some(secret => script.includes(secret)));
  const words = processWords();
  assert.ok(words.length > 0 || process.platform !== 'linux');
  const all = [canary, kept, written];
  assert.ok(!words.some(argv => all.some(secret => argv.includes(secret))), 'no process is told on its command line');
  assert.ok(home.log().some(({ msg, status }) => msg === 'http.answered' && status === 422));
});

/** Every route that ends nothing and keeps nothing that it is told, with the secret in each field that is a text. */
async function askWithSecret(url: string, headers: Readonly<Record<string, string>>, canary: string): Promise<void> {
  const kept = new Set<OperationName>(['daemon.stop', 'daemon.events', 'decisions.create']);
  for (const { name, binding, inputs, fields } of routes) {
    if (kept.has(name) || binding.stream !== undefined || name.startsWith('indexServer.')) continue;
    const texts = Object.entries(inputs)
      .filter(([field, schema]) => !fields.includes(field) && (schema as { type?: string }).type === 'string')
      .map(([field]) => [field, canary] as const);
    const path = binding.path.replace(fieldInPath, canary);
    const query = new URLSearchParams(binding.method === 'POST' ? { repo: 'app' } : Object.fromEntries(texts));
    const answer = await fetch(`${url}${path}?${query}`, {
      method: binding.method,
      headers: { ...headers, 'x-request-id': `asked ${name}`, 'content-type': 'application/json' },
      ...(binding.method === 'POST' ? { body: JSON.stringify(Object.fromEntries(texts)) } : {}),
    });
    await answer.text();
    assert.notEqual(answer.status, 401, name);
  }
}

/** Files in which people keep secrets, and code that has one. */
function treeWith(canary: string, kept: string, written: string): string {
  return `
    -- a.ts --
    // Its key is ${canary}
    export const alpha = process.env.TOKEN ?? '${written}';
    export const key: string = '${written}';
    -- b.py --
    TOKEN = "${written}"
    -- go.go --
    package a
    const Token = "${written}"
    -- .env --
    TOKEN=${kept}
    KEY=${canary}
    -- docs/setup.md --
    Run \`TOKEN=${canary} make\`.
    -- .npmrc --
    //registry.example.org/:_authToken=${kept}
    -- .netrc --
    machine example.org password ${kept}
    -- package.json --
    { "name": "app", "repository": "https://user:${kept}@example.org/app.git" }
    -- .svc.toml --
    token = "${kept}"
    [http]
    allowed_hosts = ["${kept}"]`;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(file => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** The command lines of everything that runs. */
function processWords(): readonly string[] {
  return (existsSync('/proc') ? readdirSync('/proc') : []).flatMap(name => {
    try {
      return /^\d+$/.test(name) ? [readFileSync(`/proc/${name}/cmdline`, 'utf8')] : [];
    } catch {
      return [];
    }
  });
}
