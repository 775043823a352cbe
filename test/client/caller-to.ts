import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Places } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { type SocketOptions, socketCaller } from '../../client/socket.ts';

/** A caller over the socket of the record, which starts nothing unless told to. */
export function callerTo(test: TestContext, places: Places, changes: Partial<SocketOptions> = {}) {
  const caller = socketCaller({
    places,
    env: {},
    client: 'test',
    version: '0.1.0',
    start: { kind: 'never' },
    isRepeatable: name => name !== 'daemon.removeRepo',
    ...changes,
  });
  test.after(() => caller.close());
  return caller;
}

/** What a rejection must be: this fault, in such words. */
export function fault(reason: Fault['reason'], pattern = /./) {
  return (error: unknown) => {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.reason, reason);
    assert.match(error.message, pattern);
    return true;
  };
}

/** What a peer says of its health. */
export const health = { status: 'ok', timestamp: '2026-01-01T00:00:00Z', version: '0.1.0' };
