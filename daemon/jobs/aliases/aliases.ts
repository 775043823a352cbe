import { likelyRenames } from './likely-renames.ts';
import { matchRenames } from './match-renames.ts';
import type { FileEvidence, RenameEvidence, SymbolEvidence } from './rename-evidence.ts';

/** Keeps the evidence of one repository's latest publications, and says which symbols took the place of which. */
export interface Aliases {
  /** Old hash → new hash, of what this publication or one shortly before it took away. Each is told once. */
  match(evidence: RenameEvidence, nowMs: number): ReadonlyMap<string, string>;
  /** What else probably did, old hash → new: each is told once, and again where it is another by then. */
  likely(): ReadonlyMap<string, string>;
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
  let told: ReadonlyMap<string, string> = new Map();
  return {
    match(evidence, nowMs) {
      kept = bounded([...kept, { ...evidence, atMs: nowMs }], nowMs);
      const { symbols, files } = matchRenames(stateOf(kept));
      // What was matched is no evidence for anything else.
      const [targets, newPaths] = [new Set(symbols.values()), new Set(files.values())];
      kept = kept.map(one => ({
        atMs: one.atMs,
        gone: one.gone.filter(({ hash }) => !symbols.has(hash)),
        appeared: one.appeared.filter(({ hash }) => !targets.has(hash)),
        goneFiles: one.goneFiles.filter(({ path }) => !files.has(path)),
        appearedFiles: one.appearedFiles.filter(({ path }) => !newPaths.has(path)),
      }));
      return symbols;
    },
    likely() {
      const found = likelyRenames(stateOf(kept), kept);
      const fresh = [...found].filter(([old, hash]) => told.get(old) !== hash);
      told = found;
      return new Map(fresh);
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

/** What of the window is gone now, and what of it is there now: the latest publication that speaks of a symbol or file decides. */
function stateOf(window: readonly Publication[]): RenameEvidence {
  const symbols = latest(
    window.map(({ gone, appeared }) => ({ gone, come: appeared })),
    ({ hash }: SymbolEvidence) => hash,
  );
  const files = latest(
    window.map(({ goneFiles, appearedFiles }) => ({ gone: goneFiles, come: appearedFiles })),
    ({ path }: FileEvidence) => path,
  );
  return { gone: symbols.gone, appeared: symbols.come, goneFiles: files.gone, appearedFiles: files.come };
}

interface ComeAndGone<T> {
  readonly gone: readonly T[];
  readonly come: readonly T[];
}

function latest<T>(window: readonly ComeAndGone<T>[], keyOf: (one: T) => string): ComeAndGone<T> {
  const gone = new Map<string, T>();
  const come = new Map<string, T>();
  for (const publication of window) {
    for (const one of publication.gone) {
      come.delete(keyOf(one));
      gone.set(keyOf(one), one);
    }
    for (const one of publication.come) {
      gone.delete(keyOf(one));
      come.set(keyOf(one), one);
    }
  }
  return { gone: [...gone.values()], come: [...come.values()] };
}
