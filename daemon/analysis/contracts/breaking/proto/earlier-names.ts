import type { ProtoSchema } from '../../../../model/proto-schema.ts';
import { renamed, signatureOfEnum, signatureOfMessage, signatureOfService } from './renames.ts';
import { qualified } from './types.ts';

/**
 * Full names that the earlier revision of a file has, by those that the later one has for the same: those of another package,
 * and of what was renamed. Names that stayed are not among them.
 */
export function earlierNames(before: ProtoSchema, after: ProtoSchema): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const put = (earlier: string, later: string): void => {
    const [old, now] = [qualified(before.package, earlier), qualified(after.package, later)];
    if (old !== now) names.set(now, old);
  };
  const kinds = [
    {
      old: before.messages,
      now: after.messages,
      renames: renamed(before.messages, after.messages, signatureOfMessage),
    },
    { old: before.enums, now: after.enums, renames: renamed(before.enums, after.enums, signatureOfEnum) },
    {
      old: before.services,
      now: after.services,
      renames: renamed(before.services, after.services, signatureOfService),
    },
  ];
  const earlierOf = new Map(kinds.flatMap(({ renames }) => [...renames].map(([old, now]) => [now, old] as const)));
  for (const { old, now } of kinds) {
    const known = new Set(old.map(({ name }) => name));
    for (const { name } of now) {
      const earlier = known.has(name) ? name : (earlierOf.get(name) ?? withContainer(earlierOf, name));
      if (known.has(earlier)) put(earlier, name);
    }
  }
  return names;
}

/** What lies in a message that was renamed has its name from it. */
function withContainer(earlierOf: ReadonlyMap<string, string>, name: string): string {
  for (let end = name.lastIndexOf('.'); end > 0; end = name.lastIndexOf('.', end - 1)) {
    const container = earlierOf.get(name.slice(0, end));
    if (container !== undefined) return container + name.slice(end);
  }
  return name;
}
