import { gitRoot, quote } from '../../client/paths.ts';
import { Fault, type SuggestedFix } from '../../client/protocol/faults.ts';
import { type Registration, registration } from '../../client/registration.ts';
import type { RegisteredRepository } from '../store/daemon-db.ts';
import { fix } from './finding.ts';
import { isHosted, type ServedRepository } from './served-repository.ts';

export function unknownRepository(id: string, registered: readonly string[]): Fault {
  return new Fault('resourceNotFound', `There is no repository ${JSON.stringify(id)}`, {
    details: { registered },
    suggestedFixes: [fix('svc repo list', 'Show the registered repositories')],
  });
}

/** What is told of a repository that has no index; with `details.progress` while waiting helps. */
export function notIndexed(repository: ServedRepository): Fault {
  const { record, progress, failure } = repository;
  const id = quote(record.id);
  if (progress === undefined && (failure !== undefined || isHosted(repository))) {
    return new Fault('notReady', `${record.id} has no index: ${failure ?? 'none has come yet'}`, {
      suggestedFixes: isHosted(repository) ? [] : [fix(`svc index --repo ${id}`, 'Try again')],
    });
  }
  return new Fault('notReady', `${record.id} is being indexed for the first time`, {
    retryAfterSeconds: 1,
    details: { progress: progress ?? { phase: 'queued', fraction: 0 } },
    suggestedFixes: [fix(`svc status --repo ${id}`, 'Show how far it is')],
  });
}

/** What is told of a repository that has an index alone, to whoever asks about files or history. */
export function noWorkTree({ record, registered: { source } }: ServedRepository): Fault {
  const how = source === 'mirror' ? 'mirrored' : 'uploaded';
  const message = `${record.id} has no work tree here: its index was ${how}, and this takes files or history`;
  return new Fault('preconditionFailed', message, { details: { reason: 'no_work_tree', source } });
}

/** How the index of a repository without a work tree comes back: nobody can make it here. */
export function wayBack(registered: Pick<RegisteredRepository, 'id' | 'source'>): string {
  return registered.source === 'mirror'
    ? `svc remote sync ${quote(registered.id)} fetches it anew`
    : `upload it again (POST /index/repos/${registered.id}/upload)`;
}

/** What is told of all that have no index, each with what can be done about it. */
export function notAllIndexed(waiting: readonly ServedRepository[]): Fault {
  const faults = waiting.map(notIndexed);
  const told = faults.slice(0, mostTold);
  const more = faults.length - told.length;
  const soon = faults.find(({ extras }) => extras.retryAfterSeconds !== undefined)?.extras.retryAfterSeconds;
  return new Fault(
    'notReady',
    [...told.map(({ message }) => message), ...(more > 0 ? [`${more} more`] : [])].join('; '),
    {
      details: { repositories: waiting.map(({ record }) => record.id) },
      suggestedFixes: told.flatMap(({ extras }) => extras.suggestedFixes ?? []),
      ...(soon === undefined ? {} : { retryAfterSeconds: soon }),
    },
  );
}

const mostTold = 5;

/** How the git repository around a folder is registered; undefined where there is none: nobody means `/` or a home. */
export function registrationAround(folder: string): Registration | undefined {
  const root = gitRoot(folder);
  return root === undefined ? undefined : registration(root);
}

/** The command that forgets a repository: a loss, so that no script does it. */
export function removal(id: string): SuggestedFix {
  return fix(`svc repo remove ${quote(id)}`, 'Forget the repository', false);
}
