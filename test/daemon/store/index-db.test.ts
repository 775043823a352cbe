import assert from 'node:assert/strict';
import {
  chmodSync,
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
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import type { QuestionKey } from '../../../daemon/model/links.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import { type IndexWriter, openIndexWriter } from '../../../daemon/store/index-db.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { linkBatch } from '../../../daemon/store/link-batch.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { StoreError, type StoreTrouble } from '../../../daemon/store/store-faults.ts';
import { type HandMade, type Made, made, symbolTarget, syntheticRepository } from '../../support/synthetic.ts';
import { canonicalRows } from './canonical-rows.ts';

let folder: string;
let file: string;
let writer: IndexWriter;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-store-'));
  file = join(folder, 'index.db');
  writer = openIndexWriter(file, { newEpoch: () => 'epoch' });
});
afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true });
});

const everything = { includeTests: true, includeDefinition: false, offset: 0, limit: 100 };
const hashOf = (path: string, tail: string): string => symbolHash(path as ScopeKey, tail);
const minute = 60_000;

function publish(documents: readonly (HandMade | Made)[], removed: readonly string[] = [], at = 0, key = 'r') {
  const all = documents.map(one => ('fact' in one ? one : made(one)));
  return writer.publish(key, {
    facts: all.map(one => one.fact),
    entries: all.map(one => one.entry),
    removed: removed as RepoPath[],
    linked: linkBatch(all.map(one => one.linked)),
    snapshotId: `sha256:${at}:${all.length}`,
    publishedAt: at,
  });
}

function reading<T>(work: (reader: ReturnType<typeof openIndexReader>) => T): T {
  const reader = openIndexReader(file);
  try {
    return work(reader);
  } finally {
    reader.close();
  }
}

const library: HandMade = {
  path: 'src/lib.ts',
  definitions: [{ name: 'open' }, { name: 'close', line: 4 }],
  text: 'open\n\n\n\nclose\n',
};
const user: HandMade = {
  path: 'src/use.ts',
  definitions: [{ name: 'main' }],
  uses: [
    { name: 'open', line: 2, column: 6, enclosing: 0, target: symbolTarget('src/lib.ts', 'open().', 0.95) },
    { name: 'open', line: 1, enclosing: 0, target: symbolTarget('src/lib.ts', 'open().') },
  ],
  text: 'main\r\nopen()\r\n  then open()\r\n',
};

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

test('an unresolved use belongs to the one definition that fits it, is only counted when there are two, and when it means something else', () => {
  const caller: HandMade = {
    path: 'src/call.ts',
    uses: [
      { name: 'close', line: 0, kind: 'call' },
      { name: 'close', line: 1, kind: 'type' },
      { name: 'close', line: 2, kind: 'call', target: { kind: 'candidate', isElsewhere: true } },
    ],
  };
  const python: HandMade = { path: 'x.py', language: 'python', uses: [{ name: 'close', line: 0, kind: 'call' }] };
  publish([library, caller, python]);
  const close = hashOf('src/lib.ts', 'close().');
  reading(reader => {
    const page = reader.references('r', 1, close, everything);
    assert.deepEqual(
      page?.rows.map(row => [row.path, row.kind, row.confidence]),
      [['src/call.ts', 'call', 0.5]],
    );
    assert.equal(
      page?.unresolvedCandidates,
      2,
      'what is listed by its name is counted, and what likely means something else',
    );
  });
  publish([{ path: 'src/other.ts', definitions: [{ name: 'close' }] }]);
  reading(reader => {
    const page = reader.references('r', 2, close, everything);
    assert.deepEqual([page?.total, page?.unresolvedCandidates], [0, 2]);
    assert.equal(reader.references('r', 1, close, everything)?.total, 1);
  });
});

