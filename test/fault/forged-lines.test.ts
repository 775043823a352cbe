import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository } from '../support/repository.ts';
import { request, wire } from '../support/rpc-wire.ts';

const forged = '{"level":50,"msg":"forged"}';

test('nothing that anybody sends or names forges a line of the log (P53)', async t => {
  const tree = gitRepository(
    t,
    [`-- a.ts --\nexport const alpha = 1;`, `-- esc\u001b[2J.ts --\nexport const b = 1;`].join('\n'),
  );
  tree.write(`line\n${forged}\n.ts`, 'export const c = 1;\n');
  tree.write(`nul\r\n${forged}.ts`, `const x = '${'y'.repeat(20_001)}';\n`); // passed over, and said so
  tree.git('switch', '--quiet', '-c', 'feature/"}{"forged"');
  tree.git('config', 'user.name', `Eve\u001b[31m"}${forged}`);
  tree.commit(`subject\r\n${forged}`);
  const home = temporaryHome(t, { SVC_LOG_LEVEL: 'debug' });
  const daemon = await startDaemon(t, home);
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  const { hostname, port } = new URL(readDaemonRecord(home.places)!.url!);
  const send = async (bytes: string): Promise<void> => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => socket.destroy());
    socket.end(bytes);
    socket.resume();
    await once(socket, 'close');
  };
  const token = readFileSync(home.places.tokenFile, 'utf8').trim();
  const asked = (target: string, ...headers: string[]): string =>
    [
      `GET ${target} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      'Connection: close',
      ...headers,
      '',
      '',
    ].join('\r\n');
  const quoted = encodeURIComponent(`\r\n${forged}\r\n\u001b[2J`);
  const hostile = [
    asked(`/symbol/${quoted}?repo=app`),
    asked(`/${quoted}`),
    asked(`/search?repo=app&q=${quoted}`),
    asked(`/search?repo=${quoted}&q=x&${quoted}=${quoted}`),
    asked('/health', `X-Request-ID: id${forged}`),
    asked('/health', 'X-Request-ID: first\r\n second'),
    ...['tab\there', `c1\u009b[2J`, 'x'.repeat(129)].map(id => asked('/health', `X-Request-ID: ${id}`)),
    asked('/health', 'X-Request-ID: \u001b[2J', `User-Agent: ${forged}\u001b]0;x\u0007`),
    asked('/health', `Origin: http://evil\u001b[31m/${forged}`),
    asked(`/health\r\n${forged}`),
    `GET /he\u001balth HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `${forged}\r\n\r\n`,
    ...Array.from({ length: 20 }, () => asked('/health')),
  ];
  for (const bytes of hostile) await send(bytes);
  for (const text of [`\r\n${forged}`, '\u001b[2J', '\u2028{"msg":"x"}\u2028']) {
    await daemon.client.symbols.search({ q: text, repo: 'app' }).catch(() => {});
    await daemon.client.symbols.get({ id: text, repo: 'app' }).catch(() => {});
    await daemon.client.daemon.addRepo({ root: `/nonexistent/${text}` }).catch(() => {});
    await daemon.client.federation.create({ name: text }).catch(() => {});
    await daemon.client.token.create({ name: text, scopes: ['read'] }).catch(() => {});
    await daemon.client.pr.summary({ repo: 'app', baseBranch: text, headBranch: 'main' }).catch(() => {});
    await daemon.client.remote.add({ id: 'far', url: `http://127.0.0.1:1/${text}` }).catch(() => {});
    await daemon.client.decisions
      .create({ repo: 'app', title: text, context: text, decision: text } as never)
      .catch(() => {});
    const calls = [{ service_name: text, function_name: text, file_path: text, namespace: text, call_count: 1 }];
    await daemon.client.telemetry.ingestCalls({ repo: 'app', body: JSON.stringify({ calls }) }).catch(() => {});
    const client = { client: text, version: text, protocol: 1, 'workDoneToken\r\n': text };
    await wire(await daemon.connect()).ask(request(1, 'daemon.initialize', client));
    await wire(await daemon.connect()).ask(request(text as never, `symbols.${text}`, { [text]: text }));
  }
  assert.equal(await daemon.stop(), 0);

  const bytes = readFileSync(home.places.logFile);
  const controls = bytes.filter(byte => (byte < 0x20 && byte !== 0x0a) || byte === 0x7f);
  assert.equal(controls.length, 0, 'no control character but the ends of lines');
  const lines = home.log(); // each line parses, or this throws
  assert.ok(lines.every(line => line !== null && typeof line === 'object' && typeof line['msg'] === 'string'));
  assert.deepEqual(
    lines.filter(({ msg, forged: mark }) => msg === 'forged' || mark !== undefined),
    [],
  );
  const ids = lines.filter(({ msg }) => msg === 'http.answered').map(({ requestId }) => String(requestId));
  assert.ok(ids.length >= 25, `${ids.length} requests were logged`);
  assert.equal(new Set(ids).size, ids.length, 'request ids are unique');
  for (const id of ids) assert.match(id, /^[\x20-\x7e]{1,128}$/);
});
