import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Enclosed, fittingOf, longName } from '../../../daemon/analysis/long-name.ts';

const context: Enclosed = { path: 'context.go', containers: [], packageName: 'gin' };
const json: Enclosed = { path: 'context.go', containers: ['Context'], packageName: 'gin' };
const client: Enclosed = { path: 'src/Client.php', containers: ['GuzzleHttp'], packageName: 'GuzzleHttp' };
const convert: Enclosed = { path: 'Src/A/Convert.cs', containers: ['Newtonsoft.Json', 'Convert'], packageName: '' };
const gson: Enclosed = {
  path: 'core/src/main/java/com/google/gson/Gson.java',
  containers: [],
  packageName: 'com.google.gson',
};
const searcher: Enclosed = { path: 'crates/searcher/src/searcher/mod.rs', containers: [], packageName: '' };
const dart: Enclosed = { path: 'pkgs/http/lib/src/client.dart', containers: [], packageName: '' };
const lint: Enclosed = { path: 'tools/src/lint/run.go', containers: ['Checks'], packageName: 'lint' };
const format: Enclosed = { path: 'include/fmt/format.h', containers: [], packageName: '' };

const packages = new Map([
  ['', { name: '@scope/whole', isByFolder: false }],
  ['crates/searcher', { name: 'grep_searcher', isByFolder: false }],
  ['tools', { name: 'example.com/group/tools', isByFolder: true }],
]);

for (const [text, one, fits] of [
  ['gin.Context', context, true],
  ['in.Context', context, false],
  ['other.gin.Context', context, false],
  ['gin.Context.JSON', json, true],
  ['Context#JSON', json, true],
  ['context.go#Context.JSON', json, true],
  ['other.go#Context.JSON', json, false],
  ['gin.JSON', json, false],
  ['GuzzleHttp\\Client', client, true],
  ['Http\\Client', client, false],
  ['Newtonsoft.Json.Convert->To', convert, true],
  ['Json.Convert.To', convert, true],
  ['com.google.gson.Gson', gson, true],
  ['google/gson/Gson', gson, true],
  ['com.gson.Gson', gson, false],
  ['grep_searcher::Searcher', searcher, true],
  ['grep_searcher::searcher::Searcher', searcher, true],
  ['@scope/whole.Searcher', searcher, false],
  ['@scope/whole.Client', client, false],
  ['@scope/whole/fmt.format', format, true],
  ['http.Client', dart, true],
  ['example.com/group/tools/src/lint.Checks.Run', lint, true],
  ['example.com/group/tools/src/lint.(*Checks).Run', lint, true],
  ['tools.Checks.Run', lint, false],
  ['fmt::format', format, true],
  ['fmt::format::make', format, true],
] as const) {
  test(`${text} ${fits ? 'means' : 'does not mean'} what is in ${one.path}`, () => {
    const { isInFile, isInside, isUnder } = fittingOf(longName(text), (a, b) => a.toLowerCase() === b.toLowerCase());
    assert.equal(isInFile(one) || isInside(one) || isUnder(one, packages), fits);
  });
}

for (const [text, name, qualifier] of [
  ['plain', 'plain', []],
  ['#hidden', 'hidden', []],
  ['a::b.c', 'c', ['a', 'b']],
  ['Box::operator->', 'operator->', ['Box']],
  ['src/a.ts:One.two', 'two', ['src', 'a', 'ts', 'One']],
  ['a.', '', ['a']],
  ['(*Context).JSON', 'JSON', ['Context']],
  ['pkg.(*Context).JSON', 'JSON', ['pkg', 'Context']],
  ['operator()', 'operator()', []],
] as const) {
  test(`${text} is ${name} with ${qualifier.length} words before it`, () => {
    const long = longName(text);
    assert.deepEqual([long.name, long.qualifier], [name, qualifier]);
  });
}
