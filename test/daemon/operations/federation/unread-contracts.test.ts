import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractsAnswer } from '../../../../daemon/operations/federation/contract-answers.ts';
import type { FederatedCall, FederationView } from '../../../../daemon/operations/federation/member-view.ts';
import { federationHandlers } from '../../../../daemon/operations/federation.ts';
import type { Federations } from '../../../../daemon/operations/federations.ts';
import type { RequestContext } from '../../../../daemon/operations/handler.ts';

const name = 'shop';
const unreadOf = { cart: ['proto'], web: ['a.proto', 'b.proto', 'c.proto', 'd.proto'], docs: [] };
const members = Object.entries(unreadOf).map(([repoId, unread]) => ({
  ...{ repoId, repoUid: repoId, known: { contracts: { declared: [], unread } } },
}));
const view = { federation: { name, members }, members, now: 0 } as unknown as FederationView;

const cart = 'cart: 1 path could not be read, so that contracts may be missing: proto';
const web = 'web: 4 paths could not be read, so that contracts may be missing: a.proto, b.proto, c.proto, …';

test('contracts that nobody may read are warned of by the repository and their names', () => {
  const listed = (repoId?: string) => {
    const { total, warnings } = contractsAnswer(view, { name, limit: 50, ...(repoId === undefined ? {} : { repoId }) });
    assert.equal(total, 0);
    return warnings?.map(({ code, message }) => `${code} ${message}`);
  };
  assert.deepEqual(listed(), [`PARTIAL_RESULT ${cart}`, `PARTIAL_RESULT ${web}`]);
  assert.deepEqual(listed('cart'), [`PARTIAL_RESULT ${cart}`]);
  assert.equal(listed('docs'), undefined);
});

test('a synchronisation that found nothing new warns of them, of the repositories that it is about', async () => {
  const federations = {
    get: () => view.federation,
    marks: () => [],
    sync: async () => ({ id: 'job' }),
    answer: async ({ input }: FederatedCall<'contracts.list'>) =>
      new TextEncoder().encode(JSON.stringify(contractsAnswer(view, input))),
  } as unknown as Federations;
  const ended = { state: 'completed', result: { members: [] } };
  const jobs = { get: () => ended, ended: async () => ended } as never;
  const context = { now: new Date(0), signal: new AbortController().signal } as RequestContext;
  const synced = async (repoIds?: string[]) => {
    const input = { name, force: false, dryRun: false, ...(repoIds === undefined ? {} : { repoIds }) };
    const { warnings } = (await federationHandlers({ federations, jobs })['federation.sync'](input, context)) as {
      readonly warnings?: readonly { readonly message: string }[];
    };
    return warnings?.map(({ message }) => message);
  };
  assert.deepEqual(await synced(), [cart, web]);
  assert.deepEqual(await synced(['web', 'docs']), [web]);
  assert.equal(await synced(['docs']), undefined);
});
