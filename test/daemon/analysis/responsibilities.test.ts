import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceTree } from '../../../daemon/analysis/modules/source-tree.ts';
import { codeCapabilities } from '../../../daemon/analysis/responsibilities/code-capabilities.ts';
import { codeSummary } from '../../../daemon/analysis/responsibilities/code-summary.ts';
import type { ExportedName, ModuleCode } from '../../../daemon/analysis/responsibilities/module-code.ts';
import { wordsOfName } from '../../../daemon/analysis/responsibilities/name-words.ts';
import { isSameButForNumber, plural } from '../../../daemon/analysis/responsibilities/plurals.ts';
import { proseCapabilities } from '../../../daemon/analysis/responsibilities/prose-capabilities.ts';
import { proseSummary } from '../../../daemon/analysis/responsibilities/prose-summary.ts';
import { type ModuleTexts, responsibilitiesOf } from '../../../daemon/analysis/responsibilities/responsibilities.ts';
import { beginningOf, firstSentence } from '../../../daemon/analysis/responsibilities/sentences.ts';
import { tellingOf } from '../../../daemon/analysis/responsibilities/telling.ts';
import { packageDocFiles, readmesOf } from '../../../daemon/analysis/responsibilities/text-files.ts';
import { proseBlocks } from '../../../daemon/extract/prose/blocks.ts';

const summaries: readonly (readonly [what: string, source: string, expected: string | undefined])[] = [
  ['the first paragraph', '# tool\n\nReads settings of editors.\n\nMore words here.\n', 'Reads settings of editors.'],
  [
    'behind badges and a notice',
    '# tool\n\n[![a](b)](c)\n\n**Note:** it is old now.\n\nReads settings of editors.',
    'Reads settings of editors.',
  ],
  [
    'a quote below the title',
    '# tool\n\n> Reads settings of editors.\n\nSee [the docs](d) for more.\n',
    'Reads settings of editors.',
  ],
  [
    'what says more before where to look',
    '# tool\n\nSee https://x for docs.\n\nReads settings of editors.\n',
    'Reads settings of editors.',
  ],
  [
    'its name alone in front of what says more',
    '# tool\n\nThe tool library.\n\nReads settings of editors.\n',
    'The tool library. Reads settings of editors.',
  ],
  [
    'a paragraph whose subject it is',
    '# tool\n\nSettings are how editors differ.\n\nTool is a reader of settings.\n',
    'Tool is a reader of settings.',
  ],
  [
    'HTML where nothing else says it',
    '<p align="center">Reads settings of editors.</p>\n\n## Install\n\nRun npm install tool first.\n',
    'Reads settings of editors.',
  ],
  [
    'a section that is called so',
    '# tool\n\n## Install\n\nRun npm install tool first.\n\n## About\n\nReads settings of editors.\n',
    'Reads settings of editors.',
  ],
  ['how it is installed says nothing', '# tool\n\n## Installation\n\nReads settings of editors.\n', undefined],
  ['a title that is about its use', '# Making changes to tool\n\nReads settings of editors.\n', undefined],
  [
    'what announces a list, without that',
    '# tool\n\nA reader of settings that has the following properties:\n\n- fast\n',
    'A reader of settings',
  ],
  [
    'and with the list where it says nothing else',
    '# tool\n\nThis package contains two things:\n\n- a reader of settings\n- a writer of them.\n',
    'This package contains two things: a reader of settings; a writer of them',
  ],
  [
    'sentences before an announcement',
    '# tool\n\nReads settings of all editors. It knows:\n\n- vim\n',
    'Reads settings of all editors.',
  ],
  ['a placeholder', '# tool\n\nA new Flutter project.\n', undefined],
  ['nothing', '', undefined],
];

test('a text says what its module is in the paragraph that is there for it', () => {
  for (const [what, source, expected] of summaries) {
    assert.equal(proseSummary(proseBlocks(source, 'markdown'), ['tool'])?.text, expected, what);
  }
});

const tellings: readonly (readonly [text: string, expected: string])[] = [
  ['Reads settings of editors.', 'much'],
  ['The Illuminate Auth package.', 'bare'],
  ['A library for auth.', 'bare'],
  ['This package is part of the acme suite of tools.', 'little'],
  ['This crate is developed as part of acme.', 'little'],
  ['Please see the website for documentation of all rules.', 'little'],
  ['For more information visit our site about rules.', 'little'],
  ['To build the project run make in the folder.', 'little'],
  ['This project was bootstrapped with Create React App.', 'little'],
  ['The directory also holds helpers for building assets.', 'little'],
  ['Have you ever wanted to parse settings?', 'little'],
  ['Note: this is experimental, use with care.', 'nothing'],
  ['Licensed under the MIT licence of all things.', 'nothing'],
  ['TODO', 'nothing'],
  ['Auth', 'nothing'],
];

