import { closeSync, constants, lstatSync, opendirSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file system on other machines: this one's kernel tells nobody of what happens there, so trees on it are polled. */
export interface RemoteFileSystem {
  readonly name: string;
  /** Whether processes of one machine can rely on locks, and so databases on the file system. */
  readonly locks: 'untrusted' | 'local';
}

/** By the magic number that statfs(2) gives. */
const remote: ReadonlyMap<number, RemoteFileSystem> = new Map([
  [0x6969, { name: 'NFS', locks: 'untrusted' }],
  [0x517b, { name: 'SMB', locks: 'untrusted' }],
  [0xff534d42, { name: 'CIFS', locks: 'untrusted' }],
  [0xfe534d42, { name: 'SMB2', locks: 'untrusted' }],
  [0x65735546, { name: 'FUSE', locks: 'untrusted' }],
  [0x01021997, { name: '9p', locks: 'untrusted' }],
  [0x5346414f, { name: 'AFS', locks: 'local' }],
  [0x00c36400, { name: 'Ceph', locks: 'local' }],
  [0x0bd00bd0, { name: 'Lustre', locks: 'local' }],
  [0x47504653, { name: 'GPFS', locks: 'local' }],
]);

/** The type of the file system that holds a path, as statfs(2) numbers it; undefined where it can't be told. */
export type FileSystemType = (path: string) => number | undefined;

/**
 * Asks the kernel. `override` is `<folder>=<type in hex>`: that folder and what is below it pretends to be of that type,
 * so that a test can have a network without one.
 */
export function fileSystemType(override = ''): FileSystemType {
  const [, folder, type] = /^(.+)=([0-9a-fA-F]+)$/.exec(override) ?? [];
  return path => {
    if (folder !== undefined && (path === folder || path.startsWith(`${folder}/`))) return Number.parseInt(type!, 16);
    try {
      return Number(statfsSync(path).type) >>> 0;
    } catch {
      return undefined;
    }
  };
}

/** Undefined for a local one, or where it can't be told. */
export function remoteFileSystem(type: number | undefined): RemoteFileSystem | undefined {
  return type === undefined ? undefined : remote.get(type >>> 0);
}

/**
 * Undefined where there is no folder, or none that may be looked into. A number of a deleted folder is given again at once:
 * its birth tells them apart.
 */
export function inodeOf(root: string): string | undefined {
  try {
    const stat = lstatSync(root, { bigint: true, throwIfNoEntry: false });
    if (stat?.isDirectory() !== true || closedFolder(root) !== undefined) return undefined;
    return `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
  } catch {
    return undefined;
  }
}

/**
 * Which folder lets us not look into a path: itself, which shows its entries and leads to them only with both rights, or the
 * first above it that lets nobody of ours through. Undefined where none does, and where there is no such folder.
 */
export function closedFolder(path: string): string | undefined {
  const isOpen = !isRefused(() => opendirSync(path).closeSync()) && !isRefused(() => lstatSync(`${path}/.`));
  return isOpen ? undefined : whoRefuses(path);
}

/** What keeps us from reading a file: itself, or the first folder above it that lets us not through. Undefined where nothing does. */
export function closedWay(file: string): string | undefined {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  return isRefused(() => closeSync(openSync(file, flags))) || isRefused(() => lstatSync(file))
    ? whoRefuses(file)
    : undefined;
}

function whoRefuses(path: string): string {
  let at = path;
  while (at !== dirname(at) && isRefused(() => lstatSync(at))) at = dirname(at);
  return at;
}

function isRefused(look: () => unknown): boolean {
  try {
    look();
    return false;
  } catch (error) {
    return isClosed(error);
  }
}

/** Somebody's rights keep us out, which says nothing of whether there is something. */
export function isClosed(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM';
}
