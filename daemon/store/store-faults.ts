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
  /** Missing, no permission, a directory in its place, or a file system that takes no writing. */
  | 'unreadable'
  /** No more files may be open. Nothing is wrong with the file, and nothing was learnt of it. */
  | 'shortage';

/** What callers are told of each trouble: a word for programs, and words for people. */
export const publicTroubles: Readonly<Record<StoreTrouble, { readonly reason: string; readonly words: string }>> = {
  corrupt: { reason: 'index_corrupt', words: 'what is stored is damaged' },
  newerSchema: { reason: 'newer_schema', words: 'a newer svc wrote the file' },
  diskFull: { reason: 'disk_full', words: 'the disk is full' },
  ioError: { reason: 'io_error', words: 'the device failed' },
  busy: { reason: 'busy', words: 'another process holds the file' },
  unreadable: { reason: 'unreadable', words: 'the file can’t be opened, or its folder not be written' },
  shortage: { reason: 'too_many_open_files', words: 'no more files may be open' },
};

export class StoreError extends Error {
  readonly trouble: StoreTrouble;
  /** What can't be used, where that is known. */
  readonly file: string | undefined;

  constructor(trouble: StoreTrouble, message: string, cause?: unknown, file?: string) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StoreError';
    this.trouble = trouble;
    this.file = file;
  }
}