test('how much a text says of what something does', () => {
  for (const [text, expected] of tellings) assert.equal(tellingOf(text, ['auth', 'illuminate']), expected, text);
});

test('sentences end where others begin, and not behind abbreviations', () => {
  assert.equal(firstSentence('Reads e.g. files of v1.2. Writes none.'), 'Reads e.g. files of v1.2');
  assert.equal(firstSentence('Reads\n  files'), 'Reads files');
  assert.equal(beginningOf('One is here. Two is there. Three is not.', 30), 'One is here. Two is there.');
  assert.equal(beginningOf('One long sentence that never comes to an end', 20), 'One long sentence…');
});

const offered: readonly (readonly [what: string, source: string, expected: readonly string[]])[] = [
  [
    'of a section of features',
    '# a\n\n- no\n\n## Features\n\n- **Fast** reading\n  - inner\n- Small: it has no dependencies at all\n\n## License\n\n- MIT licence\n',
    ['Fast reading', 'Small: it has no dependencies at all'],
  ],
  ['of sections below it', '## Features\n### Reading\n- Reads files\n## Other\n- none of it\n', ['Reads files']],
  [
    'right behind what announces it',
    '# a\n\nIt provides the following:\n\n- reading of files\n\nWords.\n\n- none of it\n',
    ['reading of files'],
  ],
  [
    'an explanation is left out where it is long',
    `## Features\n- Reads files of many kinds – ${'and more '.repeat(20)}\n`,
    ['Reads files of many kinds'],
  ],
  ['links and what announces more are none', '## Features\n- https://example.com/a/b/c\n- Reads these:\n', []],
];

test('what lists of features say, in their order', () => {
  for (const [what, source, expected] of offered) {
    const found = proseCapabilities(proseBlocks(source, 'markdown')).map(({ text }) => text);
    assert.deepEqual(found, expected, what);
  }
});

test('names fall apart into the words that they were made of', () => {
  for (const [name, words] of [
    ['parseJSONFile', 'parse json file'],
    ['snake_case-name', 'snake case name'],
    ['HTTP2Server', 'http2 server'],
    ['createESLintRule', 'create eslint rule'],
    ['@scope/pkg', 'scope pkg'],
  ] as const) {
    assert.equal(wordsOfName(name).join(' '), words);
  }
});

function named(name: string, kind: ExportedName['kind'] = 'function', more: Partial<ExportedName> = {}): ExportedName {
  return { name, kind, documentation: () => '', usedElsewhere: 0, usedInside: 0, ...more };
}

function codeOf(more: Partial<ModuleCode>): ModuleCode {
  const module = { path: 'lib/reader', name: '@acme/reader', isTest: false, language: 'typescript' };
  const exported = more.exported ?? [];
  return {
    module,
    files: ['lib/reader/a.ts'],
    exported,
    exportCount: exported.length,
    entrypoints: [],
    tested: [],
    below: [],
    ...more,
  };
}

const documented = (text: string) => ({ documentation: () => text });
const codes: readonly (readonly [what: string, code: Partial<ModuleCode>, text: string, confidence: number])[] = [
  ['no code', { files: [], below: ['a', 'b'] }, 'Has no code of its own but for 2 modules below it: a and b.', 0.1],
  [
    'code that exports nothing',
    { files: ['a/b.ts', 'a/c.ts'] },
    'Holds b and c, files of typescript that export nothing.',
    0.1,
  ],
  ['pages', { files: ['a/Rules.mdx'] }, 'Pages: Rules.', 0.1],
  [
    'a program',
    { entrypoints: [{ name: 'read', kind: 'cli' }], exported: [named('run')] },
    'Program read. Defines run.',
    0.2,
  ],
  [
    'names alone',
    { exported: ['A', 'B', 'C', 'D'].map(name => named(name, 'class', { usedInside: 1 })) },
    'Defines A, B, C and D, all classes.',
    0.4,
  ],
  [
    'more than are named, and what is said of one',
    {
      exported: [named('A'), named('B', 'class', documented('Holds the state of all readers. More.'))],
      exportCount: 9,
    },
    'Defines A, B and 7 more. B: Holds the state of all readers.',
    0.3,
  ],
  [
    'what bears its name comes first, and what is said of that',
    { exported: [named('A'), named('Reader', 'class', documented('A Reader looks through files of editors.'))] },
    'A Reader looks through files of editors. Defines Reader and A.',
    0.3,
  ],
  [
    'of types before functions, and a function that bears its name does not stand for them',
    {
      exported: [
        named('reader', 'function', documented('Reader of nothing but one file.')),
        named('Files', 'class', documented('All files of editors that are known.')),
      ],
    },
    'Defines reader and Files. Files: All files of editors that are known.',
    0.3,
  ],
  [
    'a function whose comment begins with the word that it is called by',
    { exported: [named('look', 'function', documented('Look through all files of editors.'))] },
    'Defines look. look: Look through all files of editors.',
    0.3,
  ],
];

