import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import { type RawAnswer, sendRaw } from '../http/listener.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository } from '../support/repository.ts';
import { request, wire } from '../support/rpc-wire.ts';

const forged = '{"level":"fatal","msg":"forged"}';
/** What would end a line, begin another, or colour a terminal. */
const injections = [
  `\r\n${forged}\r\n`,
  `\n${forged}`,
  `\u2028${forged}`,
  '\u001b[31m',
  `"}\n${forged}`,
  '\u0085\u0000',
];

test('whatever a path, a query, a header, a branch, an author or a file is named, each line of the log is ours', async t => {
  const home = temporaryHome(t, { SVC_LOG_LEVEL: 'debug' });
  const daemon = await startDaemon(t, home);
  const { client, connect } = daemon;
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const { url, tokenFile } = readDaemonRecord(home.places)!;
  const port = Number(new URL(url!).port);
  const token = readFileSync(tokenFile, 'utf8').trim();

  const tree = gitRepository(t, '-- a.ts --\nexport const a = 1;');
  for (const [at, injection] of injections.entries()) {
    const name = injection.replaceAll('\0', '').replaceAll('/', '');
    tree.write(`${at}${name}.ts`, 'binary\0binary');
  }
  tree.git('checkout', '--quiet', '-b', '"},{"level"\u2028\u0085');
  tree.git('-c', `user.name="}${forged}\u001b[31m`, 'commit', '--quiet', '--allow-empty', '-m', forged);
  await client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  await client.symbols.search({ q: 'a', repo: 'app', repoStateMode: 'head' });

  const send = (target: string, ...headers: string[]): Promise<RawAnswer> =>
    sendRaw(
      port,
      Buffer.from(
        [`GET ${target} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token}`, 'Connection: close', ...headers]
          .join('\r\n')
          .concat('\r\n\r\n'),
        'latin1',
      ),
    );
  const line = wire(await connect());
  for (const injection of injections) {
    const encoded = encodeURIComponent(injection);
    await send(`/${encoded}`);
    await send(`/symbol/${encoded}`);
    await send(`/search?repo=app&q=${encoded}&${encoded}=1`);
    await send('/health', `X-Request-ID: a${injection.replace(/[\r\n\0]/g, '\t')}`, `User-Agent: ${forged}`);
    await send('/health', `X-Request-ID: ${injection}`).catch(() => undefined);
    await line.ask(request(`id${injection}`, 'symbols.search', { q: injection, repo: injection }));
    await line.ask(request('m', `no.such${injection}`));
  }
  const raw = await send(`/raw\u001b[31m${forged}`);
  assert.equal(raw.status, 400);

  const lines = readFileSync(home.places.logFile, 'utf8').split('\n').slice(0, -1);
  assert.ok(lines.length > 30, `${lines.length} lines`);
  const known = new Set(['debug', 'info', 'warn', 'error']);
  const requestIds: unknown[] = [];
  for (const text of lines) {
    assert.doesNotMatch(text, /[\p{Cc}]/u, text);
    const { level, msg, requestId } = JSON.parse(text) as Record<string, unknown>;
    assert.ok(known.has(String(level)) && msg !== 'forged', text);
    if (msg === 'http.answered') requestIds.push(requestId);
  }
  assert.ok(
    lines.some(text => text.includes('forged')),
    'what was asked is there',
  );
  assert.equal(new Set(requestIds).size, requestIds.length, 'request ids are unique');
});
