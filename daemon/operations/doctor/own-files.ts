import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { quote, removalOf } from '../../../client/paths.ts';
import { amount } from '../../../client/protocol/amount.ts';
import { closedWay } from '../../../watch/file-system.ts';
import { type Finding, fix } from '../finding.ts';
import type { Installation } from './installation.ts';
import { unseen } from './looking.ts';

/** The lock's file is looked at from outside alone: whoever opens it here gives the lock up. */
export function lockFile({ holdsLock, isLockWhole, places }: Installation): Finding {
  const check = 'daemon.lock';
  if (!holdsLock()) {
    return {
      check,
      status: 'fail',
      message: 'the lock was replaced: another daemon may lead',
      fixes: [fix('svc daemon restart', 'Start a daemon that holds the lock')],
    };
  }
  if (isLockWhole()) return { check, status: 'pass', message: 'this daemon leads' };
  return {
    check,
    status: 'fail',
    message: `${places.lockFile} is damaged: this daemon leads, and the next could not start`,
    // Not removed: its place would be free for another leader.
    fixes: [fix(`: > ${quote(places.lockFile)}`, 'Empty it: it never holds anything')],
  };
}

export function tokenFile({ config, places, isTokenIn }: Installation): Finding {
  const check = 'token';
  const { values, origins } = config();
  if (!values.auth.enabled) {
    const message = 'auth.enabled is false: every local program may ask over HTTP, until it is true';
    return { check, status: 'warn', message };
  }
  const isMade = values.auth.token === undefined;
  const file = isMade ? places.tokenFile : places.configuredTokenFile;
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const anew = isMade
    ? fix('svc daemon restart', 'Have a new token made')
    : fix('svc daemon logs', 'Find out why it is not written anew, as it is each second');
  if (stats === undefined) {
    const message = `${file} is gone; the running daemon still asks for its token`;
    return { check, status: 'fail', message, fixes: [anew] };
  }
  if (closedWay(file) !== undefined) {
    const message = `${file} can’t be opened by you: nobody can read there what the running daemon asks for`;
    return { check, status: 'fail', message, fixes: [fix(`chmod 600 ${quote(file)}`, 'Let yourself in', false)] };
  }
  if (!isTokenIn(file)) {
    const message = `${file} does not hold the token that the running daemon asks for: whoever reads it there is let in nowhere`;
    return { check, status: 'fail', message, fixes: [fix(removalOf(file), 'Remove what it holds', false), anew] };
  }
  if ((stats.mode & 0o077) === 0) {
    return { check, status: 'pass', message: isMade ? file : `set by ${origins.get('auth.token')}` };
  }
  const closing = fix(`chmod 600 ${quote(file)}`, 'Close it to other users');
  return { check, status: 'fail', message: `${file} can be read by others`, fixes: [closing] };
}

export function logFile({ log }: Pick<Installation, 'log'>): Finding {
  const check = 'log';
  const { file, bytes, droppedLines, error, isNamed } = log.status();
  const lost = `${amount(droppedLines, 'line was', 'lines were')} lost`;
  const isFile = lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  if (error === 'EMFILE' || error === 'ENFILE') return unseen(check);
  if (error !== undefined && !isFile) {
    const message = `${file} is not a file; ${lost}; each line is tried`;
    return { check, status: 'warn', message, fixes: [fix(removalOf(file), 'Have a log made there', false)] };
  }
  if (error !== undefined) {
    const message = `${file} can't be written (${error}); ${lost}; make room, or let its folder be written: each line is tried`;
    return { check, status: 'warn', message };
  }
  if (isNamed) return { check, status: 'pass', message: `${file}, ${amount(bytes, 'byte')}` };
  return {
    check,
    status: 'warn',
    message: `${file} does not lead to the file that is written, whose lines can't be read; it is opened anew within a second, once whatever else stands there is removed`,
    fixes: [fix(`ls -la ${quote(dirname(file))}`, 'See what stands in its place')],
  };
}
