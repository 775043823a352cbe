import { isIP } from 'node:net';

/** What decides who may ask at an address. */
interface Door {
  readonly host: string;
  readonly isAuthenticated: boolean;
  readonly allowedHosts: readonly string[];
}

/** Whether an address may be listened on: where others than this machine reach it, they must say who they are and whom they mean. */
export function mayListen({ host, isAuthenticated, allowedHosts }: Door): boolean {
  return isLoopback(host) || (isAuthenticated && allowedHosts.length > 0);
}

const hostName = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;
const greatestPort = 65_535;

/** What a `Host` header says, in small letters, the port where there is one; undefined where no name of a host can be meant. */
export function readHost(host: string): { readonly name: string; readonly port?: string } | undefined {
  const [, name, port] = hostName.exec(host) ?? [];
  if (name === undefined || Number(port ?? 0) > greatestPort) return undefined;
  return { name: name.toLowerCase(), ...(port === undefined ? {} : { port }) };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
