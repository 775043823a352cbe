/** Why a database file can't be used. What to do about it is the caller's: quarantine and rebuild, refuse, or wait. */
export type StoreTrouble =
  /** Not a database of ours, or damaged. `index.db`: quarantine and rebuild; `daemon.db`: restore the copy. */
  | 'corrupt'
  /** Written by a newer version: refuse, write nothing. */
  | 'newerSchema'
  /** No space, quota, or a size limit. Nothing was applied; reads go on. */
  | 'diskFull'
  /** The device failed. Nothing was applied; close and open anew before writing again. */
  | 'ioError'
  /** Another process holds the file for longer than the busy timeout. */
  | 'busy'
  /** Missing, no permission, or a directory in its place. */
  | 'unreadable';

export class StoreError extends Error {
  readonly trouble: StoreTrouble;

  constructor(trouble: StoreTrouble, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StoreError';
    this.trouble = trouble;
  }
}
