import { amount } from '../../../client/protocol/amount.ts';
import type { StoredRemote } from '../../store/remotes.ts';
import { type Finding, fix } from '../finding.ts';
import { lostIndexes, type ServedRepositories, type ServedRepository, staleness } from '../served-repository.ts';
import type { Installation } from './installation.ts';
import { integrity } from './integrity.ts';
import { verification } from './verification.ts';

/** Everything that holds for one repository that has no work tree here. */
export async function hostedChecks(
  repository: ServedRepository,
  thresholdMinutes: number,
  now: Date,
  onDamage: Installation['onDamage'],
): Promise<readonly Finding[]> {
  const { registered, snapshot } = repository;
  const stale = await staleness(repository, thresholdMinutes, now);
  return [
    {
      check: 'repository.source',
      status: 'info',
      message: `${sourceWords[registered.source]}: it has no work tree here`,
    },
    ...(await integrity(repository, onDamage, [])),
    {
      check: 'index.freshness',
      // Nobody but whoever sends it knows whether there is a newer one.
      status: stale === undefined ? 'pass' : 'info',
      message: stale ?? `published ${new Date(snapshot!.publishedAt).toISOString()}`,
    },
    verification(repository),
  ];
}

const sourceWords = { tree: 'indexed here', upload: 'uploaded', mirror: 'mirrored' } as const;

const mostNamed = 20;

/** Nothing can be asked of those, and nobody can make their indexes anew here. */
export function hostedIndexes(repositories: Pick<ServedRepositories, 'list'>): Finding {
  const check = 'repositories.hosted';
  const lost = lostIndexes(repositories);
  if (lost.length === 0) return { check, status: 'pass', message: 'no uploaded or mirrored index is damaged' };
  const told = lost.slice(0, mostNamed).map(({ record, failure }) => `${record.id}: ${failure}`);
  const words = amount(lost.length, 'uploaded or mirrored index is', 'uploaded or mirrored indexes are');
  return { check, status: 'fail', message: `${words} lost until somebody sends it again: ${told.join('; ')}` };
}

/** A mirror whose server could not be read answers as of its last synchronisation, and nobody would notice. */
export function mirrorsBehind(
  repositories: Pick<ServedRepositories, 'list'>,
  remoteOf: (repoUid: string) => StoredRemote | undefined,
): Finding {
  const check = 'mirrors';
  const behind = repositories.list().flatMap(({ record, registered }) => {
    const error = registered.source === 'mirror' ? remoteOf(registered.uid)?.error : undefined;
    return error === undefined ? [] : [{ id: record.id, error }];
  });
  if (behind.length === 0) return { check, status: 'pass', message: 'no synchronisation of a mirror has failed' };
  const told = behind.slice(0, mostNamed).map(({ id, error }) => `${id}: ${error}`);
  return {
    check,
    status: 'warn',
    message: `${amount(behind.length, 'mirror', 'mirrors')} could not be synchronised: ${told.join('; ')}`,
    fixes: [fix('svc remote sync', 'Try again, and tell what fails')],
  };
}
