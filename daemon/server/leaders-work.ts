import type { Clock } from '../clock.ts';

/**
 * What is under way that nobody but the leader can finish: requests that write or look at a watched tree, and those whose
 * bodies are on their way, of which nobody knows yet what they will come to.
 */
export interface LeadersWork {
  /** Something has begun. What is returned is to be called when it has ended; a second call says nothing new. */
  begin(): () => void;
  /** Resolves when nothing is under way, after `ms` at the latest. */
  over(ms: number): Promise<void>;
}

export function leadersWork(clock: Clock): LeadersWork {
  const underWay = new Set<object>();
  const waiting = new Set<() => void>();
  return {
    begin() {
      const mine = {};
      underWay.add(mine);
      return () => {
        underWay.delete(mine);
        if (underWay.size === 0) for (const goOn of [...waiting]) goOn();
      };
    },
    over(ms) {
      if (underWay.size === 0 || ms <= 0) return Promise.resolve();
      return new Promise(resolve => {
        const goOn = () => {
          waiting.delete(goOn);
          cancel();
          resolve();
        };
        const cancel = clock.after(ms, goOn);
        waiting.add(goOn);
      });
    },
  };
}
