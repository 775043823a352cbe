import { lastDescriptorAt } from '../../model/identity.ts';
import { bodyIn, containerOf, placeKey, uniqueBy } from './evidence-keys.ts';
import type { RenameEvidence, SymbolEvidence } from './rename-evidence.ts';

export interface Move {
  readonly old: SymbolEvidence;
  readonly found: SymbolEvidence;
}

export interface MovedBodies {
  /** What went to another file or namespace, of what may go by itself: what stands in it goes with it. */
  readonly roots: readonly Move[];
  /** Whether a symbol may have come or gone that way, by its hash. */
  speakOf(hash: string): boolean;
}

/**
 * Symbols that went to another file, package or namespace: of the same kind, under the same name in the same containers,
 * the only ones with their body among what came, what went and what stayed. A class goes where its members went, all that
 * can be told of to one place.
 */
export function movedBodies({ gone, appeared }: RenameEvidence): MovedBodies {
  const targets = uniqueBy(appeared, exactKey);
  const moves: Move[] = [];
  for (const [key, old] of uniqueBy(gone, exactKey)) {
    const found = targets.get(key);
    if (found !== undefined && isAlone(old, found)) moves.push({ old, found });
  }
  if (moves.length === 0) return { roots: [], speakOf: () => false };
  const spokenOf = new Set(moves.flatMap(({ old, found }) => [old.hash, found.hash]));
  const isRenamed = renamedWhereTheyWere({ gone, appeared });
  const roots = rootsOf(
    moves.filter(move => !isRenamed(move)),
    { gone, appeared },
  );
  return { roots, speakOf: hash => spokenOf.has(hash) };
}

/**
 * Symbols that went to another place under another name at once: of the same kind, the only ones that say the same but for
 * their name among what came, what went and what stayed, as far as that was looked at.
 */
export function movedUnderOtherNames({ gone, appeared }: RenameEvidence): readonly Move[] {
  const targets = uniqueBy(appeared, namelessKey);
  return [...uniqueBy(gone, namelessKey)].flatMap(([key, old]) => {
    const found = targets.get(key);
    const isAlone = found !== undefined && isTheOnly(old, found) && isTheOnly(found, old);
    return isAlone && placeKey(containerOf(old)) !== placeKey(containerOf(found)) ? [{ old, found }] : [];
  });
}

/** All that go by themselves, also where it isn't known what else there is: they may be what another is taken for. */
function namelessKey({ kind, nameless, local, hash, root }: SymbolEvidence): string {
  return nameless === '' || hash !== root || lastDescriptorAt(local) > 0 ? '' : `${kind}\0${nameless}`;
}

function isTheOnly({ twins, namelessTwins }: SymbolEvidence, other: SymbolEvidence): boolean {
  return namelessTwins !== undefined && [...twins, ...namelessTwins].every(twin => twin === other.hash);
}

function exactKey({ kind, local, exact }: SymbolEvidence): string {
  return exact === '' ? '' : [kind, local, exact].join('\0');
}

function isAlone(old: SymbolEvidence, found: SymbolEvidence): boolean {
  return old.twins.every(twin => twin === found.hash) && found.twins.every(twin => twin === old.hash);
}

type Symbols = Pick<RenameEvidence, 'gone' | 'appeared'>;

/** That what went is there under another name, or that what came was there under another: then it may be either. */
function renamedWhereTheyWere({ gone, appeared }: Symbols): (move: Move) => boolean {
  const bodyOf = (one: SymbolEvidence): string => bodyIn(containerOf(one), one);
  const [left, come] = [new Set(gone.map(bodyOf)), new Set(appeared.map(bodyOf))];
  return ({ old, found }) =>
    (old.body !== '' && come.has(bodyOf(old))) || (found.body !== '' && left.has(bodyOf(found)));
}

function rootsOf(moves: readonly Move[], { gone, appeared }: Symbols): readonly Move[] {
  const before = new Map(gone.map(one => [one.hash, one]));
  const after = new Map(appeared.map(one => [one.hash, one]));
  const targets = new Map<SymbolEvidence, Set<SymbolEvidence>>();
  const sources = new Map<SymbolEvidence, Set<SymbolEvidence>>();
  for (const move of moves) {
    const [old, found] = [before.get(move.old.root), after.get(move.found.root)];
    if (old === undefined || found === undefined) continue;
    if (old.kind !== found.kind || old.local !== found.local) continue;
    targets.set(old, (targets.get(old) ?? new Set()).add(found));
    sources.set(found, (sources.get(found) ?? new Set()).add(old));
  }
  return [...targets].flatMap(([old, [found, ...others]]) =>
    others.length === 0 && sources.get(found!)!.size === 1 ? [{ old, found: found! }] : [],
  );
}
