import { lstatSync, statfsSync } from 'node:fs';

/** Kernels tell nobody of what happens on another machine: such trees are polled. Magic numbers of statfs(2). */
const remote: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2
  0x65735546, // FUSE
  0x01021997, // 9p
  0x5346414f, // AFS
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
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

export function isRemote(type: number | undefined): boolean {
  return type !== undefined && remote.has(type >>> 0);
}

/** A number of a deleted folder is given again at once: its birth tells them apart. */
export function inodeOf(root: string): string | undefined {
  try {
    const stat = lstatSync(root, { bigint: true, throwIfNoEntry: false });
    return stat?.isDirectory() ? `${stat.dev}:${stat.ino}:${stat.birthtimeNs}` : undefined;
  } catch {
    return undefined;
  }
}
