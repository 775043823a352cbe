import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../support/outline.ts';

/** Declared in a header and defined in a source file, and what the tails of both are. */
const joined: readonly (readonly [what: string, declared: string, defined: string, tail: string])[] = [
  ['the same types', 'void f(int a);', 'void f(int b) {}', 'f(int).'],
  ['a default', 'void f(int a = 2);', 'void f(int a) {}', 'f(int).'],
  ['where a const stands', 'void f(T const &a);', 'void f(const T &) {}', 'f(const T&).'],
  ['a const of the parameter itself', 'void f(int a, T *b);', 'void f(const int a, T *const b) {}', 'f(int,T*).'],
  ['an array', 'void f(char a[]);', 'void f(char *a) {}', 'f(char*).'],
  ['struct', 'void f(struct T *a);', 'void f(T *a) {}', 'f(T*).'],
  ['namespaces', 'void f(T &a, T b, T *c);', 'void f(n::T &a, ::n::m::T b, ::T *c) {}', 'f(T&,T,T*).'],
  [
    'parameters of a parameter',
    'void f(int (*g)(T *a, int b));',
    'void f(int (*h)(n::T *, int)) {}',
    'f(int(*)(T*,int)).',
  ],
  ['an alias of the source file', 'void f(long a);', 'using L = long; void f(L a) {}', 'f(long).'],
  ['a typedef of the source file', 'void f(long a);', 'typedef long L; void f(L a) {}', 'f(long).'],
  [
    'a typedef for a pointer to a function, in an unnamed namespace',
    'void f(T *(*g)(void *a, const T &b));',
    'namespace { typedef T *(*G)(void *, const T &); } void f(G g) {}',
    'f(T*(*)(void*,const T&)).',
  ],
  [
    'what C can call',
    'class C; extern "C" { void f(unsigned char a); }',
    'extern "C" { void f(uint8_t a) {} }',
    'f().',
  ],
  [
    'what C can call, by itself',
    'class C; extern "C" void f(unsigned char a);',
    'extern "C" void f(uint8_t a) {}',
    'f().',
  ],
];

for (const [what, declared, defined, tail] of joined) {
  test(`a declaration of C++ and its definition are one symbol: ${what}`, async () => {
    assert.deepEqual([await tailOf('a.hpp', declared), await tailOf('a.cc', defined)], [tail, tail]);
  });
}

test('overloads stay apart, and the library’s types keep their namespace', async () => {
  const { definitions } = await factsOf(
    'a.cc',
    'void f(char *a); void f(const char *a); void f(char a); void f(T a); void f(std::T a); void f(char *a, int b);',
  );
  const tails = ['f(char*).', 'f(const char*).', 'f(char).', 'f(T).', 'f(std::T).', 'f(char*,int).'];
  assert.deepEqual(
    definitions.map(one => one.tail),
    tails,
  );
});

async function tailOf(path: string, text: string): Promise<string | undefined> {
  const { definitions } = await factsOf(path, text);
  return definitions.find(({ name }) => name === 'f')?.tail;
}
