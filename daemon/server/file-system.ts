import { statfsSync } from 'node:fs';

/** File systems that lie about locks, changes or durability: by the magic number that `statfs` gives. */
const foreign: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9p'],
]);

/** `NFS`, `SMB` … for a folder on a network or user-space file system; undefined for a local one, or where it can't be told. */
export function foreignFileSystem(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  // Tests stand in for a mount: `SVC_FSTYPE=<folder>=<magic number, hex>`.
  const [pretended, magic] = (environment['SVC_FSTYPE'] ?? '').split('=');
  if (pretended !== '' && pretended !== undefined && (folder === pretended || folder.startsWith(`${pretended}/`))) {
    return foreign.get(Number.parseInt(magic ?? '', 16));
  }
  try {
    return foreign.get(statfsSync(folder).type >>> 0);
  } catch {
    return undefined;
  }
}

/** Free bytes where a folder lies; undefined where it can't be told. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
