import { isIP } from 'node:net';
import { nameInHost } from '../client/protocol/loopback.ts';

/** Which `Host` headers a listener answers to. */
export interface HostPolicy {
  trusts(host: string): boolean;
}

/**
 * Loopback names, the bound address (a wildcard such as 0.0.0.0 is no name) and the allowed entries, each a host name or
 * `name:port`. Names compare exactly but for case: no suffixes, no trailing dots, no other spellings of an address.
 */
export function hostPolicy(boundHost: string, allowedHosts: readonly string[]): HostPolicy {
  const allowed = allowedHosts.map(host => host.toLowerCase());
  const names = new Set(['localhost', '127.0.0.1', '[::1]', ...allowed]);
  if (!wildcards.has(boundHost)) names.add(bracketed(boundHost.toLowerCase()));
  return {
    trusts(host) {
      const name = nameInHost(host);
      return name !== undefined && (names.has(name) || names.has(host.toLowerCase()));
    },
  };
}

/** An address as it stands in a URL. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

const wildcards = new Set(['0.0.0.0', '::', '']);
