import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Truth, truthOf } from '../../../daemon/extract/languages/c/truth.ts';
import { expectLinks } from '../../support/carets.ts';

test('what no build has is meant by nobody but by what no build has either', async () => {
  await expectLinks(`
    -- dead.h --
    #ifndef DEAD_H
    #define DEAD_H
    #if 0
    int dead(int x);
    #define deadmac(x) x
    int beside(void) { return dead(deadmac(1)); }
                              ^ dead().
                                   ^ deadmac!
    #endif
    #if 1
    int live(int x);
    #else
    int other(int x);
    #endif
    #endif

    -- user.c --
    #include "dead.h"
    int use(int x) { return dead(x) + deadmac(x) + live(x) + other(x); }
                            ^ ?
                                      ^ ?
                                                   ^ live().
                                                             ^ ?
  `);
});

test('what only other platforms have in the place of the library is meant by them alone', async () => {
  await expectLinks(`
    -- win.h --
    #if defined(_MSC_VER) && _MSC_VER < 1900
    #define strcasecmp stricmp
    #define snprintf c99_snprintf
    int c99_snprintf(char *s);
    #endif
    #ifdef HAVE_OWN
    int strlen(const char *s);
    #endif

    -- user.c --
    #include "win.h"
    int same(char *s) { return strcasecmp(s, s) + snprintf(s) + strlen(s); }
                               ^ std c:strcasecmp
                                                  ^ std c:snprintf
                                                                ^ strlen().
    #ifndef _WIN32
    int here(char *s) { return strcasecmp(s, s); }
                               ^ std c:strcasecmp
    #else
    int there(char *s) { return strcasecmp(s, s); }
                                ^ strcasecmp!
    #endif
  `);
});

test('a function that each platform has otherwise is one', async () => {
  await expectLinks(`
    -- now.c --
    #ifdef _WIN32
    long now_ms(void) { return 1; }
    #else
    long now_ms(void) { return 2; }
    #endif
    long twice(void) { return now_ms() * 2; }
                              ^ now_ms().
  `);
});

test('what stands here is meant before what other platforms have of its name', async () => {
  await expectLinks(`
    -- alloc.h --
    #ifndef _WIN32
    static inline void own_free(void *p) {}
    #else
    void own_free(void *p);
    #endif

    -- alloc.c --
    #include "alloc.h"
    #ifdef _WIN32
    void own_free(void *p) {}
    #endif

    -- user.c --
    #include "alloc.h"
    void use(void *p) { own_free(p); }
                        ^ alloc.h static/own_free().
  `);
});

test('conditions that no build needs to be known for', () => {
  const expected: readonly (readonly [string, Truth])[] = [
    ['0', 'never'],
    ['1', 'always'],
    ['0 && defined(X)', 'never'],
    ['!0 /* on */', 'always'],
    ['defined(_WIN32)', 'elsewhere'],
    ['!defined _WIN32', 'at home'],
    ['!(defined(_WIN32) || defined(__APPLE__))', 'at home'],
    ['defined(_WIN32) || defined(HAVE_X)', 'unknown'],
    ['defined(HAVE_X) && defined(__sun)', 'elsewhere'],
    ['_MSC_VER >= 1900', 'elsewhere'],
    ['_MSC_VER < 1900', 'unknown'],
    ['defined(_MSC_VER) && _MSC_VER < 1900', 'elsewhere'],
    ['HAVE_X', 'unknown'],
    ['__has_include(<x.h>)', 'unknown'],
    ['1 + X', 'unknown'],
    ['', 'unknown'],
  ];
  for (const [condition, truth] of expected) assert.equal(truthOf(condition), truth, condition);
});
