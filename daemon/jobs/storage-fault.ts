import { Fault } from '../../client/protocol/faults.ts';
import { isOutOfDescriptors } from '../model/shortage.ts';
import { publicTroubles, StoreError } from '../store/store-faults.ts';

/**
 * Throws what callers may be told where something could not be written, and all else as it is. Modes of files are those of somebody's
 * sources as well: what lies in `ownFolders` is not to be read or written for them.
 */
export function failWriting(error: unknown, ownFolders: readonly string[] = []): never {
  throw error instanceof StoreError ? storageFault(error) : (roomFault(error, ownFolders) ?? error);
}

/** Where a file of ours beside the index could not be written: git's shadow, a folder. */
export function roomFault(error: unknown, ownFolders: readonly string[] = []): Fault | undefined {
  const { code, path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const isOurs = path !== undefined && ownFolders.some(folder => path.startsWith(`${folder}/`));
  if ((code === 'EACCES' || code === 'EPERM') && isOurs)
    return storageFault(new StoreError('unreadable', code, error, path));
  if (code === 'ENOSPC' || code === 'EDQUOT') return storageFault(new StoreError('diskFull', code, error));
  // A source is only read: it is our own folder that takes no writing.
  if (code === 'EROFS') return storageFault(new StoreError('unreadable', code, error, path));
  if (isOutOfDescriptors(error)) return storageFault(new StoreError('shortage', String(code), error));
  return code === 'EIO' ? storageFault(new StoreError('ioError', code, error)) : undefined;
}

export function storageFault(error: StoreError): Fault {
  const { reason, words } = publicTroubles[error.trouble];
  const file = error.trouble === 'unreadable' ? error.file : undefined;
  return new Fault('storageFailed', `The index could not be written: ${words}`, {
    details: file === undefined ? { reason } : { reason, file },
    retryAfterSeconds: 5,
    cause: error,
  });
}

/** The same for whoever may know where things lie: what kept us out, and what lets us in. */
export function notWrittenWords({ message, extras }: Fault): string {
  const file = extras.details?.['file'];
  if (typeof file !== 'string') return message;
  return `${message}: ${file}; let yourself read and write it and the folders above it (chmod u+rwX)`;
}
