import type { SuggestedFix } from '../../client/protocol/faults.ts';

/** One thing that was looked at. `check` is stable: each fault of a promise has its own. */
export interface Finding {
  readonly check: string;
  readonly status: 'pass' | 'warn' | 'fail' | 'info';
  readonly message: string;
  readonly fixes?: readonly SuggestedFix[];
}

/** A command that people run, as a suggested fix. Arguments must have been quoted. */
export function fix(command: string, description: string, safe = true): SuggestedFix {
  return { type: 'run-command', command, safe, description };
}
