import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault } from '../client/protocol/faults.ts';

export interface Binding {
  readonly servers: readonly Server[];
  readonly port: number;
}

/**
 * Listens on a host. `localhost` means both loopback addresses on one port, for some clients try IPv6 alone; a machine
 * without IPv6 is served on 127.0.0.1. Rejects with `preconditionFailed`.
 */
export async function listen(host: string, port: number, makeServer: () => Server): Promise<Binding> {
  const first = makeServer();
  try {
    await bind(first, host === 'localhost' ? '127.0.0.1' : host, port);
  } catch (cause) {
    throw cannotBind(host, port, cause);
  }
  const bound = (first.address() as AddressInfo).port;
  if (host !== 'localhost') return { servers: [first], port: bound };
  const second = makeServer();
  try {
    await bind(second, '::1', bound);
    return { servers: [first, second], port: bound };
  } catch {
    return { servers: [first], port: bound };
  }
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

function cannotBind(host: string, port: number, cause: unknown): Fault {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') {
    return new Fault('addressInUse', `Port ${port} of ${host} is taken by another program`, {
      details: { reason: 'port_taken', host, port },
      cause,
    });
  }
  return new Fault('preconditionFailed', `Cannot listen on ${host} port ${port} (${code ?? 'unknown error'})`, {
    details: { reason: 'cannot_bind', host, port },
    cause,
  });
}
