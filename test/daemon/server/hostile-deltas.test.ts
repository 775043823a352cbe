import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { DeltaArtifact } from '../../../client/protocol/delta.ts';
import { startDaemon } from '../../support/daemon.ts';
import { afterAll, gitRepository, temporaryFolder, workspace } from '../../support/repository.ts';
import { project, secondCommit } from '../jobs/delta-clones.ts';

/** Artifacts as nobody should send them: to ask is answered with every reason, to take in is refused for the same ones. */

const daemon = await startDaemon(afterAll);
const { client } = daemon;
const ci = gitRepository(afterAll, project);
const folder = temporaryFolder(afterAll);
folder.git('clone', '--quiet', '--no-hardlinks', ci.root, 'dev');
const dev = workspace(folder.path('dev'));
secondCommit(ci);
ci.commit('second');
for (const [id, { root }] of Object.entries({ ci, dev })) {
  await client.daemon.addRepo({ root, id });
  await client.indexing.index({ repo: id });
}
await client.delta.build({ repo: 'ci', base: 'main~1', output: folder.path('delta.json') });
const built = readFileSync(folder.path('delta.json'), 'utf8');
dev.git('fetch', '--quiet', 'origin');
const { http } = await client.daemon.status({});
const url = `http://localhost:${http!.port}`;
const token = readFileSync(daemon.record.tokenFile, 'utf8').trim();

interface Told {
  readonly valid?: boolean;
  readonly errors?: readonly string[];
  readonly details?: { readonly errors?: readonly string[]; readonly reason?: string };
}

