import { quote } from '../../client/paths.ts';
import type { SuggestedFix } from '../../client/protocol/faults.ts';

/** One thing that was looked at. `check` is stable: each fault of a promise has its own. */
export interface Finding {
  readonly check: string;
  readonly status: 'pass' | 'warn' | 'fail' | 'info';
  readonly message: string;
  readonly fixes?: readonly SuggestedFix[];
}

/** What may have become of a file that the index has not. */
export function fileRemedies(repo: string, isBehind: boolean): readonly SuggestedFix[] {
  const id = quote(repo);
  return [
    ...(isBehind ? [fix(`svc index --repo ${id}`, 'Bring the index up to date')] : []),
    fix(`svc arch --repo ${id} --granularity file`, 'Check the spelling: show the files of code that are indexed'),
    fix(`svc doctor --repo ${id}`, 'Show which files are passed over, and why'),
  ];
}

/** A command that people run, as a suggested fix. Arguments must have been quoted. */
export function fix(command: string, description: string, safe = true): SuggestedFix {
  return { type: 'run-command', command, safe, description };
}
