import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { quote } from '../client/paths.ts';
import type { Caller } from '../client/protocol/caller.ts';
import { Fault } from '../client/protocol/faults.ts';

/**
 * The registered repository that a folder belongs to: the innermost whose root contains it. Undefined where the folder is
 * in no repository at all, so that the daemon's own rules decide. A repository that is not registered is a fault, for an
 * answer about another one would mislead.
 */
export async function repositoryAt(caller: Caller, directory: string | undefined): Promise<string | undefined> {
  if (directory === undefined) return undefined;
  const here = realPath(directory);
  const { repos } = await caller.call('daemon.listRepos', {});
  const around = repos.filter(({ root }) => here === root || here.startsWith(root === '/' ? root : `${root}/`));
  const innermost = around.toSorted((a, b) => b.root.length - a.root.length)[0];
  if (innermost !== undefined) return innermost.id;
  const root = gitRoot(here);
  if (root === undefined) return undefined;
  throw new Fault('resourceNotFound', `${root} is not registered`, {
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

function gitRoot(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
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
