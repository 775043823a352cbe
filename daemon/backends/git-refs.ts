import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitRepository, readSmallFile } from './git-repository.ts';

const hash = /^([0-9a-f]{64}|[0-9a-f]{40})$/;
const deepestSymbolicRef = 5;
const largestPackedRefs = 128 * 1024 * 1024;

/**
 * Where HEAD points, read from its files: no git, no configuration. `commit` is undefined on an unborn branch, and
 * where refs are kept as reftable.
 */
export async function readHead(
  repository: GitRepository,
): Promise<{ commit: string | undefined; branch: string | undefined }> {
  const head = lineOf(join(repository.gitDir, 'HEAD')) ?? '';
  if (hash.test(head)) return { commit: head, branch: undefined };
  const ref = refName(head);
  if (ref === undefined || ref === 'refs/heads/.invalid') return { commit: undefined, branch: undefined };
  return { commit: await resolveRef(repository, ref), branch: ref.replace(/^refs\/heads\//, '') };
}

/**
 * The object that a name stands for: HEAD (or `@`), a branch, a tag, a remote's branch, a full hash, which git takes in capitals
 * as well. Undefined for any other text; what it says of ancestors (`~2`, `^`) is not for here.
 */
export async function resolveName(repository: GitRepository, name: string): Promise<string | undefined> {
  if (hash.test(name.toLowerCase())) return name.toLowerCase();
  if (name === 'HEAD' || name === '@') return (await readHead(repository)).commit;
  // In the order of gitrevisions(7).
  const places = name.startsWith('refs/') ? [''] : ['refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];
  for (const place of places) {
    const ref = refName(`ref: ${place}${name}`);
    const found = ref === undefined ? undefined : await resolveRef(repository, ref);
    if (found !== undefined) return found;
  }
  return undefined;
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

async function resolveRef(repository: GitRepository, name: string): Promise<string | undefined> {
  let ref = name;
  for (let depth = 0; depth < deepestSymbolicRef; depth++) {
    const text = lineOf(join(repository.commonDir, ref));
    if (text === undefined) return packedRef(join(repository.commonDir, 'packed-refs'), ref);
    if (hash.test(text)) return text;
    const next = refName(text);
    if (next === undefined) return undefined;
    ref = next;
  }
  return undefined;
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

async function packedRef(file: string, ref: string): Promise<string | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (handle === undefined) return undefined;
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > largestPackedRefs) return undefined;
    const bytes = await handle.readFile();
    const end = bytes.indexOf(` ${ref}\n`);
    const start = end < 0 ? -1 : bytes.lastIndexOf('\n', end) + 1;
    const text = start < 0 ? '' : bytes.toString('latin1', start, end);
    return hash.test(text) ? text : undefined;
  } finally {
    await handle.close();
  }
}
