import type { Clock } from '../../clock.ts';
import type { IndexReader } from '../../store/index-reader.ts';

/** Nobody has asked anything for so long. */
const restMs = 1_000;

/**
 * Writes down what searches of open files were made ready with, once nobody asks; questions come in between its steps.
 * The returned function is to be called with each question.
 */
export function keepAtRest(clock: Clock, open: () => readonly Pick<IndexReader, 'keepCatalogues'>[]): () => void {
  let cancel = (): void => {};
  const goOn = (steps: Generator<void, void>, ms: number): void => {
    cancel = clock.after(ms, () => {
      if (steps.next().done !== true) goOn(steps, 0);
    });
  };
  return () => {
    cancel();
    goOn(stepsOver(open), restMs);
  };
}

function* stepsOver(open: () => readonly Pick<IndexReader, 'keepCatalogues'>[]): Generator<void, void> {
  for (const reader of open()) yield* reader.keepCatalogues();
}
