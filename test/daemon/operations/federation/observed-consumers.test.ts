import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Federation } from '../../../../daemon/model/federation.ts';
import { usesIn, withCalls } from '../../../../daemon/operations/federation/consumer-calls.ts';
import { withObservedCalls } from '../../../../daemon/operations/federation/observed-consumers.ts';
import type { Asked } from '../../../../daemon/operations/symbols/answers.ts';
import type { CallsAtCall } from '../../../../daemon/operations/telemetry/calls-at-places.ts';
import { StoreError } from '../../../../daemon/store/store-faults.ts';

const consumer = (repoId: string, path: string) => ({ repoId, edgeId: path, uses: [{ path, line: 1 }] });
const changes = [
  { id: 'one', consumers: [consumer('web', 'a.ts'), consumer('broken', 'b.ts')] },
  { id: 'two', consumers: [consumer('silent', 'c.ts'), consumer('web', 'd.ts'), consumer('web', 'e.ts')] },
];
const answer = new TextEncoder().encode(JSON.stringify({ contract: {}, changes }));
const federation = {
  members: ['web', 'broken', 'silent', 'elsewhere'].map(id => ({ repoId: id, repoUid: `uid ${id}` })),
} as unknown as Federation;
const counts: Readonly<Record<string, number | null>> = { 'a.ts': 7, 'd.ts': null, 'e.ts': 0 };

/** Of those repositories something is known; the number of times that the answer was taken apart, and what came of it. */
async function observed(known: readonly string[]) {
  let readings = 0;
  const reading = <Value>(value: Value): Promise<Value> => {
    readings++;
    return Promise.resolve(value);
  };
  const repository = (id: string) => ({
    record: { id },
    registered: { uid: `uid ${id}` },
    snapshot: { seq: 1, snapshotId: 'x' },
  });
  const options = {
    telemetry: { asked: (id: string) => (known.includes(id) ? {} : undefined) },
    repositories: { list: () => ['web', 'broken', 'silent'].map(repository) },
    readPool: {
      callsAt: ({ asked, groups }: CallsAtCall & { readonly asked: Asked }) =>
        asked.repo.id === 'broken'
          ? Promise.reject(new StoreError('corrupt', 'x'))
          : Promise.resolve(groups.map(([place]) => counts[place!.path] ?? null)),
    },
    federations: {
      usesIn: (call: Parameters<typeof usesIn>[0]) => reading(usesIn(call)),
      withCalls: (call: Parameters<typeof withCalls>[0]) =>
        reading(new TextEncoder().encode(JSON.stringify(withCalls(call)))),
    },
  } as unknown as Parameters<typeof withObservedCalls>[0];
  const told = await withObservedCalls(options, federation, answer, 0, new AbortController().signal);
  return { readings, told };
}

test('each consumer is told with its calls; what can’t be read, and what is not known, is left out', async () => {
  const { told } = await observed(['web', 'broken']);
  const { changes: noted } = JSON.parse(new TextDecoder().decode(told)) as { changes: unknown };
  assert.deepEqual(noted, [
    { id: 'one', consumers: [{ ...consumer('web', 'a.ts'), observedCalls: 7 }, consumer('broken', 'b.ts')] },
    {
      id: 'two',
      consumers: [
        consumer('silent', 'c.ts'),
        consumer('web', 'd.ts'),
        { ...consumer('web', 'e.ts'), observedCalls: 0 },
      ],
    },
  ]);
  assert.equal((await observed(['broken'])).told, answer);
});

test('an answer to which there is nothing to say is not taken apart', async () => {
  const { readings, told } = await observed(['elsewhere']);
  assert.deepEqual([readings, told], [0, answer]);
});
