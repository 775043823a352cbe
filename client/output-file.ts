import {
  accessSync,
  chmodSync,
  constants,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';

/**
 * Puts what somebody asked for in a file of theirs: whoever reads it finds all of it or what was there before. A file that is
 * there keeps its mode, and the links that lead to it. Returns why not, in words that follow the name of the file: folders, pipes
 * and devices are not replaced, nor is what may not be written.
 */
export function writeOutput(path: string, content: string | Uint8Array): string | undefined {
  try {
    const before = statSync(path, { throwIfNoEntry: false });
    const obstacle = before === undefined ? undefined : obstacleOf(before);
    if (obstacle !== undefined) return obstacle;
    if (before !== undefined) accessSync(path, constants.W_OK);
    replace(before === undefined ? path : realpathSync(path), content, before?.mode);
    return undefined;
  } catch (error) {
    return `can’t be written (${codeOf(error)})`;
  }
}

function replace(place: string, content: string | Uint8Array, mode: number | undefined): void {
  const beside = `${place}.${process.pid}.new`;
  try {
    writeFileSync(beside, content, { flag: 'wx' });
    if (mode !== undefined) chmodSync(beside, mode & 0o777);
    renameSync(beside, place);
  } catch (error) {
    // One that was there already is not ours; where none could be made there is none.
    if (!['EEXIST', 'EACCES'].includes(codeOf(error))) rmSync(beside, { force: true });
    throw error;
  }
}

function obstacleOf(stats: Stats): string | undefined {
  if (stats.isDirectory()) return 'is a folder';
  return stats.isFile() ? undefined : 'is no regular file, and is not replaced; - stands for standard output';
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? 'unknown');
}
