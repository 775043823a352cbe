import assert from 'node:assert/strict';
import { test } from 'node:test';
import { telemetryCheck } from '../../../daemon/operations/doctor/telemetry-check.ts';

test('that calls went for want of room is a warning, whatever else is in order', () => {
  const of = (count: number) =>
    telemetryCheck({
      isEnabled: true,
      services: () => [],
      strayEntries: () => [],
      dropped: () => (count === 0 ? [] : [{ kind: 'services', dropped: count, at: 0 }]),
    });
  assert.equal(of(0).status, 'info');
  const { status, message } = of(301);
  assert.deepEqual([status, message.split(' ').slice(0, 4).join(' ')], ['warn', '301 services were dropped']);
});
