import { quote } from '../../../client/paths.ts';
import { amount } from '../../../client/protocol/amount.ts';
import { closedFolder, inodeOf, remoteFileSystem } from '../../../watch/file-system.ts';
import { cookieTrouble, noRoomFor } from '../../jobs/follow/stale.ts';
import { wayInto } from '../../jobs/way-in.ts';
import { type Finding, fix } from '../finding.ts';
import type { RequestContext } from '../handler.ts';
import { configuredPeople } from '../ownership/people-settings.ts';
import { removal } from '../repository-faults.ts';
import { isGone, isHosted, type ServedRepository, staleness } from '../served-repository.ts';
import { decisionsCheck } from './decisions.ts';
import { gitFilesCheck } from './git-files.ts';
import { gitFolderAround } from './git-folder.ts';
import { historyCheck, knownAuthors } from './history-check.ts';
import { hostedChecks } from './hosted.ts';
import { ignoreFilesCheck } from './ignore-files.ts';
import type { Installation } from './installation.ts';
import { integrity } from './integrity.ts';
import { found } from './looking.ts';
import { modulesFileCheck } from './modules-file.ts';
import { passedOverChecks } from './passed-over.ts';
import { verification } from './verification.ts';

/** Everything that holds for one repository. */
export async function repositoryChecks(
  repository: ServedRepository,
  {
    places,
    fileSystemType,
    config,
    ownershipChecks,
    decisions,
    histories,
    onDamage,
  }: Pick<
    Installation,
    'places' | 'fileSystemType' | 'config' | 'ownershipChecks' | 'decisions' | 'histories' | 'onDamage'
  >,
  { now, signal }: Pick<RequestContext, 'now' | 'signal'>,
): Promise<readonly Finding[]> {
  const { record, registered } = repository;
  if (isHosted(repository)) return hostedChecks(repository, config().values.freshness_minutes, now, onDamage);
  const remote = remoteFileSystem(fileSystemType(record.root));
  return [
    ...(await found('repository.root', () => root(repository))),
    remote === undefined
      ? { check: 'repository.file-system', status: 'pass', message: 'local' }
      : { check: 'repository.file-system', status: 'warn', message: `on ${remote.name}: changes are found by polling` },
    ...(await found('repository.ignore-files', () => ignoreFilesCheck(record.root))),
    ...(await found('repository.git-files', () => gitFilesCheck(record.root))),
    watching(repository),
    ...(await found('watch.sync', () => syncing(repository, places.cookies))),
    ...(await found('index.freshness', () => freshness(repository, config().values.freshness_minutes, now))),
    ...(await integrity(repository, onDamage, indexing(repository, '--force ', 'Build the index anew'))),
    repository.notWritten === undefined
      ? { check: 'index.storage', status: 'pass', message: 'the index can be written' }
      : { check: 'index.storage', status: 'fail', message: `${repository.notWritten}; it is tried again` },
    verification(repository),
    ...(await passedOverChecks(repository)),
    await historyCheck(histories, record),
    ...(await found('ownership.codeowners', async () =>
      ownershipChecks({
        root: record.root,
        configured: configuredPeople(config()),
        authors: await knownAuthors(histories, record, signal),
      }),
    )),
    ...modulesFileCheck(record.root),
    ...(await found('repository.decisions', () => decisionsCheck(() => decisions({ repo: record, now, signal })))),
    {
      check: 'repository.trust',
      status: 'info',
      message: registered.trusted
        ? 'trusted: indexers that run its code may be used'
        : 'not trusted: only indexers that run none of its code are used',
    },
  ];
}

function root({ record }: ServedRepository): Finding {
  const check = 'repository.root';
  const closed = closedFolder(record.root);
  if (closed !== undefined) {
    const { why, fixes } = wayInto(closed, record.root);
    const message = `${record.root} can’t be looked into: ${why}; what was indexed before stands`;
    return { check, status: 'fail', message, fixes };
  }
  const trouble =
    inodeOf(record.root) === undefined
      ? 'is gone'
      : gitFolderAround(record.root) !== undefined
        ? 'has become git’s own folder: what is indexed are no files of a work tree'
        : undefined;
  return trouble === undefined
    ? { check, status: 'pass', message: record.root }
    : { check, status: 'fail', message: `${record.root} ${trouble}`, fixes: [removal(record.id)] };
}

function watching({ follow, snapshot }: ServedRepository): Finding {
  if (follow === undefined) {
    const message = snapshot === undefined ? 'begins after the first index' : 'the tree is not watched';
    return { check: 'watch', status: snapshot === undefined ? 'info' : 'warn', message };
  }
  const { watching: how, watch, heldBy } = follow.status();
  if (heldBy !== undefined)
    return { check: 'watch', status: 'info', message: `waits for git (${heldBy.replace('_', ' ')})` };
  switch (how) {
    case 'chokidar':
      // It keeps its watches to itself: how many it holds is not known.
      return { check: 'watch', status: 'pass', message: how };
    case 'native':
      return { check: 'watch', status: 'pass', message: `${how}, ${amount(watch.watches, 'watch', 'watches')}` };
    case 'off':
      return watch.crawling
        ? { check: 'watch', status: 'info', message: 'the first look at the tree is under way' }
        : { check: 'watch', status: 'fail', message: 'the root is gone, or can’t be looked into' };
    case 'polling':
      return polling(watch.polledReason, watch.polledCount);
  }
}

/** Whether an answer can be vouched for at all. */
export function syncing({ follow }: Pick<ServedRepository, 'follow'>, cookies: string): Finding {
  const check = 'watch.sync';
  if (follow === undefined) return { check, status: 'info', message: 'begins with watching' };
  // The watcher's word is from its last cookie: what can be seen of the folder is so now.
  const trouble = cookieTrouble(cookies);
  if (trouble === undefined && follow.status().watch.cookies === 'writable')
    return { check, status: 'pass', message: 'answers can be vouched for' };
  const { why, fixes } = trouble ?? noRoomFor(cookies);
  return { check, status: 'fail', message: `${why}: questions with sync are refused (INDEX_STALE)`, fixes };
}

function polling(reason: string | undefined, folders: number): Finding {
  if (reason !== 'watch_limit') {
    return {
      check: 'watch',
      status: reason === 'configured' ? 'info' : 'warn',
      message: `polling (${reason ?? 'chosen'})`,
    };
  }
  return {
    check: 'watch',
    status: 'warn',
    message: `out of kernel watches: ${amount(folders, 'folder is', 'folders are')} polled`,
    fixes: [
      fix(
        'sudo sysctl fs.inotify.max_user_watches=1048576 fs.inotify.max_user_instances=1024',
        'Allow more kernel watches',
        false,
      ),
    ],
  };
}

async function freshness(repository: ServedRepository, thresholdMinutes: number, now: Date): Promise<Finding> {
  const reason = await staleness(repository, thresholdMinutes, now);
  return reason === undefined
    ? { check: 'index.freshness', status: 'pass', message: 'the index is the tree’s' }
    : {
        check: 'index.freshness',
        status: 'warn',
        message: reason,
        fixes: indexing(repository, '', 'Bring the index up to date'),
      };
}

/** What is gone or closed can't be indexed: `repository.root` has the remedy. */
function indexing(repository: ServedRepository, flags: string, what: string) {
  return isGone(repository) ? [] : [fix(`svc index ${flags}--repo ${quote(repository.record.id)}`, what)];
}
