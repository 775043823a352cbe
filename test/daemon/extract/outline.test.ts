import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DocumentFacts } from '../../../daemon/model/facts.ts';
import { packageRoot } from '../../../daemon/package-root.ts';
import { factsOf, outline } from '../../support/outline.ts';

/**
 * Every file of `test/fixtures/languages` against the golden text beside it: definitions, imports, and what each
 * reference denotes. `UPDATE_GOLDEN=1` rewrites the golden texts; read the difference before you keep it.
 */
const folder = join(packageRoot, 'test/fixtures/languages');
const fixtures = readdirSync(folder).filter(file => !file.endsWith('.golden'));

for (const fixture of fixtures) {
  test(`${fixture} reads as its golden text says`, async () => {
    const facts = await factsOf(fixture, readFileSync(join(folder, fixture), 'utf8'));
    const golden = join(folder, `${fixture}.golden`);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, reading(facts));
    assert.equal(reading(facts), readFileSync(golden, 'utf8'));
  });
}

test('a definition of Dart ends where its body does, though that stands beside it', async () => {
  const source = `class C {
  C.named() : a = 1 {}
  int a = 2;
  int m(int x) =>
      x + a;
  set s(int x) {
    a = x;
  }
}
int top() {
  int local() => 1;
  return local();
}
`;
  const { definitions } = await factsOf('a.dart', source);
  assert.deepEqual(
    definitions.map(({ tail, range }) => `${tail} ${range.startLine}-${range.endLine}:${range.endColumn}`),
    [
      'C# 0-8:1',
      'C#named(). 1-1:22',
      'C#a. 2-2:11',
      'C#m(). 3-4:12',
      'C#s. 5-7:3',
      'top(). 9-12:1',
      'top().local(). 10-10:19',
    ],
  );
});

test("a crate's documentation is not that of what stands below it", async () => {
  const facts = await factsOf('lib.rs', '//! Of the crate.\n/// Of S.\nstruct S;\n');
  assert.deepEqual(
    facts.definitions.map(one => one.documentation),
    ['Of S.'],
  );
});

test('a comment at the end of a line documents nothing on the next, nor is it part of a signature', async () => {
  const described = async (path: string, source: string): Promise<string[]> =>
    (await factsOf(path, source)).definitions.map(one => `${one.signature} | ${one.documentation}`);
  assert.deepEqual(
    await described('a.c', 'struct s {\n  int a; /* Of a. */\n  int b;\n  /* Of c. */\n  int c; /* No */ int d;\n};\n'),
    ['struct s | ', 'int a | ', 'int b | ', 'int c | Of c.', 'int d | No'],
  );
  assert.deepEqual(
    await described(
      'a.rb',
      'module M # Of M.\n  # More.\n  # Of f.\n  def f(a) # Here.\n    a\n  end\n  def g; end\n  # Of h.\n  private def h; end\nend\n',
    ),
    ['module M | ', 'def f(a) | More.\nOf f.', 'def g; end | ', 'def h; end | Of h.'],
  );
});

test('what a constructor of Dart begins with stands within it', async () => {
  const facts = await factsOf(
    'a.dart',
    'class A extends B { A() : super(f()); A.two() : this(); A.three() : x = g(), super.named() { h(); } }',
  );
  const enclosing = facts.references
    .filter(one => one.kind === 'call')
    .map(one => `${one.name} in ${facts.definitions[one.enclosing]!.tail}`);
  assert.deepEqual(enclosing, [
    'B in A#A().',
    'f in A#A().',
    'A in A#two().',
    'g in A#three().',
    'named in A#three().',
    'h in A#three().',
  ]);
});

