import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Whether a folder is the root of a repository of its own: its `.git` is a git folder, or a file that leads to one. */
export function isRepository(directory: string): boolean {
  const dotGit = join(directory, '.git');
  try {
    const stat = lstatSync(dotGit, { throwIfNoEntry: false });
    if (stat === undefined) return false;
    if (!stat.isFile()) return isGitFolder(dotGit);
    const target = gitFileTarget(dotGit);
    return target !== undefined && isGitFolder(isAbsolute(target) ? target : join(directory, target));
  } catch {
    return false; // no permission to look: then nothing in there can be listed either
  }
}

/** What git asks of a git folder: a HEAD, objects and refs (a worktree's own folder has them in its common folder). */
function isGitFolder(folder: string): boolean {
  const has = (name: string) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
  if (!has('HEAD')) return false;
  if (has('commondir')) return true;
  const isFolder = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder('objects') && isFolder('refs');
}

/** The path after `gitdir: ` of a `.git` file, read without waiting for anybody. */
function gitFileTarget(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    if (!fstatSync(descriptor).isFile()) return undefined;
    const bytes = Buffer.alloc(4200);
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
    return /^gitdir: ([^\n\r]+)[\r\n]*$/.exec(text)?.[1];
  } finally {
    closeSync(descriptor);
  }
}
