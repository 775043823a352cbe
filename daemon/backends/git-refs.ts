import { constants, lstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { isShortage } from '../model/shortage.ts';
import { type GitRepository, readSmallFile } from './git-repository.ts';

const hash = /^([0-9a-f]{64}|[0-9a-f]{40})$/;
const deepestSymbolicRef = 5;
const largestPackedRefs = 128 * 1024 * 1024;

export interface GitHead {
  /** Full hash; undefined on an unborn branch, and where there is trouble. */
  readonly commit: string | undefined;
  /** Short name, e.g. `main`; undefined when detached. */
  readonly branch: string | undefined;
  /** Why it is not known whether there is a commit, in public words. */
  readonly trouble?: string;
}

/** The file that says which branch a work tree is on. */
export function headFile({ gitDir }: GitRepository): string {
  return join(gitDir, 'HEAD');
}

/** The name of the branch that a work tree is on, there or still to come. */
export function branchName(repository: GitRepository): string | undefined {
  const ref = refName(lineOf(headFile(repository)) ?? '');
  return ref?.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
}

/** Where HEAD points, read from its files: no git, no configuration. */
export async function readHead(repository: GitRepository): Promise<GitHead> {
  const head = lineOf(headFile(repository));
  if (head !== undefined && hash.test(head)) return { commit: head, branch: undefined };
  const unknown = { commit: undefined, branch: undefined };
  const ref = refName(head ?? '');
  if (ref === undefined) return { ...unknown, trouble: `HEAD ${oddness(head)}` };
  if (ref === 'refs/heads/.invalid') return { ...unknown, trouble: 'the repository keeps its refs as reftable' };
  return { branch: ref.replace(/^refs\/heads\//, ''), ...(await resolveRef(repository, ref)) };
}

/** What is wrong with a file that should name a commit or a branch. */
function oddness(text: string | undefined): string {
  if (text === undefined) return 'is no file that can be read';
  return text === '' ? 'is empty' : 'names no branch and no commit';
}

/**
 * The object that a name stands for: HEAD (or `@`), a branch, a tag, a remote's branch, a full hash, which git takes in capitals
 * as well. Undefined for any other text; what it says of ancestors (`~2`, `^`) is not for here.
 */
export async function resolveName(repository: GitRepository, name: string): Promise<string | undefined> {
  if (hash.test(name.toLowerCase())) return name.toLowerCase();
  if (name === 'HEAD' || name === '@') return (await readHead(repository)).commit;
  for (const ref of refsNamed(name)) {
    const found = (await resolveRef(repository, ref)).commit;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The refs that a name may stand for, in the order of gitrevisions(7). */
function refsNamed(name: string): readonly string[] {
  const places = name.startsWith('refs/') ? [''] : ['refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];
  return places.flatMap(place => refName(`ref: ${place}${name}`) ?? []);
}

/** The files that say what a name stands for, as `resolveName` takes it, whether they are there or not. */
export function filesNaming(repository: GitRepository, name: string): readonly string[] {
  const { commonDir } = repository;
  const packed = join(commonDir, 'packed-refs');
  if (name !== 'HEAD' && name !== '@') return [...refsNamed(name).map(ref => join(commonDir, ref)), packed];
  const branch = branchName(repository);
  const ref = branch === undefined ? [] : [join(commonDir, 'refs/heads', branch)];
  return [headFile(repository), ...ref, packed];
}

const mostNearby = 16;

/**
 * Commits that somebody who talks of this clone may well mean, the likeliest first: HEAD, what was fetched last, what the
 * branch follows at `origin`, and where HEAD was before it was moved last.
 */
export async function nearbyCommits(repository: GitRepository): Promise<readonly string[]> {
  const { commit, branch } = await readHead(repository);
  const fetched = readSmallFile(join(repository.gitDir, 'FETCH_HEAD'), 64 * 1024)?.matchAll(/^[0-9a-f]{40,64}(?=\t)/gm);
  const follows = branch === undefined ? undefined : await resolveName(repository, `refs/remotes/origin/${branch}`);
  const before = lineOf(join(repository.gitDir, 'ORIG_HEAD'));
  const found = [commit, ...[...(fetched ?? [])].map(([one]) => one), follows, before];
  return [...new Set(found.filter(one => one !== undefined && hash.test(one)))].slice(0, mostNearby) as string[];
}

/** The commit of a ref; neither that nor trouble where there is no such ref. */
async function resolveRef(repository: GitRepository, name: string): Promise<Pick<GitHead, 'commit' | 'trouble'>> {
  let ref = name;
  for (let depth = 0; depth < deepestSymbolicRef; depth++) {
    const text = lineOf(join(repository.commonDir, ref));
    if (text === undefined && !isTaken(join(repository.commonDir, ref)))
      return packedRef(join(repository.commonDir, 'packed-refs'), ref);
    if (text !== undefined && hash.test(text)) return { commit: text };
    const next = refName(text ?? '');
    if (next === undefined) return { commit: undefined, trouble: `${ref} ${oddness(text)}` };
    ref = next;
  }
  return { commit: undefined, trouble: `${name} leads to one ref after the other` };
}

/** Whether something stands where a ref would; a folder has other refs, or did. */
function isTaken(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return true;
  }
}

/** The name after `ref: `, undefined where it isn't one: it becomes a path, and must stay below `refs/`. */
function refName(text: string): string | undefined {
  const name = text.startsWith('ref: refs/') && !text.includes('\0') ? text.slice('ref: '.length) : undefined;
  return name?.split('/').some(part => part === '' || part === '.' || part === '..') === false ? name : undefined;
}

/** What stands in a file that is one line. Names of branches may begin and end with what Unicode calls blank. */
function lineOf(file: string): string | undefined {
  return readSmallFile(file)?.replace(/[ \t\r\n]+$/, '');
}

const noPackedRefs = { commit: undefined, trouble: 'packed-refs is no file that can be read' } as const;

async function packedRef(file: string, ref: string): Promise<Pick<GitHead, 'commit' | 'trouble'>> {
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isShortage(error)) throw error;
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? { commit: undefined } : noPackedRefs;
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > largestPackedRefs) return noPackedRefs;
    const bytes = await handle.readFile();
    const end = bytes.indexOf(` ${ref}\n`);
    const start = end < 0 ? -1 : bytes.lastIndexOf('\n', end) + 1;
    const text = start < 0 ? '' : bytes.toString('latin1', start, end);
    return { commit: hash.test(text) ? text : undefined };
  } finally {
    await handle.close();
  }
}
