import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { lineDiff } from '../../cli/docs/line-diff.ts';
import { startDaemon, svc } from '../support/daemon.ts';
import { afterAll, type Cleanup, gitRepository, type Workspace } from '../support/repository.ts';

const shared = await startDaemon(afterAll);

const tree = `-- package.json --
{ "name": "app", "main": "src/a.ts" }
-- src/a.ts --
export function parseConfig(text: string): readonly string[] {
  const lines = text.split('\\n').map(line => line.trim());
  return lines.filter(line => line.length > 0 && !line.startsWith('#'));
}
export function neverTold(): number {
  return parseConfig('never').length;
}
-- docs/guide.md --
# Guide

Call \`parseConfig(text)\`; parseConfig in prose stays.

\`\`\`ts
import { parseConfig } from 'app';
const found = parseConfig('x');
\`\`\`
`;

async function repository(context: Cleanup, id: string): Promise<Workspace> {
  const workspace = gitRepository(context, tree);
  await shared.client.daemon.addRepo({ root: workspace.root, id });
  context.after(() => shared.client.daemon.removeRepo({ id }).catch(() => {}));
  const { code, stderr } = await svc(shared.home, ['docs', 'index'], workspace.root);
  assert.equal(code, 0, stderr);
  return workspace;
}

const run = (line: string, cwd: string) => svc(shared.home, line.split(' '), cwd);

function rename({ write, path }: Workspace): void {
  write('src/a.ts', readFileSync(path('src/a.ts'), 'utf8').replaceAll('parseConfig', 'readSettings'));
}

test('documents fail a check where they mention too little, or what is gone', async t => {
  const workspace = await repository(t, 'checked');
  const { root } = workspace;
  assert.equal((await run('docs check --fail-under 50 --fail-on stale', root)).code, 0);
  const thin = await run('docs check --fail-under 60', root);
  assert.equal(thin.code, 1);
  assert.match(thin.stdout, /^src\/a\.ts:5:1: error: documents mention 50 % of what is public, 60 at least/);
  rename(workspace);
  const told = await run('docs check --fail-on stale', root);
  assert.equal(told.code, 1);
  assert.match(told.stdout, /^docs\/guide\.md:3:1: error: parseConfig\(text\): was renamed; now readSettings\n/);
  assert.equal((await run('docs check', root)).code, 0, 'without a bound nothing fails');
  const github = await run('docs check --fail-on stale --format github', root);
  assert.match(github.stdout, /^::error file=docs\/guide\.md,line=3,title=svc docs\/stale::parseConfig\(text\)/);
  const sarif = JSON.parse((await run('docs check --fail-on stale --format sarif', root)).stdout);
  assert.deepEqual(
    sarif.runs[0].results.map((one: { readonly ruleId: string }) => one.ruleId),
    ['docs/stale', 'docs/stale', 'docs/stale'],
  );
  const json = JSON.parse((await run('docs check docs --fail-on stale --json', root)).stdout);
  assert.deepEqual([json.failed, json.findings.length], [true, 3]);
  for (const line of ['docs check --fail-under 101', 'docs check --fail-on unresolved', 'docs check --format xml']) {
    assert.equal((await run(line, root)).code, 2, line);
  }
});

test('what was renamed is shown, and mended where that is asked for', async t => {
  const workspace = await repository(t, 'mended');
  const { root, path, write } = workspace;
  rename(workspace);
  const before = readFileSync(path('docs/guide.md'), 'utf8');
  const { mode } = statSync(path('docs/guide.md'));
  const shown = await run('docs fix', root);
  assert.equal(shown.code, 0);
  assert.match(shown.stdout, /^--- a\/docs\/guide\.md\n\+\+\+ b\/docs\/guide\.md\n/);
  assert.match(shown.stdout, /\n-const found = parseConfig\('x'\);\n/);
  assert.equal(readFileSync(path('docs/guide.md'), 'utf8'), before, 'nothing is written');
  const { stderr } = await run('docs fix docs/guide.md --apply', root);
  assert.match(stderr, /3 references in 1 document mended/);
  const after = before
    .replace('`parseConfig(text)`', '`readSettings(text)`')
    .replace('{ parseConfig }', '{ readSettings }');
  assert.equal(readFileSync(path('docs/guide.md'), 'utf8'), after.replace("parseConfig('x')", "readSettings('x')"));
  assert.equal(statSync(path('docs/guide.md')).mode, mode);
  assert.equal((await run('docs check --fail-on stale', root)).code, 0);
  const nothing = JSON.parse((await run('docs fix --json', root)).stdout);
  assert.deepEqual(nothing, { dryRun: true, files: [], written: [], left: [] });
  write('docs/guide.md', before);
});

test('a diff shows lines that differ with those around them', () => {
  assert.equal(
    lineDiff('a.md', '1\n2\n3\n4\n5\n6\n7\n8\n9\n', '1\n2\nx\n4\n5\n6\n7\n8\ny\n'),
    '--- a/a.md\n+++ b/a.md\n@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+x\n 4\n 5\n@@ -7,4 +7,4 @@\n 7\n 8\n-9\n+y\n \n',
  );
  assert.equal(lineDiff('a.md', 'same\n', 'same\n'), '');
});
