import { Fault } from '../../client/protocol/faults.ts';
import { publicTroubles, type StoreError } from '../store/store-faults.ts';

/** What callers are told where a file of ours fails a request. */
export function storeFault(error: StoreError): Fault {
  const { reason, words } = publicTroubles[error.trouble];
  const what = error.trouble === 'shortage' ? "This can't be answered now" : "What is stored can't be used now";
  return new Fault('storageFailed', `${what}: ${words}`, {
    details: { reason },
    retryAfterSeconds: 5,
    cause: error,
  });
}
