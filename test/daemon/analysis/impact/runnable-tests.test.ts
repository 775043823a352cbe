import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingBy, runsTests } from '../../../../daemon/analysis/impact/everything.ts';
import { runnableTests } from '../../../../daemon/analysis/impact/runnable-tests.ts';
import { isTestPath } from '../../../../daemon/model/mount.ts';

/** Languages by extension, as far as these tests have any. */
const languages: Readonly<Record<string, string>> = {
  ...{ ts: 'typescript', tsx: 'typescript', mts: 'typescript', js: 'javascript', py: 'python', go: 'go', java: 'java' },
  ...{ kt: 'kotlin', rs: 'rust', rb: 'ruby', php: 'php', cs: 'csharp', dart: 'dart', c: 'c', cc: 'cpp' },
};

/** Behind `#` stands what marks a function in the file as a test. */
function runnable(written: readonly string[]): readonly string[] {
  const files = written.map(one => {
    const [path = '', mark] = one.split('#');
    const language = languages[path.slice(path.lastIndexOf('.') + 1)] ?? 'configuration';
    return { path, language, isTest: isTestPath(path), bearsTests: mark !== undefined };
  });
  return [...runnableTests(files, path => path.split('/')[0]!, { verdictOn: () => 'by name' })].sort();
}

test('a test is told from what helps it and from what it reads, by what runners of its language look for', () => {
  const cases: readonly (readonly [runs: string, others: string])[] = [
    [
      'src/a.test.ts src/b.spec.mts src/__tests__/c.ts e2e/x.cy.ts',
      'src/a.ts src/__tests__/data.json src/__mocks__/d.ts',
    ],
    ['tests/test_a.py pkg/a_test.py app/tests/tests.py', 'tests/conftest.py tests/helpers.py src/testing.py'],
    ['pkg/a_test.go', 'pkg/testdata/b_test.go pkg/testing.go test/helper.go'],
    ['src/test/java/ATest.java src/test/java/TestB.java src/test/java/CIT.java', 'src/test/java/Base.java'],
    ['src/test/kotlin/ASpec.kt', 'src/test/kotlin/Rule.kt src/main/kotlin/Test.kt'],
    ['tests/a.rs tests/b/main.rs src/x_test.rs', 'tests/common/mod.rs src/lib.rs'],
    ['src/lib.rs#[test] tests/c/d.rs#[test]', 'tests/c/e.rs src/a.rs tests/fixtures/b.rs#[test]'],
    ['spec/a_spec.rb test/test_b.rb test/c_test.rb', 'spec/spec_helper.rb spec/support/x.rb test/test_helper.rb'],
    ['tests/ATest.php', 'tests/Stub.php'],
    ['App.Tests/ATests.cs', 'App.Tests/Base.cs'],
    ['test/a_test.dart', 'test/util.dart'],
    ['test/a_test.c test/b_unittest.cc test/test_c.c', 'test/fake.c'],
    ['test/fix.test.ts', 'test/fixtures/a.test.ts test/__fixtures__/b.test.ts test/test-data/c.test.ts'],
  ];
  for (const [runs, others] of cases) {
    const expected = runs.split(' ').map(one => one.split('#')[0]);
    assert.deepEqual(runnable([...runs.split(' '), ...others.split(' ')]), expected.sort(), runs);
  }
});

test('where no test of a language is called so in a module, what lies among its tests is some', () => {
  const named = 'one/test/a.test.js one/test/b.js';
  const placed = 'two/test/app.js two/test/sub/route.js two/test/support/env.js two/test/index.js two/test/types.d.ts';
  assert.deepEqual(runnable([...named.split(' '), ...placed.split(' ')]), [
    'one/test/a.test.js',
    'two/test/app.js',
    'two/test/sub/route.js',
  ]);
});

test('where functions bear marks of tests, these tell, beside names, and places no more', () => {
  const marked = 'App.Tests/Behaviour.cs#[Fact] src/App.Specs/RetrySpecs.cs#[Fact]'.split(' ');
  const others = 'App.Tests/Base.cs src/App.Specs/Stub.cs App.Tests/fixtures/Sample.cs#[Fact]'.split(' ');
  const named = ['App.Tests/InheritedTests.cs'];
  assert.deepEqual(runnable([...marked, ...others, ...named]), [
    'App.Tests/Behaviour.cs',
    ...named,
    'src/App.Specs/RetrySpecs.cs',
  ]);
});

test('what settles how all around it is built or run is known by its name', () => {
  const cases: readonly (readonly [path: string, directory: string | undefined, because?: string])[] = [
    ['package.json', '', 'dependencies and scripts'],
    ['packages/a/package.json', 'packages/a', 'dependencies and scripts'],
    ['pnpm-lock.yaml', '', 'versions of dependencies'],
    ['packages/a/tsconfig.build.json', 'packages/a', 'how sources are compiled'],
    ['vitest.config.base.mts', '', 'how tests are run'],
    ['jest.config.js', '', 'how tests are run'],
    ['tests/conftest.py', 'tests', 'how tests are run'],
    ['requirements/dev.txt', undefined],
    ['requirements-dev.txt', '', 'dependencies and scripts'],
    ['src/App.Tests/App.Tests.csproj', 'src/App.Tests', 'dependencies and scripts'],
    ['.github/workflows/ci.yml', '', 'how CI runs'],
    ['docs/.github/workflows/ci.yml', undefined],
    ['.nvmrc', '', 'versions of tools'],
    ['docker-compose.test.yml', '', 'what tests run in'],
    ['src/package.json.ts', undefined],
    ['README.md', undefined],
    ['src/constructor', undefined],
  ];
  for (const [path, directory, because] of cases) {
    const found = everythingBy(path);
    assert.deepEqual([found?.directory, found?.because], [directory, because], path);
  }
  assert.deepEqual(['a/vitest.config.ts', 'package.json', 'a/conftest.py'].map(runsTests), [true, false, true]);
});
