import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTestPath } from '../../../daemon/model/mount.ts';

test('a path tells whether it is one of tests', () => {
  const ofTests = [
    'test/a.ts',
    'src/__tests__/a.ts',
    'src/a.test.ts',
    'pkg/a_test.go',
    'pkg/test_a.py',
    'core/src/test/java/A.java',
    'core/src/jvmTest/kotlin/A.kt',
    'core/src/androidTest/A.kt',
    'core/src/testFixtures/java/A.java',
    'src/App.Core.Tests/Helper.cs',
    'src/UnitTests/Mapping/Helper.cs',
    'App.Test/Helper.cs',
    'src/com/x/ATest.java',
    'e2e/app/jobs/page.tsx',
    'app/api/test/help.ts',
  ];
  const ofNone = [
    ...['app/src/main/java/com/x/spec/Parser.java', 'src/main/kotlin/com/x/test/Runner.kt'],
    ...['src/latest/a.ts', 'src/contest/a.ts', 'src/Contest/A.cs', 'src/testing/a.ts', 'src/Attests/A.cs'],
    ...['app/api/jobs/[id]/test/route.ts', 'apps/web/src/app/(tests)/e2e/page.tsx'],
  ];
  for (const path of ofTests) assert.equal(isTestPath(path), true, path);
  for (const path of ofNone) assert.equal(isTestPath(path), false, path);
});
