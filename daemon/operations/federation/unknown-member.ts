import { Fault } from '../../../client/protocol/faults.ts';
import { fix } from '../finding.ts';

/** What is told of a repository that is no member. */
export function unknownMember(name: string, repoId: string): Fault {
  return new Fault('resourceNotFound', `The federation ${name} has no repository ${JSON.stringify(repoId)}`, {
    details: { federation: name, repoId },
    suggestedFixes: [fix(`svc federation repos ${name}`, 'Show its repositories')],
  });
}
