import { type ChangeSet, createChangeSum, type RecrawlReason } from './change-set.ts';

/** Collects what happened and hands it on as few ChangeSets: one per turn of the event loop, unless a scan is under way. */
export interface Outbox {
  /** `isWritten`: see `ChangeSet`. */
  add(path: string, isWritten?: boolean): void;
  recrawl(reason: RecrawlReason): void;
  /** Hands over now what is there. */
  flush(): void;
  close(): void;
}

/** `hold` tells that it is better to wait for the flush that follows. */
export function createOutbox(deliver: (changes: ChangeSet) => void, hold: () => boolean): Outbox {
  const sum = createChangeSum();
  let scheduled: NodeJS.Immediate | undefined;

  const flush = (): void => {
    if (scheduled !== undefined) clearImmediate(scheduled);
    scheduled = undefined;
    const changes = sum.take();
    if (changes !== undefined) deliver(changes);
  };
  const schedule = (): void => {
    scheduled ??= setImmediate(() => {
      scheduled = undefined;
      if (!hold()) flush();
    });
  };
  return {
    add(path, isWritten = false) {
      sum.addPath(path, isWritten);
      schedule();
    },
    recrawl(reason) {
      sum.add({ kind: 'recrawl', reason });
      schedule();
    },
    flush,
    close() {
      if (scheduled !== undefined) clearImmediate(scheduled);
      sum.take();
    },
  };
}