test('a member access of an unknown value reaches members alone, a bare name none of them', () => {
  const owner: HandMade = {
    path: 'src/owner.ts',
    definitions: [
      { name: 'info', tail: 'info.', kind: 'constant' },
      { name: 'Box', tail: 'Box#', kind: 'class' },
      { name: 'open', tail: 'Box#open().', kind: 'method', container: 1, line: 1 },
      { name: 'build', line: 2 },
      { name: 'inner', tail: 'build().inner().', container: 3, line: 3 },
    ],
  };
  const uses: HandMade = {
    path: 'src/uses.ts',
    uses: ['info', 'open', 'inner'].flatMap((name, at) => [
      { name, line: 2 * at, kind: 'call', isMember: true },
      { name, line: 2 * at + 1, kind: 'call' },
    ]),
  };
  publish([owner, uses]);
  const linesOf = (reader: ReturnType<typeof openIndexReader>, tail: string): readonly number[] =>
    reader.references('r', 1, hashOf('src/owner.ts', tail), everything)!.rows.map(row => row.range.startLine);
  reading(reader => {
    assert.deepEqual(linesOf(reader, 'info.'), [1]);
    assert.deepEqual(linesOf(reader, 'Box#open().'), [2]);
    assert.deepEqual(linesOf(reader, 'build().inner().'), [5]);
  });
});

test('uses of a constructor are the calls of its class, in pages too, settled ones first', () => {
  const shape: HandMade = {
    path: 'src/shape.ts',
    definitions: [
      { name: 'Shape', tail: 'Shape#', kind: 'class' },
      { name: 'constructor', tail: 'Shape#<constructor>().', kind: 'constructor', container: 0, line: 1 },
    ],
  };
  const target = symbolTarget('src/shape.ts', 'Shape#');
  const uses: HandMade = {
    path: 'src/uses.ts',
    uses: [
      { name: 'Shape', line: 0, kind: 'import', target },
      { name: 'Shape', line: 1, kind: 'call', target },
      { name: 'Shape', line: 2, kind: 'type', target },
      { name: 'Shape', line: 3, kind: 'call', target },
      { name: 'constructor', line: 4, kind: 'read', target: symbolTarget('src/shape.ts', 'Shape#<constructor>().') },
    ],
  };
  const byName: HandMade = { path: 'src/a.ts', uses: [{ name: 'Shape', line: 0, kind: 'call' }] };
  publish([shape, uses, byName]);
  const made = hashOf('src/shape.ts', 'Shape#<constructor>().');
  reading(reader => {
    const { rows, total } = reader.references('r', 1, made, { ...everything, includeDefinition: true })!;
    assert.deepEqual(
      rows.map(row => [row.path, row.range.startLine, row.kind]),
      [
        ['src/shape.ts', 1, 'definition'],
        ['src/uses.ts', 1, 'call'],
        ['src/uses.ts', 3, 'call'],
        ['src/uses.ts', 4, 'read'],
        ['src/a.ts', 0, 'call'],
      ],
    );
    assert.equal(total, 5);
    const pages = [0, 2, 4].map(offset =>
      reader.references('r', 1, made, { ...everything, includeDefinition: true, offset, limit: 2 }),
    );
    assert.deepEqual([pages.flatMap(page => page!.rows), pages.map(page => page!.total)], [rows, [5, 5, 5]]);
    assert.equal(reader.references('r', 1, hashOf('src/shape.ts', 'Shape#'), everything)!.total, 5);
    assert.deepEqual([reader.isShort('r', 1, made, 1), reader.isShort('r', 1, made, 2)], [false, true]);
  });
});

test('pages of references neither overlap nor leave a gap, tests and definitions in or out', () => {
  const documents = [...syntheticRepository(30, 5, 60)];
  publish(documents);
  const first = documents[0]!.linked.document;
  const hash = hashOf(first.path, first.facts.definitions[0]!.tail);
  reading(reader => {
    const whole = reader.references('r', 1, hash, { ...everything, includeDefinition: true, limit: 10_000 })!;
    assert.ok(whole.total > 10 && whole.rows.length === whole.total);
    assert.equal(whole.rows.filter(row => row.kind === 'definition').length, 1);
    const pages = Array.from({ length: Math.ceil(whole.total / 7) }, (_, at) => {
      const page = reader.references('r', 1, hash, {
        ...everything,
        includeDefinition: true,
        offset: at * 7,
        limit: 7,
      });
      return page!.rows;
    });
    assert.deepEqual(pages.flat(), whole.rows);
  });
});

