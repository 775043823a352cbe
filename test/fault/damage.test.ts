import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { quarantined } from '../../daemon/store/quarantine.ts';
import { Database } from '../../daemon/store/sqlite.ts';
import { startDaemon, type TestDaemon, until } from '../support/daemon.ts';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';
import { answers, damageIndexes } from './damaged-indexes.ts';
import { dumpOf } from './released-schemas.ts';

const tree = '-- a.ts --\nexport function alpha() {}\n-- b.ts --\nimport { alpha } from "./a.ts";\nalpha();\n';

/** Overwrites part of a file in place, as a failing device would: the inode stays. */
function overwrite(file: string, at: number, bytes: Uint8Array): void {
  const content = readFileSync(file);
  content.set(bytes, at);
  writeFileSync(file, content);
}

const damages: Readonly<Record<string, (file: string) => void>> = {
  header: file => overwrite(file, 0, Buffer.alloc(100, 0x5a)),
  empty: file => truncateSync(file, 0),
  folder: file => {
    renameSync(file, `${file}.away`);
    mkdirSync(file);
  },
  foreign: file => {
    renameSync(file, `${file}.away`);
    const other = new Database(file);
    other.exec('CREATE TABLE other (id)');
    other.close();
  },
  older: file => {
    const database = new Database(file);
    database.pragma('user_version = 1');
    database.close();
  },
  tables: file => {
    const database = new Database(file);
    database.exec('DROP TABLE post');
    database.close();
  },
  text: file => writeFileSync(file, 'this is no database\n'.repeat(500)),
  unreadable: file => chmodSync(file, 0),
  truncated: file => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
  flipped: file => {
    const middle = Math.floor(readFileSync(file).length / 2);
    overwrite(file, middle, Buffer.alloc(1024, 0x5a));
  },
};

interface Served {
  readonly id: string;
  readonly root: string;
  readonly indexFile: string;
}

async function served(context: Cleanup, { client }: TestDaemon): Promise<readonly Served[]> {
  const repositories: Served[] = [];
  for (const id of Object.keys(damages)) {
    const { root } = temporaryFolder(context, tree);
    await client.daemon.addRepo({ root, id });
    repositories.push({ id, root, indexFile: '' });
  }
  await until('all are indexed and watched', async () => {
    const { repos } = await client.daemon.listRepos({});
    return repos.every(({ status, watching, pendingChanges }) => {
      return status === 'ready' && watching !== 'off' && pendingChanges === 0;
    });
  });
  return Promise.all(
    repositories.map(async one => {
      const answer = (await client.indexing.index({ repo: one.id, force: true })) as { indexPath: string };
      return { ...one, indexFile: answer.indexPath };
    }),
  );
}

test('an index file that was damaged while no daemon ran is put aside once and built anew (P21)', async context => {
  const first = await startDaemon(context);
  const repositories = await served(context, first);
  const [{ id }] = repositories as [Served];
  const right = await answers(first, id);
  assert.equal(await first.stop(), 0);
  const registered = () => {
    const { repository, setting, access_key: keys } = dumpOf(first.home.places.daemonDb).rows;
    return { repository, keys, settings: setting?.filter(({ name }) => name === 'default_repository') };
  };
  const before = registered();
  for (const one of repositories) damages[one.id]!(one.indexFile);
  const second = await startDaemon(context, first.home);
  for (const one of repositories) assert.equal(await answers(second, one.id), right, one.id);
  const aside = repositories.filter(one => quarantined(one.indexFile).length === 1).map(one => one.id);
  // Who may read everything is not kept from it by a mode.
  const expected = Object.keys(damages).filter(one => one !== 'unreadable' || process.getuid?.() !== 0);
  // Where rows alone were hit, they alone are made anew.
  assert.deepEqual(
    aside.filter(one => one !== 'flipped'),
    expected.filter(one => one !== 'flipped'),
  );
  const told = second.home.log().filter(({ msg }) => msg === 'index.corrupt');
  assert.deepEqual(told.map(({ repo }) => repo).sort(), expected.toSorted());
  const { checks } = await second.client.system.doctor({ repo: id });
  const check = checks.find(one => one.name === 'quarantine');
  assert.match(check?.message ?? '', new RegExp(`^${aside.length} damaged databases? w`));
  assert.equal(await second.stop(), 0);
  assert.deepEqual(registered(), before, 'what is registered is none of it');
});

