import { renamed, signatureOfService } from './renames.ts';
import { renamedTypes } from './type-renames.ts';
import { qualified, type TypeTable } from './types.ts';

/**
 * Full names that the earlier revision of a file has, by those that the later one has for the same: those of another package,
 * of what was renamed, and of what lies in another message now or in none; of other files those whose package changed with
 * that of the file. Names that stayed are not among them.
 */
export function earlierNames(before: TypeTable, after: TypeTable): ReadonlyMap<string, string> {
  const [was, is] = [before.contract, after.contract];
  const services = renamed(was.services, is.services, signatureOfService);
  const types = renamedTypes(before, after, services);
  const earlierOf = new Map([...types, ...services].map(([old, now]) => [now, old]));
  const names = new Map<string, string>();
  const kinds = [
    { olds: was.messages, nows: is.messages },
    { olds: was.enums, nows: is.enums },
    { olds: was.services, nows: is.services },
  ];
  for (const { olds, nows } of kinds) {
    const known = new Set(olds.map(({ name }) => name));
    for (const { name } of nows) {
      const earlier = known.has(name) ? name : earlierOf.get(name);
      if (earlier === undefined || !known.has(earlier)) continue;
      const [old, now] = [qualified(was.package, earlier), qualified(is.package, name)];
      if (old !== now) names.set(now, old);
    }
  }
  const taken = new Set(names.values());
  for (const [now, old] of movedAlong(before, after)) if (!names.has(now) && !taken.has(old)) names.set(now, old);
  return names;
}

/** What had a name in the file's former package that is gone from it, and has the same in the new one, where it was not before. */
function* movedAlong(before: TypeTable, after: TypeTable): Iterable<readonly [now: string, old: string]> {
  const [from, to] = [before.contract.package, after.contract.package];
  if (from === to) return;
  for (const { fullName, schema, message, enum: declared } of after.types.values()) {
    if (schema.package !== to || before.types.has(fullName)) continue;
    const old = before.types.get(qualified(from, (message ?? declared)!.name));
    const isSameKind = (old?.message === undefined) === (message === undefined);
    if (old !== undefined && isSameKind && !after.types.has(old.fullName)) yield [fullName, old.fullName];
  }
}