test('a header is C or C++ by what it says', async () => {
  const readAs = async (source: string): Promise<string | undefined> => (await factsOf('a.h', source)).language;
  const inC = [
    'int f(const char *typename);',
    'struct s { int typename, *class; };',
    '/* struct s: what a { holds */\nstruct s { unsigned x : 3; struct t : 4; };',
    'static int f(const char *s) { if (strcmp(s, "struct s: ") == 0) { return 1; } }',
    'void g(void);',
    'struct s { int (*get)(void); u8 x __aligned(8); int y ALIGNED(8); QTAILQ_ENTRY(s) next; };',
    'struct s { ENTRY(s); LIST(s) all; };',
    'struct s { int x; /* calls get it(x); */ union { int y; } u; };\nint f(struct s *s) { return g(s); }',
    'static struct s all[] = { { f(1) } };\nstruct s f(int);\nint friendly; /*\nvirtual memory */',
    '// a::b\n[[gnu::noreturn]] void f(const char *); /* a::b */\n#define NAME "a::b"\nchar of(void);',
    `struct s ${'struct s '.repeat(20_000)}`,
    'a'.repeat(200_000),
    '[['.repeat(100_000),
    `struct s {${' '.repeat(200_000)}`,
  ];
  for (const source of inC) {
    assert.equal(await readAs(source), 'c', source.slice(0, 200));
  }
  const inCpp = [
    'class A;',
    'void *p = nullptr;',
    'typedef typename T::x y;',
    'int f(std::string);',
    'void f(plugins::Registry *to);',
    'struct S { int get(); int put(int); };',
    'struct S {\n  int x;\n  const T& first(int a, T<b> c) const;\n};',
    'struct S : Base {\n  int x() { return 1; }\n};',
    'struct S : Base {\n  int x;\n};',
    'struct S final : public a::Base<int>, Other {};',
    'struct S { S() = default; };',
    'struct S { S(int n); };',
    'struct S {\n  S(int n) : n(n) {}\n  int n;\n};',
    'struct S {\n  int n;\n  ~S();\n};',
    'enum class Colour { red };',
    'struct S {\n  virtual ~S();\n};',
    'bool operator==(A a, A b);',
  ];
  for (const source of inCpp) {
    assert.equal(await readAs(source), 'cpp', source);
  }
});

test('a structure that a variable is declared with stands beside it', async () => {
  const facts = await factsOf(
    'a.c',
    'struct named { int x; struct inner { int y; } field; } one;\nstruct { int z; } two;\n',
  );
  assert.deepEqual(facts.definitions.map(one => one.tail).sort(), [
    'one.',
    'static/named#',
    'static/named#field.',
    'static/named#inner#',
    'static/named#inner#y.',
    'static/named#x.',
    'two.',
    'two.z.',
  ]);
});

/** Texts of which parsers make functions or variables called `if`, and one where a name may be that. */
const keywordNames: Readonly<Record<string, readonly [text: string, names: string]>> = {
  'a.cs': ['class A { void M() { int x;\n#if B\n foo else if (x is C) { }\n#endif\n } }', 'A M'],
  'a.c': ['int f(void) { return 1; } else if (x) { y(); }\nint g(void) { return 2; }\n', 'f g'],
  'a.cpp': ['void if(int a) { }\nvoid g() {}\n', 'g'],
  'A.java': ['class A { void m() { } else if (x) { } void n() {} }', 'A m n'],
  'a.dart': ['void f() { } else if (x) { }\nvoid g() {}\n', 'f g'],
  'a.rb': ['class A; def if; end; end\n', 'A if'],
  'a.php': ['<?php class A { function for() {} }', 'A for'],
  'a.go': ['package p\nfunc if() {}\nfunc g() {}\n', 'g'],
  'a.py': ['def if(): pass\ndef g(): pass\n', 'g'],
};

for (const [path, [text, names]] of Object.entries(keywordNames)) {
  test(`${path}: no keyword is a name, but where it may be`, async () => {
    assert.equal((await factsOf(path, text)).definitions.map(one => one.name).join(' '), names);
  });
}

