import { lstatSync } from 'node:fs';
import { quote, removalOf } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { closedFolder } from '../../../watch/file-system.ts';
import type { SyncFailure } from '../../../watch/watch.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import { rootGone } from '../standing-root.ts';
import type { WayIn } from '../way-in.ts';

export type StaleReason = SyncFailure | 'git_operation' | 'index_failed' | 'not_watched';

/** 412: it can't be vouched for that the index is the tree's. `cookies`: the watcher's folder for them. */
export function stale(record: RepositoryRecord, reason: StaleReason, cookies?: string): Fault {
  if (reason === 'root_missing') {
    const { message, extras } = rootGone(record);
    return new Fault('indexStale', `The index may be behind: ${message}`, { ...extras, retryAfterSeconds: 1 });
  }
  if (reason === 'cookie_unwritable' && cookies !== undefined) {
    const { why, fixes } = cookieTrouble(cookies) ?? noRoomFor(cookies);
    const extras = { details: { reason }, retryAfterSeconds: 1, suggestedFixes: fixes };
    return new Fault('indexStale', `The index may be behind: ${why}`, extras);
  }
  const command = `svc index --repo ${quote(record.id)}`;
  return new Fault('indexStale', messages[reason], {
    details: { reason },
    retryAfterSeconds: 1,
    suggestedFixes: [{ type: 'run-command', command, safe: true, description: 'Bring the index up to date' }],
  });
}

/** What of the folder itself keeps cookies out of it, and how they are let in; undefined where that can't be seen. */
export function cookieTrouble(folder: string): WayIn | undefined {
  const closed = closedFolder(folder);
  const stats = closed === undefined ? lstatSync(folder, { throwIfNoEntry: false }) : undefined;
  const fixedBy = (command: string, description: string): WayIn['fixes'] => [
    { type: 'run-command', command, safe: false, description },
  ];
  if (stats?.isDirectory() === false) {
    const why = `${folder} is not a folder, as cookies need one`;
    return { why, fixes: fixedBy(removalOf(folder), 'Have a folder made there') };
  }
  const isShut = process.geteuid?.() !== 0 && stats !== undefined && (stats.mode & 0o300) !== 0o300;
  const at = closed ?? (isShut ? folder : undefined);
  if (at === undefined) return undefined;
  const why = `cookies can’t be written to ${folder}, for the mode of ${at} keeps you out`;
  return { why, fixes: fixedBy(`chmod 700 ${quote(at)}`, 'Let yourself in') };
}

/** What else there is to do. */
export function noRoomFor(folder: string): WayIn {
  return { why: `cookies can’t be written to ${folder} until it has room and lets its owner write`, fixes: [] };
}

const messages: Readonly<Record<Exclude<StaleReason, 'root_missing'>, string>> = {
  cookie_unwritable: 'The index may be behind: the watcher’s cookie folder can’t be written',
  deadline: 'The index is behind: the latest changes are not in it yet',
  closed: 'The index may be behind: its tree is not watched now',
  git_operation: 'The index is behind: git is changing the tree',
  index_failed: 'The index is behind: the last run over the changes failed',
  not_watched: 'The repository is not watched yet',
};
