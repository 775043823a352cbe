import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Catalogue } from '../../../daemon/store/catalogue/columns.ts';
import { definitionsIn } from '../../../daemon/store/catalogue/columns.ts';
import { catalogueBytes, dropCatalogue, hasCatalogue } from '../../../daemon/store/catalogue/file.ts';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { type IndexReader, openIndexReader } from '../../../daemon/store/index-reader.ts';
import { retention } from '../../../daemon/store/retention.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import type { HandMade } from '../../support/synthetic.ts';
import { indexUnderTest, isTrouble, library, minute, user } from './index-under-test.ts';

const index = indexUnderTest();
const { publish } = index;

const other: HandMade = {
  path: 'src/ähnlich.ts',
  definitions: [{ name: 'öffnen' }, { name: 'Open' }, { name: 'a.b' }],
  exportsAs: { Öffner: 0, Open: 1, ab: 2 },
};
const others = Array.from(
  { length: 20 },
  (_, at): HandMade => ({ path: `more/${at}.ts`, definitions: [{ name: `m${at}` }] }),
);
const first = [library, user, other, ...others];

/** All that a catalogue says, in words that hold none of its own numbers. */
function said(reader: IndexReader, catalogue: Catalogue) {
  const definitions = catalogue.documents.flatMap(({ path }, document) =>
    Array.from(definitionsIn(catalogue, document), definition => {
      const found = { definition, name: catalogue.names[catalogue.nameOf[definition]!]! };
      const { symbolOf, traits, slots } = catalogue;
      return [
        path,
        found.name,
        symbolOf[definition],
        traits[definition],
        slots[definition],
        reader.enclosed(catalogue, [found])[0],
      ];
    }),
  );
  const { starts, ends, order, names, symbolCounts } = catalogue;
  const groups = names.flatMap((name, at) => {
    const group = Array.from(order.subarray(starts[at]!, ends[at]!), one => [
      catalogue.documents[catalogue.documentOf[one]!]!.path,
      catalogue.slots[one],
    ]);
    return group.length === 0 ? [] : [[name, symbolCounts[at], group] as const];
  });
  groups.sort(([a], [b]) => (a < b ? -1 : 1));
  const aliases = reader.exportAliases(catalogue, catalogue.documents);
  return { documents: catalogue.documents, size: catalogue.size, definitions, groups, aliases };
}

/** What a reader says that finds a file, and whether it wrote one. */
function newest(keptFrom: number, key = 'r') {
  const reader = openIndexReader(index.file, { keptFrom });
  try {
    const catalogue = reader.catalogue(key, reader.snapshot(key)!.seq)!;
    const all = said(reader, catalogue);
    const before = fileBytes();
    for (const _ of reader.keepCatalogues()) assert.ok(true);
    return { all, isWritten: !before.equals(fileBytes()) };
  } finally {
    reader.close();
  }
}

const never = Number.POSITIVE_INFINITY;

function files(): readonly string[] {
  const folder = dirname(index.file);
  return readdirSync(folder)
    .filter(name => name.startsWith('catalogue-'))
    .sort()
    .map(name => join(folder, name));
}

function fileBytes(): Buffer {
  return Buffer.concat(files().map(file => readFileSync(file)));
}

/** As it is read from all rows. */
function built(key = 'r') {
  const all = files().map(file => [file, readFileSync(file)] as const);
  dropCatalogue(index.file, key);
  const { all: plain } = newest(never, key);
  for (const [file, bytes] of all) writeFileSync(file, bytes);
  return plain;
}

test('a catalogue of few definitions is kept in no file, one of many until it says too much else', () => {
  publish(first);
  assert.deepEqual([newest(100).isWritten, hasCatalogue(index.file, 'r')], [false, false]);
  assert.deepEqual([newest(1).isWritten, hasCatalogue(index.file, 'r')], [true, true]);
  assert.equal(newest(1).isWritten, false);
  publish([{ ...library, definitions: [{ name: 'shut' }] }]);
  assert.equal(newest(1).isWritten, false);
  const many = Array.from(
    { length: 200 },
    (_, at): HandMade => ({ path: `many/${at}.ts`, definitions: [{ name: 'one' }] }),
  );
  publish(many);
  assert.equal(newest(1).isWritten, true);
  assert.equal(catalogueBytes(index.file), fileBytes().length);
});

