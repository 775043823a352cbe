import { Fault, type SuggestedFix } from '../../../client/protocol/faults.ts';
import { wayTo } from '../../model/way-to-file.ts';
import { storeError } from '../../store/connection.ts';
import { publicTroubles, StoreError } from '../../store/store-faults.ts';
import { type Finding, fix } from '../finding.ts';

type Told = Finding | readonly Finding[];

const logged: readonly SuggestedFix[] = [fix('svc daemon logs', 'Find the cause in the log')];

/** What there is to do where daemon.db can't be read: a start opens it anew, and restores what is damaged. */
export const openedAnew: readonly SuggestedFix[] = [fix('svc daemon restart', 'Have daemon.db opened anew')];

/** What a check finds. Where something keeps it from looking, that is what it finds: whoever asks the doctor is answered. */
export async function found(
  check: string,
  look: () => Told | Promise<Told>,
  fixes: readonly SuggestedFix[] = logged,
): Promise<readonly Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    if (isUnseen(error)) return [unseen(check)];
    const file = unopenable(error);
    if (file !== undefined) return [{ check, status: 'fail', message: `can’t be looked at: ${file}` }];
    const trouble = troubleIn(error) ?? failureIn(error);
    if (trouble === undefined) throw error;
    return [{ check, status: 'fail', message: `can’t be looked at: ${trouble}`, fixes }];
  }
}

export const unseenWords = `can’t be looked at: ${publicTroubles.shortage.words} (descriptors)`;

/** Nothing was learnt of it: what is wrong, and what to do, `descriptors` tells. */
export function unseen(check: string): Finding {
  return { check, status: 'info', message: unseenWords };
}

/** Whether no more files may be open, which is no fault of what was to be looked at. */
export function isUnseen(error: unknown): boolean {
  if (error instanceof Fault) {
    return error.extras.details?.['reason'] === publicTroubles.shortage.reason || isUnseen(error.extras.cause);
  }
  const cause = storeError(error);
  return cause instanceof StoreError && cause.trouble === 'shortage';
}

/** Which file something else than its content keeps from being opened, and what to do about it; undefined where that is not so. */
function unopenable(error: unknown): string | undefined {
  const { code, path } = (error instanceof StoreError ? error.cause : error) as NodeJS.ErrnoException;
  const remedy = code === undefined ? undefined : wayTo[code];
  return path === undefined || remedy === undefined ? undefined : `${path} (${code}). ${remedy}`;
}

/** What storage has, or what to go by where it can't be read: a check of its own tells of that. */
export function ifReadable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (troubleIn(error) === undefined) throw error;
    return otherwise;
  }
}

/** What is wrong with storage, or lacks to look at it, in public words; undefined where something else is. */
export function troubleIn(error: unknown): string | undefined {
  if (error instanceof Fault) return error.reason === 'storageFailed' ? error.message : undefined;
  const cause = storeError(error);
  return cause instanceof StoreError ? publicTroubles[cause.trouble].words : undefined;
}

/** What else kept a check from looking: a thread or a program that others need as well. Who has gone is told nothing. */
function failureIn(error: unknown): string | undefined {
  if (!(error instanceof Fault)) return undefined;
  return error.reason === 'operationFailed' || error.reason === 'backendUnavailable' ? error.message : undefined;
}
