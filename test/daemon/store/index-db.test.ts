import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import type { QuestionKey } from '../../../daemon/model/question.ts';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { linkBatch } from '../../../daemon/store/link-batch.ts';
import { isSealed } from '../../../daemon/store/seal.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { type HandMade, made, syntheticRepository } from '../../support/synthetic.ts';
import { canonicalRows } from './canonical-rows.ts';
import { everything, hashOf, indexUnderTest, isTrouble, library, minute, user } from './index-under-test.ts';

const index = indexUnderTest();
const { publish, reading } = index;

test('a published symbol is read with its place, its references by position with the text of the snapshot', () => {
  const { seq, counts } = publish([library, user]);
  assert.deepEqual(
    { seq, symbols: counts.symbols, references: counts.references, files: counts.files },
    { seq: 1, symbols: 3, references: 2, files: 2 },
  );
  reading(reader => {
    const hash = hashOf('src/lib.ts', 'close().');
    const row = reader.symbol('r', 1, hash);
    assert.equal(row?.name, 'close');
    assert.equal(row?.nameRange.startLine, 4);
    const page = reader.references('r', 1, hashOf('src/lib.ts', 'open().'), everything);
    assert.deepEqual(
      page?.rows.map(one => [one.path, one.range.startLine, one.line, one.confidence, one.enclosing?.name]),
      [
        ['src/use.ts', 1, 'open()', 0.9, 'main'],
        ['src/use.ts', 2, '  then open()', 0.95, 'main'],
      ],
    );
    assert.equal(reader.symbol('r', 1, hashOf('src/lib.ts', 'absent().')), undefined);
    assert.equal(reader.symbol('other', 1, hash), undefined);
  });
});

test('an earlier sequence answers as it did before the later ones', () => {
  publish([library, user]);
  publish([{ ...library, definitions: [{ name: 'open' }] }], ['src/use.ts'], minute);
  reading(reader => {
    const open = hashOf('src/lib.ts', 'open().');
    const close = hashOf('src/lib.ts', 'close().');
    assert.equal(reader.symbol('r', 1, close)?.name, 'close');
    assert.equal(reader.symbol('r', 2, close), undefined);
    assert.equal(reader.references('r', 1, open, everything)?.total, 2);
    assert.equal(reader.references('r', 2, open, everything)?.total, 0);
    assert.deepEqual(reader.snapshot('r')?.counts.symbols, 1);
    assert.deepEqual(reader.retained('r', minute), { count: 2, oldestAt: 0, expired: 0 });
  });
});

test('a publication names the symbols that went, and counts those with a second site once', () => {
  const shared = (path: string): HandMade => ({ path, scope: 'go:net#net', definitions: [{ name: 'init' }] });
  assert.equal(publish([shared('net/a.go'), shared('net/b.go'), library]).counts.symbols, 3);
  const moved = publish([], ['net/a.go']);
  assert.deepEqual([moved.counts.symbols, moved.gone], [3, []]);
  const gone = publish([], ['net/b.go']);
  assert.equal(gone.counts.symbols, 2);
  assert.deepEqual(gone.gone, [hashOf('go:net#net', 'init().')]);
});

test('facts are stored once for equal bytes, found again, and asked for by key', () => {
  const one = made(library);
  assert.deepEqual(index.writer.missingFacts([one.linked.key]), [one.linked.key]);
  index.writer.putFacts([one.fact, one.fact]);
  assert.deepEqual(index.writer.missingFacts([one.linked.key]), []);
  assert.deepEqual(Buffer.from(index.writer.facts(one.linked.key)!), Buffer.from(one.fact.facts));
  assert.equal(index.writer.facts({ ...one.linked.key, version: 2 }), undefined);
});

test('askers are those of the newest links, whatever was asked before', () => {
  const asking = (path: string, ...questions: string[]): HandMade => ({ path, questions });
  publish([asking('b.ts', 'exists\0x', 'exists\0y'), asking('a.ts', 'exists\0x')]);
  const askers = (question: string) => index.writer.askersOf('r', [question as QuestionKey]);
  assert.deepEqual(askers('exists\0x'), ['a.ts', 'b.ts']);
  publish([{ ...asking('b.ts', 'exists\0z', 'exists\0y'), text: 'changed' }]);
  assert.deepEqual([askers('exists\0x'), askers('exists\0y'), askers('exists\0z')], [['a.ts'], ['b.ts'], ['b.ts']]);
  publish([], ['b.ts']);
  assert.deepEqual(askers('exists\0y'), []);
});

