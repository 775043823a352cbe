import { matchRenames } from './match-renames.ts';
import type { RenameEvidence, SymbolEvidence } from './rename-evidence.ts';

/** Keeps the evidence of one repository's latest publications, and says which symbols took the place of which. */
export interface Aliases {
  /** Old hash → new hash, of what this publication or one shortly before it took away. Each is told once. */
  match(evidence: RenameEvidence, nowMs: number): ReadonlyMap<string, string>;
}

/** Evidence counts for a minute, or for eight publications where they take longer. */
const windowMs = 60_000;
const windowPublications = 8;
const mostSymbols = 10_000;

interface Publication extends RenameEvidence {
  readonly atMs: number;
}

export function createAliases(): Aliases {
  let kept: readonly Publication[] = [];
  return {
    match(evidence, nowMs) {
      kept = bounded([...kept, { ...evidence, atMs: nowMs }], nowMs);
      const matches = matchRenames(stateOf(kept));
      // What was matched is no evidence for anything else.
      const targets = new Set(matches.values());
      kept = kept.map(one => ({
        atMs: one.atMs,
        gone: one.gone.filter(({ hash }) => !matches.has(hash)),
        appeared: one.appeared.filter(({ hash }) => !targets.has(hash)),
      }));
      return matches;
    },
  };
}

function bounded(publications: readonly Publication[], nowMs: number): readonly Publication[] {
  let symbols = 0;
  const newestFirst = publications.toReversed().filter(({ atMs, gone, appeared }, index) => {
    symbols += gone.length + appeared.length;
    return symbols <= mostSymbols && (nowMs - atMs <= windowMs || index < windowPublications);
  });
  return newestFirst.reverse();
}

/** What of the window is gone now, and what of it is there now: the latest publication that speaks of a symbol decides. */
function stateOf(window: readonly Publication[]): RenameEvidence {
  const gone = new Map<string, SymbolEvidence>();
  const appeared = new Map<string, SymbolEvidence>();
  for (const publication of window) {
    for (const one of publication.gone) {
      appeared.delete(one.hash);
      gone.set(one.hash, one);
    }
    for (const one of publication.appeared) {
      gone.delete(one.hash);
      appeared.set(one.hash, one);
    }
  }
  return { gone: [...gone.values()], appeared: [...appeared.values()] };
}
