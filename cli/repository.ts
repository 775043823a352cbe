import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { gitRoot, quote } from '../client/paths.ts';
import type { Caller } from '../client/protocol/caller.ts';
import { Fault } from '../client/protocol/faults.ts';

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

/** The registered folder, no git repository, that the caller stands in or below. */
export async function registeredFolder(caller: Caller, directory: string | undefined): Promise<string | undefined> {
  if (directory === undefined) return undefined;
  const here = realPath(directory);
  if (gitRoot(here) !== undefined) return undefined;
  const { repos } = await caller.call('daemon.listRepos', {});
  return innermost(repos, here);
}

/** The id of the repository that a path lies in; of nested ones, the inner. */
export function innermost(
  repos: readonly { readonly id: string; readonly root: string }[],
  path: string,
): string | undefined {
  const around = repos.filter(({ root }) => path === root || path.startsWith(root === '/' ? root : `${root}/`));
  return around.toSorted((a, b) => b.root.length - a.root.length)[0]?.id;
}

/** The fault of a question about an unregistered repository, with the command that registers it. */
export function withAdvice(error: unknown, directory: string | undefined): unknown {
  const root = directory === undefined ? undefined : gitRoot(realPath(directory));
  if (!(error instanceof Fault) || error.reason !== 'resourceNotFound' || root === undefined) return error;
  return new Fault('resourceNotFound', `${root} is not registered`, {
    ...error.extras,
    suggestedFixes: [
      { type: 'run-command', command: `svc repo add ${quote(root)}`, safe: true, description: 'Index and watch it' },
    ],
  });
}

/** The repository that a folder is in: the nearest git root, else the folder itself. */
export function rootAround(directory: string): string {
  const here = realPath(directory);
  return gitRoot(here) ?? here;
}

/** Whether a folder is there, and no git repository around it. */
export function isPlainFolder(path: string): boolean {
  return existsSync(path) && gitRoot(path) === undefined;
}

/** A path argument as an absolute path; links are resolved where there is something to resolve. */
export function pathArgument(directory: string | undefined, path: string): string {
  if (directory === undefined && !path.startsWith('/')) {
    throw new Fault('fileNotFound', 'The current folder no longer exists: give an absolute path');
  }
  return realPath(resolve(directory ?? '/', path));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
