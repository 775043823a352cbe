import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChangeSet, createChangeSum } from '../../../watch/change-set.ts';

/** ChangeSets on their way to whoever looks at what they name. */
export interface InformedChanges {
  add(changes: ChangeSet): void;
  /** Other rules hold in a folder that is named next. */
  rulesTouched(): void;
  /** Resolves when all that was added before is told. */
  settled(): Promise<void>;
}

/**
 * Hands ChangeSets on, those that touch the rules of what is ignored once `learn` has told the watcher what git tracks
 * although they ignore it. Whoever looks sooner sees such a file, and its going would be told by nobody where git forgets
 * it before it is learned of.
 */
export function informedChanges(learn: () => Promise<void>, tell: (changes: ChangeSet) => void): InformedChanges {
  const held = createChangeSum();
  let isTouched = false;
  let learning: Promise<void> | undefined;
  const tellAll = (changes: ChangeSet | undefined): void => {
    if (changes !== undefined) tell(changes);
  };
  const learnAndTell = async (): Promise<void> => {
    while (isTouched) {
      isTouched = false;
      const seen = held.take();
      await learn();
      await nextTurn(); // what was learned lets paths in, which are named now
      if (seen === undefined) continue;
      if (isTouched) tell(seen);
      else held.add(seen);
    }
    learning = undefined;
    tellAll(held.take());
  };
  return {
    add(changes) {
      held.add(changes);
      if (touchesRules(changes)) isTouched = true;
      if (isTouched) learning ??= learnAndTell();
      if (learning === undefined) tellAll(held.take());
    },
    rulesTouched() {
      isTouched = true;
    },
    settled: async () => learning,
  };
}

/** An ignore file or the whole tree: what git tracks may be ignored now, or not any more. */
function touchesRules(changes: ChangeSet): boolean {
  if (changes.kind === 'recrawl') return true;
  for (const path of changes.paths) if (path === '.gitignore' || path.endsWith('/.gitignore')) return true;
  return false;
}
