import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexReader } from '../../../daemon/store/index-reader.ts';
import { type HandMade, symbolTarget, syntheticRepository } from '../../support/synthetic.ts';
import { everything, hashOf, indexUnderTest, library } from './index-under-test.ts';

const index = indexUnderTest();
const { publish, reading } = index;

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

test('how many documents leave a name unsettled is asked of the snapshot, not of what it was before or became', () => {
  const caller = (n: number): HandMade => ({
    path: `src/call-${n}.ts`,
    uses: [{ name: 'close', line: 0, kind: 'call' }],
  });
  const few = Array.from({ length: 50 }, (_, n) => caller(n));
  publish([library, ...few]);
  publish([caller(50)]);
  publish([], ['src/call-50.ts']);
  const close = hashOf('src/lib.ts', 'close().');
  reading(reader => {
    const told = [1, 2, 3].map(seq => {
      const page = reader.references('r', seq, close, everything)!;
      return [page.total, page.unresolvedCandidates];
    });
    assert.deepEqual(told, [
      [50, 50],
      [0, 50],
      [50, 50],
    ]);
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
  const linesOf = (reader: IndexReader, tail: string): readonly number[] =>
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
    assert.equal(reader.fewReferences('r', 1, made, everything, 0), 'many');
    assert.deepEqual(reader.fewReferences('r', 1, made, everything, 2), reader.references('r', 1, made, everything));
  });
});

test('a constructor of a class without name is not called with the function that makes the class', () => {
  const maker: HandMade = {
    path: 'src/maker.rb',
    definitions: [
      { name: 'make', tail: 'make().', kind: 'function' },
      { name: 'initialize', tail: 'make().initialize().', kind: 'constructor', container: 0, line: 1 },
    ],
    uses: [{ name: 'make', line: 4, kind: 'call', target: symbolTarget('src/maker.rb', 'make().') }],
  };
  publish([maker]);
  const totalOf = (tail: string): number => {
    let total = -1;
    reading(reader => {
      total = reader.references('r', 1, hashOf('src/maker.rb', tail), everything)!.total;
    });
    return total;
  };
  assert.deepEqual([totalOf('make().'), totalOf('make().initialize().')], [1, 0]);
});

test('what only its name ties to a class may be a call of its constructor, which is no other bearer of it', () => {
  const shape: HandMade = {
    path: 'src/Shape.java',
    definitions: [
      { name: 'Shape', tail: 'Shape#', kind: 'class' },
      { name: 'Shape', tail: 'Shape#Shape().', kind: 'constructor', container: 0, line: 1 },
    ],
  };
  publish([shape, { path: 'src/Use.java', uses: [{ name: 'Shape', line: 0, kind: 'call' }] }]);
  const countsOf = (reader: IndexReader, seq: number) =>
    ['Shape#', 'Shape#Shape().'].map(tail => {
      const page = reader.references('r', seq, hashOf('src/Shape.java', tail), everything)!;
      return [page.total, page.unresolvedCandidates];
    });
  reading(reader =>
    assert.deepEqual(countsOf(reader, 1), [
      [1, 1],
      [1, 1],
    ]),
  );
  publish([{ path: 'src/Other.java', definitions: [{ name: 'Shape', tail: 'Other#Shape().', kind: 'constructor' }] }]);
  reading(reader =>
    assert.deepEqual(
      countsOf(reader, 2),
      [
        [0, 1],
        [0, 1],
      ],
      'another’s',
    ),
  );
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

test('a line ends where those end whose numbers are counted, and a byte order mark is no part of the first', () => {
  const path = 'src/old.ts';
  const target = symbolTarget(path, 'open().');
  publish([
    {
      path,
      definitions: [{ name: 'open' }],
      uses: [
        { name: 'open', line: 0, column: 0, target },
        { name: 'open', line: 1, column: 0, target },
      ],
      text: '\uFEFFopen() // a\r// b\nopen()\r\nnothing\n',
    },
  ]);
  reading(reader => {
    const { rows } = reader.references('r', 1, hashOf(path, 'open().'), everything)!;
    assert.deepEqual(
      rows.map(({ line }) => line),
      ['open() // a\r// b', 'open()'],
    );
  });
});
