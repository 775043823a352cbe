import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScipDocument } from '../../../../daemon/extract/scip/document.ts';
import { defaultScipLimits } from '../../../../daemon/extract/scip/limits.ts';
import { readScip, scipTables } from '../../../../daemon/extract/scip/read-scip.ts';
import { type PartOf, type ScipIndex, scipBytes } from '../../../support/scip.ts';
import { readText, scratchMemory } from './scip-text.ts';
import { bytesOf, number, packed, run, tag, varint } from './wire-bytes.ts';

const metadata = { toolInfo: { name: 'scip-typescript', version: '0.4.0' }, projectRoot: 'file:///p' };
const f = 'scip-typescript npm p 1.0.0 src/`a.ts`/f().';
const g = 'scip-typescript npm q 2.0.0 `b.ts`/G#';

const rows: readonly { readonly what: string; readonly index: PartOf<ScipIndex>; readonly gives: readonly string[] }[] =
  [
    {
      what: 'ranges of three and four numbers, roles, globals and locals',
      index: {
        metadata,
        documents: [
          {
            relativePath: 'src/a.ts',
            occurrences: [
              { range: [0, 9, 10], symbol: f, symbolRoles: 1 },
              { range: [0, 11, 12], symbol: 'local 0', symbolRoles: 1 },
              { range: [1, 0, 3, 1], symbol: 'local $x', symbolRoles: 8 },
              { range: [4, 2, 3], symbol: g },
            ],
          },
        ],
      },
      gives: [
        'scip-typescript 0.4.0 file:///p utf-16',
        '0 src/a.ts utf-16',
        `  0:9-0:10 1 ${f}`,
        '  0:11-0:12 1 local 0',
        '  1:0-3:1 8 local $x',
        `  4:2-4:3 0 ${g}`,
      ],
    },
    {
      what: 'occurrences sorted and each once, enclosing ranges still at theirs',
      index: {
        metadata,
        documents: [
          {
            relativePath: 'a.py',
            occurrences: [
              { range: [5, 0, 1], symbol: g, enclosingRange: [5, 0, 9, 1] },
              { range: [1, 4, 5], symbol: f, symbolRoles: 1, enclosingRange: [1, 0, 2, 1] },
              { range: [1, 4, 5], symbol: f, symbolRoles: 1 },
              { range: [1, 0, 3], symbol: g },
            ],
          },
        ],
      },
      gives: [
        'scip-typescript 0.4.0 file:///p utf-16',
        '0 a.py utf-16',
        `  1:0-1:3 0 ${g}`,
        `  1:4-1:5 1 ${f} in 1:0-2:1`,
        `  5:0-5:1 0 ${g} in 5:0-9:1`,
      ],
    },
  ];

for (const { what, index, gives } of rows)
  test(`reads ${what}`, async () => {
    assert.deepEqual(await readText(scipBytes(index)), gives);
  });

const tool = (name: string, ...more: readonly Uint8Array[]): Uint8Array => run(1, run(2, run(1, name)), ...more);
const one = (...parts: readonly Uint8Array[]): Uint8Array => run(2, run(1, 'a'), ...parts);
const symbol = run(2, 's m p v x.');

