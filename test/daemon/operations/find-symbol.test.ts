import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { theOneNamed } from '../../../daemon/operations/symbols/find-symbol.ts';
import { type SearchOutput, symbolSearch } from '../../../daemon/operations/symbols/search.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { plainSearch } from '../../support/plain-search.ts';
import { type HandMade, symbolTarget } from '../../support/synthetic.ts';
import { hashOf, indexUnderTest } from '../store/index-under-test.ts';

const index = indexUnderTest();

/** Asks about what was published last. */
function asking<T>(
  work: (ask: { named(text: string): ReturnType<typeof found>; search(q: string): SearchOutput }) => T,
): T {
  const reader = openIndexReader(index.file);
  try {
    const search = symbolSearch(reader, 2 ** 20);
    const repo = { id: 'app', indexFile: index.file, key: 'r' };
    const asked = { repo, current: undefined, cursorSecret: '00', dirtyFiles: 0, now: 0 };
    const input = { limit: 50, ...plainSearch } as const;
    return work({
      named: text =>
        found(search.named(asked, text).candidates, () => theOneNamed(search.named(asked, text), text, 'app')),
      search: q => JSON.parse(Buffer.from(search.answer(asked, { ...input, q })).toString()) as SearchOutput,
    });
  } finally {
    reader.close();
  }
}

/** The label of the one, or the reason why there is none. */
function found(candidates: readonly { readonly hash: string; readonly label: string }[], theOne: () => string): string {
  try {
    const hash = theOne();
    return candidates.find(one => one.hash === hash)!.label;
  } catch (error) {
    if (error instanceof Fault) return `${error.reason} ${error.extras.details?.['candidates'] ?? 0}`;
    throw error;
  }
}

test('a class is meant by its name, its constructor by both names; of two classes neither is', () => {
  const shape = (path: string): HandMade => ({
    path,
    definitions: [
      { name: 'Shape', tail: 'Shape#', kind: 'class' },
      { name: 'Shape', tail: 'Shape#Shape().', kind: 'constructor', container: 0, line: 1 },
      { name: 'Shape', tail: 'Shape#Shape(+1).', kind: 'constructor', container: 0, line: 2 },
    ],
  });
  index.publish([shape('a/Shape.java')]);
  asking(({ named }) => {
    assert.equal(named('Shape'), 'class Shape a/Shape.java:1');
    assert.equal(named('Shape.Shape'), 'ambiguous 2');
  });
  index.publish([shape('b/Shape.java')]);
  asking(({ named }) => assert.equal(named('Shape'), 'ambiguous 2'));
});

test('what the narrowest reading finds in tests alone is not what is meant where product code fits too', () => {
  index.publish([
    { path: 'include/fmt/base.h', definitions: [{ name: 'format' }] },
    {
      path: 'test/format_test.cc',
      isTest: true,
      definitions: [
        { name: 'fmt', tail: 'fmt#', kind: 'class' },
        { name: 'format', tail: 'fmt#format().', kind: 'method', container: 0, line: 1 },
      ],
    },
  ]);
  asking(({ named }) => {
    assert.equal(named('fmt::format'), 'function format include/fmt/base.h:1');
    assert.equal(named('format_test.cc#fmt::format'), 'method fmt.format test/format_test.cc:2');
  });
});

test('each file that has a site of a symbol names it, not the one alone that is shown', () => {
  const get = { name: 'get', tail: 'S#get().', kind: 'method', container: 0, line: 1 } as const;
  const definitions = [{ name: 'S', tail: 'S#', kind: 'class' }, get] as const;
  index.publish([
    { path: 'a.cpp', scope: 'cpp:', definitions },
    { path: 'a.h', scope: 'cpp:', definitions },
  ]);
  asking(({ named }) => {
    assert.equal(named('S.get'), 'method S.get a.cpp:2');
    assert.equal(named('a.cpp#S.get'), 'method S.get a.cpp:2');
    assert.equal(named('a.h#S.get'), 'method S.get a.h:2');
    assert.equal(named('a.h#S.put'), 'symbolNotFound 0');
  });
});

