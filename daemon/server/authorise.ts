import type { KeyHolder, Principal } from '../../client/protocol/caller.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { type KeyScope, keyScopeOf, keyScopes, type Operation } from '../../client/protocol/operation.ts';
import { fitsPattern } from '../model/repo-pattern.ts';

/**
 * Anybody may ask what is public; the owner may ask everything; a key what its scope permits of the index server, about the
 * repositories that it is for. Asked before anything else of the input is looked at, so that nobody learns what they may not.
 * Throws `unauthorized`, `insufficientScope`, `repoNotAllowed`.
 */
export function authorise(operation: Operation, principal: Principal, input: Readonly<Record<string, unknown>>): void {
  switch (principal.kind) {
    case 'owner':
      return;
    case 'key':
      authoriseKey(operation, principal, input);
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

function authoriseKey({ scope }: Operation, key: KeyHolder, input: Readonly<Record<string, unknown>>): void {
  const needed = keyScopeOf(scope);
  if (needed === undefined) {
    throw new Fault('unauthorized', 'A key of the index server is good for /index/repos alone', {
      details: { reason: 'invalid_token' },
    });
  }
  if (!permits(key.scope, needed)) {
    throw new Fault('insufficientScope', `This needs the scope ${needed}, and the key has ${key.scope}`);
  }
  const { repo } = input;
  if (typeof repo === 'string' && !key.repos.some(pattern => fitsPattern(repo, pattern))) {
    throw new Fault('repoNotAllowed', 'The key is not for this repository');
  }
}

function permits(has: KeyScope, needed: KeyScope): boolean {
  return keyScopes.indexOf(has) >= keyScopes.indexOf(needed);
}
