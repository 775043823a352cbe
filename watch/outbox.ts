import type { ChangeSet, RecrawlReason } from './change-set.ts';

/** Collects what happened and hands it on as few ChangeSets: one per turn of the event loop, unless a scan is under way. */
export interface Outbox {
  add(path: string): void;
  recrawl(reason: RecrawlReason): void;
  /** Hands over now what is there. */
  flush(): void;
  close(): void;
}

/** A list longer than this is worth no more than a comparison of the trees. */
const mostPaths = 50_000;

/** `hold` tells that it is better to wait for the flush that follows. */
export function createOutbox(deliver: (changes: ChangeSet) => void, hold: () => boolean): Outbox {
  let paths = new Set<string>();
  let reason: RecrawlReason | undefined;
  let scheduled: NodeJS.Immediate | undefined;

  const flush = (): void => {
    if (scheduled !== undefined) clearImmediate(scheduled);
    scheduled = undefined;
    const named = paths;
    const why = reason;
    paths = new Set();
    reason = undefined;
    if (why !== undefined) deliver({ kind: 'recrawl', reason: why });
    else if (named.size > 0) deliver({ kind: 'paths', paths: named });
  };
  const schedule = (): void => {
    scheduled ??= setImmediate(() => {
      scheduled = undefined;
      if (!hold()) flush();
    });
  };
  return {
    add(path) {
      if (reason === undefined) paths.add(path);
      if (paths.size > mostPaths) {
        reason = 'overflow';
        paths = new Set();
      }
      schedule();
    },
    recrawl(why) {
      reason ??= why;
      paths = new Set();
      schedule();
    },
    flush,
    close() {
      if (scheduled !== undefined) clearImmediate(scheduled);
      paths = new Set();
      reason = undefined;
    },
  };
}
