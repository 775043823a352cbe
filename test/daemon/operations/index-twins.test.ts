import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Privacy } from '../../../daemon/model/privacy.ts';
import type { ListAsked } from '../../../daemon/operations/index-server/list-call.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { indexedTree } from '../jobs/indexed-tree.ts';
import { type Documents, place } from '../jobs/uploads.ts';
import { type Answer, everyCall, everyRef, everySymbol, noFilter, servedLists } from './served-lists.ts';

/** What a repository may keep back, in two versions. */
interface Kept {
  readonly folder: (name: string) => string;
  readonly documentation: string;
  readonly type: string;
  /** Where it is another one than the settings have. */
  readonly prefix?: string;
}

const settings: readonly (readonly [string, Partial<Privacy>, Kept, Kept])[] = [
  [
    'paths',
    { exposePaths: false },
    {
      folder: name => ({ a: 'src/a', b: 'src/b', c: 'src/c' })[name]!,
      documentation: 'As src/a/index.ts and src.b.index.x do.',
      type: 'number',
    },
    // What comes first there comes last here, and other files are tests.
    {
      folder: name => ({ a: 'z/test', b: 'y', c: 'deep/er/still' })[name]!,
      documentation: 'As z/test/index.ts and y.index.x do.',
      type: 'number',
    },
  ],
  [
    'documentation and signatures',
    { exposeDocs: false, exposeSignatures: false },
    { folder: name => `src/${name}`, documentation: 'The launch is on Monday.', type: 'number' },
    { folder: name => `src/${name}`, documentation: 'Zebra.', type: 'string' },
  ],
  [
    'everything',
    { exposePaths: false, exposeDocs: false, exposeSignatures: false },
    { folder: name => `src/${name}`, documentation: 'One.', type: 'number' },
    { folder: name => `lib/${'cba'['abc'.indexOf(name)]!}`, documentation: 'Another, longer.', type: 'string' },
  ],
  [
    'the beginning of paths',
    { pathPrefixStrip: 'clients/acme/' },
    { folder: name => `clients/acme/${name}`, documentation: 'As clients/acme/a/x, clients.acme.b.', type: 'number' },
    { folder: name => `z/${name}`, documentation: 'As z/a/x, z.b.', type: 'number', prefix: 'z/' },
  ],
];

/** Guesses at what is kept back, of either twin: they are answered alike. */
const guesses = [
  'src/a/index.ts',
  'z/test/index.ts',
  'src',
  'test',
  'index.ts',
  'util',
  'Monday',
  'Zebra',
  'number',
  'clients',
  '/',
];

for (const [what, privacy, one, other] of settings) {
  const privacyOf = ({ prefix }: Kept) => (prefix === undefined ? privacy : { ...privacy, pathPrefixStrip: prefix });
  test(`of an upload, ${what} that are kept back make no difference to any answer`, async t => {
    const twins = await Promise.all(
      [one, other].map(async (kept, at) => {
        const here = place(t);
        await here.upload({ documents: scipOf(kept) });
        return answersOf(servedLists(t, here.indexFile, { privacy: privacyOf(kept), secret: `${at}d`.repeat(32) }));
      }),
    );
    assert.deepEqual(twins[0], twins[1]);
  });

  test(`of a work tree, ${what} that are kept back make no difference to any answer`, async t => {
    const twins = await Promise.all(
      [one, other].map(async (kept, at) => {
        const folder = temporaryFolder(t);
        for (const [path, text] of sourcesOf(kept)) folder.write(path, text);
        const { repo, crawl } = indexedTree(t, folder.root);
        await crawl();
        const secret = `${at}d`.repeat(32);
        const lists = servedLists(t, repo.indexFile, { privacy: privacyOf(kept), secret, key: repo.worktreeKey });
        return answersOf(lists);
      }),
    );
    assert.deepEqual(twins[0], twins[1]);
  });
}

test('the answers that are compared say something: what is shown makes a difference', async t => {
  const [, , one, other] = settings[2]!;
  const answers = await Promise.all(
    [one, other].map(async kept => {
      const here = place(t);
      await here.upload({ documents: scipOf(kept) });
      return answersOf(servedLists(t, here.indexFile));
    }),
  );
  assert.notDeepEqual(answers[0], answers[1]);
});

