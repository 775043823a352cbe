import assert from 'node:assert/strict';
import { test } from 'node:test';
import { symbolHash } from '../../../daemon/model/identity.ts';
import { scopeOfTail } from '../../../daemon/model/mount.ts';
import { expectLinks } from '../../support/carets.ts';
import { mountFile } from '../../support/linked-tree.ts';

test('a static function is its file’s own, an external one is one with its prototypes', async () => {
  await expectLinks(`
    -- list.h --
    int list_size(int list);

    -- one.c --
    #include "list.h"
    static int init(void) { return 1; }
    int one(void) { return init() + list_size(2); }
                           ^ one.c static/init().
                                    ^ list_size().

    -- two.c --
    #include "list.h"
    static int init(void) { return 2; }
    int two(void) { return init() + list_size(3) + one(); }
                           ^ two.c static/init().
                                    ^ list_size().
                                                   ^ one().

    -- list.c --
    #include "list.h"
    int list_size(int list) { return list; }
  `);
});

test('what an anonymous namespace holds is its file’s own', async () => {
  await expectLinks(`
    -- a.cpp --
    namespace { int helper() { return 1; } struct Box { int size; }; }
    int useA() { Box b; return helper(); }
                 ^ a.cpp static/Box#
                               ^ a.cpp static/helper().
    -- b.cpp --
    namespace { int helper() { return 2; } struct Box { int size; }; }
    int useB() { Box b; return helper(); }
                 ^ b.cpp static/Box#
                               ^ b.cpp static/helper().
  `);
});

test('ids of what is private to a file differ between files, those of what is not are the same', async () => {
  const text = 'static int init(void) { return 1; }\nint shared(void);\n';
  const [one, two] = [(await mountFile('one.c', text))!, (await mountFile('two.c', text))!];
  const ids = [one, two].map(document =>
    document.facts.definitions.map(({ tail }) => symbolHash(scopeOfTail(document, tail), tail)),
  );
  assert.deepEqual(
    one.facts.definitions.map(definition => definition.tail),
    ['static/init().', 'shared().'],
  );
  assert.notEqual(ids[0]![0], ids[1]![0]);
  assert.equal(ids[0]![1], ids[1]![1]);
});

test('a macro that the grammar has no place for is referred to all the same, from the definition around it', async () => {
  await expectLinks(`
    -- api.h --
    #define LIB_API __attribute__((visibility("default")))
    #define TEST_BEGIN(x) do {
    #define gen(a, b) int b;
    #define ON_END
    class LIB_API Shape {
          ^ LIB_API!
    };
    LIB_API void draw(int);
    ^ LIB_API!
    LIB_API area_t (*hook)(void) TEST_BEGIN(1);
    ^ LIB_API!
                                 ^ TEST_BEGIN!

    -- use.cpp --
    #include "api.h"
    #define OWN_API
    gen(int, tree)
    ^ gen!
    OWN_API void mine(int x) { /* LIB_API */
    ^ use.cpp static/OWN_API!
      TEST_BEGIN("ON_END") // LIB_API
      ^ TEST_BEGIN!
      x = 1;
    }
  `);
  const { definitions, references } = (await mountFile('a.c', '#define A_B\nint f(void) {\n  A_B\n  return 1;\n}\n'))!
    .facts;
  assert.deepEqual(
    references.map(one => [one.name, one.kind, definitions[one.enclosing]?.name]),
    [['A_B', 'read', 'f']],
  );
  const [hook] = (await mountFile('b.c', 'LIB_API area_t (*hook)(void) LIB_ATTR;\n'))!.facts.definitions;
  assert.equal(hook?.signature, 'LIB_API area_t (*hook)(void) LIB_ATTR');
});
