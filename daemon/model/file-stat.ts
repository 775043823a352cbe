/** What tells a file from its earlier self without reading it. Compared for equality only: half a microsecond is all that a double holds of today's nanoseconds. */
export interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

/** The fields of `fs.Stats` in bigints, as `lstat(path, { bigint: true })` and `listFiles` give them. */
interface RawStat {
  readonly size: number | bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
}

/** The one way to make a `FileStat`, so that equal files give equal numbers. */
export function fileStatOf(raw: RawStat): FileStat {
  return {
    size: Number(raw.size),
    mtimeMs: Number(raw.mtimeNs) / 1e6,
    ctimeMs: Number(raw.ctimeNs) / 1e6,
    inode: Number(raw.ino),
  };
}

/** Which file it is, and nothing of what stands in it: equal to no stat data that a file has. */
export function unproven(stat: FileStat): FileStat {
  return { ...stat, mtimeMs: -1, ctimeMs: -1 };
}

/** Two unknown ones are the same too. */
export function sameFileStat(one: FileStat | undefined, other: FileStat | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.inode === other.inode
  );
}