test('an index file that is damaged under a running daemon gives right answers or none, and right ones after an edit (P21)', async context => {
  const daemon = await startDaemon(context);
  const repositories = await served(context, daemon);
  const right = await answers(daemon, repositories[0]!.id);
  for (const one of repositories) damages[one.id]!(one.indexFile);
  for (const one of repositories) assert.equal(await answers(daemon, one.id), right, one.id);
  assert.equal(await daemon.stop(), 0);
  for (const { root } of repositories) writeFileSync(join(root, 'c.ts'), 'export const gamma = 1;\n');
  const next = await startDaemon(context, daemon.home);
  for (const one of repositories) {
    assert.equal(await answers(next, one.id), right, one.id);
    await until(`${one.id} knows the edit`, async () => {
      const { results } = await next.client.symbols.search({ repo: one.id, q: 'gamma' });
      return results[0]?.name === 'gamma';
    });
  }
});

/** A daemon that has left, what it answered, and the index that it left behind. */
async function indexedAndStopped(context: Cleanup) {
  const first = await startDaemon(context);
  const { root } = temporaryFolder(context, tree);
  await first.client.daemon.addRepo({ root, id: 'app' });
  await until('it is watched', async () => (await first.client.daemon.listRepos({})).repos[0]?.watching !== 'off');
  const right = await answers(first, 'app');
  const { indexPath } = (await first.client.indexing.index({ force: true })) as { indexPath: string };
  assert.equal(await first.stop(), 0);
  return { first, right, indexPath };
}

test('of an index file that was damaged while no daemon ran, the document that was hit is made anew alone (P20)', async context => {
  const { first, right, indexPath } = await indexedAndStopped(context);
  const database = new Database(indexPath, { readonly: true });
  const { facts } = database
    .prepare<[], { facts: Buffer }>(
      `SELECT fact_body.facts AS facts FROM fact_body JOIN link ON link.fact = fact_body.id JOIN document ON document.id = document WHERE path = 'b.ts'`,
    )
    .get()!;
  database.close();
  const at = readFileSync(indexPath).indexOf(facts);
  overwrite(indexPath, at + facts.length - 1, Buffer.from([facts.at(-1)! ^ 1]));
  const daemon = await startDaemon(context, first.home);
  assert.equal(await answers(daemon, 'app'), right);
  assert.deepEqual(quarantined(indexPath), []);
  const told = daemon.home.log().filter(({ msg }) => msg === 'index.corrupt');
  assert.match(String(told[0]?.['what']), /made anew: b\.ts$/);
  assert.equal(told.length, 1);
});

test('whatever becomes of an index file while no daemon runs changes no answer, and is logged (P20)', context =>
  damageIndexes(context, { flips: 8, pages: 3, cuts: 2 }, 14, 20));

test('where a killed daemon left a file, what no longer leads to its rows is missed by no answer (P20)', async context => {
  const { first, right, indexPath } = await indexedAndStopped(context);
  rmSync(`${indexPath}.seal`);
  const database = new Database(indexPath);
  assert.ok(database.prepare('DELETE FROM post').run().changes > 0);
  database.close();
  const daemon = await startDaemon(context, first.home);
  assert.equal(await answers(daemon, 'app'), right);
  assert.ok(daemon.home.log().some(({ msg }) => msg === 'index.corrupt'));
});

test('what nobody asks about is compared too: damage is found, told and mended while the daemon rests (P20)', async context => {
  const first = await startDaemon(context);
  const { root } = temporaryFolder(context, tree);
  await first.client.daemon.addRepo({ root, id: 'app' });
  await until('it is watched', async () => (await first.client.daemon.listRepos({})).repos[0]?.watching !== 'off');
  const { indexPath } = (await first.client.indexing.index({ force: true })) as { indexPath: string };
  assert.equal(await first.stop(), 0);
  // As a killed daemon leaves it: without the seal that would tell at once.
  rmSync(`${indexPath}.seal`);
  const database = new Database(indexPath);
  database.exec(
    `UPDATE fact_body SET text = zeroblob(length(text))
     WHERE id = (SELECT fact FROM link JOIN document ON document.id = link.document WHERE path = 'b.ts')`,
  );
  database.close();

  const daemon = await startDaemon(context, first.home);
  const status = async () =>
    (await daemon.client.system.doctor({ repo: 'app' })).checks.find(({ name }) => name === 'index.verification')
      ?.status;
  const isTold = (): boolean => daemon.home.log().some(({ msg, repo }) => msg === 'index.corrupt' && repo === 'app');
  // What is found is mended at once, so that who asks in between is told of it, and who asks later is not.
  await until('damage is found', async () => isTold() || (await status()) === 'warn');
  await until('it is told', isTold);
  await until('the index has been compared to its end', async () => (await status()) === 'pass');
  assert.match(await answers(daemon, 'app'), /b\.ts/);
  assert.deepEqual(quarantined(indexPath), []);
  const runs = daemon.home.log().filter(({ msg }) => msg === 'snapshot.published');
  assert.equal(runs.length, 1, 'that document alone was made anew: nothing has been published since the first run');
  assert.match(String(daemon.home.log().find(({ msg }) => msg === 'index.corrupt')?.['what']), /made anew: b\.ts$/);
});
