import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readDocumentFile, replaceDocumentFile } from '../../cli/docs/document-file.ts';
import { lineDiff } from '../../cli/docs/line-diff.ts';
import { mendedText } from '../../cli/docs/mended-text.ts';
import { readDaemonRecord } from '../../client/paths.ts';
import { addRepo, startDaemon, svc } from '../support/daemon.ts';
import { afterAll, type Cleanup, gitRepository, temporaryFolder, type Workspace } from '../support/repository.ts';
import { svc as limitedSvc } from './command.ts';

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
  workspace.write('docs/slip.md', '<!-- svc:modul src -->\n');
  const warned = await run('docs check --fail-on stale', root);
  assert.equal(warned.code, 0, 'a warning fails nothing');
  assert.match(warned.stdout, /^docs\/slip\.md:1:1: warning: <!-- svc:modul src --> is no directive/);
  const annotated = await run('docs check --format github', root);
  assert.match(annotated.stdout, /^::warning file=docs\/slip\.md,line=1,title=svc docs\/directive::/);
  const noted = JSON.parse((await run('docs check --format sarif', root)).stdout);
  assert.deepEqual([noted.runs[0].results.length, noted.runs[0].results[0].level], [1, 'warning']);
  workspace.remove('docs/slip.md');
  const thin = await run('docs check --fail-under 60', root);
  assert.equal(thin.code, 1);
  assert.match(thin.stdout, /^src\/a\.ts:5:1: error: documents mention 50 % of what is public, 60 at least/);
  rename(workspace);
  const told = await run('docs check --fail-on stale', root);
  assert.equal(told.code, 1);
  assert.match(told.stdout, /^docs\/guide\.md:3:7: error: parseConfig\(text\): was renamed; now readSettings\n/);
  assert.equal((await run('docs check', root)).code, 0, 'without a bound nothing fails');
  const github = await run('docs check --fail-on stale --format github', root);
  assert.match(
    github.stdout,
    /^::error file=docs\/guide\.md,line=3,col=7,endColumn=18,title=svc docs\/stale::parseConfig\(text\)/,
  );
  const sarif = JSON.parse((await run('docs check --fail-on stale --format sarif', root)).stdout);
  assert.deepEqual(
    sarif.runs[0].results.map((one: { readonly ruleId: string }) => one.ruleId),
    ['docs/stale', 'docs/stale', 'docs/stale'],
  );
  assert.deepEqual(
    [sarif.runs[0].columnKind, sarif.runs[0].results[0].locations[0].physicalLocation.region],
    ['utf16CodeUnits', { startLine: 3, startColumn: 7, endColumn: 18 }],
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
  assert.deepEqual(nothing, {
    ...{ dryRun: true, files: [], written: [], left: [] },
    unmended: { unknown: 0, unsure: 0, elsewhere: 0 },
  });
  write('docs/guide.md', before);
});

test('a document is mended behind the mark of its byte order, and one that is not is named', async t => {
  const workspace = await repository(t, 'marked');
  const { root, path, write } = workspace;
  const text = '\uFEFF`parseConfig` and [`parseConfig`](../src/a.ts)\n';
  write('docs/marked.md', text);
  write('docs/lost.md', '`neverTold()`, `parseConfig`\n');
  assert.equal((await run('docs index', root)).code, 0);
  const code = readFileSync(path('src/a.ts'), 'utf8').replaceAll('parseConfig', 'readSettings');
  write('src/a.ts', code.slice(0, code.indexOf('export function neverTold')));
  const { stderr } = await run('docs fix --apply', root);
  assert.equal(
    stderr,
    '6 references in 3 documents mended\n1 more is stale, and nobody knows what is to be written there (docs/lost.md)\n',
  );
  assert.equal(readFileSync(path('docs/marked.md'), 'utf8'), text.replaceAll('parseConfig', 'readSettings'));
});

test('a diff shows lines that differ with those around them', () => {
  assert.equal(
    lineDiff('a.md', '1\n2\n3\n4\n5\n6\n7\n8\n9\n', '1\n2\nx\n4\n5\n6\n7\n8\ny\n'),
    '--- a/a.md\n+++ b/a.md\n@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+x\n 4\n 5\n@@ -7,3 +7,3 @@\n 7\n 8\n-9\n+y\n',
  );
  assert.equal(lineDiff('a.md', 'same\n', 'same\n'), '');
});

