import { existsSync, lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { quote } from './paths.ts';
import type { SuggestedFix } from './protocol/faults.ts';

/** How a folder comes to be indexed. */
export interface Registration {
  /** What keeps this user from registering the folder, a sentence of its own; undefined where nothing does. */
  readonly why: string | undefined;
  readonly fixes: readonly SuggestedFix[];
}

/** The way to have the work tree at a root indexed: its registration, or what helps where it is somebody else's. */
export function registration(root: string): Registration {
  for (const path of [root, join(root, '.git')]) {
    const owner = ownerOf(path);
    if (owner !== undefined && owner !== process.getuid?.()) return foreign(path, owner, root);
  }
  return { why: undefined, fixes: [run(`svc repo add ${quote(root)}`, 'Index and watch it', true)] };
}

/**
 * What belongs to somebody else. That git's `safe.directory` names it makes no difference: git is run without anybody's
 * configuration, so that it would refuse the folder, too. What lies in a folder of ours is made ours again; nobody is told
 * to take the rest away from its owner, who may run svc, as anybody may over a clone.
 */
export function foreign(path: string, owner: number, root: string): Registration & { readonly why: string } {
  const us = process.getuid?.() ?? 0;
  const isOurs = path.startsWith(`${root}/`) && ownerOf(root) === us;
  const instead = owner === 0 ? [] : [isOurs ? `run svc as user ${owner}` : `have user ${owner} run svc`];
  const ways = isOurs ? ['make it yours', ...instead] : [...instead, 'index a clone of it that is yours'];
  const why = `${path} belongs to user ${owner}, not to user ${us}: ${ways.join(', or ')} (safe.directory does not count here)`;
  if (!isOurs) return { why, fixes: existsSync(join(root, '.git')) ? [cloned(root)] : [] };
  // Root, mostly in a container, would take away from its owner what lies outside of it.
  return { why, fixes: us === 0 ? [] : [run(`sudo chown -R ${us} ${quote(path)}`, 'Make it yours', false)] };
}

/** git would not read it for a clone either, but where it is told so for this once. */
function cloned(root: string): SuggestedFix {
  const place = `~/${quote(basename(root))}`;
  const reader = "'git -c safe.directory=* upload-pack'";
  const command = `git clone --no-local -u ${reader} ${quote(root)} ${place} && svc repo add ${place}`;
  return run(command, 'Clone it into your home, and index that', false);
}

function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.uid;
  } catch {
    return undefined;
  }
}

function run(command: string, description: string, safe: boolean): SuggestedFix {
  return { type: 'run-command', command, safe, description };
}
