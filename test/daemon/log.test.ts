import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Observation } from '../../daemon/events.ts';
import { type Log, openLog } from '../../daemon/log.ts';
import { temporaryFolder } from '../support/repository.ts';

function opened(t: TestContext, fileBytes: number, name = 'svc.log'): { readonly log: Log; readonly folder: string } {
  const folder = temporaryFolder(t).root;
  const log = openLog({ file: join(folder, name), settings: { level: 'info', fileBytes, files: 3 } });
  t.after(() => log.close());
  return { log, folder };
}

const answered = (path: string): Observation => ({
  kind: 'http.answered',
  requestId: 'r',
  method: 'GET',
  path,
  query: '',
  status: 200,
  durationMs: 1,
});

const linesOf = (file: string): readonly { readonly path: string }[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { path: string });

const pathsIn = (file: string): readonly string[] => linesOf(file).map(({ path }) => path);

const turn = () => new Promise(resolve => setImmediate(resolve));

test('a line is one JSON object, whatever stands in a path, and is in the file by the next turn', async t => {
  const { log, folder } = opened(t, 1 << 20);
  const paths = ['/a\r\n{"level":"error"}', '/\u001b[31m', '/"quoted"', '/日本語'];
  for (const path of paths) log.observe(answered(path));
  await turn();
  assert.deepEqual(
    linesOf(join(folder, 'svc.log')).map(({ path }) => path),
    paths,
  );
  assert.equal(statSync(join(folder, 'svc.log')).mode & 0o777, 0o600);
});

test('a full file is put aside, the oldest goes, and no line is lost between', async t => {
  const { log, folder } = opened(t, 2_000);
  for (let n = 0; n < 60; n++) {
    log.observe(answered(`/${n}`));
    await turn();
  }
  const files = readdirSync(folder).sort();
  assert.deepEqual(files, ['svc.log', 'svc.log.1', 'svc.log.2']);
  const kept = [...files]
    .reverse()
    .flatMap(file => linesOf(join(folder, file)).map(({ path }) => Number(path.slice(1))));
  assert.deepEqual(
    kept,
    kept.map((_, at) => 60 - kept.length + at),
  );
});

test('a log that can’t be written costs its lines and nothing else', async t => {
  const { log, folder } = opened(t, 1 << 20, 'gone/svc.log');
  log.observe(answered('/lost'));
  await turn();
  assert.equal(log.status().droppedLines, 1);
  assert.equal(log.status().error, 'ENOENT');
  mkdirSync(join(folder, 'gone'));
  log.observe(answered('/kept'));
  log.close();
  assert.deepEqual(pathsIn(join(folder, 'gone/svc.log')), ['/kept']);
});

for (const { is, befalls } of [
  { is: 'removed', befalls: (file: string) => rmSync(file) },
  { is: 'put aside', befalls: (file: string) => renameSync(file, `${file}.away`) },
  {
    is: 'replaced',
    befalls: (file: string) => {
      writeFileSync(`${file}.other`, '', { mode: 0o644 });
      renameSync(`${file}.other`, file);
    },
  },
]) {
  test(`a log whose file is ${is} says so, and goes on in the one that its path names, closed to others`, async t => {
    const { log, folder } = opened(t, 1 << 20);
    const file = join(folder, 'svc.log');
    log.observe(answered('/before'));
    await turn();
    log.keepToPath();
    assert.deepEqual([log.status().isNamed, linesOf(file).length], [true, 1]);
    befalls(file);
    assert.equal(log.status().isNamed, false);
    log.keepToPath();
    assert.deepEqual([log.status().isNamed, log.status().bytes], [true, 0]);
    log.observe(answered('/after'));
    await turn();
    assert.deepEqual(pathsIn(file), ['/after']);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });
}

for (const { thing, make, remove } of [
  { thing: 'a folder', make: (path: string) => mkdirSync(path), remove: (path: string) => rmdirSync(path) },
  {
    thing: 'a pipe',
    make: (path: string) => execFileSync('mkfifo', [path]),
    remove: (path: string) => rmSync(path),
  },
]) {
  test(`a log in whose place ${thing} stands holds nobody up, says so as long as it does, and goes on after`, async t => {
    const { log, folder } = opened(t, 1 << 20);
    const file = join(folder, 'svc.log');
    log.observe(answered('/before'));
    await turn();
    rmSync(file);
    make(file);
    log.keepToPath();
    log.observe(answered('/lost'));
    await turn();
    assert.deepEqual([log.status().isNamed, log.status().error], [false, undefined]);
    remove(file);
    log.keepToPath();
    log.observe(answered('/after'));
    await turn();
    assert.deepEqual(pathsIn(file), ['/after']);
    assert.equal(log.status().isNamed, true);
  });
}

for (const { thing, make, remove } of [
  {
    thing: 'a pipe that somebody reads',
    make: (path: string) => {
      execFileSync('mkfifo', [path]);
      const reader = openSync(path, 'r+');
      return () => closeSync(reader);
    },
    remove: (path: string) => rmSync(path),
  },
  {
    thing: 'a pipe',
    make: (path: string) => void execFileSync('mkfifo', [path]),
    remove: (path: string) => rmSync(path),
  },
  { thing: 'a folder', make: (path: string) => void mkdirSync(path), remove: (path: string) => rmdirSync(path) },
  {
    thing: 'a link',
    make: (path: string) => void symlinkSync(`${path}.elsewhere`, path),
    remove: (path: string) => rmSync(path),
  },
]) {
  test(`a log that is opened where ${thing} stands holds nobody up, says so, and begins once it is gone`, async t => {
    const { log, folder } = opened(t, 1 << 20);
    const file = join(folder, 'svc.log');
    const close = make(file);
    log.observe(answered('/lost'));
    await turn();
    assert.deepEqual([log.status().droppedLines, log.status().error], [1, 'it is not a file']);
    close?.();
    remove(file);
    assert.deepEqual(readdirSync(folder), [], 'nothing was made elsewhere');
    log.observe(answered('/kept'));
    await turn();
    assert.deepEqual(pathsIn(file), ['/kept']);
    assert.equal(log.status().error, undefined);
  });
}
