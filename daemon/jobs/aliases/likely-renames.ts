import { containerOf, placeKey, uniqueBy } from './evidence-keys.ts';
import type { RenameEvidence, SymbolEvidence } from './rename-evidence.ts';

type Symbols = Pick<RenameEvidence, 'gone' | 'appeared'>;

/**
 * What probably took the place of what went, old hash → new, where no body is long enough to prove it: enough to show
 * somebody, and no identity. `together`: what is gone by now and what came, however many publications that took, as far as
 * nothing is proved of it; `each`: the same by publication.
 */
export function likelyRenames(together: Symbols, each: readonly Symbols[]): ReadonlyMap<string, string> {
  const likely = new Map(likelyMoves(together));
  const [gone, come] = [hashesOf(together.gone), hashesOf(together.appeared)];
  const taken = new Set(likely.values());
  for (const one of each) {
    const left = one.gone.filter(({ hash }) => gone.has(hash) && !likely.has(hash));
    const fresh = one.appeared.filter(({ hash }) => come.has(hash) && !taken.has(hash));
    for (const [old, found] of renamedInPlace({ gone: left, appeared: fresh })) likely.set(old, found);
  }
  return likely;
}

function hashesOf(symbols: readonly SymbolEvidence[]): ReadonlySet<string> {
  return new Set(symbols.map(({ hash }) => hash));
}

/**
 * What may move by itself and came in one other place alone as it was: of its kind and name, saying the same, which nothing that
 * stayed does. What stands in it goes with it.
 */
function likelyMoves({ gone, appeared }: Symbols): ReadonlyMap<string, string> {
  const moves = new Map<string, string>();
  const targets = uniqueBy(appeared, briefKey);
  for (const [key, { hash, briefTwins }] of uniqueBy(gone, briefKey)) {
    const found = targets.get(key);
    if (found !== undefined && briefTwins.every(twin => twin === found.hash)) moves.set(hash, found.hash);
  }
  const members = uniqueBy(appeared, one => memberKey(one.root, one));
  for (const one of gone) {
    const root = moves.get(one.root);
    const found = root === undefined || one.root === one.hash ? undefined : members.get(memberKey(root, one));
    if (found !== undefined) moves.set(one.hash, found.hash);
  }
  return moves;
}

function briefKey({ kind, local, brief }: SymbolEvidence): string {
  return brief === '' ? '' : [kind, local, brief].join('\0');
}

function memberKey(root: string, { kind, local }: SymbolEvidence): string {
  return [root, kind, local].join('\0');
}

/** Of its kind the only one that came in the same file and container, as the other is the only one that went, and as long. */
function renamedInPlace({ gone, appeared }: Symbols): readonly (readonly [old: string, found: string])[] {
  const fresh = uniqueBy(appeared, placeOf);
  return [...uniqueBy(gone, placeOf)].flatMap(([place, { hash, body }]) => {
    const found = fresh.get(place);
    // Long bodies that are not the same are those of different things.
    return found !== undefined && (body === '' || found.body === '') ? [[hash, found.hash] as const] : [];
  });
}

function placeOf(one: SymbolEvidence): string {
  return [one.path, one.kind, placeKey(containerOf(one)), one.tokens].join('\0');
}