test('where no text says what a module is its code does', () => {
  for (const [what, code, text, confidence] of codes) {
    assert.deepEqual(codeSummary(codeOf(code)), { text, confidence }, what);
  }
  const module = { path: 'test', name: 'test', isTest: true, language: 'go' };
  const tests = codeOf({ module, tested: ['a', 'b'], exported: [named('help')] });
  assert.deepEqual(codeSummary(tests), { text: 'Tests of a and b: 1 file.', confidence: 0.5 });
  assert.equal(codeSummary({ ...tests, tested: [] }).text, 'Tests: 1 file.');
});

test('commands, deeds and families of names are what code offers', () => {
  const exported = [
    named('parseConfig', 'function', { usedElsewhere: 2 }),
    named('parse_file', 'function', { usedElsewhere: 1 }),
    named('parseFromText', 'function', { usedElsewhere: 1 }),
    named('renderPage', 'function', { usedElsewhere: 9 }),
    named('loadInternals'),
    named('helper', 'function', { usedElsewhere: 3 }),
    ...['Retry', 'Timeout', 'Hedging', 'Cache', 'Retry'].map(own => named(`${own}Strategy`, 'class')),
    ...['A', 'Bb', 'Cc', 'Dd'].map(own => named(`${own}Options`, 'interface')),
  ];
  const entrypoints = [
    { name: 'read', kind: 'cli' as const },
    { name: 'main', kind: 'main' as const },
  ];
  assert.deepEqual(codeCapabilities(codeOf({ exported, entrypoints })), [
    'Command read',
    'Render page',
    'Parse config and file',
    'Strategies: Retry, Timeout, Hedging and Cache',
  ]);
  const alone = codeCapabilities(codeOf({ exported: [named('loadInternals'), named('load_more')] }));
  assert.deepEqual(alone, ['Load internals and more'], 'of what nobody else uses all');
});

const blocksOf = (source: string) => proseBlocks(source, 'markdown');
const texts: ModuleTexts = {
  declared: { text: 'Says  what it is', path: 'MODULES.toml', line: 2, capabilities: ['one'] },
  readme: [
    { path: 'README.md', blocks: blocksOf('# a\n\nReads settings of editors.\n\n## Features\n- Reads files\n') },
  ],
  packageDocs: [{ path: 'index.ts', blocks: blocksOf('Looks through settings of editors') }],
  manifest: { text: 'Settings of all editors', path: 'package.json', line: 3 },
  names: ['a'],
};
const none: ModuleTexts = { declared: undefined, readme: [], packageDocs: [], manifest: undefined, names: ['a'] };

test('the best source that says something is the one that is told', () => {
  const code = codeOf({ exported: [named('parseConfig')] });
  const { declared, readme, packageDocs, manifest } = texts;
  const rows = [
    [texts, 'declared', 0.95, 'Says what it is.', 'MODULES.toml:2'],
    [{ ...texts, declared: undefined }, 'readme', 0.85, 'Reads settings of editors.', 'README.md:2 README.md:5'],
    [{ ...none, packageDocs, manifest }, 'package-doc', 0.8, 'Looks through settings of editors.', 'index.ts:0'],
    [{ ...none, manifest }, 'manifest', 0.75, 'Settings of all editors.', 'package.json:3'],
    [none, 'inferred', 0.2, 'Defines parseConfig.', ''],
    [
      { ...none, readme: [{ path: 'R', blocks: blocksOf('See the site for all of it.') }], manifest },
      'manifest',
      0.75,
      'Settings of all editors.',
      'package.json:3',
    ],
    [
      { ...none, manifest: { ...manifest!, text: 'The a package, for a' } },
      'inferred',
      0.2,
      'Defines parseConfig.',
      '',
    ],
  ] as const;
  for (const [given, source, confidence, summary, places] of rows) {
    const found = responsibilitiesOf(given, code);
    const at = found.sources.map(({ path, line }) => `${path}:${line}`).join(' ');
    assert.deepEqual([found.source, found.confidence, found.summary, at], [source, confidence, summary, places]);
  }
  assert.deepEqual(responsibilitiesOf(texts, code).capabilities, declared!.capabilities.concat('Parse config'));
  assert.deepEqual(responsibilitiesOf({ ...none, readme }, code).capabilities, ['Reads files', 'Parse config']);
  const little = { ...none, manifest: { ...manifest!, text: 'The a package, for a' } };
  assert.deepEqual(responsibilitiesOf(little, codeOf({ files: [] })).confidence, 0.5, 'better than nothing');
});

