import { readFileSync } from 'node:fs';
import { until } from '../support/daemon.ts';
import type { Cleanup } from '../support/repository.ts';

/**
 * Stops a process with all its threads, as `kill -STOP` does: it lives, holds what it holds and does nothing. Resolves once
 * it stands still, with what lets it go on. It goes on when the test ends in any case, for none that stands can end in order.
 */
export async function freeze(test: Cleanup, pid: number): Promise<() => void> {
  process.kill(pid, 'SIGSTOP');
  const thaw = (): void => {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // It was killed as it stood.
    }
  };
  test.after(thaw);
  await until('it stands still', () => isStanding(pid));
  return thaw;
}

/** Without `/proc` the signal is all that is known. */
function isStanding(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  } catch {
    return true;
  }
}
