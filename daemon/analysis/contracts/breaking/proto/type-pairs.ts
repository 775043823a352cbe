import { type Comparison, type Place, tell } from './comparison.ts';
import { compareEnums } from './enums.ts';
import { compareMessages } from './messages.ts';
import { movedTo } from './moved.ts';
import { reachedFrom } from './reach.ts';
import { containerOf, type KnownType, qualified } from './types.ts';

/** The types of a contract, and those of other files that are in them or in its methods. */
export function compareTypes(comparison: Comparison): void {
  const { before, after, earlierNames } = comparison;
  const later = new Map([...earlierNames].map(([now, old]) => [old, now]));
  for (const name of reachedFrom(before)) {
    const old = before.types.get(name);
    if (old === undefined) continue;
    const now = after.types.get(later.get(name) ?? name);
    const isSameKind = now !== undefined && (now.message === undefined) === (old.message === undefined);
    if (isSameKind) compareType(comparison, old, now);
    else if (old.path === before.side.path) tellDeleted(comparison, old);
  }
  for (const { name } of [...after.contract.messages, ...after.contract.enums]) {
    const now = after.types.get(qualified(after.contract.package, name))!;
    if (before.types.has(earlierNames.get(now.fullName) ?? now.fullName)) continue;
    const container = containerOf(now.fullName);
    if (!after.types.has(container) || before.types.has(earlierNames.get(container) ?? container))
      tellAdded(comparison, now);
  }
}

export function placeOfType({ path, schema, message, enum: declared }: KnownType): Place {
  return { path, schema, line: (message ?? declared)!.line };
}

function kindOf({ message }: KnownType): 'message' | 'enum' {
  return message === undefined ? 'enum' : 'message';
}

function shortName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf('.') + 1);
}

function compareType(comparison: Comparison, old: KnownType, now: KnownType): void {
  const { before, after } = comparison;
  const kind = kindOf(old);
  const changed = {
    compatibility: ['source'],
    subject: old.fullName,
    before: placeOfType(old),
    after: placeOfType(now),
  } as const;
  const [was, is] = [shortName(old.fullName), shortName(now.fullName)];
  const container = after.types.get(containerOf(now.fullName));
  const isMoved = old.path === before.side.path && now.path !== after.side.path && container?.path !== now.path;
  const isElsewhere = isInAnother(comparison, old, now);
  if (was !== is || isElsewhere) {
    const [from, to] = isElsewhere ? [nameInFile(old), nameInFile(now)] : [was, is];
    const message = `the ${kind} ${from} is called ${to} now: its name is not in its bytes, generated names change`;
    tell(comparison, { type: old.fullName }, { id: `${kind}-renamed`, severity: 'breaking', ...changed, message });
  } else if (isMoved) {
    tell(comparison, { type: old.fullName }, { ...changed, ...movedTo(comparison, kind, was, now.path) });
  }
  if (old.message !== undefined) compareMessages(comparison, old, now);
  else compareEnums(comparison, old, now);
}

/** Whether a type of the contract lies in another message than before, or in one or none now; not one that was renamed itself. */
function isInAnother({ before, after, earlierNames }: Comparison, old: KnownType, now: KnownType): boolean {
  if (old.path !== before.side.path || now.path !== after.side.path) return false;
  const [from, to] = [containerOf(nameInFile(old)), containerOf(nameInFile(now))];
  if (from === '' || to === '') return from !== to;
  const container = qualified(after.contract.package, to);
  return (earlierNames.get(container) ?? container) !== qualified(before.contract.package, from);
}

function nameInFile({ message, enum: declared }: KnownType): string {
  return (message ?? declared)!.name;
}

/** What lies in a message that went is not told apart from it. */
function tellDeleted(comparison: Comparison, old: KnownType): void {
  const { before, after, earlierNames } = comparison;
  const container = containerOf(old.fullName);
  const kept = new Set(earlierNames.values());
  if (before.types.has(container) && !after.types.has(container) && !kept.has(container)) return;
  tell(
    comparison,
    { type: old.fullName },
    {
      id: `${kindOf(old)}-deleted`,
      severity: 'breaking',
      compatibility: ['source'],
      subject: old.fullName,
      message: `the ${kindOf(old)} ${shortName(old.fullName)} was deleted`,
      before: placeOfType(old),
    },
  );
}

function tellAdded(comparison: Comparison, now: KnownType): void {
  tell(
    comparison,
    { type: now.fullName },
    {
      id: `${kindOf(now)}-added`,
      severity: 'safe',
      compatibility: [],
      subject: now.fullName,
      message: `the ${kindOf(now)} ${shortName(now.fullName)} was added`,
      after: placeOfType(now),
    },
  );
}
