import { type Stats, statSync } from 'node:fs';
import { UsageError } from './commands.ts';

/**
 * What stands at a path, which people are told as `shown`; undefined where nothing does. Throws `UsageError` where that can't be
 * known: a folder above is closed to us, or links lead round in a circle.
 */
export function lookedAt(path: string, shown: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(shown, error);
  }
}

/** Somebody named what the file system does not let us read. */
export function unreadable(shown: string, error: unknown): UsageError {
  return new UsageError(`${shown}: can’t be read (${(error as NodeJS.ErrnoException).code})`);
}
