import { type BigIntStats, cpSync, lstatSync, readdirSync, readFileSync } from 'node:fs';

/** What operations closed is to nobody but root what it was: whoever looks at a tree takes it for what it does not have. */
function unlessClosed<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    return undefined;
  }
}

/** The names in a folder, sorted. */
export function namesIn(folder: string): readonly string[] {
  return unlessClosed(() => readdirSync(folder))?.sort() ?? [];
}

export function statsAt(path: string): BigIntStats | undefined {
  return unlessClosed(() => lstatSync(path, { bigint: true }));
}

/** Byte by byte. */
export function textAt(file: string): string | undefined {
  return unlessClosed(() => readFileSync(file, 'latin1'));
}

export function copyReadable(from: string, to: string): void {
  const filter = (path: string): boolean => {
    const stats = statsAt(path);
    if (stats === undefined) return false;
    if (stats.isDirectory()) return unlessClosed(() => readdirSync(path)) !== undefined;
    return !stats.isFile() || textAt(path) !== undefined;
  };
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter });
}
