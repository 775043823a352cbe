import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { gitRoot, operand } from '../client/paths.ts';
import type { Caller } from '../client/protocol/caller.ts';
import { Fault } from '../client/protocol/faults.ts';
import { registration } from '../client/registration.ts';
import { homeIn } from '../client/this-user.ts';
import { UsageError } from './commands.ts';
import { usualThresholds } from './gate/flags.ts';
import { lookedAt } from './looked-at.ts';

/**
 * How a question names the repository that the caller stands in. In a git repository that is the folder itself, as `repo`:
 * the daemon takes the innermost registered root around it, and a repository that is not registered is a fault, for an answer
 * about another one would mislead. Elsewhere the folder is a hint (`directory`), and the daemon's own rules decide.
 */
export function placeOf(directory: string | undefined): { readonly repo?: string; readonly directory?: string } {
  if (directory === undefined) return {};
  const here = realPath(directory);
  return gitRoot(here) === undefined ? { directory: here } : { repo: here };
}

interface Registered {
  readonly id: string;
  readonly root: string;
}

/** The registered repository that a path lies in; of nested ones, the inner. None where a git repository lies between. */
export function registeredAround(repos: readonly Registered[], path: string): Registered | undefined {
  const trees = repos.filter(({ root }) => root !== '');
  const around = trees.filter(({ root }) => path === root || path.startsWith(root === '/' ? root : `${root}/`));
  const innermost = around.toSorted((a, b) => b.root.length - a.root.length)[0];
  const isAnother = innermost !== undefined && innermost.root.length < (gitRoot(path) ?? '').length;
  return isAnother ? undefined : innermost;
}

/** The fault of a question about an unregistered repository, with the command that registers it. */
export function withAdvice(error: unknown, directory: string | undefined): unknown {
  const root = directory === undefined ? undefined : gitRoot(realPath(directory));
  if (!(error instanceof Fault) || error.reason !== 'resourceNotFound' || root === undefined) return error;
  // The repository is known, and has no such commit, module or record.
  const { details } = error.extras;
  if (details !== undefined && !('registered' in details)) return error;
  const { why, fixes } = registration(root);
  return new Fault('resourceNotFound', `${root} is not registered${why === undefined ? '' : `: ${why}`}`, {
    ...error.extras,
    suggestedFixes: fixes,
  });
}

/** The root of the repository that a folder is in: a registered one, else the nearest git root, else the folder itself. */
export async function rootAround(caller: Caller, folder: string): Promise<string> {
  const { repos } = await caller.call('daemon.listRepos', {});
  return registeredAround(repos, folder)?.root ?? gitRoot(folder) ?? folder;
}

/** A path that was given from the caller's folder, as one from the root of the repository around; one that names nothing there, as it is. */
export async function pathInTree(caller: Caller, directory: string | undefined, path: string): Promise<string> {
  const absolute = directory === undefined ? path : resolve(realPath(directory), path);
  if (directory === undefined || path === '' || !existsSync(absolute)) return path;
  const inside = relative(await rootAround(caller, realPath(directory)), absolute);
  return inside === '' ? '.' : inside;
}

/** Whether a folder lies in no git repository, and in no folder of git's own, such as a bare repository. */
export function isPlainFolder(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if (gitMarks.some(names => names.every(name => existsSync(join(folder, name))))) return false;
    if (folder === dirname(folder)) return true;
  }
}

const gitMarks = [['.git'], ['HEAD', 'objects', 'refs']];

/** The folder that a path argument names. Throws `UsageError` where there is none, or where that can’t be known. */
export function folderArgument(directory: string | undefined, path: string): string {
  const folder = pathArgument(directory, path);
  const stats = lookedAt(folder, path);
  if (stats === undefined) throw new UsageError(`${path}: there is no such folder`);
  if (!stats.isDirectory()) throw new UsageError(`${path}: is not a folder`);
  return folder;
}

/** Functions are listed of one file; of a folder's they are held against bounds. */
export function refuseFolder(directory: string | undefined, path: string): void {
  if (directory === undefined || path === '') return;
  if (lookedAt(resolve(directory, path), path)?.isDirectory() !== true) return;
  const command = `svc complexity --fail-over ${usualThresholds} ${operand(path)}`;
  throw new Fault('fileNotFound', `${path} is a folder, and functions are listed of one file`, {
    details: { path },
    suggestedFixes: [
      { type: 'run-command', command, safe: true, description: 'Hold the functions of all its files against bounds' },
    ],
  });
}

/** The folder that the caller stands in. */
export function folderHere(directory: string | undefined): string {
  if (directory === undefined) throw new Fault('fileNotFound', 'The current folder no longer exists');
  return realPath(directory);
}

/** A path argument as an absolute path; links are resolved where there is something to resolve. */
export function pathArgument(directory: string | undefined, path: string): string {
  // What a script that left a variable unset says; by the rules of paths it would be the current folder.
  if (path === '') throw new UsageError('a path must not be empty');
  if (directory === undefined && !path.startsWith('/')) {
    throw new Fault('fileNotFound', 'The current folder no longer exists: give an absolute path');
  }
  return realPath(resolve(directory ?? '/', path));
}

/** A file as an absolute path. A shell leaves `~` alone behind the `=` of a flag. */
export function fileArgument(directory: string | undefined, path: string): string {
  return pathArgument(directory, path.startsWith('~/') ? resolve(homeIn(process.env), path.slice(2)) : path);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
