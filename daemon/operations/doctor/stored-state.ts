import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Places, quote } from '../../../client/paths.ts';
import { amount } from '../../../client/protocol/amount.ts';
import { faultTable } from '../../../client/protocol/faults.ts';
import { scipJobType } from '../../jobs/scip/index-scip.ts';
import type { DaemonDatabase, StoredJob } from '../../store/daemon-db.ts';
import { historyFileOf } from '../../store/history/history-file.ts';
import { memberFileIn } from '../../store/member-file.ts';
import { quarantined } from '../../store/quarantine.ts';
import { publicTroubles } from '../../store/store-faults.ts';
import { type Finding, fix } from '../finding.ts';
import type { Installation } from './installation.ts';
import { quarantinedPaths } from './passed-over.ts';

export function daemonDatabase({ origin, keys, readHeads }: Installation['database']): Finding {
  readHeads();
  const damaged = keys().filter(({ isSound, revokedAt }) => !isSound && revokedAt === undefined);
  if (damaged.length > 0) return damagedKeys(damaged.map(({ id }) => id));
  return origin === 'restored'
    ? { check: 'database', status: 'warn', message: restored, fixes: [fix('svc repo list', 'See what is registered')] }
    : { check: 'database', status: 'pass', message: 'daemon.db is whole' };
}

function damagedKeys(ids: readonly string[]): Finding {
  return {
    check: 'database',
    status: 'fail',
    message: `${amount(ids.length, 'access key is', 'access keys are')} not as stored, and let nobody in: ${ids.slice(0, 3).join(', ')}`,
    fixes: ids.slice(0, 3).map(id => fix(`svc token revoke ${quote(id)}`, 'Take it back, and create another')),
  };
}

const restored =
  'daemon.db was damaged and restored from its last copy: what was changed after that has to be done again';

export function databaseStorage({ writeTrouble }: Installation['database']): Finding {
  const check = 'database.storage';
  const trouble = writeTrouble();
  return trouble === undefined
    ? { check, status: 'pass', message: 'daemon.db can be written' }
    : {
        check,
        status: 'fail',
        message: `daemon.db can't be written: ${publicTroubles[trouble].words}; it is tried again with each change`,
      };
}

/** Without a copy of late, what was changed since is lost with the file. */
export function databaseCopy(isFailing: boolean): Finding {
  const check = 'database.copy';
  if (!isFailing) return { check, status: 'pass', message: 'the copy of daemon.db is as new as is due' };
  return {
    check,
    status: 'warn',
    message: 'daemon.db could not be copied: damage to it would cost what was changed since; it is tried again',
    fixes: [fix('svc daemon logs', 'Find the cause in the log')],
  };
}

export function quarantinedFiles(places: Places): Finding {
  const ofRepositories = listed(places.repos).flatMap(name => {
    const indexFile = join(places.repos, name, 'index.db');
    return [indexFile, historyFileOf(indexFile)];
  });
  const files = [places.daemonDb, memberFileIn(places.data), ...ofRepositories].flatMap(quarantined);
  return files.length === 0
    ? { check: 'quarantine', status: 'pass', message: 'no database was damaged' }
    : {
        check: 'quarantine',
        status: 'warn',
        message: `${amount(files.length, 'damaged database was', 'damaged databases were')} put aside and made anew`,
        fixes: files.map(name => fix(`rm -r ${quote(name)}`, 'Remove the damaged file', false)),
      };
}

/** The log, databases and what lies beside an index: code, names and keys. `daemon.db` has a check of its own. */
const holdsContent = /^(?:svc\.log|catalogue-|documents-)|\.db/;

/** Each is closed by itself: its folder may be entered by others, and no check of a folder would tell. */
export function fileModes({ state, data, repos, daemonDb }: Places): Finding {
  const check = 'files.mode';
  const folders = [state, data, ...listed(repos).map(name => join(repos, name))];
  const files = folders
    .flatMap(folder => [folder, join(folder, 'quarantine')])
    .flatMap(folder => listed(folder).flatMap(name => (holdsContent.test(name) ? [join(folder, name)] : [])));
  const open = files.flatMap(path => {
    const mode = path === daemonDb ? 0 : modeOfFile(path);
    return (mode & 0o077) !== 0 ? [{ path, mode: mode.toString(8) }] : [];
  });
  if (open.length === 0)
    return { check, status: 'pass', message: 'the log and all databases are closed to other users' };
  const told = open.slice(0, 20).map(({ path, mode }) => `${path} (mode ${mode})`);
  return {
    check,
    status: 'fail',
    message: `${amount(open.length, 'file is', 'files are')} open to other users: ${told.join(', ')}`,
    fixes: [fix(`chmod 600 ${open.map(({ path }) => quote(path)).join(' ')}`, 'Close them to other users')],
  };
}

/** Those that stand in a tree: what was edited since is parsed again, and known should it come back. */
export async function quarantinedInputs({ database, repositories }: Installation): Promise<Finding> {
  const inputs = [];
  const standing = new Map<string, ReadonlySet<string>>();
  for (const input of database.quarantined()) {
    const repository = repositories.get(input.repo);
    if (repository === undefined) continue;
    if (!standing.has(input.repo)) standing.set(input.repo, await quarantinedPaths(repository));
    if (repository.snapshot === undefined || standing.get(input.repo)!.has(input.path)) inputs.push(input);
  }
  return inputs.length === 0
    ? { check: 'inputs', status: 'pass', message: 'no file ended a daemon' }
    : {
        check: 'inputs',
        status: 'warn',
        message: `not parsed any more until edited: ${inputs
          .slice(0, 20)
          .map(({ repo, path, reason }) => `${repo}/${path} (${reason})`)
          .join(', ')}`,
      };
}

/** The newest of those that are kept. */
const mostJobsLookedAt = 1000;

/** What a caller handed over could not be used, of which the caller has heard: nothing is wrong here. */
function isRefused({ type, error }: StoredJob): boolean {
  const refusals = [faultTable.invalidBody, faultTable.preconditionFailed, faultTable.tooLarge];
  return type === scipJobType && refusals.some(({ code }) => code === error?.code);
}

export function failedJobs(database: Pick<DaemonDatabase, 'jobs'>): Finding {
  const failed = database.jobs({ state: 'failed', limit: mostJobsLookedAt }).jobs.filter(job => !isRefused(job));
  const [last] = failed;
  return last === undefined
    ? { check: 'jobs', status: 'pass', message: 'no job failed' }
    : {
        check: 'jobs',
        status: 'info',
        message: `${amount(failed.length, 'job')} failed; the last: ${last.type}, ${last.error?.message ?? ''}`,
      };
}

/** Nothing where there is no file, or we can't tell. */
function modeOfFile(path: string): number {
  try {
    const stats = lstatSync(path);
    return stats.isFile() ? stats.mode & 0o777 : 0;
  } catch {
    return 0;
  }
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
