import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, outline, unindented } from '../../support/outline.ts';

const outlines: readonly (readonly [name: string, source: string, expected: string])[] = [
  [
    'types, fields, embedded fields, interface methods',
    `
    package p

    type Kind int
    type Alias = map[string]Kind
    type (
    	Set[K comparable, V any] struct {
    		*Base
    		io.Reader
    		Other[int]
    		a, B int
    		in struct{ q int }
    		list []struct{ r int }
    		_ int
    	}
    	Walker interface {
    		fmt.Stringer
    		Walk(x int) (n int, err error)
    		~int | ~string
    	}
    )
    var point struct{ x, y int }
    var tests, sizes = []struct{ name string }{{name: "x"}}, map[string]*struct{ w int }{}
    var one, made, f = [...]*struct{ z int }{}, make([]struct{ no int }, 1), func() struct{ no int } { return struct{ no int }{} }
    `,
    `
    3 type Kind# +
    4 type Alias# +
    6 struct Set# +
    7 field Set#Base. +
    8 field Set#Reader. +
    9 field Set#Other. +
    10 field Set#a. ~
    10 field Set#B. +
    11 field Set#in. ~
    11 field Set#in.q. ~
    12 field Set#list. ~
    12 field Set#list.r. ~
    15 interface Walker# +
    17 method Walker#Walk(). +
    21 variable point. ~
    21 field point.x. ~
    21 field point.y. ~
    22 variable tests. ~
    22 variable sizes. ~
    22 field tests.name. ~
    22 field sizes.w. ~
    23 variable one. ~
    23 variable made. ~
    23 variable f. ~
    23 field one.z. ~
    `,
  ],
  [
    'functions, methods (of types of other files too), constants, variables, types inside functions',
    `
    package p

    func (s *Here[K]) M() {}
    func (Away) N() {}
    type Here[K any] struct{}
    func init() {}
    func init() {}
    func _() {}
    const (
    	A Kind = iota
    	b
    	C, D = 1, 2
    )
    var x, _ = f()
    func F() {
    	const local = 1
    	type row struct{ cell int }
    	go func() { type inner interface{ call() } }()
    }
    `,
    `
    3 method Here#M(). +
    4 method Away#N(). +
    5 struct Here# +
    6 function static/init(). ~
    7 function static/init(+1). ~
    10 constant A. +
    11 constant b. ~
    12 constant C. +
    12 constant D. +
    14 variable x. ~
    15 function F(). +
    17 struct F().row# ~
    17 field F().row#cell. ~
    18 interface F().inner# ~
    18 method F().inner#call(). ~
    `,
  ],
];

for (const [name, source, expected] of outlines) {
  test(`Go outline: ${name}`, async () => {
    assert.equal(outline(await factsOf('m.go', unindented(source))), unindented(expected));
  });
}

test('Go signatures, doc comments and the package clause', async () => {
  const facts = await factsOf(
    'm.go',
    unindented(`
    // Package words.
    package words

    // Open opens.
    //
    //go:noinline
    // It may fail.
    func Open(name string) (*T, error) { return nil, nil }

    /* T is
     * a thing. */
    type T struct {
    	// A is first.
    	A int
    	B int // B is second.
    }

    // Far away.

    const (
    	// One doc.
    	One = iota
    	Two // Two doc.
    )

    func bare() {}
    `),
  );
  assert.equal(facts.packageName, 'words');
  assert.deepEqual(
    facts.definitions
      .toSorted((a, b) => a.nameRange.startLine - b.nameRange.startLine)
      .map(one => [one.name, one.signature, one.documentation]),
    [
      ['Open', 'func Open(name string) (*T, error)', 'Open opens.\n\nIt may fail.'],
      ['T', 'type T struct', 'T is\na thing.'],
      ['A', 'A int', 'A is first.'],
      ['B', 'B int', 'B is second.'],
      ['One', 'const One = iota', 'One doc.'],
      ['Two', 'const Two', 'Two doc.'],
      ['bare', 'func bare()', ''],
    ],
  );
});

test('Go references say how a name is used and from where: closures count for their function', async () => {
  const facts = await factsOf(
    'm.go',
    'package p\nfunc f(t T) {\n\tgo func() { q() }()\n\tv = w\n\tn++\n\t_ = S{a: b}\n}\nvar z = y\n',
  );
  assert.deepEqual(
    facts.references.map(one => [one.name, one.kind, facts.definitions[one.enclosing]?.tail ?? '']),
    [
      ['T', 'type', 'f().'],
      ['q', 'call', 'f().'],
      ['v', 'write', 'f().'],
      ['w', 'read', 'f().'],
      ['n', 'write', 'f().'],
      ['S', 'type', 'f().'],
      ['a', 'write', 'f().'],
      ['b', 'read', 'f().'],
      ['y', 'read', 'z.'],
    ],
  );
});

test('what a type of Go embeds, or is asserted to implement, it implements', async () => {
  const facts = await factsOf(
    'm.go',
    `package p
type I interface { J; io.Closer; M(K) }
type S struct { *Base; pkg.Other[Arg]; named Field; in struct { Deep } }
type F func()
var _ I = (*S)(nil)
var _ q.I = new(S)
var (
	_ I = S{}
	_ I = F(nil)
	_ I = other()
)
`,
  );
  assert.deepEqual(
    facts.references
      .filter(one => one.kind === 'implementation')
      .map(one => `${one.line + 1} ${facts.definitions[one.enclosing]?.tail} ${one.name}`),
    ['2 I# J', '2 I# Closer', '3 S# Base', '3 S# Other', '5 S# I', '6 S# I', '8 S# I', '9 F# I'],
  );
});

const hostile: readonly (readonly [name: string, source: string])[] = [
  ['empty', ''],
  ['unclosed', 'package p\nfunc f( {\n\ttype x struct {\n'],
  ['deep parentheses', `package p\nvar x = ${'('.repeat(20_000)}`],
  ['deep calls', `package p\nvar x = a${'.b()'.repeat(20_000)}`],
  ['deep types', `package p\nvar x ${'[]'.repeat(20_000)}int`],
  ['deep structs', `package p\ntype x ${'struct{a '.repeat(3000)}`],
  ['deep literals', `package p\nvar x = T${'{'.repeat(10_000)}`],
  ['deep blocks', `package p\nfunc f() {${'{'.repeat(10_000)}`],
];

for (const [name, source] of hostile) {
  test(`Go survives ${name}`, async () => {
    const facts = await factsOf('m.go', source);
    assert.equal(facts.language, 'go');
    for (const one of facts.references)
      assert.ok(facts.expressions[one.expression], 'every reference has an expression');
  });
}