test('facts are stored once for equal bytes, found again, and asked for by key', () => {
  const one = made(library);
  assert.deepEqual(writer.missingFacts([one.linked.key]), [one.linked.key]);
  writer.putFacts([one.fact, one.fact]);
  assert.deepEqual(writer.missingFacts([one.linked.key]), []);
  assert.deepEqual(Buffer.from(writer.facts(one.linked.key)!), Buffer.from(one.fact.facts));
  assert.equal(writer.facts({ ...one.linked.key, version: 2 }), undefined);
});

test('askers are those of the newest links, whatever was asked before', () => {
  const asking = (path: string, ...questions: string[]): HandMade => ({ path, questions });
  publish([asking('b.ts', 'exists\0x', 'exists\0y'), asking('a.ts', 'exists\0x')]);
  const askers = (question: string) => writer.askersOf('r', [question as QuestionKey]);
  assert.deepEqual(askers('exists\0x'), ['a.ts', 'b.ts']);
  publish([{ ...asking('b.ts', 'exists\0z', 'exists\0y'), text: 'changed' }]);
  assert.deepEqual([askers('exists\0x'), askers('exists\0y'), askers('exists\0z')], [['a.ts'], ['b.ts'], ['b.ts']]);
  publish([], ['b.ts']);
  assert.deepEqual(askers('exists\0y'), []);
});

test('the manifest comes back as it was put, in path order, with new stat data', () => {
  const stat = { size: 1, mtimeMs: 1.25, ctimeMs: 2, inode: 3 };
  publish([user, library]);
  writer.touch('r', [{ path: 'src/use.ts' as RepoPath, stat }]);
  const entries = [...writer.manifest('r')];
  assert.deepEqual(entries, [made(library).entry, { ...made(user).entry, stat }]);
  assert.equal(writer.snapshot('r')?.seq, 1);
});

test('equal content costs no version: only what differs is written', () => {
  publish([library, user]);
  const rows = canonicalRows(file, 'r');
  publish([library, user]);
  assert.deepEqual(canonicalRows(file, 'r'), rows);
  const database = new Database(file, { readonly: true });
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
  while (writer.collect(120 * minute));
  const stepwise = canonicalRows(file, 'r');
  writer.close();
  rmSync(file);
  writer = openIndexWriter(file);
  publish(documents);
  assert.deepEqual(stepwise, canonicalRows(file, 'r'));
});

test('versions stay for fifteen minutes and five publications, then leave with everything that hung on them', () => {
  publish([library, user]);
  publish([], ['src/use.ts'], minute);
  for (let at = 0; at < 5; at++) publish([], [], (2 + at) * minute);
  const open = hashOf('src/lib.ts', 'open().');
  while (writer.collect(16 * minute));
  reading(reader => assert.equal(reader.references('r', 1, open, everything)?.total, 2));
  while (writer.collect(60 * minute));
  reading(reader => {
    assert.equal(reader.snapshotAt('r', 1), undefined);
    assert.equal(reader.snapshotAt('r', 3)?.seq, 3);
    assert.equal(reader.symbol('r', 7, open)?.name, 'open');
  });
  const database = new Database(file, { readonly: true });
  const left = database.prepare(`SELECT text FROM name ORDER BY text`).all();
  assert.deepEqual(left, [{ text: 'close' }, { text: 'open' }]);
  assert.deepEqual(database.prepare('SELECT count(*) AS n FROM post').get(), { n: 0 });
  database.close();
});

