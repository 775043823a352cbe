import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { quote, removalOf } from '../../client/paths.ts';
import type { SuggestedFix } from '../../client/protocol/faults.ts';
import { readSmallFile, type UnusableGit } from '../backends/git-repository.ts';
import type { WayIn } from './way-in.ts';

/** Why a `.git` leads to no repository, and how it comes to lead to one again, or is taken away where it holds nothing. */
export function wayToGit(git: UnusableGit): WayIn {
  const { path, kind, target, missing } = git;
  if (missing !== undefined) return incomplete(path, missing);
  if (kind === 'folder') return { why: `${path} is no git folder`, fixes: [] };
  const leave = change(removalOf(path), 'Do without git here: it leads nowhere');
  if (target === undefined) {
    const why = kind === 'other' ? 'is neither a folder nor a file' : 'names no git folder';
    return { why: `${path} ${why}`, fixes: [leave] };
  }
  const why = `${path} leads to ${target}, which is no git folder, or is gone`;
  const main = mainMoved(path, target);
  if (main === undefined) return { why: `${why}: bring that back`, fixes: [leave] };
  const repair = `git -C ${quote(main)} worktree repair ${quote(dirname(path))}`;
  return { why: `${why}: its repository is at ${main} now`, fixes: [change(repair, 'Lead the two to each other')] };
}

/** git makes what is missing of a folder, and fetches what was in it, as far as others have it. */
function incomplete(path: string, missing: string): WayIn {
  const why = `${path} leads to no repository: ${missing} is missing`;
  const gitDir = dirname(missing);
  if (basename(gitDir) !== '.git' || lstatSync(missing, { throwIfNoEntry: false }) !== undefined) {
    return { why: `${why}, or no folder: bring it back`, fixes: [] };
  }
  const workTree = quote(dirname(gitDir));
  const fetch = basename(missing) === 'objects' ? ` && git -C ${workTree} fetch --refetch` : '';
  return { why, fixes: [change(`git init ${workTree}${fetch}`, 'Have git make it anew, as far as others have it')] };
}

const mostLooked = 1000;

/**
 * Where the main work tree has gone that a second one belongs to, where it stands beside its old place: its git names
 * the second one, which alone does not tell where that is.
 */
function mainMoved(dotGit: string, target: string): string | undefined {
  const within = /^(.*)\/[^/]+\/\.git\/(worktrees\/[^/]+)\/?$/.exec(target);
  if (within === null) return undefined;
  const [, folder = '', ours = ''] = within;
  const beside = namesIn(folder === '' ? '/' : folder).map(name => join(folder, name));
  return beside.find(place => readSmallFile(join(place, '.git', ours, 'gitdir'))?.replace(/[\r\n]+$/, '') === dotGit);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, mostLooked);
  } catch {
    return [];
  }
}

function change(command: string, description: string): SuggestedFix {
  return { type: 'run-command', command, safe: false, description };
}
