import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { type MemberFile, openMemberFile, type StoredKnowledge } from '../../../daemon/store/member-file.ts';
import { quarantined } from '../../../daemon/store/quarantine.ts';
import { Database } from '../../../daemon/store/sqlite.ts';

let folder: string;
let file: string;
let members: MemberFile;
/** What was told of damage. */
let damaged: string[];
const onDamage = (what: string): void => void damaged.push(what);
beforeEach(() => {
  damaged = [];
  folder = mkdtempSync(join(tmpdir(), 'svc-members-'));
  file = join(folder, 'members.db');
  members = openMemberFile(file, onDamage);
});
afterEach(() => {
  members.close();
  rmSync(folder, { recursive: true });
});

const reopen = (): MemberFile => {
  members.close();
  members = openMemberFile(file, onDamage);
  return members;
};

const knowledge = (stamp: string, size = 3): StoredKnowledge => ({
  ...{ stamp, syncedAt: 1_800_000_000_000, contracts: { declared: [], __proto__: null, text: 'é \u0000 ❄' } },
  rows: { modules: Array.from({ length: size }, (_, at) => ({ moduleId: `src/${at}`, text: `${stamp} ${at}` })) },
});
const state = (repoUid: string, stamp: string | undefined, problem: string | undefined = undefined) => ({
  ...{ repoUid, stamp, syncedAt: stamp === undefined ? undefined : 1_800_000_000_000, problem },
});

