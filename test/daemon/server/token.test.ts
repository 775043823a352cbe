import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { daemonToken } from '../../../daemon/server/token.ts';
import { temporaryHome } from '../../support/daemon.ts';

function placesIn(context: TestContext) {
  const { places } = temporaryHome(context);
  mkdirSync(dirname(places.tokenFile), { recursive: true, mode: 0o700 });
  return places;
}

const unset = () => undefined;
const digestOf = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());

test('of daemons that make the token at once one wins, whatever they were about to write (P30)', context => {
  const places = placesIn(context);
  const others: Uint8Array[] = [];
  // Each asks for chance between its look at the file and its own writing: another comes in between, and another in that.
  const random = (bytes: number): Buffer => {
    if (others.length < 20) {
      others.push(new Uint8Array());
      others.push(new Uint8Array(daemonToken(unset, places, random).digest()));
    }
    return randomBytes(bytes);
  };
  const before = process.umask(0);
  const digest = new Uint8Array(daemonToken(unset, places, random).digest());
  process.umask(before);
  const kept = readFileSync(places.tokenFile, 'utf8');
  assert.match(kept, /^[0-9a-f]{64}\n$/, '256 bits');
  assert.deepEqual(digest, digestOf(kept.trim()));
  const seen = others.filter(({ length }) => length > 0);
  assert.ok(seen.length >= 10);
  for (const one of seen) assert.deepEqual(one, digest);
  assert.equal(lstatSync(places.tokenFile).mode & 0o777, 0o600, 'whatever the umask');
  assert.deepEqual(
    readdirSync(dirname(places.tokenFile)).filter(name => name.endsWith('.tmp')),
    [],
  );
});

test('a token that others may read, or that is none, is not taken, and nothing is written over it (P30)', context => {
  const places = placesIn(context);
  const look = () => daemonToken(unset, places, randomBytes);
  const isLeft = (how: string) => {
    assert.throws(look, { name: /Error|Fault/ }, how);
    assert.equal(readFileSync(places.tokenFile, 'utf8').length < 100, true);
  };
  const almost = ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), `${'a'.repeat(64)}\n\n`, `${'a'.repeat(63)}\u0000`];
  for (const text of [
    '',
    '\n',
    'short',
    ' '.repeat(40),
    'a'.repeat(16),
    '\0'.repeat(64),
    'not the token\n',
    ...almost,
  ]) {
    writeFileSync(places.tokenFile, text, { mode: 0o600 });
    isLeft(JSON.stringify(text));
    assert.equal(readFileSync(places.tokenFile, 'utf8'), text);
    assert.throws(look, {
      reason: 'misconfigured',
      message: `${places.tokenFile} holds no token; remove it, and it is made anew: rm ${places.tokenFile}`,
    });
  }
  truncateSync(places.tokenFile, 2 ** 40);
  assert.throws(look, { reason: 'misconfigured' }, 'more than fits in memory');
  truncateSync(places.tokenFile, 0);
  writeFileSync(places.tokenFile, 'a'.repeat(64));
  for (const mode of [0o644, 0o640, 0o602]) {
    chmodSync(places.tokenFile, mode);
    isLeft(mode.toString(8));
  }
  rmSync(places.tokenFile);
  writeFileSync(`${places.tokenFile}.elsewhere`, 'b'.repeat(64), { mode: 0o600 });
  symlinkSync(`${places.tokenFile}.elsewhere`, places.tokenFile);
  isLeft('a link');
});

test('a token of the configuration is the one, and its digest alone is kept (P30)', context => {
  const places = placesIn(context);
  let configured = 'a-token-of-some-length';
  const token = daemonToken(() => configured, places, randomBytes);
  assert.deepEqual(new Uint8Array(token.digest()), digestOf(configured));
  assert.throws(() => lstatSync(places.tokenFile), { code: 'ENOENT' }, 'none is made beside it');
  configured = 'another-token-of-some-length';
  token.renew();
  assert.deepEqual(new Uint8Array(token.digest()), digestOf(configured));
  assert.ok(!JSON.stringify(Object.values(token)).includes(configured));
});

test('whether a file holds the token in force is known without keeping the token (P30, P54)', context => {
  const places = placesIn(context);
  const token = daemonToken(unset, places, randomBytes);
  assert.equal(token.isIn(places.tokenFile), true);
  const kept = readFileSync(places.tokenFile, 'utf8');
  for (const text of ['not the token\n', 'a'.repeat(64), '\0'.repeat(64), kept.slice(0, 32), '']) {
    writeFileSync(places.tokenFile, text);
    assert.equal(token.isIn(places.tokenFile), false, JSON.stringify(text));
  }
  rmSync(places.tokenFile);
  assert.equal(token.isIn(places.tokenFile), false, 'none');
  mkdirSync(places.tokenFile);
  assert.equal(token.isIn(places.tokenFile), false, 'a folder');
});
