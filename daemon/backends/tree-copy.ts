import {
  closeSync,
  constants,
  copyFileSync,
  cpSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  type Stats,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';

export interface TreeCopy {
  readonly root: string;
  /** Paths below the root; what is no regular file by now is left out. */
  readonly paths: readonly string[];
  /** Folders that come along whole, where they are. */
  readonly folders: readonly string[];
  /** Of the files that the index doesn't list, which come along wherever they are. */
  readonly files: RegExp | undefined;
  readonly to: string;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Copies files of a work tree, sharing their blocks where the file system can. Resolves with the paths of those that we may not
 * read, and which are left out; with undefined where all together are too large.
 */
export async function copyTree(copy: TreeCopy): Promise<readonly string[] | undefined> {
  let bytes = 0;
  let files = 0;
  const made = new Set<string>();
  const closed = new Set<string>();
  const take = async (path: string): Promise<boolean> => {
    copy.signal.throwIfAborted();
    const from = join(copy.root, path);
    const stats = statsOf(from);
    if (stats === 'closed') closed.add(path);
    if (stats === 'closed' || stats?.isFile() !== true) return true;
    bytes += stats.size;
    if (bytes > copy.mostBytes) return false;
    const to = join(copy.to, path);
    const folder = dirname(to);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    made.add(folder);
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    if (++files % 64 === 0) await setImmediate();
    return true;
  };
  for (const path of copy.paths) if (!(await take(path))) return undefined;
  if (copy.files !== undefined) {
    const listed = new Set(copy.paths);
    for await (const path of filesNamed(copy.files, copy))
      if (!listed.has(path) && !(await take(path))) return undefined;
  }
  for (const folder of copy.folders) {
    const from = join(copy.root, folder);
    if (lstatSync(from, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    const filter = (path: string): boolean => {
      const stats = statsOf(path);
      if (stats !== 'closed') return stats !== undefined && kinds.some(kind => stats[kind]());
      closed.add(relative(copy.root, path));
      return false;
    };
    const how = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE, filter };
    cpSync(from, join(copy.to, folder), how);
  }
  return [...closed];
}

/** What of a folder comes along; a copy of a pipe or a socket would be none. */
const kinds = ['isFile', 'isDirectory', 'isSymbolicLink'] as const;

const toLook = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** What stands at a path; undefined where nothing does. `closed`: we may not read it. */
function statsOf(path: string): Stats | 'closed' | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === true || stats?.isDirectory() === true) closeSync(openSync(path, toLook));
    return stats;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ELOOP') return undefined; // taken away meanwhile
    if (code === 'EACCES' || code === 'EPERM') return 'closed';
    throw error;
  }
}

/** Regular files below the root; git's own folders are none of the tree. */
async function* filesNamed(names: RegExp, { root, signal }: TreeCopy): AsyncGenerator<string> {
  const left = [''];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    signal.throwIfAborted();
    await setImmediate();
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== '.git') left.push(path);
      else if (entry.isFile() && names.test(entry.name)) yield path;
    }
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // gone, or not ours to read
  }
}
