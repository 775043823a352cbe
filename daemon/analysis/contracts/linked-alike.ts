import type { ContractOutline, ProtoOutline } from '../../model/contract.ts';
import type { LinkedMember } from '../../model/federation.ts';
import { baseName } from '../../model/paths.ts';
import { usesOf } from './uses.ts';

/** A contract as two revisions have it. */
export interface TwoOutlines {
  readonly member: string;
  readonly path: string;
  readonly before: ContractOutline;
  readonly now: ContractOutline;
}

/**
 * Whether the edges to a contract are the same by either revision of it, told by what they are found by, without finding them:
 * false where that takes finding them. Methods are looked at by calls of routes alone, and types by imports of them, by files that
 * import theirs, and by those that others may have copies of.
 */
export function areLinkedAlike(members: readonly LinkedMember[], { member, path, before, now }: TwoOutlines): boolean {
  if (before.type !== 'proto' || now.type !== 'proto') return isSame(before, now);
  if (!isSame(placeOf(before), placeOf(now))) return false;
  if (!isSame(before.services, now.services) && members.some(hasRouteCalls)) return false;
  if (isSame(before.types, now.types)) return true;
  return !members.some(
    one => one.uid !== member && (mayCopy(one, path, now) || mayImport(one, path) || importsTypes(one)),
  );
}

function placeOf({ package: name, imports, options, services }: ProtoOutline): unknown {
  return [name, imports, options, services.map(service => service.name)];
}

function hasRouteCalls({ contracts }: LinkedMember): boolean {
  return usesOf(contracts, 'route-call').length > 0;
}

function importsTypes({ contracts }: LinkedMember): boolean {
  return usesOf(contracts, 'type-import').length > 0;
}

function mayCopy({ contracts }: LinkedMember, path: string, { package: name }: ProtoOutline): boolean {
  return contracts.declared.some(
    ({ path: other, outline }) =>
      outline.type === 'proto' && outline.package === name && baseName(other) === baseName(path),
  );
}

function mayImport({ contracts }: LinkedMember, path: string): boolean {
  return contracts.declared.some(
    ({ outline }) => outline.type === 'proto' && outline.imports.some(one => baseName(one.path) === baseName(path)),
  );
}

/** Wherever it stands. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || withoutLines(one) === withoutLines(other);
}

function withoutLines(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (key === 'line' ? undefined : inner));
}
