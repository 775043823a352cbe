import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { Fault } from '../../client/protocol/faults.ts';
import type { Observe } from '../events.ts';
import { type ConnectionOptions, type RpcConnection, serveConnection } from './connection.ts';
import { faultReply } from './rpc-message.ts';

export interface SocketServerOptions extends Omit<ConnectionOptions, 'isDraining'> {
  readonly path: string;
  readonly maxConnections: number;
  readonly observe: Observe;
}

export interface SocketServer {
  readonly path: string;
  connections(): number;
  subscriptions(): number;
  inFlight(): number;
  /** Refuses new connections and requests from now on; what is in flight goes on. */
  drain(): void;
  /** Tells what is still in flight that the daemon leaves, and closes every connection. */
  close(): void;
}

/** Listens on a socket of mode 0600. The path must be new: a socket is never taken over, and never shared. */
export async function openSocketServer(options: SocketServerOptions): Promise<SocketServer> {
  const connections = new Set<RpcConnection>();
  let isDraining = false;
  const server = createServer({ allowHalfOpen: true }, socket => {
    if (connections.size >= options.maxConnections) {
      options.observe({ kind: 'connection.refused', reason: 'too_many' });
      const fault = new Fault('rateLimited', `At most ${options.maxConnections} connections`, { retryAfterSeconds: 1 });
      socket.on('error', () => socket.destroy());
      socket.end(`${faultReply(null, fault)}\n`, () => socket.destroy());
      return;
    }
    const connection = serveConnection(socket, { ...options, isDraining: () => isDraining });
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  // Out of descriptors: those that wait in the kernel's queue are taken when some are free again.
  server.on('error', cause => options.observe({ kind: 'daemon.fault', what: 'the socket server', cause }));
  await listen(server, options.path);
  chmodSync(options.path, 0o600);
  const sum = (count: (connection: RpcConnection) => number) =>
    [...connections].reduce((total, connection) => total + count(connection), 0);
  return {
    path: options.path,
    connections: () => connections.size,
    subscriptions: () => sum(connection => connection.subscriptionCount),
    inFlight: () => sum(connection => connection.inFlight),
    drain() {
      isDraining = true;
      server.close();
    },
    close() {
      isDraining = true;
      server.close();
      const fault = new Fault('shuttingDown', 'The daemon is stopping', { retryAfterSeconds: 1 });
      for (const connection of [...connections]) connection.end(fault);
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}