test('a type has what its nearest base has of that name', () => {
  const extending = (path: string, name: string, base: string, members: readonly string[]): HandMade => ({
    path,
    definitions: [
      { name, tail: `${name}#`, kind: 'class' },
      ...members.map(one => ({ name: one, tail: `${name}#${one}().`, kind: 'method', container: 0 }) as const),
    ],
    uses: [
      {
        ...{ name: base, line: 0, kind: 'implementation', enclosing: 0 },
        target: symbolTarget(`${base}.py`, `${base}#`),
      },
    ],
  });
  index.publish([
    extending('Root.py', 'Root', 'Site', ['route', 'run']),
    extending('App.py', 'App', 'Root', ['run']),
    extending('Site.py', 'Site', 'App', ['open', 'route']),
    // Of that name, and no base of anything.
    extending('other/Root.py', 'Root', 'Nobody', ['open']),
  ]);
  asking(({ named, search }) => {
    assert.equal(named('Site.route'), 'method Site.route Site.py:1');
    assert.equal(named('Site.run'), 'method App.run App.py:1');
    assert.equal(named('App.route'), 'method Root.route Root.py:1');
    assert.equal(named('App::open'), 'method Site.open Site.py:1');
    assert.equal(named('App.close'), 'symbolNotFound 0');
    const { results, total } = search('app.route');
    assert.deepEqual([results.map(one => [one.container, one.match]), total], [[['Root', 'exact']], 1]);
  });
});

test('of more than can be looked at, those where the words before the name lead are', () => {
  const many = Array.from({ length: 2_400 }, (_, at): HandMade => {
    const name = `Type${at}`;
    return {
      path: `src/${at % 10}/${name}.ts`,
      definitions: [
        { name, tail: `${name}#`, kind: 'class' },
        { name: 'b', tail: `${name}#b().`, kind: 'method', container: 0, line: 1 },
      ],
    };
  });
  index.publish([...many, { path: 'src/x/Far.cc', definitions: [{ name: 'b', tail: 'Out#b().', exported: false }] }]);
  asking(({ named, search }) => {
    assert.equal(named('Type2399.b'), 'method Type2399.b src/9/Type2399.ts:2');
    assert.equal(named('src/9/Type1229.ts#b'), 'method Type1229.b src/9/Type1229.ts:2');
    assert.equal(named('b'), 'ambiguous 2000');
    const { results, total, warnings } = search('type2399::b');
    assert.deepEqual(
      [results.map(one => one.id), total],
      [[`svc:app:sym:${hashOf('src/9/Type2399.ts', 'Type2399#b().')}`], 1],
    );
    assert.deepEqual(
      warnings?.map(({ code }) => code),
      ['PARTIAL_RESULT'],
    );
    // Nothing tells where it is but its own file, one of very many.
    assert.deepEqual([search('Out.b').warnings?.length, named('Out.b')], [1, 'symbolNotFound 0']);
    assert.equal(search('Type7.b').total, 1);
  });
});

test('that nobody may look into some folders is told where no symbol bears a name', () => {
  const none = { total: 0, isPartial: false, candidates: [] };
  const closed = (...paths: string[]) => paths.map(path => ({ path, reason: 'unreadable' }) as const);
  const message = 'No symbol of this repository is named "x"';
  assert.throws(() => theOneNamed(none, 'x', 'app'), { message });
  const one = `${message}; test could not be looked into`;
  assert.throws(() => theOneNamed(none, 'x', 'app', closed('test')), { message: one });
  const several = `${message}; a and 2 more folders could not be looked into`;
  assert.throws(() => theOneNamed(none, 'x', 'app', closed('a', 'b', 'c')), { message: several });
});