const nests: Readonly<Record<string, (depth: number) => string>> = {
  'a.java': depth => `class A { int f() { return ${'('.repeat(depth)}1${')'.repeat(depth)}; } }`,
  'a.c': depth => `int f() { ${'{'.repeat(depth)}${'}'.repeat(depth)} }`,
  'a.cpp': depth => `${'namespace n {'.repeat(depth)}int x;${'}'.repeat(depth)}`,
  'a.rs': depth => `fn f() { ${'{'.repeat(depth)}${'}'.repeat(depth)} }`,
  'a.kt': depth => `fun f() { ${'if (a) {'.repeat(depth)}${'}'.repeat(depth)} }`,
  'a.dart': depth => `void f() { ${'{'.repeat(depth)}${'}'.repeat(depth)} }`,
  'a.rb': depth => `${'module M\n'.repeat(depth)}${'end\n'.repeat(depth)}`,
  'a.cs': depth => `class A { int f() { return ${'('.repeat(depth)}1${')'.repeat(depth)}; } }`,
  'a.php': depth => `<?php function f() { ${'{'.repeat(depth)}${'}'.repeat(depth)} }`,
};

for (const [path, nest] of Object.entries(nests)) {
  test(`${path}: 5,000 levels of nesting exhaust no stack`, async () => {
    const facts = await factsOf(path, nest(5000));
    assert.ok(facts.definitions.length > 0);
  });
}

function reading(facts: DocumentFacts): string {
  const imports = facts.imports.map(one => `import ${one.name} from ${one.specifier} as ${one.local || '-'}`);
  const references = facts.references.map(
    one => `${one.line + 1}:${one.column + 1} ${one.kind} ${one.name} → ${meaning(facts, one.expression)}`,
  );
  return `${[outline(facts), ...imports, ...references].join('\n')}\n`;
}

function meaning(facts: DocumentFacts, index: number): string {
  const one = facts.expressions[index]!;
  switch (one.op) {
    case 'slot':
      return facts.definitions[one.slot]!.tail;
    case 'import':
      return `import ${facts.imports[one.import]!.name}`;
    case 'free':
      return one.name;
    case 'member':
      return `${meaning(facts, one.of)}.${one.name}`;
    case 'otherwise':
      return `(${meaning(facts, one.of)} else ${meaning(facts, one.other)})`;
    case 'unknown':
      return '?';
    default:
      return 'of' in one ? `${one.op}(${meaning(facts, one.of)})` : one.op;
  }
}

test('it is a class of Ruby that has a base, not what stands around it', async () => {
  const facts = await factsOf(
    'a.rb',
    'class A; end\nclass B < A; end\nmodule M; class C < ::A; end; end\nD = Class.new(A)\n',
  );
  assert.deepEqual(
    facts.references
      .filter(one => one.kind === 'implementation')
      .map(one => `${facts.definitions[one.enclosing]?.tail} ${one.name}`),
    ['B# A', 'M#C# A', 'D# A'],
  );
});

test('a member of Dart that is its class’s says so', async () => {
  const { definitions } = await factsOf(
    'a.dart',
    'class C { static int m() => 1; static int get g => 2; int n() => 3; }\n',
  );
  assert.deepEqual(
    definitions.map(one => one.signature),
    ['class C', 'static int m()', 'static int get g', 'int n()'],
  );
});

test('what C# makes by new() alone is what is declared', async () => {
  const source =
    'class C { A f = new(1); N.A<int>? P { get; } = new(); void M() { A a = new() { X = 1 }; var b = new A(); F(new()); } }\n';
  const facts = await factsOf('a.cs', source);
  assert.deepEqual(
    facts.references
      .filter(one => one.kind === 'call' && one.name === 'A')
      .map(one => `${facts.definitions[one.enclosing]?.tail} ${one.column}`),
    ['C#f. 16', 'C#P. 47', 'C#M(). 71', 'C#M(). 100'],
  );
});