test('the manifest comes back as it was put, in path order, with new stat data', () => {
  const stat = { size: 1, mtimeMs: 1.25, ctimeMs: 2, inode: 3 };
  publish([user, library]);
  index.writer.touch('r', [{ path: 'src/use.ts' as RepoPath, stat }]);
  const entries = [...index.writer.manifest('r')];
  assert.deepEqual(entries, [made(library).entry, { ...made(user).entry, stat }]);
  assert.equal(index.writer.snapshot('r')?.seq, 1);
});

test('equal content costs no version: only what differs is written', () => {
  publish([library, user]);
  const rows = canonicalRows(index.file, 'r');
  publish([library, user]);
  assert.deepEqual(canonicalRows(index.file, 'r'), rows);
  const database = new Database(index.file, { readonly: true });
  assert.deepEqual(database.prepare('SELECT count(*) AS n FROM link').get(), { n: 2 });
  assert.deepEqual(database.prepare('SELECT count(*) AS n FROM changed WHERE seq = 2').get(), { n: 0 });
  database.close();
});

test('an index that was led there step by step equals one from empty, after the collector ran', () => {
  const documents = [...syntheticRepository(40, 6, 40)];
  const replaced = [...syntheticRepository(40, 6, 40, 2)];
  publish(replaced.slice(0, 25));
  publish(documents.slice(0, 15), [], minute);
  publish(documents.slice(15, 40), [], 2 * minute);
  for (const one of replaced)
    if (!documents.some(other => other.entry.entry.path === one.entry.entry.path)) publish([], [one.entry.entry.path]);
  // Publications that change nothing push the versions above out of the last five.
  for (let at = 0; at < 6; at++) publish([], [], 60 * minute);
  while (index.writer.collect(120 * minute));
  const stepwise = canonicalRows(index.file, 'r');
  index.writer.close();
  rmSync(index.file);
  index.writer = openIndexWriter(index.file);
  publish(documents);
  assert.deepEqual(stepwise, canonicalRows(index.file, 'r'));
});

test('versions stay for fifteen minutes and five publications, then leave with everything that hung on them', () => {
  publish([library, user]);
  publish([], ['src/use.ts'], minute);
  for (let at = 0; at < 5; at++) publish([], [], (2 + at) * minute);
  const open = hashOf('src/lib.ts', 'open().');
  while (index.writer.collect(16 * minute));
  reading(reader => assert.equal(reader.references('r', 1, open, everything)?.total, 2));
  while (index.writer.collect(60 * minute));
  reading(reader => {
    assert.equal(reader.snapshotAt('r', 1), undefined);
    assert.equal(reader.snapshotAt('r', 3)?.seq, 3);
    assert.equal(reader.symbol('r', 7, open)?.name, 'open');
  });
  const database = new Database(index.file, { readonly: true });
  const left = database.prepare(`SELECT text FROM name ORDER BY text`).all();
  assert.deepEqual(left, [{ text: 'close' }, { text: 'open' }]);
  assert.deepEqual(database.prepare('SELECT count(*) AS n FROM post').get(), { n: 0 });
  database.close();
});

test('a clock that is set ten years on, or back, makes no version older or younger (P18)', () => {
  for (const years of [10, -10]) {
    const { writer, file } = index;
    writer.close();
    rmSync(file);
    let [passedMs, dayMs] = [0, Date.UTC(2030, 0)];
    const retentionClock = { nowMs: () => passedMs, timeOf: (at: number) => passedMs - Math.max(0, dayMs - at) };
    const open = () => {
      index.writer = openIndexWriter(file, { retentionClock });
    };
    const pass = (ms: number) => {
      passedMs += ms;
      dayMs += ms;
    };
    const oldest = (): number => {
      while (index.writer.collect(dayMs));
      return reading(reader => [1, 2, 3, 4, 5, 6, 7].find(seq => reader.snapshotAt('r', seq) !== undefined)!);
    };
    open();
    for (let n = 0; n < 7; n++) {
      if (n === 2) dayMs += years * 365 * 24 * 60 * minute;
      publish([library], [], dayMs);
      pass(minute);
    }
    assert.equal(oldest(), 1, `${years}: all are young`);
    index.writer.close();
    if (years < 0) open();
    else {
      dayMs -= years * 365 * 24 * 60 * minute; // and put right while nobody looks
      open();
    }
    assert.ok(oldest() <= 3, `${years}: those of the process before that are of a time to come`);
    pass(16 * minute);
    assert.equal(oldest(), 3, `${years}: neither young nor among the last five`);
  }
});

