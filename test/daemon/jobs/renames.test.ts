import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leadsOn } from './tree-history.ts';

/** Which symbols an edit of one file leads on to which, by their tails: `old → new`, sorted. */
async function renamed(path: string, before: string, edit: (text: string) => string): Promise<readonly string[]> {
  const after = edit(before);
  assert.notEqual(after, before);
  const found = await leadsOn({ [path]: before }, { [path]: after });
  return found.map(line => line.replaceAll(`${path} `, ''));
}

const python = `class App:
    """An App is what App says."""

    def run(self, host, port):
        """Like "app run": run it with run()."""
        if port is None:
            port = self.run(host, 80)
        return serve(host, port)

    def name(self):
        return self._name


def make():
    def inner(): pass
    return App(inner, 1, 2, 3)
`;

test('a renaming is known again whether or not what mentions the name was renamed too', async () => {
  const edits: readonly ((text: string) => string)[] = [
    text => text.replace('def run', 'def launch'),
    text => text.replaceAll(/\brun\b/g, 'launch'),
    text => text.replace('def run', 'def launch').replace('self.run', 'self.launch'),
  ];
  for (const edit of edits) assert.deepEqual(await renamed('app.py', python, edit), ['App#run(). → App#launch().']);
});

test('what stands in something renamed goes with it, short or long, and what was renamed in it as well', async () => {
  const members = ['App#name(). → Site#name().', 'App#run(). → Site#run().'];
  const line = await renamed('app.py', python, text => text.replace('class App', 'class Site'));
  assert.deepEqual(line, ['App# → Site#', ...members]);
  const both = await renamed('app.py', python, text =>
    text.replace('class App', 'class Site').replace(' run(', ' go('),
  );
  assert.deepEqual(both, ['App# → Site#', 'App#name(). → Site#name().', 'App#run(). → Site#go().']);
  const nested = await renamed('app.py', python, text => text.replace('def make', 'def build'));
  assert.deepEqual(nested, ['make(). → build().', 'make().inner(). → build().inner().']);
});

test('constructors bear the name of their class, and tails the names of parameter types', async () => {
  const java = `package p;
class Box { final int a; Box(int a) { this.a = a; } static Box of(Box b) { return b; } int twice() { return a + a; } }
class User { void take(Box b) {} void take(Other o) {} }
`;
  assert.deepEqual(await renamed('p/Box.java', java, text => text.replaceAll(/\bBox\b/g, 'Crate')), [
    'Box# → Crate#',
    'Box#Box(int). → Crate#Crate(int).',
    'Box#a. → Crate#a.',
    'Box#of(Box). → Crate#of(Crate).',
    'Box#twice(). → Crate#twice().',
    'User#take(Box). → User#take(Crate).',
  ]);
  const line = await renamed('p/Box.java', java, text => text.replace('class Box', 'class Crate'));
  const stale = ['Box# → Crate#', 'Box#Box(int). → Crate#Box(int).'];
  assert.deepEqual(line.slice(0, 2), stale, 'the constructor is not renamed yet');
});

test('overloads are one symbol, and functions that are classes take their methods along', async () => {
  const typescript = `export function pick(a: number): number;
export function pick(a: string): string;
export function pick(a: never): unknown { return a; }
`;
  const pick = await renamed('a.ts', typescript, text => text.replaceAll('pick', 'choose'));
  assert.deepEqual(pick, ['pick(). → choose().']);
  const javascript = `function Dog(name, age, owner) { this.name = name; this.age = age; }
Dog.prototype.bark = function () { return 1; };
`;
  const dog = await renamed('a.js', javascript, text => text.replaceAll('Dog', 'Cat'));
  assert.deepEqual(
    dog.filter(line => /^Dog(?:\(\)\.|#bark)/.test(line)),
    ['Dog#bark(). → Cat#bark().', 'Dog(). → Cat().'],
  );
});

test('what a header declares is known by its body in the source file', async () => {
  const tree = (name: string) => ({
    'a.c': `int ${name}(int a, int b) { return a * b + a - b; }\n`,
    'a.h': `int ${name}(int a, int b);\n`,
  });
  assert.deepEqual(await leadsOn(tree('count'), tree('count_all')), ['a.h count(). → a.h count_all().']);
});

test('what is not clear stays gone: twins, short bodies, other kinds, other containers', async () => {
  const twins = `def one(x, y):
    return x * y + x - y * x
def two(x, y):
    return x * y + x - y * x
`;
  assert.deepEqual(await renamed('a.py', twins, text => text.replace('def one', 'def three')), []);
  assert.deepEqual(await renamed('a.py', 'def one(): pass\n', text => text.replace('one', 'two')), []);
  const variable = 'export const limit = [1, 2, 3, 4, 5, 6, 7, 8];\n';
  assert.deepEqual(await renamed('a.ts', variable, text => text.replace('const limit', 'let bound')), []);
  const moved = `class A:
    def go(self, x): return x + x * x - x
class B:
    pass
`;
  const toB = (text: string) =>
    text.replace(/ {4}def go.*\n/, '').replace('    pass', '    def went(self, x): return x + x * x - x');
  assert.deepEqual(await renamed('a.py', moved, toB), []);
});

test('two that were renamed at once are told apart, though each speaks of the other', async () => {
  const pair = `def even(n):
    return True if n == 0 else odd(n - 1)
def odd(n):
    return False if n == 0 else even(n - 1)
`;
  const edit = (text: string) => text.replaceAll('even', 'is_even').replaceAll('odd', 'is_odd');
  assert.deepEqual(await renamed('a.py', pair, edit), ['even(). → is_even().', 'odd(). → is_odd().']);
});
