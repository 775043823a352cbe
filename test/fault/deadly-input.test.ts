import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ready, storedIndex } from '../oracle/stored.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository } from '../support/repository.ts';
import { standIn } from './orders.ts';

const files = 500;
const tree = [
  ...Array.from({ length: files - 1 }, (_, index) => `-- f${index}.ts --\nexport const f${index} = ${index};`),
  '-- deadly.ts --\nexport const deadly = 1;',
].join('\n');

test('an input in flight in three deaths, whatever they were, is passed over until it is edited; everything else is indexed (P10)', async t => {
  const workspace = gitRepository(t, tree);
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const deadly = { ...home, env: { ...home.env, SVC_FAULT: 'in-flight:deadly.ts' } };
  const aborting = { ...home, env: { ...home.env, ...standIn(t, { deadly: { word: 'deadly', by: 'abort' } }).env } };
  for (const [deaths, way] of [deadly, aborting, deadly].entries()) {
    const daemon = await startDaemon(t, way);
    if (deaths === 0) await daemon.client.daemon.addRepo({ root: workspace.root, id: 'app' }).catch(() => {});
    assert.equal(await daemon.ended, way === aborting ? 'SIGABRT' : 'SIGKILL');
  }
  const survivor = await startDaemon(t, deadly);
  await ready(survivor);
  const skips = entries(storedIndex(home.places).lines).filter(({ skip }) => skip !== '');
  assert.deepEqual(skips, [{ path: 'deadly.ts', skip: 'quarantined' }]);
  assert.equal(entries(storedIndex(home.places).lines).length, files);
  const finding = async ({ client }: TestDaemon, check: string) =>
    (await client.system.doctor({})).checks.find(({ name }) => name === check);
  for (const check of ['inputs', 'index.failed']) {
    const found = await finding(survivor, check);
    assert.equal(found?.status, 'warn');
    assert.match(found.message, /deadly\.ts/);
  }
  assert.match((await finding(survivor, 'inputs'))!.message, /3 deaths/);
  assert.equal(await survivor.stop(), 0);

  const cured = await startDaemon(t, home);
  await ready(cured);
  workspace.write('deadly.ts', 'export const harmless = 1;\n');
  await until('the edited file is indexed', async () => {
    const { results } = await cured.client.symbols.search({ q: 'harmless', repo: 'app' });
    return results.some(({ name }) => name === 'harmless');
  });
  for (const check of ['inputs', 'index.failed']) assert.equal((await finding(cured, check))?.status, 'pass', check);
});

test('an input that fills a thread’s memory costs itself alone, and no daemon (P10)', async t => {
  const workspace = gitRepository(t, tree);
  const home = temporaryHome(t, {
    SVC_HTTP_ENABLED: 'false',
    ...standIn(t, { deadly: { word: 'deadly', by: 'oom' } }).env,
  });
  const daemon = await startDaemon(t, home);
  await daemon.client.daemon.addRepo({ root: workspace.root, id: 'app' });
  await ready(daemon);
  const skips = entries(storedIndex(home.places).lines).filter(({ skip }) => skip !== '');
  assert.deepEqual(
    skips.map(({ path }) => path),
    ['deadly.ts'],
  );
  // A machine that is slow at filling memory has given it up before.
  assert.match(skips[0]!.skip, /^(parser_trap|parse_timeout)$/);
  assert.equal((await daemon.client.daemon.status({})).pid, daemon.record.pid);
  const { checks } = await daemon.client.system.doctor({ repo: 'app' });
  assert.ok(checks.some(({ status, message }) => status === 'warn' && message.includes('deadly.ts')));
});

function entries(lines: readonly string[]): readonly { readonly path: string; readonly skip: string }[] {
  return lines
    .filter(line => line.startsWith('entry\t'))
    .map(line => line.split('\t'))
    .map(parts => ({ path: parts[1]!, skip: parts[6]! }));
}
