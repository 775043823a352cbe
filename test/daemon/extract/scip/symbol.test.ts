import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isScipSymbol, parseScipSymbol } from '../../../../daemon/extract/scip/symbol-grammar.ts';
import { kindOfScip, kindOfSignature } from '../../../../daemon/extract/scip/symbol-kind.ts';
import { nameOfScip, tailOfScip } from '../../../../daemon/extract/scip/symbol-tail.ts';

/** The parts, then the descriptors as `suffix name disambiguator`. */
const parsed: readonly (readonly [string, readonly string[]])[] = [
  ['s npm @a/b 1.0.0 src/`a.ts`/f().', ['s', 'npm', '@a/b', '1.0.0', 'namespace src', 'namespace a.ts', 'method f']],
  ['s . . . x.', ['s', '', '', '', 'term x']],
  ['a  b m  n p . X#', ['a b', 'm n', 'p', '', 'type X']],
  ['s m p v A#b(+1).(c)', ['s', 'm', 'p', 'v', 'type A', 'method b +1', 'parameter c']],
  ['s m p v A#[T]', ['s', 'm', 'p', 'v', 'type A', 'type-parameter T']],
  ['s m p v `a``b c`:m!', ['s', 'm', 'p', 'v', 'meta a`b c', 'macro m']],
  ['s m p v `#x`.', ['s', 'm', 'p', 'v', 'term #x']],
  ['s m p v größe.', ['s', 'm', 'p', 'v', 'term größe']],
  [
    'cxx . . $ std/vector#push_back(a1b2).',
    ['cxx', '', '', '$', 'namespace std', 'type vector', 'method push_back a1b2'],
  ],
  ['local 12', ['local', '12']],
];

test('takes symbols apart', () => {
  for (const [text, parts] of parsed) {
    assert.deepEqual(partsOf(text), parts, text);
    if (!text.startsWith('local ')) assert.equal(wellFormed(text), true, text);
  }
});

const malformed = [
  '',
  ' ',
  's',
  's m p v',
  's m p v ',
  's m p  v x.',
  ' m p v x.',
  's m p v x',
  's m p v .',
  's m p v x.y',
  's m p v `x.',
  's m p v ``.',
  's m p v `x``.',
  's m p v x(.',
  's m p v x()',
  's m p v [T',
  's m p v ()',
  's m p v x. y.',
  's m p v a]#',
];

test('tells a malformed symbol, as text and as bytes', () => {
  for (const text of malformed) {
    assert.equal(parseScipSymbol(text).form, 'malformed', text);
    assert.equal(wellFormed(text), false, text);
  }
  assert.equal(parseScipSymbol('local ').form, 'malformed');
});

test('looks at no byte beyond the symbol', () => {
  const bytes = Buffer.from('s m p v x`.` y.');
  assert.equal(isScipSymbol(bytes, 0, 9), false);
  assert.equal(isScipSymbol(Buffer.from('s m p v `a`.`'), 0, 12), true);
  assert.equal(isScipSymbol(Buffer.from('s m p v `a``.'), 0, 11), false);
});

/** Symbol, name, tail. */
const tails: readonly (readonly [string, string, string])[] = [
  ['s npm p 1 src/`a.ts`/A#m().', 'm', 'A#m().'],
  ['s npm p 1 src/`a.ts`/', 'a.ts', ''],
  ['s npm p 1 src/`a.ts`/code12:', 'code', 'code.'],
  ["s npm p 1 src/`a.ts`/`'ts-ignore'0`:", 'ts-ignore', 'ts-ignore.'],
  ["s npm p 1 src/`a.ts`/A#`'--'`.", '--', 'A#--.'],
  ['s npm p 1 `a.d.ts`/Options#typeLiteral28:start.', 'start', 'Options#start.'],
  ['s npm p 1 `a.ts`/Ns/x.', 'x', 'Ns/x.'],
  ['s npm p 1 `a.ts`/A#`<get>size`().', 'size', 'A#size.'],
  ['s npm p 1 `a.ts`/A#`<constructor>`().', 'constructor', 'A#`<constructor>`().'],
  ['s python p 1 `a.b`/C#__init__().', '__init__', 'C#__init__().'],
  ['s python p 1 `a.b`/__init__:', 'a.b', ''],
  ['s maven p 1 com/acme/A#f(+1).', 'f', 'com/acme/A#f(+1).'],
];

test('gives names and tails without files and counters', () => {
  for (const [text, name, tail] of tails) {
    const symbol = parseScipSymbol(text);
    assert.ok(symbol.form === 'global', text);
    assert.deepEqual([nameOfScip(symbol.descriptors), tailOfScip(symbol.descriptors)], [name, tail], text);
  }
});

/** Descriptors, SCIP's kind, first piece of documentation, our kind. */
const kinds: readonly (readonly [string, number, string, string])[] = [
  ['A#m().', 0, '```ts\n(method) m(): void\n```', 'method'],
  ['f().', 0, '```ts\nfunction f(): void\n```', 'function'],
  ['f().(x)', 0, '```ts\n(parameter) x: string\n```', 'parameter'],
  ['A#', 0, '```ts\ninterface A\n```', 'interface'],
  ['A#', 0, '```ts\ntype A\n```', 'type'],
  ['A#B.', 0, '```ts\n(enum member) B = 1\n```', 'enum-member'],
  ['A#p.', 0, '```ts\n(property) p: string\n```', 'property'],
  ['v.', 0, '```ts\nvar v: () => void\n```', 'variable'],
  ['`<constructor>`().', 0, '```ts\nclass A\n```', 'constructor'],
  ['code0:', 0, '```ts\n(property) code: string\n```', 'property'],
  ['A#', 0, '```python\n@dataclass\nclass A(B):\n```', 'class'],
  ['A#f().', 0, '```python\n@property\ndef f(self):\n```', 'method'],
  ['f().', 0, '```python\nasync def f():\n```', 'function'],
  ['v.', 0, '```python\nclass A\n```', 'variable'],
  ['`a.b`/__init__:', 0, '(module) a.b', 'module'],
  ['A#__init__().', 0, '', 'constructor'],
  ['A#x.', 0, '', 'field'],
  ['m!', 0, '', 'macro'],
  ['A#', 49, '```ts\nclass A\n```', 'struct'],
  ['A#', 9999, '', 'class'],
  ['', 0, '```ts\n(parameter) x: string\n```', 'parameter'],
  ['', 0, '', 'variable'],
];

test('tells kinds by what the indexer says, by signatures, by descriptors', () => {
  for (const [descriptors, kind, documentation, expected] of kinds) {
    const symbol = parseScipSymbol(`s m p v ${descriptors}`);
    const parts = symbol.form === 'global' ? symbol.descriptors : [];
    assert.equal(kindOfScip(kind, kindOfSignature(documentation), parts), expected, descriptors);
  }
});

function partsOf(text: string): string[] {
  const symbol = parseScipSymbol(text);
  if (symbol.form === 'local') return ['local', symbol.name];
  assert.ok(symbol.form === 'global', text);
  const { scheme, manager, package: name, version, descriptors } = symbol;
  return [
    ...[scheme, manager, name, version],
    ...descriptors.map(one => `${one.suffix} ${one.name} ${one.disambiguator}`.trimEnd()),
  ];
}

function wellFormed(text: string): boolean {
  const bytes = Buffer.from(text);
  return isScipSymbol(bytes, 0, bytes.length);
}
