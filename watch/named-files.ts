import { dirname, join } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { closeForGood } from './close-for-good.ts';
import { inodeOf } from './file-system.ts';

/**
 * A few files by name, there or not, told of as soon as something happens to one: each folder that holds some is
 * watched, and nothing else in it. What happens before a folder is watched, nobody tells.
 */
export interface NamedFiles {
  /** From now on these; asked again for the same, it looks for folders that came or were replaced. */
  follow(files: Iterable<string>): void;
  close(): Promise<void>;
}

export function watchNamedFiles(onEvent: (file: string) => void): NamedFiles {
  let wanted: ReadonlySet<string> = new Set();
  let followed = '';
  let watcher: FSWatcher | undefined;
  let closing: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const closed = (): Promise<unknown> =>
    Promise.all([closing, watcher === undefined ? undefined : closeForGood(watcher)]);
  const open = (folders: ReadonlySet<string>) => {
    const opened = watch([...folders], {
      ignoreInitial: true,
      followSymlinks: false,
      atomic: false,
      depth: 0,
      ignored: path => !folders.has(path),
    });
    // The kernel's own words: a lock may be gone before chokidar has looked at it, and a file needs no watch of its own.
    opened.on('raw', (_, name: string | null, details) => {
      const { watchedPath = '' } = details as { readonly watchedPath?: string };
      const file = join(watchedPath, name ?? '');
      if (wanted.has(file)) onEvent(file);
    });
    opened.on('error', () => {}); // whoever needs to know looks at the files themselves
    return opened;
  };
  return {
    follow(files) {
      if (isClosed) return; // whoever looked for them was still about it
      wanted = new Set(files);
      const folders = [...new Set([...wanted].map(dirname))].map(folder => ({ folder, inode: inodeOf(folder) }));
      const there = folders.filter(({ inode }) => inode !== undefined);
      const now = JSON.stringify(there);
      if (now === followed) return;
      followed = now;
      closing = closed();
      watcher = there.length === 0 ? undefined : open(new Set(there.map(({ folder }) => folder)));
    },
    async close() {
      isClosed = true;
      await closed();
    },
  };
}
