import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PartOf, type ScipIndex, scipBytes } from '../../../support/scip.ts';
import { readText } from './scip-text.ts';

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