test('what is known of a member comes back as it was, over a restart too', () => {
  assert.deepEqual([members.read('u1'), members.states()], [undefined, []]);
  members.write('u1', knowledge('s1'));
  members.write('u2', knowledge('s2', 5_000));
  assert.deepEqual(reopen().read('u1'), plain(knowledge('s1')));
  assert.deepEqual(members.read('u2'), plain(knowledge('s2', 5_000)));
  members.write('u1', knowledge('s3'));
  assert.deepEqual(members.read('u1')?.stamp, 's3');
  assert.deepEqual(members.states(), [state('u1', 's3'), state('u2', 's2')]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('a problem is told beside what is known, until the next synchronisation', () => {
  members.noteProblem('u1', 'gone');
  members.write('u2', knowledge('s2'));
  members.noteProblem('u2', 'gone');
  members.noteProblem('u2', 'gone again');
  assert.deepEqual(reopen().states(), [state('u1', undefined, 'gone'), state('u2', 's2', 'gone again')]);
  assert.deepEqual([members.read('u1'), members.read('u2')?.stamp], [undefined, 's2']);
  members.write('u2', knowledge('s2'));
  assert.deepEqual(members.states()[1], state('u2', 's2'));
});

test('all but some are forgotten', () => {
  for (const uid of ['u1', 'u2', 'u3']) members.write(uid, knowledge(uid));
  members.keepOnly(new Set(['u2', 'never there']));
  assert.deepEqual(reopen().states(), [state('u2', 'u2')]);
  members.keepOnly(new Set());
  assert.deepEqual(members.states(), []);
});

test('a log that grows is carried over into the file', () => {
  const random = (): string => Array.from({ length: 40_000 }, () => Math.random().toString(36)).join('');
  for (let round = 0; round < 30; round++) members.write('u1', { ...knowledge('s'), rows: random() });
  assert.ok(statSync(`${file}-wal`).size < 12 * 2 ** 20, String(statSync(`${file}-wal`).size));
});

/** What may lie in the place of the file. */
const strange: readonly (readonly [what: string, make: () => void])[] = [
  ['no bytes', () => writeFileSync(file, '')],
  ['a text', () => writeFileSync(file, 'garbage '.repeat(2000))],
  ['half of it', () => truncateSync(file, 6000)],
  ['a database of something else', () => otherDatabase(1, 0x11111111)],
  ['an older version', () => otherDatabase(0, 0x73766366)],
  ['a newer version', () => otherDatabase(99, 0x73766366)],
  ['the schema of another', () => otherDatabase(1, 0x73766366)],
];

function otherDatabase(version: number, applicationId: number): void {
  rmSync(file);
  const raw = new Database(file);
  raw.exec('CREATE TABLE other (a)');
  raw.pragma(`application_id = ${applicationId}`);
  raw.pragma(`user_version = ${version}`);
  raw.close();
}

for (const [what, make] of strange) {
  test(`${what} in its place: it is made anew, for all of it can be found out again`, () => {
    for (let at = 0; at < 20; at++) members.write(`u${at}`, knowledge('s1', 400));
    members.close();
    for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true });
    make();
    members = openMemberFile(file, onDamage);
    assert.deepEqual([members.read('u1'), members.states()], [undefined, []]);
    assert.equal(damaged.length, what.endsWith('version') ? 0 : 1, damaged.join());
    members.write('u1', knowledge('s2'));
    assert.deepEqual(reopen().read('u1'), plain(knowledge('s2')));
  });
}

test('a folder in its place is put aside, with all that is in it', () => {
  members.close();
  rmSync(file);
  mkdirSync(file);
  writeFileSync(join(file, 'somebody’s'), '');
  members = openMemberFile(file, onDamage);
  const [aside = ''] = quarantined(file);
  assert.ok(existsSync(join(aside, 'somebody’s')));
  assert.equal(damaged.length, 1);
});

test('flipped bits: what is read is what was written, or nothing, and it can be written again', () => {
  const uids = Array.from({ length: 12 }, (_, at) => `u${at}`);
  for (const uid of uids) members.write(uid, knowledge(uid, 300));
  members.close();
  const sound = readFileSync(file);
  let lost = 0;
  for (let round = 0; round < 80; round++) {
    const bytes = Buffer.from(sound);
    // After the header: that is held above.
    const at = 100 + Math.floor(((bytes.length - 100) * round) / 80) + (round % 7);
    bytes[at]! ^= 1 << (round % 8);
    for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true });
    writeFileSync(file, bytes);
    members = openMemberFile(file, onDamage);
    for (const uid of uids) {
      const read = members.read(uid);
      if (read === undefined) {
        lost++;
        assert.equal(members.stateOf(uid)?.stamp, undefined, `byte ${at}`);
      }
      assert.deepEqual(read ?? plain(knowledge(uid, 300)), plain(knowledge(uid, 300)), `byte ${at}`);
    }
    members.write('u3', knowledge('new'));
    assert.deepEqual(members.read('u3')?.stamp, 'new', `byte ${at}`);
    members.close();
  }
  assert.ok(lost > 10, `${lost} were found to be damaged`);
  assert.ok(damaged.length > 10, 'and told to be');
  members = openMemberFile(file, onDamage);
});

test('a row that is not what was written is none, also where only its time is another', () => {
  for (const column of ["stamp = 'x'", 'synced_at = 1', "known_rows = x'00'", "contracts = x'00'", 'digest = NULL']) {
    members.write('u1', knowledge('s1'));
    members.write('u2', knowledge('s2'));
    members.close();
    const raw = new Database(file);
    raw.exec(`UPDATE member SET ${column} WHERE repo_uid = 'u1'`);
    raw.close();
    members = openMemberFile(file, onDamage);
    assert.deepEqual([members.stateOf('u1'), members.stateOf('u2')], [undefined, state('u2', 's2')], column);
    assert.deepEqual([members.read('u1'), members.read('u2')], [undefined, plain(knowledge('s2'))], column);
    assert.deepEqual(members.states(), [state('u2', 's2')], column);
  }
});

test('who reads beside a writer sees the old or the new, never half of it', () => {
  const reader = openMemberFile(file, onDamage);
  members.write('u1', knowledge('s0', 200));
  for (let round = 1; round <= 50; round++) {
    members.write('u1', knowledge(`s${round}`, 200));
    assert.deepEqual(reader.read('u1'), plain(knowledge(`s${round}`, 200)));
  }
  reader.close();
});

function plain(value: StoredKnowledge): StoredKnowledge {
  return JSON.parse(JSON.stringify(value)) as StoredKnowledge;
}