test('links of a snapshot that is kept hold again: rows, counts and questions are those of its tree', () => {
  const asker = { ...user, questions: ['exists\0src/lib.ts', 'export\0src/lib.ts\0open'] };
  const other = { path: 'src/other.ts', definitions: [{ name: 'other' }], questions: ['exists\0src/other.ts'] };
  const back = [library, asker, other].map(one => made(one).entry);
  const { counts, snapshotId } = publish([library, asker, other]);
  const rows = canonicalRows(file, 'r');
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
  assert.equal(writer.kept('r', 'sha256:of no snapshot'), undefined);
  const linked = writer.kept('r', snapshotId)!;
  const again = writer.publish('r', { entries: back, removed: [], linked, snapshotId, publishedAt: minute });
  assert.deepEqual([again.seq, again.counts, again.gone], [5, counts, []]);
  assert.deepEqual(canonicalRows(file, 'r'), rows);
  reading(reader => {
    const open = hashOf('src/lib.ts', 'open().');
    const totals = [1, 4, 5].map(seq => reader.references('r', seq, open, everything)?.total);
    assert.deepEqual(totals, [2, undefined, 2]);
  });
  assert.deepEqual(writer.askersOf('r', ['exists\0src/third.ts' as QuestionKey]), []);
  assert.deepEqual(writer.askersOf('r', ['exists\0src/other.ts' as QuestionKey]), ['src/other.ts']);
});

test('kept links that are damaged hold no more', () => {
  const { snapshotId } = publish([library]);
  publish([], ['src/lib.ts'], minute);
  const linked = writer.kept('r', snapshotId)!;
  const database = new Database(file);
  database.exec('UPDATE link_body SET body = zeroblob(length(body))');
  database.close();
  const entries = [made(library).entry];
  assert.throws(
    () => writer.publish('r', { entries, removed: [], linked, snapshotId, publishedAt: minute }),
    isTrouble('corrupt'),
  );
});

test('worktrees share facts and nothing else; removing one leaves the other whole', () => {
  publish([library, user], [], 0, 'one');
  publish([library], [], 0, 'two');
  assert.deepEqual(writer.repositories(), ['one', 'two']);
  reading(reader => {
    const open = hashOf('src/lib.ts', 'open().');
    assert.equal(reader.references('one', 1, open, everything)?.total, 2);
    assert.equal(reader.references('two', 1, open, everything)?.total, 0);
  });
  const rows = canonicalRows(file, 'two');
  writer.removeRepository('one');
  while (writer.collect(0));
  assert.deepEqual(canonicalRows(file, 'two'), rows);
  assert.deepEqual([writer.repositories(), writer.snapshot('one')], [['two'], undefined]);
});

test('a publication that fails leaves nothing behind', () => {
  publish([library]);
  const rows = canonicalRows(file, 'r');
  const { entry, linked } = made(user);
  assert.throws(() =>
    writer.publish('r', {
      entries: [entry],
      removed: [],
      linked: linkBatch([linked]),
      snapshotId: 'x',
      publishedAt: 1,
    }),
  );
  assert.deepEqual(canonicalRows(file, 'r'), rows);
  assert.equal(writer.snapshot('r')?.seq, 1);
});

test('a full disk fails the publication, not what is there, and it succeeds once there is room', () => {
  publish([library]);
  const database = new Database(file);
  const pages = database.pragma('page_count', { simple: true }) as number;
  database.close();
  writer.close();
  writer = openIndexWriter(file, { maxPages: pages + 4 });
  const many = [...syntheticRepository(60, 10, 50)];
  assert.throws(() => publish(many), isTrouble('diskFull'));
  reading(reader => assert.equal(reader.snapshot('r')?.seq, 1));
  writer.close();
  writer = openIndexWriter(file);
  assert.equal(publish(many).seq, 2);
});

