import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Reply } from '../../../client/protocol/caller.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { systemClock } from '../../../daemon/clock.ts';
import type { Dispatcher, DispatchRequest } from '../../../daemon/server/dispatch.ts';
import { createEventHub, type EventHub } from '../../../daemon/server/event-hub.ts';
import { createMethods } from '../../../daemon/server/methods.ts';
import { openSocketServer, type SocketServer } from '../../../daemon/server/socket-server.ts';
import { type Cleanup, temporaryFolder } from '../../support/repository.ts';
import { request, type Wire, wire } from '../../support/rpc-wire.ts';

/** A door that echoes, waits or throws, as the query `q` says: what is behind the connection is not in question here. */
export interface EchoingDoor {
  readonly server: SocketServer;
  readonly hub: EventHub;
  readonly seen: DispatchRequest[];
  /** Answers all that wait. */
  release(): void;
  open(): Promise<Wire>;
}

export async function echoingDoor(
  context: Cleanup,
  limits: Partial<{ connections: number; backlogBytes: number; halfOpenMs: number }> = {},
): Promise<EchoingDoor> {
  const seen: DispatchRequest[] = [];
  const waiting: (() => void)[] = [];
  const hub = createEventHub();
  const dispatcher = echo(hub, seen, waiting);
  const server = await openSocketServer({
    newPath: () => join(temporaryFolder(context).root, 's'),
    maxConnections: () => limits.connections ?? 128,
    methods: createMethods(dispatcher),
    subscribe: hub.subscribe,
    clock: systemClock,
    observe: () => {},
    limits: () => ({
      frameBytes: 100_000,
      backlogBytes: limits.backlogBytes ?? 16 * 1024 * 1024,
      jsonDepth: 64,
      jsonValues: 10_000,
      requestsInFlight: 64,
      batchRequests: 1000,
      subscriptions: 4,
      halfOpenMs: limits.halfOpenMs ?? 60_000,
    }),
  });
  context.after(() => server.close());
  return {
    server,
    hub,
    seen,
    release: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
    async open() {
      const socket = connect(server.path);
      await once(socket, 'connect');
      context.after(() => socket.destroy());
      return wire(socket);
    },
  };
}

export const search = (id: string | number, q: unknown = id) => request(id, 'symbols.search', { q });

function echo(hub: EventHub, seen: DispatchRequest[], waiting: (() => void)[]): Dispatcher {
  const document = (value: unknown): Reply => ({ kind: 'document', body: JSON.stringify(value) });
  return {
    subscribe: hub.subscribe,
    inFlight: () => waiting.length,
    async dispatch(asked) {
      seen.push(asked);
      const q = String(asked.input['q']);
      if (q === 'wait') {
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          asked.abort.signal.addEventListener('abort', () => reject(new Fault('cancelled', 'gone')));
        });
      }
      // Whoever works on hears of nothing.
      if (q === 'stubborn') await new Promise<void>(resolve => waiting.push(resolve));
      if (q === 'fault') throw new Fault('symbolNotFound', 'no such symbol', { retryAfterSeconds: 3 });
      if (q === 'crash') throw new Error('/secret');
      if (q === 'progress') asked.onProgress?.({ message: 'half', fraction: 0.5 });
      if (q === 'large') return document('x'.repeat(1_000_000));
      return document(asked.input['q'] ?? null);
    },
  };
}