/** Texts that git takes a diff for another of, by the path that they are at. */
const patches: readonly (readonly [path: string, before: string, after: string])[] = [
  ['plain.md', '1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'x\n2\n3\n4\n5\n6\n7\n8\ny\n'],
  ['no-end.md', '1\n2\n3', '1\n2\ny'],
  ['no-end-unchanged.md', '1\n2\n3', 'x\n2\n3'],
  ['one.md', '1', 'x'],
  ['empty-lines.md', '\n\n1\n\n', '\n\nx\n\n'],
  ['crlf.md', '1\r\n2\r\n', 'x\r\n2\r\n'],
  ['a b/"quoted"\\\t.md', '1\n', 'x\n'],
  ['ünï.md', 'ü\t\u001b\n1\n', 'ü\t\u001b\nx\n'],
];

test('git takes the diffs that are shown', t => {
  const { root, write, path, git } = gitRepository(t);
  for (const [name, before] of patches) write(name, before);
  write('all.patch', patches.map(parts => lineDiff(...parts)).join(''));
  git('apply', '--whitespace=nowarn', path('all.patch'));
  for (const [name, , after] of patches) assert.equal(readFileSync(join(root, name), 'utf8'), after, name);
});

const manyLanguages = `-- python/pyproject.toml --
[project]
name = "acme"
-- python/acme/core.py --
class Client:
    def fetch(self, path):
        lines = [line.strip() for line in path.split("/") if line]
        return [line.upper() for line in lines if not line.startswith("#")]
-- rust/Cargo.toml --
[package]
name = "wheel"
version = "0.1.0"
-- rust/src/lib.rs --
pub mod routing;
-- rust/src/routing.rs --
pub fn turn(path: &str) -> Vec<String> {
    let lines: Vec<&str> = path.split('/').filter(|line| !line.is_empty()).collect();
    lines.iter().map(|line| line.to_uppercase()).collect()
}
-- java/com/acme/Parser.java --
package com.acme;
public class Parser {
    public static String parse(String text) {
        String plain = text.trim().replace("a", "b");
        return plain.isEmpty() ? "none" : plain.substring(1).concat(plain);
    }
}
-- kotlin/com/acme/Keeper.kt --
package com.acme
class Keeper {
    fun keep(text: String): String {
        val plain = text.trim().replace("c", "d")
        return if (plain.isEmpty()) "nothing" else plain.substring(2) + plain
    }
}
-- php/Acme/Net/Caller.php --
<?php
namespace Acme\\Net;
class Caller {
    public function call($text) {
        $plain = str_replace("e", "f", trim($text));
        return $plain === "" ? "void" : substr($plain, 3) . $plain;
    }
}
-- docs/guide.md --
# Guide

\`\`\`python
from acme.core import Client
Client().fetch("x")
import acme.core as c
c.Client(); c.Client()
\`\`\`

\`\`\`rust
use wheel::routing::turn;
turn("x"); turn("y");
\`\`\`

\`\`\`java
import com.acme.Parser;
Parser.parse("x");
\`\`\`

\`\`\`kotlin
import com.acme.Keeper
Keeper().keep("x")
\`\`\`

\`\`\`php
use Acme\\Net\\Caller;
$caller = new Caller();
\`\`\`
`;

const renamings: readonly (readonly [path: string, from: string, to: string])[] = [
  ['python/acme/core.py', 'Client', 'HttpClient'],
  ['rust/src/routing.rs', 'turn', 'rotate'],
  ['java/com/acme/Parser.java', 'Parser', 'Reader'],
  ['kotlin/com/acme/Keeper.kt', 'Keeper', 'Holder'],
  ['php/Acme/Net/Caller.php', 'Caller', 'Asker'],
];

test('in fenced code of each language the new name stands where the old one did, as git applies it too', async t => {
  const workspace = gitRepository(t, manyLanguages);
  const { root, path, write, git } = workspace;
  await addRepo(t, shared, { root, id: 'languages' });
  assert.equal((await run('docs check --fail-on stale', root)).code, 0);
  const before = readFileSync(path('docs/guide.md'), 'utf8');
  let expected = before;
  for (const [file, from, to] of renamings) {
    const word = new RegExp(`\\b${from}\\b`, 'g');
    write(file, readFileSync(path(file), 'utf8').replace(word, to));
    expected = expected.replace(word, to);
  }
  const { stdout } = await run('docs fix', root);
  write('fix.patch', stdout);
  git('apply', path('fix.patch'));
  assert.equal(readFileSync(path('docs/guide.md'), 'utf8'), expected);
  write('docs/guide.md', before);
  assert.equal((await run('docs fix --apply', root)).code, 0);
  assert.equal(readFileSync(path('docs/guide.md'), 'utf8'), expected);
  assert.equal((await run('docs check --fail-on stale', root)).code, 0);
});

test('a document that can’t be written whole stays as it is, and that is told', async t => {
  const workspace = await repository(t, 'limited');
  const { root, path, write } = workspace;
  const text = `${readFileSync(path('docs/guide.md'), 'utf8')}${'words of no meaning\n'.repeat(200)}`;
  write('docs/guide.md', text);
  rename(workspace);
  const { code, stdout, stderr } = await limitedSvc(['docs', 'fix', '--apply', '--json'], {
    ...{ home: shared.home.path, cwd: root, shell: 'ulimit -f 1; exec "$0" "$@"' },
  });
  assert.equal(code, 1, stderr);
  assert.deepEqual(JSON.parse(stdout).left, [{ path: 'docs/guide.md', why: 'can’t be written', references: 3 }]);
  assert.match(stderr, /^0 references in 0 documents mended\n/);
  assert.equal(readFileSync(path('docs/guide.md'), 'utf8'), text);
  assert.deepEqual(readdirSync(path('docs')), ['guide.md']);
});

test('what is not mended is told by why it is not', () => {
  const place = { line: 1, column: 5, endColumn: 8, written: 'old', rawText: 'old', source: 'inline' } as const;
  const renamed = { ...place, kind: 'symbol', reason: 'symbol_renamed', suggestion: 'new' } as const;
  const { suggestion: _, ...unknown } = renamed;
  const found = mendedText('use old or old\n', [
    renamed,
    { ...renamed, column: 12, endColumn: 15 },
    { ...unknown, line: 2 },
    { ...place, kind: 'route', reason: 'route_deleted', suggestion: 'GET /new' },
    { ...renamed, line: 9 },
    { ...renamed, written: '', endColumn: 5 },
    { ...renamed, suggestion: 'old' },
  ]);
  assert.deepEqual(
    [found.after, found.edits.length, found.unknown, found.unsure, found.elsewhere],
    ['use new or new\n', 2, 1, 1, 3],
  );
});

test('nothing but documents under the root is read or written, whatever the daemon says', t => {
  const { root, path } = temporaryFolder(
    t,
    `-- in/docs/a.md --
text
-- in/.git/b.md --
text
-- in/c.txt --
text
-- out/d.md --
text
-- in/linked.md -> ../out/d.md --
-- in/folder -> ../out --
`,
  );
  const inside = path('in');
  const refused = ['../out/d.md', '/out/d.md', `${root}/out/d.md`, 'docs/../docs/a.md', './docs/a.md', 'docs//a.md'];
  for (const name of [...refused, '.git/b.md', 'c.txt', '', 'docs/a.md\0.md', 'linked.md', 'folder/d.md', 'docs']) {
    const found = readDocumentFile(inside, name);
    assert.equal(typeof found, 'string', name);
    assert.equal(
      typeof replaceDocumentFile(inside, name, { bytes: Buffer.from('text\n'), text: 'text\n' }, 'x'),
      'string',
    );
  }
  assert.equal(readFileSync(path('out/d.md'), 'utf8'), 'text\n');
  const found = readDocumentFile(inside, 'docs/a.md');
  assert.ok(typeof found !== 'string');
  chmodSync(path('in/docs/a.md'), 0o664);
  const mask = process.umask(0o077);
  t.after(() => process.umask(mask));
  assert.equal(replaceDocumentFile(inside, 'docs/a.md', found, 'fresh\n'), undefined);
  assert.deepEqual(
    [readFileSync(path('in/docs/a.md'), 'utf8'), statSync(path('in/docs/a.md')).mode & 0o777],
    ['fresh\n', 0o664],
  );
  assert.equal(replaceDocumentFile(inside, 'docs/a.md', found, 'x'), 'was changed meanwhile, and is left as it is');
});

test('documents behind an address are nobody’s to mend here', async t => {
  const { root } = await repository(t, 'far');
  const url = readDaemonRecord(shared.home.places)!.url!;
  const home = { ...shared.home, env: { ...shared.home.env, SVC_URL: url } };
  const { code, stderr } = await svc(home, ['docs', 'fix', '--apply'], root);
  assert.deepEqual([code, /SVC_URL/.test(stderr)], [2, true], stderr);
});
