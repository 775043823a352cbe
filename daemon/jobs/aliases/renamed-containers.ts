import type { SymbolKind } from '../../model/symbol.ts';
import { containerOf, placeKey, uniqueBy } from './evidence-keys.ts';
import type { Move } from './moved-bodies.ts';
import type { RenameEvidence, SymbolEvidence } from './rename-evidence.ts';

const containers: ReadonlySet<SymbolKind> = new Set([
  'class',
  'struct',
  'interface',
  'trait',
  'enum',
  'type',
  'object',
]);

/**
 * Types that were renamed in a file (`isSameFile`) whose own bodies don't tell it: they are short where the methods stand
 * outside, or were edited. Each has more than half of what the other has in its members, by words and signs, in members of
 * one name that alone say what they say; and neither has any of a third one.
 */
export function renamedContainers(
  { gone, appeared }: RenameEvidence,
  isSameFile: (old: SymbolEvidence, found: SymbolEvidence) => boolean,
): readonly Move[] {
  const [before, after] = [containersOf(gone), containersOf(appeared)];
  const votes = new Map<Container, Map<Container, number>>();
  const targets = uniqueBy(appeared, memberKey);
  for (const [key, old] of uniqueBy(gone, memberKey)) {
    const found = targets.get(key);
    const [from, to] = [before.of(old), found === undefined ? undefined : after.of(found)];
    if (from === undefined || to === undefined) continue;
    const counted = votes.get(from) ?? new Map<Container, number>();
    votes.set(from, counted.set(to, (counted.get(to) ?? 0) + old.tokens));
    to.sources.add(from);
  }
  return [...votes].flatMap(([from, counted]) => {
    const [[to, tokens]] = [...counted] as [[Container, number]];
    if (counted.size > 1 || to.sources.size > 1 || from.self.kind !== to.self.kind) return [];
    if (!isSameFile(from.self, to.self)) return [];
    return tokens * 2 > Math.max(from.tokens, to.tokens) ? [{ old: from.self, found: to.self }] : [];
  });
}

interface Container {
  readonly self: SymbolEvidence;
  /** Of all its members. */
  tokens: number;
  /** Which of the old ones had something of what it has. */
  readonly sources: Set<Container>;
}

function containersOf(symbols: readonly SymbolEvidence[]): { of(one: SymbolEvidence): Container | undefined } {
  const found = new Map<string, Container>();
  for (const self of symbols) {
    if (containers.has(self.kind)) found.set(placeKey(self), { self, tokens: 0, sources: new Set() });
  }
  const of = (one: SymbolEvidence): Container | undefined => found.get(placeKey(containerOf(one)));
  for (const one of symbols) {
    const container = of(one);
    if (container !== undefined) container.tokens += one.tokens;
  }
  return { of };
}

/** Constructors bear the name of their class in some languages. */
function memberKey({ kind, name, nameless, tail, scope }: SymbolEvidence): string {
  if (nameless === '') return '';
  const container = containerOf({ scope, tail }).tail;
  return container === '' ? '' : [kind, container.endsWith(`${name}#`) ? '' : name, nameless].join('\0');
}
