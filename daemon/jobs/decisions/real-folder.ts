import { constants, lstatSync, readlinkSync, type Stats } from 'node:fs';
import { chmod, type FileHandle, link, lstat, mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises';
import type { RepoPath } from '../../model/paths.ts';

/**
 * A folder below a root, held open: names in it lead into this folder, whatever is renamed or put in its place meanwhile.
 * Elsewhere than on Linux, where no path leads through a descriptor, it is looked at again before each use.
 */
export interface RealFolder {
  names(): Promise<readonly string[]>;
  /** A new file; what is there is never opened. */
  create(name: string, mode: number): Promise<FileHandle>;
  /** Gives a file a second name, unless something bears that. */
  link(name: string, to: string): Promise<void>;
  unlink(name: string): Promise<void>;
  /** Undefined where nothing bears the name. */
  stat(name: string): Promise<Stats | undefined>;
  /** Makes the names in it last. */
  sync(): Promise<void>;
  close(): Promise<void>;
  /** Takes the folders away again that were made for it, where nothing lies in them. */
  unmake(): Promise<void>;
}

/** Why a folder can't be written: nothing of it has been. */
export class UnfitFolder extends Error {
  readonly reason: 'symlink' | 'not_a_folder' | 'another_device' | 'missing';

  constructor(reason: UnfitFolder['reason'], path: string) {
    super(path);
    this.name = 'UnfitFolder';
    this.reason = reason;
  }
}

/**
 * Opens a folder through real folders only, on the root's own device. With `make`, what is missing of it is made, as open to
 * others as the folder above. Throws `UnfitFolder`, and errors of the system.
 */
export async function openRealFolder(root: string, path: RepoPath, missing: 'make' | 'refuse'): Promise<RealFolder> {
  const open: Held[] = [await hold(root, root)];
  const made: Made[] = [];
  try {
    for (const part of path.split('/')) {
      const above = open.at(-1)!;
      const holdPart = (): Promise<Held> => hold(`${pathOf(above)}/${part}`, `${above.absolute}/${part}`);
      const held = await holdPart().catch(async error => {
        if (missing === 'refuse' || !(error instanceof UnfitFolder) || error.reason !== 'missing') throw error;
        if (await makeIn(above, part)) made.push({ above, part });
        return holdPart();
      });
      open.push(held);
      if (held.device !== open[0]!.device) throw new UnfitFolder('another_device', held.absolute);
    }
    return realFolder(open, made);
  } catch (error) {
    await unmake(made);
    await closeAll(open);
    throw error;
  }
}

interface Held {
  readonly handle: FileHandle;
  readonly absolute: string;
  readonly device: bigint;
  readonly inode: bigint;
  readonly mode: number;
}

interface Made {
  readonly above: Held;
  readonly part: string;
}

function realFolder(open: readonly Held[], made: readonly Made[]): RealFolder {
  const folder = open.at(-1)!;
  const at = (name: string): string => `${pathOf(folder)}/${name}`;
  return {
    names: () => readdir(pathOf(folder)),
    create: (name, mode) => creation(at(name), mode),
    link: (name, to) => link(at(name), at(to)),
    unlink: name => unlink(at(name)),
    stat: name => lstat(at(name)).catch(ignoring('ENOENT')),
    async sync() {
      await folder.handle.sync();
      for (const { above } of made) await above.handle.sync();
    },
    close: () => closeAll(open),
    unmake: () => unmake(made),
  };
}

/** The mode is the one that is said, whatever the umask. */
async function creation(path: string, mode: number): Promise<FileHandle> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  await handle.chmod(mode);
  return handle;
}

async function hold(path: string, absolute: string): Promise<Held> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(async error => {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new UnfitFolder('missing', absolute);
    if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error;
    throw new UnfitFolder((await lstat(path)).isSymbolicLink() ? 'symlink' : 'not_a_folder', absolute);
  });
  try {
    const { dev: device, ino: inode, mode } = await handle.stat({ bigint: true });
    const held = { handle, absolute, device, inode, mode: Number(mode) };
    // A folder above may have been exchanged for a link.
    if (!isAt(held)) throw new UnfitFolder('symlink', absolute);
    return held;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A path that leads through the descriptor where there is one. */
function pathOf(held: Held): string {
  if (process.platform === 'linux') return `/proc/self/fd/${held.handle.fd}`;
  if (!isAt(held)) throw new UnfitFolder('symlink', held.absolute);
  return held.absolute;
}

/** Whether what is held lies at its path, through no link. */
function isAt({ handle, absolute, device, inode }: Held): boolean {
  if (process.platform === 'linux') return readlinkSync(`/proc/self/fd/${handle.fd}`) === absolute;
  const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  return stats?.dev === device && stats.ino === inode;
}

/** Whether it was made by this, and nobody was faster. */
async function makeIn(above: Held, part: string): Promise<boolean> {
  const path = `${pathOf(above)}/${part}`;
  try {
    await mkdir(path, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await chmod(path, above.mode & 0o777);
  return true;
}

async function unmake(made: readonly Made[]): Promise<void> {
  for (const { above, part } of made.toReversed()) {
    // Somebody may have put something into it.
    await rmdir(`${pathOf(above)}/${part}`).catch(() => {});
  }
}

async function closeAll(open: readonly Held[]): Promise<void> {
  for (const { handle } of open) await handle.close();
}

function ignoring(code: string) {
  return (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
    return undefined;
  };
}
