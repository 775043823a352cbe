import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Audience } from '../../../../daemon/analysis/unwired/audience.ts';
import { UnwiredExports } from '../../../../daemon/analysis/unwired/unwired.ts';
import { type Files, leadsIn, wiredFiles } from './wired-files.ts';

interface Case {
  readonly what: string;
  readonly files: Files;
  readonly language?: string;
  /** Instead of `main.ts`. */
  readonly entries?: readonly string[];
  readonly modules?: readonly string[];
  readonly programs?: readonly string[];
  readonly open?: readonly string[];
  readonly offered?: readonly string[];
  readonly audience?: Audience;
  readonly mark?: string;
  readonly unread?: readonly string[];
  /** `file:name confidence reason`. */
  readonly claims: readonly string[];
}

const cases: readonly Case[] = [
  {
    what: 'an export that another file uses is wired, one that nothing uses is not',
    files: { 'main.ts': 'import a.ts\ntop -> a.ts:f', 'a.ts': 'f\ng' },
    claims: ['a.ts:g 0.95 nothing uses it'],
  },
  {
    what: 'what an entry exports is wired',
    files: { 'main.ts': 'f\ng' },
    claims: [],
  },
  {
    what: 'nobody imports from a file that is loaded by its name alone',
    language: 'python',
    entries: [],
    modules: ['main.py'],
    files: { 'main.py': 'f\nexport * from a.py', 'a.py': 'g' },
    claims: ['a.py:g 0.85 nothing uses it'],
  },
  {
    what: 'a program begins with a function and the code at the top of its file, or anywhere in one that tells no start',
    language: 'go',
    entries: [],
    programs: ['main.go', 'more.go'],
    files: { 'main.go': 'main\nstart main\nmain -> f\nf\ng\nh\ntop -> h', 'more.go': 'k' },
    claims: ['main.go:g 0.95 nothing uses it'],
  },
  {
    what: 'what its own file alone uses needs no export',
    files: { 'main.ts': 'import a.ts\ntop -> a.ts:f', 'a.ts': 'f\ng\nf -> g' },
    claims: ['a.ts:g 0.9 nothing but its own file uses it'],
  },
  {
    what: 'a function that calls itself is used by nobody',
    files: { 'main.ts': 'import a.ts', 'a.ts': 'f\nf -> f' },
    claims: ['a.ts:f 0.95 nothing uses it'],
  },
  {
    what: 'a file that nothing loads wires nothing',
    files: { 'main.ts': 'import a.ts', 'a.ts': 'f', 'lost.ts': 'import a.ts\nlost\ntop -> a.ts:f' },
    claims: [
      'a.ts:f 0.85 nothing but files that nothing loads uses it',
      'lost.ts:lost 0.85 nothing uses it, and nothing loads its file',
    ],
  },
  {
    what: 'what code alone uses that is unwired itself is as surely unwired',
    files: { 'main.ts': 'import a.ts\nimport b.ts', 'a.ts': 'f', 'b.ts': 'import a.ts\ng\ng -> a.ts:f' },
    claims: ['a.ts:f 0.95 nothing but code that is itself unwired uses it', 'b.ts:g 0.95 nothing uses it'],
  },
  {
    what: 'what stands in no function runs as its file is loaded, whoever wants what it makes',
    files: { 'main.ts': 'import a.ts\nimport b.ts', 'a.ts': 'f', 'b.ts': 'own constant c\nc -> a.ts:f' },
    claims: [],
  },
  {
    what: 'tests wire nothing, and are counted',
    files: { 'main.ts': 'import a.ts', 'a.ts': 'f', 'a.test.ts': 'import a.ts\ntop -> a.ts:f' },
    claims: ['a.ts:f 0.9 nothing but tests uses it (1 in tests)'],
  },
  {
    what: 'of tests’ own files tests are the users',
    files: { 'main.ts': '', 'test/help.ts': 'f\ng', 'a.test.ts': 'import test/help.ts\ntop -> test/help.ts:f' },
    claims: ['test/help.ts:g 0.95 nothing uses it'],
  },
  {
    what: 'what tests hand on as a whole is used',
    files: { 'main.ts': '', 'test/help.ts': 'f', 'a.test.ts': 'import * test/help.ts' },
    claims: [],
  },
  {
    what: 'data of tests is nobody’s, until code imports it',
    files: {
      'main.ts': '',
      'test/fixtures/a.ts': 'f',
      'test/fixtures/b.ts': 'import test/fixtures/a.ts\nf',
      'test/fixtures/c.ts': 'f\ng',
      'a.test.ts': 'import test/fixtures/c.ts\ntop -> test/fixtures/c.ts:f',
    },
    claims: ['test/fixtures/c.ts:g 0.95 nothing uses it'],
  },
  {
    what: 'documents with components may load a file that nothing else loads',
    files: { 'main.ts': 'import a.ts', 'a.ts': 'f', 'b.ts': 'g' },
    unread: ['.mdx'],
    claims: [
      'a.ts:f 0.95 nothing uses it',
      'b.ts:g 0.6 nothing uses it, and nothing loads its file; files that are not read (.mdx) may import it',
    ],
  },
  {
    what: 'what is used by way of a barrel is wired, what is only handed on is not',
    files: {
      'main.ts': 'import index.ts\ntop -> a.ts:f',
      'index.ts': 'export f from a.ts\nexport g from a.ts',
      'a.ts': 'f\ng',
    },
    claims: ['a.ts:g 0.95 nothing uses it, those who hand it on apart'],
  },
  {
    what: 'what an entry hands on is wired, by name, wholesale, and by way of another barrel',
    files: {
      'main.ts': 'export f from a.ts\nexport * from b.ts\nexport * from index.ts',
      'index.ts': 'export g from c.ts\nexport * from d.ts',
      ...{ 'a.ts': 'f\nx', 'b.ts': 'f2\ny', 'c.ts': 'g\nz', 'd.ts': 'h' },
    },
    claims: ['a.ts:x 0.95 nothing uses it', 'c.ts:z 0.95 nothing uses it'],
  },
  {
    what: 'a name that an entry hands on is looked for behind wholesale exports',
    files: {
      'main.ts': 'export * from index.ts\nexport f from index.ts',
      'index.ts': 'export * from a.ts',
      'a.ts': 'f',
    },
    claims: [],
  },
  {
    what: 'barrels that hand each other on come to an end',
    files: { 'main.ts': 'export * from a.ts', 'a.ts': 'export * from b.ts\nf', 'b.ts': 'export * from a.ts\ng' },
    claims: [],
  },
  {
    what: 'a module that is handed on as a whole has all its exports used',
    files: { 'main.ts': 'import * a.ts\nimport b.ts', 'a.ts': 'f\nexport g from b.ts', 'b.ts': 'g\nh' },
    claims: ['b.ts:h 0.95 nothing uses it'],
  },
  {
    what: 'a name for a whole module is used with all of it, where an entry exports it or code hands it on',
    files: {
      'main.ts': 'export * as one from a.ts\nimport b.ts\ntop -> b.ts:two read\ntop -> b.ts:four\ntop -> e.ts:i',
      'b.ts': 'export * as two from c.ts\nexport * as three from d.ts\nexport * as four from e.ts',
      ...{ 'a.ts': 'f', 'c.ts': 'g', 'd.ts': 'h', 'e.ts': 'i\nj' },
    },
    claims: ['b.ts:three 0.95 nothing uses it', 'd.ts:h 0.95 nothing uses it', 'e.ts:j 0.95 nothing uses it'],
  },
  {
    what: 'an import for its effects reaches a file’s top, not its exports',
    files: { 'main.ts': 'import a.ts', 'a.ts': 'f\nimport b.ts\ntop -> b.ts:g', 'b.ts': 'g' },
    claims: ['a.ts:f 0.95 nothing uses it'],
  },
  {
    what: 'a class is reached by its members and brings them along',
    files: {
      'main.ts': 'import a.ts\ntop -> a.ts:C.m',
      'a.ts': 'class C\nC.m method\nC.n method\nC.n -> b.ts:g\nimport b.ts',
      'b.ts': 'g',
    },
    claims: ['a.ts:C 0.95 nothing uses it'],
  },
  {
    what: 'imports of a name that lead nowhere are a doubt',
    files: { 'main.ts': 'import a.ts\nimport ? f', 'a.ts': 'f\ng' },
    claims: ['a.ts:f 0.6 nothing uses it; imports of that name lead nowhere (1)', 'a.ts:g 0.95 nothing uses it'],
  },
  {
    what: 'a file that was read in part may use and say more',
    files: { 'main.ts': 'import broken.ts', 'broken.ts': 'f' },
    claims: ['broken.ts:f 0.6 nothing uses it; its file could be read in part only'],
  },
  {
    what: 'decorators, files that are not read and packages that begin nowhere are doubts',
    files: { 'main.ts': 'import a.ts', 'a.ts': 'f', 'b.ts': 'g' },
    ...{ mark: '@Injectable', unread: ['.vue'], audience: 'unknown' },
    claims: [
      'a.ts:f 0.5 nothing uses it; @Injectable may have it found by a framework; files that are not read (.vue) may import it',
      'b.ts:g 0.5 nothing uses it, and nothing loads its file; no entrypoint of its package is known; @Injectable may have it found by a framework; files that are not read (.vue) may import it',
    ],
  },
  {
    what: 'in other languages whatever reached code names is reached, in its own file too',
    language: 'go',
    entries: ['main.go'],
    files: { 'main.go': 'top -> a.go:F', 'a.go': 'F\nG\nH\nF -> G' },
    claims: ['a.go:H 0.95 nothing uses it'],
  },
  {
    what: 'what a package offers to everybody is reached, and what that uses',
    language: 'go',
    entries: [],
    open: ['a.go'],
    files: { 'a.go': 'F\nF -> internal/b.go:G', 'internal/b.go': 'G\nH' },
    claims: ['internal/b.go:H 0.95 nothing uses it'],
  },
  {
    what: 'uses of its name that nothing settles are a doubt where names are all there is',
    language: 'go',
    entries: ['main.go'],
    files: { 'main.go': 'top -> a.go:F\nopen G\nopen G', 'a.go': 'F\nG' },
    claims: ['a.go:G 0.7 nothing uses it; 2 uses of that name lead nowhere'],
  },
  {
    what: 'what serves what others may import is as doubtful',
    language: 'go',
    entries: [],
    offered: ['a.go'],
    files: { 'a.go': 'F\nF -> internal/b.go:G', 'internal/b.go': 'G\nH' },
    claims: [
      'a.go:F 0.6 nothing uses it, and nothing loads its file; what users of a package may import uses it',
      'internal/b.go:G 0.6 nothing but files that nothing loads uses it, and nothing loads its file; what users of a package may import uses it',
      'internal/b.go:H 0.85 nothing uses it, and nothing loads its file',
    ],
  },
  {
    what: 'a definition that another of its name may stand for is doubted',
    language: 'rust',
    entries: ['main.rs'],
    files: { 'main.rs': 'top -> unix.rs:open', 'unix.rs': 'open', 'windows.rs': 'open\nshut' },
    claims: [
      'windows.rs:open 0.6 nothing uses it; another definition of that name is reached, perhaps that of another platform',
      'windows.rs:shut 0.9 nothing uses it',
    ],
  },
  {
    what: 'what a text names may be found by it, unless tests have the text',
    language: 'python',
    entries: ['main.py'],
    files: { 'main.py': 'import a.py\nsays f', 'a.py': 'f\ng', 'test/a.py': 'says g' },
    claims: [
      'a.py:f 0.6 nothing uses it; its name stands in a text, by which it may be found',
      'a.py:g 0.85 nothing uses it',
    ],
  },
  {
    what: 'examples are run by hand',
    language: 'java',
    entries: ['main.java'],
    files: { 'main.java': '', 'examples/a.java': 'class A' },
    claims: ['examples/a.java:A 0.6 nothing uses it; what is beside the product is run by hand'],
  },
  {
    what: 'no claim is worth more than what links of its language miss at best',
    language: 'ruby',
    entries: ['main.rb'],
    files: { 'main.rb': 'top -> a.rb:F', 'a.rb': 'F\nG' },
    claims: ['a.rb:G 0.7 nothing uses it'],
  },
  {
    what: 'what a package lets be imported by ways that are no promise is doubted',
    language: 'python',
    entries: ['main.py'],
    audience: 'somebody',
    files: { 'main.py': 'import a.py', 'a.py': 'f' },
    claims: ['a.py:f 0.6 nothing uses it; users of the package may import it'],
  },
];

