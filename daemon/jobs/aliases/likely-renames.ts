import { containerOf, placeKey, uniqueBy } from './evidence-keys.ts';
import type { RenameEvidence, SymbolEvidence } from './rename-evidence.ts';

/**
 * What probably took the place of what went, old hash → new, where no body is long enough to prove it: of its kind the only one that
 * came in the same file and container, as the other is the only one that went, and as long. Enough to show somebody, and
 * no identity. `proved`: what evidence tells for sure.
 */
export function likelyRenames(
  { gone, appeared }: RenameEvidence,
  proved: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const targets = new Set(proved.values());
  const old = uniqueBy(
    gone.filter(({ hash }) => !proved.has(hash)),
    placeOf,
  );
  const fresh = uniqueBy(
    appeared.filter(({ hash }) => !targets.has(hash)),
    placeOf,
  );
  const likely = new Map<string, string>();
  for (const [place, { hash, body }] of old) {
    const found = fresh.get(place);
    // Long bodies that are not the same are those of different things.
    if (found !== undefined && (body === '' || found.body === '')) likely.set(hash, found.hash);
  }
  return likely;
}

function placeOf(one: SymbolEvidence): string {
  return [one.path, one.kind, placeKey(containerOf(one)), one.tokens].join('\0');
}
