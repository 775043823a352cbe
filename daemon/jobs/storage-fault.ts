import { Fault } from '../../client/protocol/faults.ts';
import { isOutOfDescriptors } from '../model/shortage.ts';
import { publicTroubles, StoreError } from '../store/store-faults.ts';

/** Throws what callers may be told where something could not be written, and all else as it is. */
export function failWriting(error: unknown): never {
  throw error instanceof StoreError ? storageFault(error) : (roomFault(error) ?? error);
}

/** Where a file of ours beside the index could not be written: git's shadow, a folder. */
function roomFault(error: unknown): Fault | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return storageFault(new StoreError('diskFull', code, error));
  // A source is only read: it is our own folder that takes no writing.
  if (code === 'EROFS') return storageFault(new StoreError('unreadable', code, error));
  if (isOutOfDescriptors(error)) return storageFault(new StoreError('shortage', String(code), error));
  return code === 'EIO' ? storageFault(new StoreError('ioError', code, error)) : undefined;
}

export function storageFault(error: StoreError): Fault {
  const { reason, words } = publicTroubles[error.trouble];
  return new Fault('storageFailed', `The index could not be written: ${words}`, {
    details: { reason },
    retryAfterSeconds: 5,
    cause: error,
  });
}
