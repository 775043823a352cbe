import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { RequestContext } from '../../../daemon/operations/handler.ts';
import { noCalls } from '../../../daemon/operations/telemetry/calls-summary.ts';
import { type UsageOptions, usageHandlers } from '../../../daemon/operations/usage.ts';

const hour = 3_600_000;
const now = new Date(1000 * hour);

/** Services by their names: hours since each reported last, and whether it is of the repository. */
async function status(services: Readonly<Record<string, readonly [hoursAgo: number, isOwn: boolean]>>) {
  const mapped = { repo: 'shop', folder: '', by: 'assumed' };
  const reporting = Object.entries(services).map(([name, [hoursAgo]], id) => {
    return { id, name, mapped, events: 1, lastSeen: now.getTime() - hoursAgo * hour };
  });
  const summary = {
    ...noCalls,
    services: Object.values(services).map(([, isOwn], id) => ({ id, isOwn, functions: 1, matched: isOwn ? 1 : 0 })),
  };
  const handlers = usageHandlers({
    asking: {
      asked: () => ({ calls: {} }),
      watched: (_: unknown, work: () => unknown) => work(),
      readPool: { callsSummary: () => summary },
    },
    telemetry: { isEnabled: true, services: () => reporting, strayEntries: () => [] },
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
