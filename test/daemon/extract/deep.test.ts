import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../support/outline.ts';

const many = 20_000;
/** Deeper than functions can call each other, for grammars that take long over what is deep. */
const half = 10_000;
const fewer = 5000;
/** So many lines of a text. */
const lines = (text: string, count = many): string => `${text}\n`.repeat(count);
/** So many brackets of each kind around a text. */
const around = (open: string, inner: string, close: string, count = many): string =>
  lines(open, count) + inner + lines(close, count);

/** By a file's name: code that is one long chain or one deep nest, behind a definition called `first`. */
const deep: readonly (readonly [file: string, what: string, source: string])[] = [
  ['a.ts', 'conditions', `function first(a) { return ${lines('a.b &&')} c; }`],
  ['a.ts', 'tests of classes', `function first(a) { if (${lines('a instanceof A &&')} c) a.x(); }`],
  ['a.ts', 'negations', `function first(a) { if (${lines('!')} c) return; a.x(); }`],
  ['a.ts', 'sums', `const first = ${lines('a +')} b;`],
  ['a.ts', 'calls of calls', `const first = p${lines('.then(a => a)')};`],
  ['a.ts', 'else if', `function first(a) { ${lines('if (a) b(); else')} c(); }`],
  ['a.ts', 'arrays', `const first = ${around('[', '1', ']')};`],
  ['a.tsx', 'elements', `const first = ${around('<a>', '', '</a>')};`],
  ['a.tsx', 'conditions in an element', `const first = a => <p>{${lines('a.b &&')} <b/>}</p>;`],
  ['a.js', 'assignments to exports', `function first() {}\nexports.x = ${lines('exports.a =')} 1;`],
  ['a.py', 'conditions', `first = (${lines('a and')} b)`],
  ['a.py', 'calls of calls', `first = (a${lines('.b()')})`],
  ['a.py', 'else if', `def first():\n if a: pass\n${lines(' elif b: pass')}`],
  ['a.go', 'conditions', `package p\nfunc first() bool { return ${lines('a &&')} b }`],
  ['a.go', 'calls of calls', `package p\nfunc first() { a.${lines('b().')}c() }`],
  ['a.rs', 'nested uses', `fn first() {}\nuse ${around('a::{', 'b', '}', fewer)};`],
  ['a.rs', 'a long path', `fn first() {}\nuse ${lines('a::')}b;`],
  ['a.java', 'conditions', `class first { boolean f() { return ${lines('a &&')} b; } }`],
  ['a.java', 'sums', `class first { String s = ${lines('"a" +')} b; }`],
  ['a.kt', 'conditions', `fun first() = ${lines('a &&', half)} b`],
  ['a.kt', 'tests of classes', `fun first(a: Any) { if (${lines('a is B &&', fewer)} c) a.x() }`],
  ['a.c', 'sums', `int first(void) { return ${lines('a +')} b; }`],
  ['a.cpp', 'shifts', `void first() { ${lines('a <<')} b; }`],
  ['a.cpp', 'a long namespace', `void first() {}\nnamespace ${lines('a::', fewer)}b {}`],
  ['a.dart', 'conditions', `bool first() => ${lines('a &&', half)} b;`],
  ['a.rb', 'nested targets', `def first; end\n${'('.repeat(3000)}a,b${')'.repeat(3000)} = c`],
  ['a.cs', 'calls in calls', `class first { int x = ${around('f(', '1', ')')}; }`],
  ['a.cs', 'functions', `class first { object x = ${lines('() =>')} a; }`],
  ['a.cs', 'patterns', `class first { bool x = a is ${lines('A or')} B; }`],
  ['a.cs', 'types', `class first { B${lines('[]')} x; }`],
  ['a.cs', 'a long namespace', `using ${lines('A.')}B;\nclass first {}`],
  ['a.cs', 'conditional code', `class first {}\n${around('#if A', 'class B {}\n', '#endif', fewer)}`],
  ['a.php', 'conditions', `<?php function first($a) { return ${lines('$a &&')} $b; }`],
  ['a.php', 'negations', `<?php function first($a) { if (${lines('!')} $c) return; $a->x(); }`],
  ['a.php', 'calls of calls', `<?php function first() {} $x = $a${lines('->b()')};`],
  ['a.php', 'assignments', `<?php function first() {} ${lines('$a =')} 1;`],
  ['a.php', 'nested targets', `<?php function first() {} ${around('[', '$a', ']', fewer)} = $b;`],
];

for (const [file, what, source] of deep) {
  test(`${file}: ${what} without end cost neither the file nor what stands beside them`, async () => {
    const { definitions } = await factsOf(file, source);
    assert.ok(definitions.some(({ name }) => name === 'first'));
  });
}