const edits: Readonly<Record<string, () => void>> = {
  nothing: () => {},
  'other definitions': () => publish([{ ...library, definitions: [{ name: 'öffnen' }, { name: 'close', line: 4 }] }]),
  'a file more': () => publish([{ path: 'a/new.ts', definitions: [{ name: 'new' }] }]),
  'a file less': () => publish([], ['src/use.ts']),
  'all of it at once': () =>
    publish(
      [
        { ...user, definitions: [{ name: 'x.y' }] },
        { path: 'z.ts', definitions: [{ name: 'zed' }] },
      ],
      ['src/lib.ts'],
    ),
  'a file that went and came back': () => {
    publish([], ['src/use.ts']);
    publish([user]);
  },
};

for (const [name, edit] of Object.entries(edits)) {
  for (const isLogKept of [true, false]) {
    test(`a kept catalogue says what rows say after ${name}${isLogKept ? '' : ', when nobody knows any more what was touched'}`, () => {
      publish(first);
      assert.deepEqual(newest(1).all, built());
      edit();
      if (!isLogKept) {
        for (let at = 0; at <= retention.publications; at++)
          publish([{ path: 'count.ts', definitions: [{ name: `n${at}` }] }], [], minute);
        while (index.writer.collect(retention.ms + 2 * minute));
      }
      assert.deepEqual(newest(never).all, built());
    });
  }
}

test('what is kept is not read from rows again', () => {
  publish(first);
  newest(1);
  const plain = built();
  const exported = plain.aliases.flat().map(({ alias, name }) => `${name} as ${alias}`);
  assert.deepEqual(exported, ['öffnen as Öffner', 'a.b as ab']);
  index.writer.close();
  const database = new Database(index.file);
  database.prepare('UPDATE link_body SET body = zeroblob(32)').run();
  database.close();
  index.writer = openIndexWriter(index.file);
  assert.deepEqual(newest(never).all, plain);
  assert.throws(() => built(), isTrouble('corrupt'));
});

test('a name that takes the row of another is no longer that', () => {
  publish(first);
  newest(1);
  publish([], [other.path], minute);
  for (let at = 0; at <= retention.publications; at++) publish([library], [], minute * (at + 2));
  while (index.writer.collect(retention.ms + 20 * minute));
  publish([{ path: 'src/other.ts', definitions: [{ name: 'p' }, { name: 'q' }, { name: 'r' }] }]);
  assert.deepEqual(newest(never).all, built());
});

test('what does not hold is as if it were not there', () => {
  publish(first);
  newest(1);
  const plain = built();
  const [file] = files();
  const bytes = readFileSync(file!);
  for (let at = 0; at < bytes.length; at += 7) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 1;
    writeFileSync(file!, damaged);
    assert.deepEqual(newest(never).all, plain);
  }
  for (const length of [0, 3, 40, bytes.length - 1]) {
    writeFileSync(file!, bytes.subarray(0, length));
    assert.deepEqual(newest(never).all, plain);
  }
});

test('each worktree of a file has its own; those of what was removed go with the next that is written', () => {
  publish(first);
  publish([library], [], 0, 'other');
  newest(1);
  newest(1, 'other');
  assert.equal(files().length, 2);
  assert.deepEqual(newest(never, 'other').all, built('other'));
  assert.deepEqual(newest(never).all, built());
  index.writer.removeRepository('other');
  dropCatalogue(index.file, 'r');
  newest(1);
  assert.deepEqual([files().length, hasCatalogue(index.file, 'r')], [1, true]);
});

test('a snapshot that comes while a catalogue is being written is not mixed with it', () => {
  publish(first);
  const reader = openIndexReader(index.file, { keptFrom: 1 });
  const steps = reader.keepCatalogues();
  reader.catalogue('r', reader.snapshot('r')!.seq);
  for (let passed = 0; ; passed++) {
    if (steps.next().done === true) break;
    if (passed !== 2) continue;
    publish([{ ...library, definitions: [{ name: 'shut' }] }]);
    reader.catalogue('r', reader.snapshot('r')!.seq);
  }
  reader.close();
  assert.equal(hasCatalogue(index.file, 'r'), false);
});

test('names of files that have gone are forgotten, once they are most', () => {
  const many = Array.from({ length: 1500 }, (_, at) => ({ name: `name${at}` }));
  publish([...first, { path: 'many.ts', definitions: many }]);
  const reader = openIndexReader(index.file);
  const names = () => reader.catalogue('r', reader.snapshot('r')!.seq)!.names.length;
  try {
    assert.ok(names() > 1500);
    publish([], ['many.ts']);
    names();
    publish([{ path: 'a/new.ts', definitions: [{ name: 'new' }] }]);
    assert.ok(names() < 100, `${names()} names`);
  } finally {
    reader.close();
  }
});
