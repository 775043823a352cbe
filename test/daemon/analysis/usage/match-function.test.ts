import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Candidate, matchFunction } from '../../../../daemon/analysis/usage/match-function.ts';
import { observedFile, type PackageFolder } from '../../../../daemon/analysis/usage/observed-file.ts';

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

/** A file at the root, and one of a package. */
const nested = 'index.ts - function\npackages/cart/src/index.ts - function';
const packages: ReadonlySet<string> = new Set(['npm @acme/cart', 'go acme.org/cart', 'cargo cart']);
const folderOf: PackageFolder = (manager, name) => (packages.has(`${manager} ${name}`) ? 'packages/cart' : undefined);

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
  ['at the root, by its name alone', 'cart.ts:10-20 - function', { file: '/app/cart.ts' }, 'weak 0'],
  ['at the root, by its line', 'cart.ts:10-20 - function', { file: '/app/cart.ts', line: 12 }, 'strong 0'],
  ['at the root, in nobody’s folder', 'cart.ts:10-20 - function', { file: 'cart.ts', line: 12 }, 'exact 0'],
  ['by more of the path than a file at the root has', nested, { file: '/app/cart/dist/index.js' }, 'strong 1'],
  ['of a dependency, not at the root', 'index.js - function', { file: '/app/node_modules/zod/index.js' }, 'foreign'],
  ['built, of a dependency', 'src/index.ts - function', { file: '/a/node_modules/zod/dist/index.js' }, 'foreign'],
  [
    'of a dependency of Go',
    'cart/cart.go - function',
    { file: '/go/pkg/mod/github.com/x/y@v1.2.0/cart/cart.go' },
    'foreign',
  ],
  ['of a dependency of PHP', 'src/Cart.php - function', { file: '/app/vendor/acme/shop/src/Cart.php' }, 'foreign'],
  [
    'of a crate',
    'src/lib.rs - function',
    { file: '/home/dev/.cargo/registry/src/x-1/serde-1.0.2/src/lib.rs' },
    'foreign',
  ],
  ['of a gem', 'lib/cart.rb - function', { file: '/usr/lib/ruby/gems/3.2.0/gems/shop-1.2/lib/cart.rb' }, 'foreign'],
  [
    'of an installed package of Python',
    'shop/cart.py - function',
    { file: '/x/site-packages/other/cart.py' },
    'foreign',
  ],
  ['of our own, installed', 'src/shop/cart.py - function', { file: '/x/site-packages/shop/cart.py' }, 'strong 0'],
  ['of our own, packed', nested, { file: '/app/node_modules/@acme/cart/dist/index.js' }, 'strong 1'],
  ['of our own, as a module', nested, { file: '/home/dev/go/pkg/mod/acme.org/cart@v1.0.1/src/index.ts' }, 'strong 1'],
  ['of our own, as a crate', nested, { file: '/home/dev/.cargo/registry/src/x-1/cart-2.0.1/src/index.ts' }, 'strong 1'],
  ['a copy that the repository keeps', 'vendor/a/b/c.go - function', { file: '/srv/vendor/a/b/c.go' }, 'strong 0'],
  ['of a folder that is called as one of a runtime', 'internal/a.go - function', { file: 'internal/a.go' }, 'strong 0'],
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
    const place = { file: observedFile(file, folderOf), line, isQualified: namespace !== '', folder };
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
  const place = { file: observedFile('src/cart.ts', folderOf), line: 0, isQualified: false, folder: '' };
  const found = matchFunction(place, [first, { ...first, lines: [2, 3] }], {
    isNamed: () => false,
    isFileHere: () => false,
    holds: () => false,
  });
  assert.equal(found.kind, 'matched');
});