/** What no encoder of today writes, and what it gives after the line of the metadata. */
const written: readonly (readonly [string, Uint8Array, readonly string[]])[] = [
  [
    'ranges one number at a time, in pieces, in long form',
    bytesOf(
      one(
        run(2, number(1, 3), number(1, 4), number(1, 5), symbol),
        run(2, symbol, packed(1, 4, 1), number(1, 5), packed(1, 2)),
        run(2, symbol, run(1, Uint8Array.of(0x85, 0x80, 0x80, 0), varint(1), varint(2))),
      ),
    ),
    ['0 a utf-16', '  3:4-3:5 0 s m p v x.', '  4:1-5:2 0 s m p v x.', '  5:1-5:2 0 s m p v x.'],
  ],
  [
    'ranges that are messages, rather than those that are numbers',
    one(
      run(
        2,
        symbol,
        run(8, number(1, 3), number(2, 4), number(3, 5)),
        run(11, number(1, 2), number(3, 9), number(4, 1)),
      ),
      run(2, symbol, packed(1, 7, 7, 7), run(9, number(1, 5), number(3, 6), number(4, 2)), run(10, number(3, 80))),
      run(2, symbol, run(8), number(3, 1)),
    ),
    ['0 a utf-16', '  0:0-0:0 1 s m p v x.', '  3:4-3:5 0 s m p v x. in 2:0-9:1', '  5:0-6:2 0 s m p v x. in 0:0-0:80'],
  ],
  [
    'the last of what is told twice',
    one(
      run(1, 'b'),
      run(4, 'x'),
      run(4, 'go'),
      number(6, 1),
      number(6, 3),
      run(2, run(2, 's m p v y.'), symbol, packed(1, 0, 0, 1)),
    ),
    ['0 b go utf-32', '  0:0-0:1 0 s m p v x.'],
  ],
  [
    'over fields that it does not know',
    bytesOf(
      number(9, 2n ** 64n - 1n),
      run(100, 'x'.repeat(300)),
      bytesOf(tag(12, 3), tag(13, 3), number(1, 1), tag(13, 4), run(2, 'not a document'), tag(12, 4)),
      one(
        tag(50, 1),
        Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
        tag(51, 5),
        Uint8Array.of(1, 2, 3, 4),
        run(2, run(99, 'y'), symbol, packed(1, 0, 0, 1)),
      ),
    ),
    ['0 a utf-16', '  0:0-0:1 0 s m p v x.'],
  ],
  [
    'bytes that are no UTF-8 as what stands for them',
    one(run(3, symbol.subarray(0, 0), run(1, 's m p v x.'), run(3, Uint8Array.of(0x41, 0xff, 0xfe)))),
    ['0 a utf-16', '  s m p v x. {"documentation":["A\ufffd\ufffd"]}'],
  ],
  [
    'names of objects as names',
    one(
      run(2, run(2, 'local __proto__'), packed(1, 0, 0, 1)),
      run(2, run(2, 'local 007'), packed(1, 0, 0, 1), number(3, -1)),
    ),
    ['0 a utf-16', '  0:0-0:1 0 local __proto__', '  0:0-0:1 -1 local 007'],
  ],
  ['metadata once', bytesOf(tool('again'), one()), ['0 a utf-16', 'rejected metadata: again |  | again ']],
  [
    'no document of an unknown position encoding, nor external symbols that are local',
    bytesOf(one(number(6, 4)), run(2, run(1, 'b')), run(3, run(1, 'local 1'))),
    ['1 b utf-16', 'rejected document: position encoding | a | 4', 'rejected external symbol: local |  | '],
  ],
];

for (const [what, bytes, gives] of written)
  test(`reads ${what}`, async () => {
    assert.deepEqual(await readText(bytesOf(tool('t'), bytes)), ['t   utf-16', ...gives]);
  });

test('keeps no secret of the metadata, and knows whose columns are bytes', async () => {
  for (const [root, kept] of [
    ['file:///home/a@b/c', 'file:///home/a@b/c'],
    ['https://user:secret@host/p@q', 'https://host/p@q'],
    ['https://a@b@host', 'https://host'],
    ['/plain', '/plain'],
  ] as const)
    assert.deepEqual(await readText(tool('scip-go', run(3, root))), [`scip-go  ${kept} utf-8`]);
});

test('what is told of a symbol lies behind it where that comes first, else the whole message is that', async () => {
  const long = run(1, `s m p v ${'x'.repeat(200)}.`);
  const [name, kind] = [run(1, 's m p v x.'), number(5, 7)];
  const told = [bytesOf(name, kind), bytesOf(long, kind), bytesOf(kind, name), bytesOf(run(1), name, kind)];
  const bytes = bytesOf(run(1), run(2, run(1, 'a'), ...told.map(message => run(3, message))));
  const seen: unknown[] = [];
  const visitor = {
    metadata: () => {},
    document: (document: ScipDocument) => {
      for (let row = 0; row < told.length; row++) {
        const { view, from, to } = document.informationBytes(row);
        seen.push([Buffer.from(view.buffer, view.byteOffset + from, to - from), document.information(row).kind]);
      }
    },
    external: () => {},
  };
  const chunks = (async function* () {
    yield bytes;
  })();
  await readScip(chunks, defaultScipLimits, visitor, scipTables(defaultScipLimits, scratchMemory()));
  assert.deepEqual(
    seen,
    [kind, kind, told[2], told[3]].map(rest => [rest, 7]),
  );
});

test('waits for whoever takes a document, and ends when asked to', async () => {
  const index = bytesOf(tool('t'), one(), one(), one());
  const stop = new AbortController();
  const events: string[] = [];
  const reading = readScip(
    (async function* () {
      yield index;
    })(),
    defaultScipLimits,
    {
      metadata: () => {},
      external: () => {},
      async document({ number: taken }) {
        events.push(`begin ${taken}`);
        await new Promise(setImmediate);
        events.push(`end ${taken}`);
        if (taken === 1) stop.abort();
      },
    },
    scipTables(defaultScipLimits, scratchMemory()),
    stop.signal,
  );
  await assert.rejects(reading, { name: 'AbortError' });
  assert.deepEqual(events, ['begin 0', 'end 0', 'begin 1', 'end 1']);
});