async function post(verb: 'validate' | 'ingest', body: string | Uint8Array, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}/delta/${verb}?repo=dev`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  return { status: answer.status, told: (await answer.json()) as Told };
}

/** What of the index an artifact could have changed. */
async function state(): Promise<unknown> {
  const { timestamp: _, ...status } = await client.delta.status({ repo: 'dev' });
  const { symbolCount, fileCount } = await client.indexing.status({ repo: 'dev' });
  return { ...status, symbolCount, fileCount };
}

const snapshot = `sha256:${'0'.repeat(64)}`;
const hash = 'a'.repeat(64);
const symbol = `svc:ci:sym:${'0'.repeat(32)}`;
/** Sets what stands at a place, or takes it away. */
const at =
  (path: string, value?: unknown) =>
  (copy: object): void => {
    const keys = path.split('.');
    const last = keys.pop()!;
    const holder = keys.reduce((one, key) => (one as Record<string, unknown>)[key] as object, copy);
    if (value === undefined) Reflect.deleteProperty(holder, last);
    else Object.defineProperty(holder, last, { value, enumerable: true, configurable: true, writable: true });
  };
const added = (list: 'added' | 'modified', path: string) => (copy: DeltaArtifact) =>
  void copy.deltas.files[list].push({ path, language: 'typescript', hash });

/** What is done to a good artifact, the status of taking it in, and what the first reason says. */
const table: readonly (readonly [number, RegExp, (copy: DeltaArtifact) => void])[] = [
  [422, /^delta_schema_version: is missing/, at('delta_schema_version')],
  [422, /^delta_schema_version: must be 1/, at('delta_schema_version', '1')],
  [422, /^delta_schema_version: must be 1/, at('delta_schema_version', 2)],
  [422, /^delta_schema_version: must be 1/, at('delta_schema_version', -1)],
  [422, /^delta_schema_version: must be 1/, at('delta_schema_version', 1.5)],
  [422, /^base_snapshot_id: is missing/, at('base_snapshot_id')],
  [422, /^base_snapshot_id: must be text/, at('base_snapshot_id', null)],
  [422, /^base_snapshot_id: must be a snapshot’s id/, at('base_snapshot_id', hash)],
  [422, /^base_snapshot_id: must be a snapshot’s id/, at('base_snapshot_id', snapshot.toUpperCase())],
  [422, /^base_snapshot_id: must be a snapshot’s id/, at('base_snapshot_id', `${snapshot}\n`)],
  [412, /^base_snapshot_id: base snapshot mismatch/, at('base_snapshot_id', snapshot)],
  [422, /^new_snapshot_id: must be a snapshot’s id/, at('new_snapshot_id', 'x')],
  [422, /^new_snapshot_id: is not what results/, at('new_snapshot_id', snapshot)],
  [422, /^commit: must be the full hash/, at('commit', 'HEAD')],
  [422, /^commit: must be the full hash/, at('commit', '--output=/tmp/x')],
  [422, /^base_commit: must be the full hash/, at('base_commit', 'a\0b')],
  [422, /^commit: has not what/, copy => at('commit', copy.base_commit)(copy)],
  [422, /^timestamp: must be/, at('timestamp', -1)],
  [422, /^timestamp: must be/, at('timestamp', '2026-01-01')],
  [422, /^timestamp: must be/, at('timestamp', 2 ** 63)],
  [422, /^repo: must be/, at('repo', 5)],
  [422, /^made_by: must be an object/, at('made_by', [])],
  [422, /^made_by\.linker: must be/, at('made_by.linker', 'x')],
  [412, /^made_by\.linker: is 99999, and here it is \d+$/, at('made_by.linker', 99_999)],
  [412, /^made_by\.source_bytes: is 1, and here/, at('made_by.source_bytes', 1)],
  [412, /^made_by\.extractors\.cobol: is 1, and here it is \d+$/, at('made_by.extractors.cobol', 1)],
  [412, /^made_by\.extractors\.__proto__: is 1, and here it is \d+$/, at('made_by.extractors.__proto__', 1)],
  [422, /^deltas: is missing/, at('deltas')],
  [422, /^deltas: must be an object/, at('deltas', [])],
  [422, /^deltas\.files: must be an object/, at('deltas.files', [])],
  [422, /^deltas\.files\.added: must be a list/, at('deltas.files.added', {})],
  [422, /^deltas\.files\.added\[0\]\.hash: must be the sha256/, at('deltas.files.added.0.hash', hash.slice(1))],
  [422, /^deltas\.files\.added\[0\]\.path: must be/, at('deltas.files.added.0.path', '')],
  [422, /^deltas\.files\.added\[0\]\.path: must be/, at('deltas.files.added.0.path', 'a/'.repeat(2100))],
  [422, /^deltas\.files: "\.\.\/\.\.\/etc\/passwd": is no path inside/, added('added', '../../etc/passwd')],
  [422, /^deltas\.files: "\/etc\/passwd": is no path inside/, added('added', '/etc/passwd')],
  [422, /^deltas\.files: "src\/\.\.\/\.\.\/x": is no path inside/, added('modified', 'src/../../x')],
  [422, /^deltas\.files: "\.git\/config": is no path inside/, added('modified', '.git/config')],
  [422, /^deltas\.files: "sub\/\.GIT\/x": is no path inside/, added('added', 'sub/.GIT/x')],
  [422, /^deltas\.files: "a\\u0000b": is no path inside/, added('added', 'a\0b')],
  [422, /^deltas\.files: "a\/\/b": is no path inside/, added('added', 'a//b')],
  [422, /^deltas\.files: "\.": is no path inside/, added('added', '.')],
  [422, /^deltas\.files: "\\ud800": is no path inside/, added('added', '\ud800')],
  [412, /^src\/none\.ts: /, added('added', 'src/none.ts')],
  [412, /^src\/main\.ts: /, added('modified', 'src/main.ts')],
  [412, /^src\/main\.ts: is still there/, copy => void copy.deltas.files.deleted.push('src/main.ts')],
  [422, /: is named twice$/, copy => void copy.deltas.files.deleted.push(copy.deltas.files.added[0]!.path)],
  [422, /^deltas\.files\.deleted\[0\]: must be/, at('deltas.files.deleted.0', null)],
  [422, /^deltas\.symbols: is missing/, at('deltas.symbols')],
  [422, /^deltas\.symbols\.added\[0\]\.id: must be a symbol id/, at('deltas.symbols.added.0.id', 'x')],
  [422, /^deltas\.symbols\.added\[0\]\.line: must be/, at('deltas.symbols.added.0.line', 0)],
  [422, /^deltas\.symbols\.added\[0\]\.line: must be/, at('deltas.symbols.added.0.line', 2 ** 63)],
  [422, /^deltas\.symbols\.added: does not follow/, at('deltas.symbols.added.0.name', '<script>\u001b[2J')],
  [422, /^deltas\.symbols\.added: does not follow/, at('deltas.symbols.added.0.documentation', 'x'.repeat(100_000))],
  [422, /^deltas\.symbols\.deleted\[0\]: must be a symbol id/, at('deltas.symbols.deleted.0', '')],
  [422, /^stats\.symbolsDeleted: statistics count mismatch/, copy => void copy.deltas.symbols.deleted.push(symbol)],
  [422, /^deltas\.refs\.added: does not follow/, at('deltas.refs.added.0.to_symbol_id', symbol)],
  [422, /^deltas\.refs\.added\[0\]\.col: must be/, at('deltas.refs.added.0.col', -1)],
  [422, /^stats\.refsAdded: statistics count mismatch/, copy => void copy.deltas.refs.added.pop()],
  [422, /^deltas\.callgraph\.added: does not follow/, at('deltas.callgraph.added.0.caller_id', symbol)],
  [422, /^stats: is missing/, at('stats')],
  [422, /^stats\.symbolsAdded: must be/, at('stats.symbolsAdded', -1)],
  [422, /^stats\.symbolsAdded: must be/, at('stats.symbolsAdded', '1')],
  [422, /^stats\.symbolsAdded: statistics count mismatch: says 999/, at('stats.symbolsAdded', 999)],
  [422, /^statz: is no field of a delta artifact; did you mean stats\?/, at('statz', {})],
  [422, /^__proto__: is no field of a delta artifact/, at('__proto__', { valid: true })],
  [422, /^constructor: is no field of a delta artifact/, at('constructor', 1)],
  [422, /^facts: must be an object/, at('facts', 'x')],
  [422, /^facts\.[0-9a-f]{64}: are of a content that no file is said to have/, at(`facts.${'f'.repeat(64)}`, '')],
  [422, /can’t be read$/, copy => at(`facts.${Object.keys(copy.facts!)[0]}`, '!')(copy)],
];

test('asking and taking in agree on each artifact that is none, and none of them changes anything (P47)', async () => {
  const standing = await state();
  for (const [status, says, change] of table) {
    const copy = JSON.parse(built) as DeltaArtifact;
    change(copy);
    const text = JSON.stringify(copy);
    const verdict = await post('validate', text);
    const first = verdict.told.errors?.[0] ?? '';
    assert.deepEqual([verdict.status, verdict.told.valid], [200, false], `${says}: ${JSON.stringify(verdict.told)}`);
    assert.ok(
      verdict.told.errors?.some(one => says.test(one)),
      `${says}: ${verdict.told.errors?.join('\n')}`,
    );
    const answer = await post('ingest', text);
    assert.equal(answer.status, status, `${says}: ${first}`);
    assert.deepEqual(answer.told.details?.errors, verdict.told.errors, `${says}`);
  }
  assert.deepEqual(await state(), standing);
});

test('what is no artifact at all is refused by both alike, and changes nothing (P47)', async () => {
  const standing = await state();
  const bodies: readonly (readonly [number, string | Uint8Array, Record<string, string>?])[] = [
    [400, ''],
    [400, ' '],
    [400, built.slice(0, -1)],
    [400, `${built}${built}`],
    [400, `\ufeff${built}`],
    [400, `${built}\0`],
    [400, built.replace('"stats"', "'stats'")],
    [400, `[${'['.repeat(100_000)}`],
    [400, `{"a":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`],
    [400, Buffer.concat([Buffer.from('{"commit":"'), Buffer.from([0xff]), Buffer.from('"}')])],
    [400, Buffer.from(built, 'utf16le')],
    [400, '{"stats": NaN}'],
    [415, built, { 'content-type': 'text/plain' }],
    [415, built, { 'content-type': 'application/x-www-form-urlencoded' }],
    [415, built, { 'content-encoding': 'gzip' }],
    [413, `[${'0,'.repeat(3_000_001)}0]`],
  ];
  for (const [status, body, headers] of bodies) {
    for (const verb of ['validate', 'ingest'] as const) {
      const answer = await post(verb, body, headers);
      assert.equal(answer.status, status, `${verb} ${body.slice(0, 40)} ${JSON.stringify(headers)}`);
    }
  }
  assert.deepEqual(await state(), standing);
  const good = await post('validate', built);
  assert.deepEqual([good.status, good.told.valid, good.told.errors], [200, true, undefined]);
  assert.deepEqual(await state(), standing, 'a good one is not taken in by asking about it');
  assert.equal((await post('ingest', built)).status, 200);
  assert.notDeepEqual(await state(), standing);
});
