import { Fault, faultTable } from '../../client/protocol/faults.ts';
import { StartFailed } from '../start.ts';
import { publicTroubles, StoreError, type StoreTrouble } from '../store/store-faults.ts';
import { ConfigError } from '../toml-file.ts';

/** What a start threw: on purpose, a message and an exit code; else itself. */
export function startFailure(error: unknown): unknown {
  if (error instanceof Fault) return new StartFailed(error.row.exit, error.message);
  if (error instanceof ConfigError) return new StartFailed(error.exitCode, error.message);
  if (error instanceof StoreError) return storeUnusable(error);
  if (error instanceof Error && 'syscall' in error) {
    const isFull = 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
    return new StartFailed(unreachable, isFull ? `${error.message}. ${makeRoom}` : error.message);
  }
  return error;
}

function storeUnusable({ trouble, message, file = 'daemon.db' }: StoreError): StartFailed {
  return trouble === 'newerSchema'
    ? new StartFailed(78, `daemon.db was written by a newer svc (${message}). Run that one, or set SVC_HOME elsewhere.`)
    : new StartFailed(
        trouble === 'busy' ? faultTable.busy.exit : unreachable,
        `${file} can't be used now: ${publicTroubles[trouble].words} (${message}).${remedies[trouble] ?? ''}`,
      );
}

/** No daemon starts; trying again helps when what is said was put right. */
const unreachable = faultTable.unreachable.exit;
const makeRoom = 'Make room, or set SVC_HOME to a folder on another disk.';
const remedies: Partial<Record<StoreTrouble, string>> = {
  diskFull: ` ${makeRoom}`,
  unreadable:
    ' Let yourself read and write it and its folder (chmod u+rw), move away what is no file, or set SVC_HOME elsewhere.',
};
