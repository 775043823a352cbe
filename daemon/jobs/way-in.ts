import { lstatSync } from 'node:fs';
import { quote } from '../../client/paths.ts';
import type { SuggestedFix } from '../../client/protocol/faults.ts';

/** What keeps this process out of a file or a folder, and how it is let in. */
export interface WayIn {
  /** A sentence of its own, which begins with the path. */
  readonly why: string;
  /** None where that is for somebody else to do. */
  readonly fixes: readonly SuggestedFix[];
}

/** `root`: of the repository. Nobody is told to take what lies outside of it away from its owner. */
export function wayInto(path: string, root: string): WayIn {
  const us = process.geteuid?.();
  const stats = statOf(path);
  if (stats === undefined || us === undefined) return { why: `${path} is closed to this process`, fixes: [] };
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0');
  if (stats.uid === us) {
    const why = `${path} is yours, and its mode (${mode}) keeps you out`;
    return { why, fixes: [way(`chmod u+rX ${quote(path)}`, 'Let yourself in')] };
  }
  const why = `${path} belongs to user ${stats.uid}, and its mode (${mode}) keeps user ${us} out`;
  const isOurs = path === root || path.startsWith(`${root}/`);
  return { why, fixes: isOurs ? [way(`sudo chown ${us} ${quote(path)}`, 'Make it yours')] : [] };
}

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function way(command: string, description: string): SuggestedFix {
  return { type: 'run-command', command, safe: false, description };
}
