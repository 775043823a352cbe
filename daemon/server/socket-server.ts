import { chmodSync, lstatSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cutOff, Fault } from '../../client/protocol/faults.ts';
import type { Observe } from '../events.ts';
import { type ConnectionLimits, type ConnectionOptions, type RpcConnection, serveConnection } from './connection.ts';
import { createTurns } from './inbox.ts';
import { faultReply } from './rpc-message.ts';

export interface SocketServerOptions extends Omit<ConnectionOptions, 'isDraining' | 'limits' | 'turns'> {
  /** A name that nothing bears yet; asked again when the socket has to move. */
  readonly newPath: () => string;
  /** Asked when a client comes, as are the limits that it is held to. */
  readonly maxConnections: () => number;
  readonly limits: () => ConnectionLimits;
  readonly observe: Observe;
}

export interface SocketServer {
  /** Where it listens now. */
  readonly path: string;
  /** Whether the name still leads here: somebody may have removed it, or put something else in its place. */
  isReachable(): boolean;
  /** Listens under a new name; connections that stand are not touched. Rejects where no socket can be made. */
  move(): Promise<void>;
  connections(): number;
  subscriptions(): number;
  inFlight(): number;
  /** Refuses new connections and requests from now on; what is in flight goes on. */
  drain(): void;
  /** Tells what is still in flight that the daemon leaves, and closes every connection. */
  close(): void;
}

/** In one turn of the event loop, of all connections together. */
const messagesPerTurn = 32;

/** Listens on a socket of mode 0600. Its name must be new: a socket is never taken over, and never shared. */
export async function openSocketServer(options: SocketServerOptions): Promise<SocketServer> {
  const connections = new Set<RpcConnection>();
  const turns = createTurns(messagesPerTurn);
  let accepted = 0;
  let isDraining = false;
  let door = await openDoor(options, accept);
  const sum = (count: (connection: RpcConnection) => number) =>
    [...connections].reduce((total, connection) => total + count(connection), 0);
  return {
    get path() {
      return door.path;
    },
    isReachable: () => inodeOf(door.path) === door.inode,
    async move() {
      const next = await openDoor(options, accept);
      const last = door;
      door = next;
      await queueEmptied();
      last.server.close();
      if (isDraining) next.server.close();
    },
    connections: () => connections.size,
    subscriptions: () => sum(connection => connection.subscriptionCount),
    inFlight: () => sum(connection => connection.inFlight),
    drain() {
      isDraining = true;
      door.server.close();
    },
    close() {
      isDraining = true;
      door.server.close();
      for (const connection of [...connections]) connection.end(cutOff());
    },
  };

  /** A turn of the event loop takes one at least of those who wait in the kernel's queue: closing would cut them off. */
  async function queueEmptied(): Promise<void> {
    for (let before = -1, idle = 0; idle < 2; idle = accepted === before ? idle + 1 : 0) {
      before = accepted;
      await nextTurn();
    }
  }

  function accept(socket: Socket): void {
    accepted += 1;
    const most = options.maxConnections();
    if (connections.size >= most) {
      options.observe({ kind: 'connection.refused', reason: 'too_many' });
      const fault = new Fault('rateLimited', `At most ${most} connections`, { retryAfterSeconds: 1 });
      socket.on('error', () => socket.destroy());
      socket.end(`${faultReply(null, fault)}\n`, () => socket.destroy());
      return;
    }
    const connection = serveConnection(socket, {
      ...options,
      ...{ limits: options.limits(), turns, isDraining: () => isDraining },
    });
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  }
}

/** One name in the file system behind which we listen. */
interface Door {
  readonly path: string;
  readonly inode: bigint | undefined;
  readonly server: Server;
}

async function openDoor({ newPath, observe }: SocketServerOptions, accept: (socket: Socket) => void): Promise<Door> {
  const path = newPath();
  const server = createServer({ allowHalfOpen: true }, accept);
  // Out of descriptors: those that wait in the kernel's queue are taken when some are free again.
  server.on('error', cause => observe({ kind: 'daemon.fault', what: 'the socket server', cause }));
  await listen(server, path);
  chmodSync(path, 0o600);
  return { path, inode: inodeOf(path), server };
}

/** Undefined of what is gone, and of what can't be looked at. */
function inodeOf(path: string): bigint | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  } catch {
    return undefined;
  }
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
