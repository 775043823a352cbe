import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';

const fileBytes = 20_000;
const eachAtOnce = 10;

/** A daemon whose log is rotated after a hundred lines or so, asked by many at once; gives what it kept of that. */
for (const { keeps, files } of [
  { keeps: 'every line', files: 100 },
  { keeps: 'the newest lines', files: 5 },
]) {
  test(`a log that is rotated again and again under load keeps ${keeps} in ${files} files, each small enough and closed to others (P52)`, async t => {
    const home = temporaryHome(t);
    home.configure(`[log]\nfile_bytes = ${fileBytes}\nfiles = ${files}\n`);
    const umask = process.umask(0);
    const daemon = await startDaemon(t, home).finally(() => process.umask(umask));
    await until('HTTP listens', async () => (await daemon.client.daemon.status({})).http !== null);
    const url = `http://127.0.0.1:${(await daemon.client.daemon.status({})).http!.port}/health`;
    const count = 1000;
    const ask = async (from: number): Promise<void> => {
      for (let at = from; at < count; at += eachAtOnce) await fetch(url, { headers: { 'x-request-id': `line ${at}` } });
    };
    await Promise.all(Array.from({ length: eachAtOnce }, (_, from) => ask(from)));
    assert.equal(await daemon.stop(), 0);
    const names = readdirSync(home.places.state).filter(name => name.startsWith('svc.log'));
    const found = names.map(name => join(home.places.state, name));
    assert.ok(found.length > 4 && found.length <= files, `${found.length} files`);
    for (const file of found) {
      const { size, mode } = statSync(file);
      assert.ok(size <= fileBytes, `${file}: ${size} bytes`);
      assert.equal(mode & 0o777, 0o600, file);
    }
    // The newest file is the one without a number.
    const inOrder = found.sort((a, b) => numberOf(b) - numberOf(a));
    const lines = inOrder.flatMap(file =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line !== ''),
    );
    const told = lines.map(line => JSON.parse(line) as { msg: string; requestId?: string });
    const ids = told.flatMap(({ msg, requestId }) => (msg === 'http.answered' ? [requestId!] : []));
    assert.equal(new Set(ids).size, ids.length, 'none is there twice');
    if (files === 100) assert.equal(ids.filter(id => id.startsWith('line ')).length, count);
    assert.equal(told.at(-1)?.msg, 'daemon.stopped');
  });
}

const numberOf = (file: string): number => Number(/\.log\.(\d+)$/.exec(file)?.[1] ?? 0);
