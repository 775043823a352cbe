import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Candidate, matchFunction } from '../../../../daemon/analysis/usage/match-function.ts';
import { observedFile } from '../../../../daemon/analysis/usage/observed-file.ts';

interface Defined extends Candidate {
  /** What stands around it. */
  readonly in: string;
  readonly lines: readonly [number, number];
}

/** `path:from-to Container kind`, a line for each definition of the observed name. */
function defined(text: string): readonly Defined[] {
  return text
    .trim()
    .split('\n')
    .map((line, symbol) => {
      const [place = '', container = '', kind = 'function'] = line.trim().split(' ');
      const [path = '', lines = '1-9'] = place.split(':');
      const [from = 1, to = 9] = lines.split('-').map(Number);
      const isTest = path.includes('.test.');
      return {
        symbol,
        path,
        isTest,
        kind: kind as Defined['kind'],
        in: container === '-' ? '' : container,
        lines: [from, to],
      };
    });
}

interface Told {
  readonly file?: string;
  readonly line?: number;
  readonly namespace?: string;
  readonly folder?: string;
}

const one = 'src/cart.ts:10-20 Cart method';
const two = `${one}\nsrc/cart.ts:30-40 Basket method`;
const far = `${one}\nlib/other.ts:1-9 Other method`;

/** A file that the repository has, and that defines nothing of the name. */
const here = '/app/src/here.ts';

const cases: readonly (readonly [what: string, definitions: string, told: Told, expected: string])[] = [
  ['by file, name and line', one, { file: '/app/src/cart.ts', line: 12 }, 'exact 0'],
  ['by file, name and namespace', one, { file: 'src/cart.ts', namespace: 'Cart' }, 'exact 0'],
  ['by file and name', one, { file: 'src/cart.ts' }, 'strong 0'],
  ['a line that moved away', one, { file: 'src/cart.ts', line: 99 }, 'strong 0'],
  ['two in a file, told apart by their lines', two, { file: 'src/cart.ts', line: 33 }, 'exact 1'],
  ['two in a file, told apart by their classes', two, { file: 'src/cart.ts', namespace: 'Basket' }, 'exact 1'],
  ['two in a file that nothing tells apart', two, { file: 'src/cart.ts' }, 'ambiguous'],
  ['the one of the file, of several', far, { file: '/srv/lib/other.ts' }, 'strong 1'],
  ['by namespace', far, { namespace: 'Other' }, 'weak 1'],
  ['by a name that nothing else bears', one, {}, 'weak 0'],
  ['by a name that others bear', far, {}, 'ambiguous'],
  ['of a class that is not here, by its name alone', one, { namespace: 'Elsewhere' }, 'weak 0'],
  ['told of a file that has none of the name', one, { file: here }, 'absent'],
  ['built of it: lines mean others', one, { file: '/app/dist/cart.js', line: 12 }, 'strong 0'],
  ['a file of that name alone', one, { file: 'cart.ts', line: 12 }, 'exact 0'],
  ['a file of that name elsewhere', one, { file: '/opt/x/cart.ts' }, 'weak 0'],
  ['of a dependency', one, { file: '/app/node_modules/cart/src/add.js' }, 'foreign'],
  ['of a dependency whose file is called alike', one, { file: '/app/node_modules/x/cart.ts' }, 'foreign'],
  ['of the runtime', one, { file: 'node:internal/process' }, 'foreign'],
  ['tests aside', `src/cart.test.ts:1-9 - function\n${one}`, {}, 'weak 1'],
  ['what is called before what only bears the name', `src/a.ts:1-2 - type\n${one}`, {}, 'weak 1'],
  ['a constant that holds a function', 'src/a.ts:1-2 - constant', { file: 'src/a.ts' }, 'strong 0'],
  ['a type, which nothing calls', 'src/a.ts:1-2 - interface', { file: 'src/a.ts' }, 'absent'],
  [
    'in the folder of the service',
    `a/src/cart.ts - function\nb/src/cart.ts - function`,
    { file: '/app/src/cart.ts', folder: 'b' },
    'strong 1',
  ],
  [
    'in one of two folders',
    `a/src/cart.ts - function\nb/src/cart.ts - function`,
    { file: '/app/src/cart.ts' },
    'ambiguous',
  ],
  [
    'by more of the path',
    `a/src/cart.ts - function\nb/src/cart.ts - function`,
    { file: '/x/b/src/cart.ts' },
    'strong 1',
  ],
];

for (const [what, definitions, { file = '', line = 0, namespace = '', folder = '' }, expected] of cases) {
  test(what, () => {
    const place = { file: observedFile(file), line, isQualified: namespace !== '', folder };
    const found = matchFunction(place, defined(definitions), {
      isNamed: ({ in: container }) => container === namespace,
      isFileHere: () => file === here,
      holds: ({ lines: [from, to] }, at) => from <= at && at <= to,
    });
    assert.equal(found.kind === 'matched' ? `${found.quality} ${found.one.symbol}` : found.because, expected);
  });
}

test('several sites of one symbol are one', () => {
  const [first] = defined(one) as [Defined];
  const place = { file: observedFile('src/cart.ts'), line: 0, isQualified: false, folder: '' };
  const found = matchFunction(place, [first, { ...first, lines: [2, 3] }], {
    isNamed: () => false,
    isFileHere: () => false,
    holds: () => false,
  });
  assert.equal(found.kind, 'matched');
});