test('links of a snapshot that is kept hold again: rows, counts and questions are those of its tree', () => {
  const asker = { ...user, questions: ['exists\0src/lib.ts', 'export\0src/lib.ts\0open'] };
  const other = { path: 'src/other.ts', definitions: [{ name: 'other' }], questions: ['exists\0src/other.ts'] };
  const back = [library, asker, other].map(one => made(one).entry);
  const { counts, snapshotId } = publish([library, asker, other]);
  const rows = canonicalRows(index.file, 'r');
  publish([library, { ...asker, questions: ['exists\0src/lib.ts', 'exists\0src/third.ts'] }], [], minute);
  publish(
    [
      { ...library, definitions: [{ name: 'close' }] },
      { ...asker, uses: [] },
    ],
    ['src/other.ts'],
    minute,
  );
  publish([{ ...asker, uses: [], questions: ['exists\0src/third.ts'] }], [], minute);
  assert.equal(index.writer.kept('r', 'sha256:of no snapshot'), undefined);
  const linked = index.writer.kept('r', snapshotId)!;
  const again = index.writer.publish('r', { entries: back, removed: [], linked, snapshotId, publishedAt: minute });
  assert.deepEqual([again.seq, again.counts, again.gone], [5, counts, []]);
  assert.deepEqual(canonicalRows(index.file, 'r'), rows);
  reading(reader => {
    const open = hashOf('src/lib.ts', 'open().');
    const totals = [1, 4, 5].map(seq => reader.references('r', seq, open, everything)?.total);
    assert.deepEqual(totals, [2, undefined, 2]);
  });
  assert.deepEqual(index.writer.askersOf('r', ['exists\0src/third.ts' as QuestionKey]), []);
  assert.deepEqual(index.writer.askersOf('r', ['exists\0src/other.ts' as QuestionKey]), ['src/other.ts']);
});

test('worktrees share facts and nothing else; removing one leaves the other whole', () => {
  publish([library, user], [], 0, 'one');
  publish([library], [], 0, 'two');
  assert.deepEqual(index.writer.repositories(), ['one', 'two']);
  reading(reader => {
    const open = hashOf('src/lib.ts', 'open().');
    assert.equal(reader.references('one', 1, open, everything)?.total, 2);
    assert.equal(reader.references('two', 1, open, everything)?.total, 0);
  });
  const rows = canonicalRows(index.file, 'two');
  index.writer.removeRepository('one');
  while (index.writer.collect(0));
  assert.deepEqual(canonicalRows(index.file, 'two'), rows);
  assert.deepEqual([index.writer.repositories(), index.writer.snapshot('one')], [['two'], undefined]);
});

test('a publication that fails leaves nothing behind', () => {
  publish([library]);
  const rows = canonicalRows(index.file, 'r');
  const { entry, linked } = made(user);
  assert.throws(() =>
    index.writer.publish('r', {
      entries: [entry],
      removed: [],
      linked: [linkBatch([linked])],
      snapshotId: 'x',
      publishedAt: 1,
    }),
  );
  assert.deepEqual(canonicalRows(index.file, 'r'), rows);
  assert.equal(index.writer.snapshot('r')?.seq, 1);
});

test('a full disk fails the publication, not what is there, and it succeeds once there is room (P22)', () => {
  publish([library]);
  const database = new Database(index.file);
  const pages = database.pragma('page_count', { simple: true }) as number;
  database.close();
  index.writer.close();
  index.writer = openIndexWriter(index.file, { maxPages: pages + 4 });
  const many = [...syntheticRepository(60, 10, 50)];
  assert.throws(() => publish(many), isTrouble('diskFull'));
  reading(reader => assert.equal(reader.snapshot('r')?.seq, 1));
  index.writer.close();
  index.writer = openIndexWriter(index.file);
  assert.equal(publish(many).seq, 2);
});

test('nothing is published into a file that was removed, or whose place another has, and nobody vouches for it (P11)', () => {
  for (const isAnother of [false, true]) {
    publish([library]);
    index.writer.close();
    index.writer = openIndexWriter(index.file);
    copyFileSync(index.file, `${index.file}.other`);
    if (isAnother) renameSync(`${index.file}.other`, index.file);
    else rmSync(index.file);
    assert.equal(index.writer.isInPlace(), false);
    assert.throws(() => publish([library, user]), isTrouble('corrupt'));
    index.writer.close();
    assert.ok(!isSealed(index.file));
    rmSync(index.file, { force: true });
    index.writer = openIndexWriter(index.file);
    assert.equal(publish([library]).seq, 1, 'what the removed one left beside it is none of the next');
  }
});
