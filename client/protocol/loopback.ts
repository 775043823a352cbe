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

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