/** Of every list, page by page, with every filter that a guess may stand in. */
function answersOf(lists: ReturnType<typeof servedLists>): string {
  const asked: ListAsked[] = [{ kind: 'files' }, everySymbol, everyRef, everyCall];
  const ids = lists.walk(everySymbol).map(one => one['id'] as string);
  asked.push({ kind: 'batch', ids });
  for (const id of ids) {
    asked.push({ ...everyRef, to: id }, { ...everyCall, caller: id }, { ...everyCall, callee: id });
  }
  for (const guess of guesses) {
    asked.push(
      { kind: 'symbols', ...noFilter, file: guess },
      { ...everyRef, fromFile: guess },
      { ...everyCall, callerFile: guess },
      { kind: 'search files', query: guess },
      { kind: 'search symbols', query: guess, language: undefined, symbolKind: undefined },
    );
  }
  for (const query of ['e', 'he', 'Store', 'open', 'a', 'index'])
    asked.push({ kind: 'search symbols', query, language: undefined, symbolKind: undefined });
  const answers: Answer[] = [];
  for (const list of asked) {
    for (const limit of [3, 1000]) {
      for (let cursor: string | undefined, isMore = true; isMore; ) {
        const answer = lists.ask(list, limit, cursor);
        answers.push(answer);
        cursor = answer.meta['cursor'] as string | undefined;
        isMore = answer.meta['has_more'] === true;
      }
    }
  }
  return canonical(JSON.stringify(answers, null, 1));
}

/** Ids, hashes and cursors say nothing but whether they are the same: each is its number in the order of their coming. */
function canonical(text: string): string {
  const known = new Map<string, string>();
  const numbered = (prefix: string) => (value: string) => {
    if (!known.has(value)) known.set(value, `${prefix}${known.size}`);
    return known.get(value)!;
  };
  return text
    .replace(/svc:acme\/x:sym:[0-9a-f]{32}/g, numbered('id '))
    .replace(/\b[0-9a-f]{64}\b/g, numbered('hash '))
    .replace(/"cursor": "[^"]+"/g, '"cursor": "…"');
}

function sourcesOf({ folder, documentation, type }: Kept): readonly (readonly [string, string])[] {
  const doc = `/** ${documentation} */`;
  return [
    [
      `${folder('a')}/index.ts`,
      `${doc}\nexport class Store {\n  ${doc}\n  open(of: ${type}): void { this.open(of); }\n}\nexport const a = 1;\n`,
    ],
    [`${folder('b')}/index.ts`, `${doc}\nexport function helper(of: ${type}): void { helper(of); }\nhelper(null!);\n`],
    [`${folder('c')}/index.ts`, `${doc}\nexport function helper(of: ${type}): void {\n  helper(of);\n}\n`],
    [`${folder('c')}/util.ts`, `export {};\n`],
    [`${folder('b')}/util.ts`, `export const e = [1];\n`],
    [`${folder('a')}/one.c`, `int shared(int a);\n`],
    [`${folder('b')}/two.c`, `int shared(int a);\n`],
    [`${folder('c')}/three.py`, `def open_it(it):\n    """${documentation}"""\n    return it.open()\n`],
  ];
}

function scipOf({ folder, documentation, type }: Kept): Documents {
  const sym = (path: string, rest: string): string => {
    const [file, ...folders] = path.split('/').reverse();
    return `scip-typescript npm pkg 1.0.0 ${folders
      .reverse()
      .map(one => `${one}/`)
      .join('')}\`${file}\`/${rest}`;
  };
  const document = (path: string, name: string, line: number, calls: readonly string[]) => ({
    relativePath: path,
    language: 'TypeScript',
    occurrences: [
      { range: [0, 0, 0], symbol: sym(path, ''), symbolRoles: 1 },
      { range: [line, 6, 11], symbol: sym(path, name), symbolRoles: 1, enclosingRange: [line, 0, line + 5, 1] },
      ...calls.map((symbol, at) => ({ range: [line + 1 + at, 2, 6], symbol })),
    ],
    symbols: [
      {
        symbol: sym(path, name),
        documentation: [`\`\`\`ts\nfunction ${name.replace(/\W/g, '')}(of: ${type})\n\`\`\``, documentation],
      },
    ],
  });
  const [a, b, c] = ['a', 'b', 'c'].map(name => `${folder(name)}/index.ts`) as [string, string, string];
  const util = `${folder('c')}/util.ts`;
  return [
    document(a, 'Store#', 1, [sym(b, 'helper().'), sym(util, 'helper().')]),
    document(b, 'helper().', 3, [sym(a, 'Store#'), sym(c, 'helper().')]),
    document(c, 'helper().', 4, [sym(b, 'helper().')]),
    document(util, 'helper().', 3, [sym(a, 'Store#'), 'scip-typescript npm lib 1.0.0 `x.d.ts`/each().']),
  ];
}
