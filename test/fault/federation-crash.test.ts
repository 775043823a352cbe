import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Home, startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { afterAll, type Cleanup, type Workspace } from '../support/repository.ts';
import { shopRepository } from '../support/shop.ts';

/** A daemon that dies while it synchronises knows of each member what it knew before, or all that is new. */

const name = 'shop';
const ids = ['cart', 'checkout'] as const;
type Members = Readonly<Record<(typeof ids)[number], Workspace>>;

/** What is known of each member; all of it changes with a round. */
async function knownBy({ client }: TestDaemon): Promise<Readonly<Record<string, unknown>>> {
  const known: Record<string, unknown> = {};
  for (const repoId of ids) {
    const { contracts } = await client.contracts.list({ name, repoId });
    const { modules } = await client.federation.modules({ name, repos: [repoId] });
    const { matches } = await client.federation.ownership({ name, repos: [repoId] });
    known[repoId] = {
      services: contracts.flatMap(({ services }) => services).filter(one => /Round/.test(one)),
      modules: modules.map(({ moduleId }) => moduleId).filter(id => id.startsWith('round')),
      owners: matches
        .flatMap(({ owners }) => owners.map(({ identity }) => identity))
        .filter(one => one.startsWith('@round')),
    };
  }
  return known;
}

const roundOf = (round: number) => ({
  services: [`round.Round${round}`],
  modules: [`round${round}`],
  owners: [`@round${round}`],
});

function change(members: Members, round: number): void {
  for (const id of ids) {
    const { write, remove, path: _, commit } = members[id];
    remove(`round${round - 1}`);
    write('proto/round.proto', `syntax = "proto3";\npackage round;\nservice Round${round} {}\n`);
    write(`round${round}/a.ts`, 'export const a = 1;\n');
    write(id === 'cart' ? '.github/CODEOWNERS' : 'CODEOWNERS', `* @round${round}\n`);
    commit(`round ${round}`);
  }
}

/** What is known of the members is of round 1. */
async function prepared(t: Cleanup): Promise<{ readonly home: Home; readonly members: Members }> {
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const members = { cart: shopRepository(t, 'cart'), checkout: shopRepository(t, 'checkout') };
  change(members, 1);
  const daemon = await startDaemon(t, home);
  await daemon.client.federation.create({ name });
  for (const id of ids) await daemon.client.federation.add({ name, path: members[id].root, repoId: id });
  await daemon.client.federation.sync({ name });
  assert.deepEqual(await knownBy(daemon), { cart: roundOf(1), checkout: roundOf(1) });
  assert.equal(await daemon.stop(), 0);
  return { home, members };
}

async function dies(t: Cleanup, home: Home, fault: string): Promise<void> {
  const daemon = await startDaemon(t, { ...home, env: { ...home.env, SVC_FAULT: fault } });
  await assert.rejects(daemon.client.federation.sync({ name }));
  assert.equal(await daemon.ended, 'SIGKILL', fault);
}

const { home, members } = await prepared(afterAll);
/** The last one that all is known of. */
let round = 1;

/** Each member is one commit. */
const deaths: readonly (readonly [fault: string, cart: 'old' | 'new', checkout: 'old' | 'new'])[] = [
  ['before-commit:federations.db:1', 'old', 'old'],
  ['after-commit:federations.db:1', 'new', 'old'],
  ['before-commit:federations.db:2', 'new', 'old'],
  ['after-commit:federations.db:2', 'new', 'new'],
];

test('killed at any commit: old or new of each member, and the next synchronisation goes on from there', async t => {
  for (const [fault, cart, checkout] of deaths) {
    change(members, ++round);
    await dies(t, home, fault);
    const daemon = await startDaemon(t, home);
    const told = { old: roundOf(round - 1), new: roundOf(round) };
    assert.deepEqual(await knownBy(daemon), { cart: told[cart], checkout: told[checkout] }, fault);
    const { jobs } = await daemon.client.jobs.list({ type: 'sync-federation', limit: 1 });
    assert.deepEqual([jobs[0]?.status, jobs[0]?.error?.code], ['failed', 'interrupted'], fault);
    const { results } = await daemon.client.federation.sync({ name });
    assert.deepEqual(
      results.map(({ status }) => status),
      [cart, checkout].map(which => (which === 'new' ? 'skipped' : 'success')),
      fault,
    );
    assert.deepEqual(await knownBy(daemon), { cart: told.new, checkout: told.new }, fault);
    assert.equal(await daemon.stop(), 0);
  }
});

test('killed in its midst', async t => {
  change(members, ++round);
  const daemon = await startDaemon(t, home);
  const asked = daemon.client.federation.sync({ name, force: true }).catch(() => {});
  await until('it is at work, or through', async () => {
    const { jobs, total } = await daemon.client.jobs.list({ type: 'sync-federation', limit: 1 });
    return total > 1 && jobs[0]!.progress >= 50;
  });
  daemon.process.kill('SIGKILL');
  await daemon.ended;
  await asked;
  const next = await startDaemon(t, home);
  const known = await knownBy(next);
  for (const id of ids) {
    const told = JSON.stringify(known[id]);
    assert.ok(
      [round - 1, round].some(one => JSON.stringify(roundOf(one)) === told),
      `${id}: ${told}`,
    );
  }
  await next.client.federation.sync({ name });
  assert.deepEqual(await knownBy(next), { cart: roundOf(round), checkout: roundOf(round) });
  assert.equal(await next.stop(), 0);
});