const foreign: Readonly<Record<string, readonly [StoreTrouble, (path: string) => void]>> = {
  'a text file': ['corrupt', path => writeFileSync(path, 'no database\n'.repeat(500))],
  'a broken header': [
    'corrupt',
    path => writeFileSync(path, Buffer.concat([Buffer.from('garbage!'), readFileSync(path).subarray(8)])),
  ],
  'a cut file': ['corrupt', path => truncateSync(path, 5000)],
  'a directory': [
    'unreadable',
    path => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
  'a newer schema': [
    'newerSchema',
    path => {
      const database = new Database(path);
      database.pragma('user_version = 999');
      database.close();
    },
  ],
  'another program’s database': [
    'corrupt',
    path => {
      const database = new Database(path);
      database.pragma('application_id = 7');
      database.close();
    },
  ],
};
for (const [label, [trouble, damage]] of Object.entries(foreign)) {
  test(`${label} in the index file's place is ${trouble}, and is left as it is`, () => {
    publish([library, user]);
    writer.close();
    damage(file);
    const before = statSync(file).isFile() ? readFileSync(file) : undefined;
    assert.throws(() => openIndexWriter(file).manifest('r').next(), isTrouble(trouble));
    assert.throws(() => {
      const reader = openIndexReader(file);
      reader.symbol('r', 1, hashOf('src/lib.ts', 'open().'));
    }, isTrouble(trouble));
    if (before !== undefined) assert.ok(readFileSync(file).equals(before));
    rmSync(file, { recursive: true });
    writer = openIndexWriter(file);
  });
}

test('the file and its log are for their owner alone', () => {
  publish([library]);
  assert.deepEqual([statSync(file).mode & 0o777, statSync(`${file}-wal`).mode & 0o777], [0o600, 0o600]);
});

test('a flipped bit in what is stored of a document is found before it is an answer', () => {
  publish([library, user]);
  writer.close();
  const whole = readFileSync(file);
  const open = hashOf('src/lib.ts', 'open().');
  const truth = reading(reader =>
    JSON.stringify([reader.symbol('r', 1, open), reader.references('r', 1, open, everything)]),
  );
  const database = new Database(file);
  const blobs = database
    .prepare<[], { bytes: Buffer }>(
      'SELECT facts AS bytes FROM fact_body UNION ALL SELECT text FROM fact_body UNION ALL SELECT body FROM link_body',
    )
    .all();
  database.close();
  for (const { bytes } of blobs) {
    if (bytes.length < 12) continue;
    for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
      const damaged = Buffer.from(whole);
      damaged[damaged.indexOf(bytes) + at]! ^= 0x10;
      writeFileSync(file, damaged);
      const answer = (): string =>
        reading(reader => JSON.stringify([reader.symbol('r', 1, open), reader.references('r', 1, open, everything)]));
      try {
        assert.equal(answer(), truth);
      } catch (error) {
        assert.ok(isTrouble('corrupt')(error), String(error));
      }
    }
  }
  writeFileSync(file, whole);
  writer = openIndexWriter(file);
});

test('a name that is not the one that the facts have is no answer of a search', () => {
  publish([library]);
  writer.close();
  const database = new Database(file);
  database.exec(`UPDATE name SET text = 'opem' WHERE text = 'open'`);
  database.close();
  reading(reader => {
    const catalogue = reader.catalogue('r', 1)!;
    const name = catalogue.names.indexOf('opem');
    const definition = catalogue.order[catalogue.starts[name]!]!;
    assert.throws(() => reader.rows(catalogue, [{ definition, name: 'opem' }]), isTrouble('corrupt'));
  });
  writer = openIndexWriter(file);
});

test('the log is moved into the file when asked, and cut once it is long', () => {
  publish([...syntheticRepository(20, 10, 100)]);
  assert.ok(statSync(`${file}-wal`).size > 100_000);
  writer.checkpoint();
  chmodSync(file, 0o600);
  assert.ok(statSync(file).size > 100_000);
});

function isTrouble(trouble: StoreTrouble) {
  return (error: unknown): boolean => error instanceof StoreError && error.trouble === trouble;
}
