import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { commitsHere, isShallow } from './git-history.ts';
import { fullHash, hashLines, withoutThose } from './git-parts.ts';
import type { RunOverObjects } from './git-process.ts';
import { type GitRun, streamGit } from './git-process.ts';
import { type GitRepository, readSmallFile } from './git-repository.ts';
import { quoted, replaceFile } from './git-shadow.ts';

/** Over a million commits, read for the first time, on a machine that has other things to do. */
const writeTimeoutMs = 60 * 60_000;
/** So many commits above it cost blame about 5 ms a file, and a graph written anew a fraction of a second for 40,000. */
const mostAbove = 500;
/** Tips of before are kept, so that callers with other tips don't undo each other's work. */
const mostTips = 16;

/**
 * Keeps a commit-graph with changed paths over the history of these commits in our own git folder, never in the
 * repository's: log and blame read it. Does nothing where there is one already that lacks few of them, and of a clone that
 * is cut short, of which git reads none. What stands in it follows from the commits' hashes alone, so that it is never wrong
 * of another repository at this place, or of a history that was rewritten. Rejects with `GitFailed`, also where git knows
 * no changed paths (before 2.27).
 */
export async function writeCommitGraph(
  run: RunOverObjects,
  repository: GitRepository,
  tips: readonly string[],
): Promise<void> {
  const asked = [...new Set(tips.map(fullHash))].slice(0, mostTips);
  if (asked.length === 0 || isShallow(repository)) return;
  const writing = ['commit-graph', 'write', '--stdin-commits', '--changed-paths', '--no-progress'];
  await run(repository, writing, async write => {
    const known = tipsOf(write.cwd);
    if (asked.every(tip => known.includes(tip))) return;
    const here = await commitsHere(run, repository, known);
    const base = known.filter(tip => here.has(tip));
    if (base.length > 0 && (await isNear(write, asked, base))) return;
    await writeAnew(write, [...new Set([...asked, ...base])].slice(0, mostTips));
  });
}

const noteName = 'graph-tips';

/** The commits that the graph in a git folder of ours was made of: none where there is no graph, or another. */
function tipsOf(shadow: string): readonly string[] {
  const [mark, ...tips] = (readSmallFile(join(shadow, noteName)) ?? '').split('\n').filter(line => line !== '');
  return mark !== undefined && mark === markOf(graphIn(join(shadow, 'objects'))) ? tips : [];
}

function graphIn(objects: string): string {
  return join(objects, 'info/commit-graph');
}

/** The last of the checksum that a graph ends with. */
function markOf(graph: string): string | undefined {
  if (lstatSync(graph, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const descriptor = openSync(graph, 'r');
  try {
    const mark = Buffer.alloc(20);
    const length = readSync(descriptor, mark, 0, mark.length, Math.max(0, fstatSync(descriptor).size - mark.length));
    return mark.toString('hex', 0, length);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether some commits have little that those of a graph have not. */
async function isNear(run: GitRun, tips: readonly string[], base: readonly string[]): Promise<boolean> {
  const asking = ['rev-list', '--stdin', '--count', `--max-count=${mostAbove + 1}`];
  let count = '';
  await streamGit({ ...run, arguments: asking, input: withoutThose(tips, base) }, chunk => {
    count += chunk.toString('latin1');
  });
  return Number(count) <= mostAbove;
}

/** Beside the one that is there, which lends what it knows: so that no lock is left by who died, and two don't meet. */
async function writeAnew(run: GitRun, tips: readonly string[]): Promise<void> {
  const shadow = run.cwd;
  const fresh = join(shadow, `graph-${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(join(fresh, 'info'), { recursive: true, mode: 0o700 });
    removeLeft(shadow, fresh);
    const objects = join(shadow, 'objects');
    const env = { ...run.env, GIT_OBJECT_DIRECTORY: fresh, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects) };
    await streamGit({ ...run, env, input: hashLines(tips), timeoutMs: writeTimeoutMs }, () => {});
    const mark = markOf(graphIn(fresh));
    if (mark === undefined) return;
    renameSync(graphIn(fresh), graphIn(objects));
    replaceFile(join(shadow, noteName), [mark, ...tips, ''].join('\n'));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** What a process left that died: older than any that may still be at work. */
function removeLeft(shadow: string, fresh: string): void {
  const now = lstatSync(fresh).mtimeMs;
  for (const name of readdirSync(shadow)) {
    if (!/^graph-[0-9a-f]{12}$/.test(name)) continue;
    const left = join(shadow, name);
    const age = now - (lstatSync(left, { throwIfNoEntry: false })?.mtimeMs ?? now);
    if (age > 2 * writeTimeoutMs) rmSync(left, { recursive: true, force: true });
  }
}
