import type { IndexPhase } from './engine.ts';
import type { WriteNotice } from './write-calls.ts';

/** Tells how far a run is, a few times a second and never less than before. */
export function progressOf(
  run: number,
  tell: (notice: WriteNotice) => void,
): (phase: IndexPhase, fraction: number) => void {
  let told = { phase: '', atMs: 0 };
  let highest = 0;
  return (phase, fraction) => {
    const { start, share } = shareOf[phase];
    highest = Math.max(highest, start + share * fraction);
    const nowMs = performance.now();
    if (phase === told.phase && nowMs - told.atMs < 50) return;
    told = { phase, atMs: nowMs };
    tell({ kind: 'progress', run, phase, fraction: highest });
  };
}

/** What each phase takes of a first index, roughly. */
const shareOf: Readonly<Record<IndexPhase, { readonly start: number; readonly share: number }>> = {
  scip: { start: 0, share: 0.8 },
  rows: { start: 0, share: 0.8 },
  discover: { start: 0, share: 0.05 },
  hash: { start: 0.05, share: 0.1 },
  extract: { start: 0.15, share: 0.45 },
  link: { start: 0.6, share: 0.2 },
  publish: { start: 0.8, share: 0.2 },
};