for (const { what, files, claims, ...rest } of cases) {
  test(what, () => {
    const { documents, nameOf, spokenIn } = wiredFiles(files, rest.language);
    const at = (paths: readonly string[]) => paths.map(path => documents.findIndex(one => one.graph.path === path));
    const { exported } = new UnwiredExports().at({
      ...leadsIn(documents),
      model: {},
      surroundingsOf: () => ({
        roots: {
          entries: at(rest.entries ?? ['main.ts']),
          modules: at(rest.modules ?? []),
          programs: at(rest.programs ?? []),
          open: at(rest.open ?? []),
          offered: at(rest.offered ?? []),
          loaded: [],
        },
        audienceOf: () => rest.audience ?? 'nobody',
        isTakenByTests: () => false,
      }),
      nameOf: site => nameOf(site.in, site.at),
      isShownAt: () => true,
      spokenIn,
      finderOf: () => (rest.mark === undefined ? undefined : { kind: 'mark', text: rest.mark }),
      foreignBasesOf: () => [],
      unreadNear: () => rest.unread ?? [],
    });
    const found = exported.flatMap(({ claim }) => claim ?? []);
    const told = found.map(({ site, confidence, reason, testReferences }) => {
      const tests = testReferences === 0 ? '' : ` (${testReferences} in tests)`;
      return `${site.in.path}:${nameOf(site.in, site.at)} ${confidence} ${reason}${tests}`;
    });
    assert.deepEqual(told, claims);
  });
}
