import { type ApiAddress, hostsOf } from '../../../../model/openapi-schema.ts';
import type { Found } from './found.ts';

/** A change of where requests go, and what had been said of it. */
export interface AddressChange {
  readonly was: string;
  readonly found: Found;
}

/** What stands before all paths. */
export function basePathChange(old: ApiAddress, now: ApiAddress): readonly AddressChange[] {
  const [was, is] = [old.basePaths.join(', ') || '/', now.basePaths.join(', ') || '/'];
  const kept = new Set(now.basePaths);
  const isServed =
    old.basePaths.length === 0 ? now.basePaths.length === 0 : old.basePaths.every(path => kept.has(path));
  if (isServed) return [];
  const found: Found = {
    id: 'base-path-changed',
    severity: 'breaking',
    compatibility: ['request'],
    where: '',
    message: `the base path changed from ${was} to ${is}: requests go to other paths`,
    before: old.basePathLine,
    after: now.basePathLine,
  };
  return [{ was, found }];
}

/** Hosts, and whether what is sent to them can be read on its way. */
export function hostChanges(old: ApiAddress, now: ApiAddress): readonly AddressChange[] {
  return [...otherHosts(old, now), ...withoutHttps(old, now)];
}

/** Who took the address from the document asks hosts that it has no more; which ones they are is nobody's rule where none were told. */
function otherHosts(old: ApiAddress, now: ApiAddress): readonly AddressChange[] {
  const [hosts, later] = [hostsOf(old), hostsOf(now)];
  const kept = new Set(later);
  if (hosts.length === 0 || later.length === 0 || hosts.some(host => kept.has(host))) return [];
  const was = hosts.join(', ');
  const found: Found = {
    id: 'hosts-changed',
    severity: 'risky',
    compatibility: ['request'],
    where: '',
    message: `the hosts changed from ${was} to ${later.join(', ')}: clients that took the address from the document ask others`,
    before: old.servers[0]?.line,
    after: now.servers[0]?.line,
  };
  return [{ was, found }];
}

function withoutHttps({ schemes, schemesLine }: ApiAddress, now: ApiAddress): readonly AddressChange[] {
  if (!schemes.includes('https') || now.schemes.length === 0 || now.schemes.includes('https')) return [];
  const found: Found = {
    id: 'https-removed',
    severity: 'risky',
    compatibility: ['request'],
    where: '',
    message: `https is no longer among the schemes: ${now.schemes.join(', ')} is asked for`,
    before: schemesLine,
    after: now.schemesLine,
  };
  return [{ was: 'https', found }];
}
