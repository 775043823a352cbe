import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryHome } from '../client/peer.ts';
import { withPeer } from './answering-peer.ts';
import { eachRow, svc } from './command.ts';

test('a word is what it says: no file, no home folder, no pattern and no command is made of it', async t => {
  const { home, asked } = await withPeer(t);
  const words = ['@a.ts', '~', '*', '$(id)', 'a\nb\u001b[2J', '-1'];
  for (const word of words) {
    const { code } = await svc(['search', '--', word], { home });
    assert.deepEqual([code, asked.pop()?.params['q']], [0, word]);
  }
  const closed = await svc(['search', 'x'], { home, shell: 'exec "$0" "$@" <&-' });
  assert.equal(closed.code, 0, closed.stderr);
});

test('folders that are none, or nobody’s repository, are refused by name and registered by nobody', async t => {
  const { home, asked } = await withPeer(t);
  const table: readonly (readonly [string, RegExp])[] = [
    ['~', /^svc: ~: there is no such folder/],
    ['*', /^svc: \*: there is no such folder/],
    ['/etc', /^svc: \/etc: in no git repository; .*: svc repo add \/etc\n$/],
    ['/dev/null', /^svc: \/dev\/null: is not a folder/],
    ['../none', /^svc: \.\.\/none: there is no such folder/],
    ['', /^svc: a path must not be empty/],
  ];
  await eachRow(table, async ([folder, says]) => {
    const { code, stderr } = await svc(['index', folder], { home });
    assert.equal(code, 2, `${folder}: ${stderr}`);
    assert.match(stderr, says);
  });
  assert.ok(!asked.some(({ method }) => method === 'daemon.addRepo'));
});

test('words that no question can be made of are refused with the rule that they break', async t => {
  const home = temporaryHome(t);
  const table: readonly (readonly [readonly string[], RegExp])[] = [
    [['refs', ''], /^svc: id: must be/],
    [['search', ''], /^svc: q: must be 1 to 1024 characters/],
    [['search', 'x'.repeat(10_240)], /^svc: q: must be 1 to 1024 characters/],
    [['search', 'x', '--repo', ''], /^svc: (?:--)?repo: must/],
    [['search', 'x', '--limit', '9'.repeat(400)], /is not a whole number from 1 to 10000/],
    [['search', 'x', '--timeout', 'NaN'], /number of seconds above 0/],
    [['--__proto__', 'x'], /^svc: unknown option '--__proto__'/],
    [['__proto__'], /^svc: unknown command '__proto__'/],
    [['constructor', 'x'], /^svc: unknown command 'constructor'/],
    [['\u001b[2J'], /^svc: unknown command '[^\u001b]*'/],
  ];
  await eachRow(table, async ([words, says]) => {
    const { code, stderr } = await svc(words, { home });
    assert.equal(code, 2, `${words}: ${stderr}`);
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /\u001b/);
  });
});

test('a configuration that others may write ends the start with 77, one that nobody can read with 78, and none waits', async t => {
  const home = temporaryHome(t);
  const file = join(home, 'config', 'config.toml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o666);
  const open = await svc(['daemon', 'run'], { home });
  assert.deepEqual([open.code, /chmod go-w \//.test(open.stderr)], [77, true], open.stderr);
  execFileSync('rm', [file]);
  execFileSync('mkfifo', [file]);
  const pipe = await svc(['daemon', 'run'], { home });
  assert.deepEqual([pipe.code, /is no regular file/.test(pipe.stderr)], [78, true], pipe.stderr);
});
