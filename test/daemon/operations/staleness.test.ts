import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import { ageMinutes, type ServedRepository, staleness } from '../../../daemon/operations/served-repository.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { whileWithoutRights } from '../../support/without-rights.ts';

const now = new Date(1_900_000_000_000);

type State = Pick<ServedRepository, 'record' | 'snapshot' | 'failure' | 'sinceComparedMs' | 'follow'>;
type Follow = NonNullable<State['follow']>;
type Status = ReturnType<Follow['status']>;

const indexed = { seq: 1, publishedAt: now.getTime() } as NonNullable<State['snapshot']>;
const noIndex = { snapshot: undefined };
const failed = { failure: 'the last run failed' };
const unwatched = { follow: undefined };

interface Watcher {
  readonly isHeard?: boolean;
  readonly status?: Partial<Pick<Status, 'watching' | 'pendingChanges'>>;
}

/** Why a watched, fresh repository with `before` is stale, of which `meanwhile` has become true when its watcher answers. */
function reason(before: Partial<State>, meanwhile: Partial<State>, watcher: Watcher = {}): Promise<string | undefined> {
  const status = {
    failing: false,
    pendingChanges: 0,
    watching: 'native',
    watch: { crawling: false },
    ...watcher.status,
  };
  const follow: Follow = {
    status: () => status as Status,
    sync: async () => {},
    async hearOut() {
      Object.assign(state, meanwhile);
      return watcher.isHeard ?? true;
    },
  };
  const record = { root: '/tree' } as State['record'];
  const state: State = { record, snapshot: indexed, failure: undefined, sinceComparedMs: undefined, follow, ...before };
  return staleness(state as ServedRepository, 60, now);
}

test('an index is judged as it is once the watcher has answered', async () => {
  assert.equal(await reason({}, {}), undefined);
  assert.equal(await reason({}, failed), 'the last run failed');
  assert.equal(await reason(failed, { failure: undefined }), undefined);
  assert.equal(await reason(noIndex, {}), 'there is no index yet');
  assert.equal(await reason(noIndex, { snapshot: indexed }), undefined);
  assert.equal(await reason({}, noIndex), 'there is no index yet');
  assert.equal(await reason(unwatched, {}), 'the tree is not watched yet');
  assert.equal(await reason({}, unwatched), 'the tree is not watched yet');
});

test('an index is not fresh whose watcher is silent, behind or without a root (P12)', async () => {
  assert.equal(await reason({}, {}, { isHeard: false }), 'the watcher does not answer');
  assert.equal(await reason({}, {}, { status: { pendingChanges: 2 } }), '2 changes are being taken in');
  assert.equal(
    await reason({}, {}, { isHeard: false, status: { watching: 'off' } }),
    'the repository’s folder is gone',
  );
});

test('an index whose root is closed is not fresh, and its root not gone', t =>
  whileWithoutRights(async () => {
    const { root } = temporaryFolder(t);
    chmodSync(root, 0o000);
    const record = { root } as State['record'];
    const told = await reason({ record }, {}, { status: { watching: 'off' } });
    assert.equal(told, 'the repository’s folder can’t be looked into');
  }));

test('how old an index is does not hang on what is done to the clock since it was compared (P18)', () => {
  const repository = { snapshot: indexed, sinceComparedMs: () => 3 * 60_000 } as unknown as ServedRepository;
  const years = (n: number) => new Date(now.getTime() + n * 365 * 86_400_000);
  for (const at of [now, years(10), years(-10)]) assert.equal(ageMinutes(repository, at), 3);
  const unseen = { ...repository, sinceComparedMs: undefined };
  assert.equal(ageMinutes(unseen, years(-10)), 0, 'of an earlier process, by a clock that was set back since');
});
