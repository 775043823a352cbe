import { Fault } from '../../../client/protocol/faults.ts';

/** What is told of a repository that is no member. */
export function unknownMember(name: string, repoId: string): Fault {
  return new Fault('resourceNotFound', `The federation ${name} has no repository ${JSON.stringify(repoId)}`, {
    details: { federation: name, repoId },
    suggestedFixes: [
      {
        type: 'run-command',
        command: `svc federation repos ${name}`,
        safe: true,
        description: 'Show its repositories',
      },
    ],
  });
}
