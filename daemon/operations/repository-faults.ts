import { gitRoot, quote } from '../../client/paths.ts';
import { Fault, type SuggestedFix } from '../../client/protocol/faults.ts';
import { fix } from './finding.ts';

export function unknownRepository(id: string, registered: readonly string[]): Fault {
  return new Fault('resourceNotFound', `There is no repository ${JSON.stringify(id)}`, {
    details: { registered },
    suggestedFixes: [fix('svc repo list', 'Show the registered repositories')],
  });
}

/** The command that registers the git repository around a folder; undefined where there is none: nobody means `/` or a home. */
export function registration(folder: string): SuggestedFix | undefined {
  const root = gitRoot(folder);
  return root === undefined ? undefined : fix(`svc repo add ${quote(root)}`, 'Index and watch it');
}
