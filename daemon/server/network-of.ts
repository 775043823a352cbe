import { isIPv6 } from 'node:net';

/**
 * Whom an address stands for when requests are counted. Of IPv6 it is the /64 network: who has one has all of its addresses.
 * IPv4 stands for itself, written as IPv6 (`::ffff:192.0.2.1`) or not.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ''] = address.split('%'); // fe80::1%eth0
  return isIPv6(plain) ? `${leadingGroups(plain).join(':')}::/64` : plain;
}

/** The first four groups of an IPv6 address, whatever its `::` leaves out. */
function leadingGroups(address: string): readonly string[] {
  const [head = [], tail] = address.split('::').map(groupsOf);
  const left = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array.from({ length: left }, () => '0'), ...(tail ?? [])];
  return groups.slice(0, 4).map(group => Number.parseInt(group, 16).toString(16));
}

/** An IPv4 address at the end counts for two groups; which is all the same here, for it is never among the first four. */
function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':').flatMap(group => (group.includes('.') ? ['0', '0'] : [group]));
}