test('a dozen capabilities are told at most, each once', () => {
  const list = Array.from({ length: 30 }, (_, n) => `- Reads files of kind ${n % 20}\n`).join('');
  const readme = [{ path: 'R', blocks: blocksOf(`## Features\n${list}- reads files of kind 1.\n`) }];
  const { capabilities } = responsibilitiesOf({ ...none, readme }, codeOf({}));
  assert.equal(capabilities.length, 12);
  assert.equal(new Set(capabilities).size, 12);
});

test('what a text says is not said again by names that differ in number or case alone', () => {
  const said = (...capabilities: string[]): ModuleTexts => ({
    ...none,
    declared: { text: 'Users of the shop', path: 'MODULES.toml', line: 2, capabilities },
  });
  const functions = ['createUser', 'deleteUser', 'readUser', 'renderPage', 'parseFile', 'loadFile', 'sendFile'];
  const code = codeOf({ exported: functions.map(name => named(name)) });
  assert.deepEqual(responsibilitiesOf(said('Create users', 'Deletes a user.'), code).capabilities, [
    ...['Create users', 'Deletes a user.'],
    ...['Load file', 'Parse file', 'Read user', 'Render page'],
  ]);
  const both = ['Create users', 'Create user'];
  const { capabilities } = responsibilitiesOf(said(...both), codeOf({}));
  assert.deepEqual(capabilities, both, 'what somebody says twice stands');
});

const sameWords: readonly (readonly [one: string, other: string, isSame: boolean])[] = [
  ['Create users', 'create user', true],
  ['Fetches queries', 'Fetch a query', true],
  ['Clear caches', 'Clear cache', true],
  ['Check statuses and menus', 'Check status and menu', true],
  ['Run analyses of children', 'Run analysis of child', true],
  ['createUsers', 'Create user', true],
  ['Create users', 'Create user and session', false],
  ['Create users', 'Delete users', false],
  ['Pass', 'Pa', false],
];

test('texts that differ in singular and plural alone are told', () => {
  for (const [one, other, isSame] of sameWords) {
    assert.equal(isSameButForNumber(one, other), isSame, one);
    assert.equal(isSameButForNumber(other, one), isSame, other);
  }
  assert.deepEqual(['Strategy', 'Key', 'Cache', 'Box', 'Analysis'].map(plural), [
    ...['Strategies', 'Keys', 'Caches', 'Boxes', 'Analyses'],
  ]);
});

test('where texts about a module are looked for', () => {
  const paths =
    'README.md readme.rst .github/README.md docs/README.txt a/README a/readme.adoc a/lib/a.dart a/mod.rs a/doc.go a/b.go a/b_test.go p/src/p_q/__init__.py j/x/y/package-info.java j/Z.java'.split(
      ' ',
    );
  const languages: Readonly<Record<string, string>> = {
    go: 'go',
    rs: 'rust',
    py: 'python',
    java: 'java',
    dart: 'dart',
  };
  const tree = sourceTree(
    paths.map(path => ({
      path,
      language: languages[path.replace(/^.*\./, '')] ?? 'configuration',
      isTest: path.includes('_test'),
    })),
  );
  assert.deepEqual(readmesOf({ path: '' }, tree), ['.github/README.md', 'README.md', 'readme.rst', 'docs/README.txt']);
  assert.deepEqual(readmesOf({ path: 'a' }, tree), ['a/readme.adoc', 'a/README']);
  const docs = (path: string, name: string, language: string) =>
    packageDocFiles({ path, name, language, ecosystem: undefined }, tree, []);
  assert.deepEqual(docs('a', 'a', 'go'), ['a/doc.go', 'a/b.go']);
  assert.deepEqual(docs('a', 'a', 'rust'), ['a/mod.rs']);
  assert.deepEqual(docs('a', 'a', 'dart'), ['a/lib/a.dart']);
  assert.deepEqual(docs('p', 'P-Q', 'python'), ['p/src/p_q/__init__.py']);
  assert.deepEqual(docs('j', 'j', 'kotlin'), ['j/x/y/package-info.java']);
  assert.deepEqual(docs('a', 'a', ''), []);
  const packaged = { path: 'a', name: 'a', language: '', ecosystem: 'cargo' as const };
  assert.deepEqual(packageDocFiles(packaged, tree, []), ['a/mod.rs']);
});
