import type { Principal } from '../../client/protocol/caller.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { Operation } from '../../client/protocol/operation.ts';

/** Anybody may ask what is public; all else is for the owner. Throws `unauthorized`. */
export function authorise(operation: Operation, principal: Principal): void {
  switch (principal.kind) {
    case 'owner':
      return;
    case 'anonymous':
      if (operation.scope === 'public') return;
      throw new Fault('unauthorized', 'This needs the daemon token', {
        details: { reason: 'missing_token' },
        suggestedFixes: [
          { type: 'run-command', command: 'svc daemon token', safe: true, description: 'Print the token' },
        ],
      });
  }
}
