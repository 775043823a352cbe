import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { RequestContext } from '../../../daemon/operations/handler.ts';
import { type CallsSummary, noCalls } from '../../../daemon/operations/telemetry/calls-summary.ts';
import { type UsageOptions, usageHandlers } from '../../../daemon/operations/usage.ts';
import type { DroppedCalls } from '../../../daemon/store/telemetry/call-reader.ts';

const hour = 3_600_000;
const now = new Date(1000 * hour);

/** Services by their names: hours since each reported last, and whether it is of the repository. */
async function status(
  services: Readonly<Record<string, readonly [hoursAgo: number, isOwn: boolean]>>,
  more: Partial<CallsSummary> = {},
  dropped: readonly DroppedCalls[] = [],
) {
  const mapped = { repo: 'shop', folder: '', by: 'assumed' };
  const reporting = Object.entries(services).map(([name, [hoursAgo]], id) => {
    return { id, name, mapped, events: 1, lastSeen: now.getTime() - hoursAgo * hour };
  });
  const summary = {
    ...{ ...noCalls, ...more },
    services: Object.values(services).map(([, isOwn], id) => ({ id, isOwn, functions: 1, matched: isOwn ? 1 : 0 })),
  };
  const handlers = usageHandlers({
    asking: {
      asked: () => ({ calls: {} }),
      watched: (_: unknown, work: () => unknown) => work(),
      readPool: { callsSummary: () => summary },
    },
    telemetry: { isEnabled: true, services: () => reporting, strayEntries: () => [], dropped: () => dropped },
  } as unknown as UsageOptions);
  const context = { repository: { id: 'shop' }, snapshot: {}, now } as unknown as RequestContext;
  return (await handlers['telemetry.status']({ sync: false }, context)) as OutputOf<Operations['telemetry.status']>;
}

test('what is told of a repository’s services hangs on no other’s', async () => {
  const { lastSync, warnings, unmappedServices } = await status({ shop: [30, true], stranger: [0, false] });
  assert.equal(lastSync, new Date(970 * hour).toISOString());
  assert.ok(warnings.includes('no service of shop has reported anything for 30 hours'));
  assert.deepEqual(unmappedServices, ['stranger']);
  assert.ok(!(await status({ shop: [1, true] })).warnings.some(words => words.includes('hours')));
});

test('a repository of whose services none is known is told so', async () => {
  const { lastSync, warnings } = await status({ stranger: [0, false] });
  assert.equal(lastSync, null);
  assert.ok(warnings.includes('no service that reports is of shop, as far as is known'));
  assert.match((await status({})).warnings[0]!, /^nothing has been reported yet/);
});

test('what functions come without is told as it is, and only where it keeps them from being found', async () => {
  const coverage = { ...noCalls.coverage, attribute: 0.5, match: 0.5 };
  const warningsOf = async (lacking: CallsSummary['lacking'], more: Partial<CallsSummary> = {}) =>
    (await status({ shop: [1, true] }, { coverage, lacking, ...more })).warnings;
  const place = 'a line, and without a namespace: code.line.number, code.function.name in full';
  assert.deepEqual(await warningsOf({ functions: 4, file: 0, place: 4 }), [`4 of 4 functions come without ${place}`]);
  assert.deepEqual(await warningsOf({ functions: 4, file: 1, place: 3 }), [
    '1 of 4 functions comes without a file path: code.file.path',
    `3 of 4 functions come without ${place}`,
  ]);
  assert.deepEqual(await warningsOf({ functions: 0, file: 0, place: 0 }), [], 'code of others alone');
  const told = { coverage: { ...coverage, attribute: 1, match: 0 }, counts: { ...noCalls.counts, absent: 1 } };
  assert.deepEqual(await warningsOf({ functions: 4, file: 0, place: 1 }, told), [
    '1 function of these services matches no symbol: another version may be running than is indexed',
  ]);
});

test('what went for want of room is told, with what keeps more from going', async () => {
  const at = now.getTime();
  const { warnings } = await status({ shop: [1, true] }, {}, [
    { kind: 'functions', dropped: 1, at },
    { kind: 'services', dropped: 300, at },
  ]);
  assert.deepEqual(
    warnings.map(words => words.slice(0, words.indexOf(':', words.indexOf('UTC')))),
    [
      '1 function was dropped with all calls for want of room, last at 1970-02-11 16:00 UTC',
      '300 services were dropped with all calls for want of room, last at 1970-02-11 16:00 UTC',
    ],
  );
  assert.match(warnings[0]!, /telemetry\.most_functions/);
  assert.match(warnings[1]!, /service\.name/);
});
