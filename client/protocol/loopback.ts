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

/** The name in what a `Host` header may say, a port left out, in small letters; undefined where no host can be meant. */
export function nameInHost(host: string): string | undefined {
  const [, name, port] = hostName.exec(host) ?? [];
  return Number(port ?? 0) > greatestPort ? undefined : name?.toLowerCase();
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
