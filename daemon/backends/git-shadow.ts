import { createHash, randomBytes } from 'node:crypto';
import {
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { alternatesTrouble } from './git-files.ts';
import type { GitRepository } from './git-repository.ts';
import { makeOwnFolder } from './own-folder.ts';

/** What of a repository's configuration decides how its objects are read. */
export interface ObjectFormat {
  readonly hash: 'sha1' | 'sha256';
}

/**
 * A git folder of ours over a repository's objects: no configuration but ours, no hooks, no attributes, no refs, no
 * remotes. git run in it knows what is stored, and nothing of what the repository would like to have run.
 * Returns its path; making it again is harmless.
 */
export function makeShadow(folder: string, repository: GitRepository, format: ObjectFormat): string {
  const shadow = join(folder, `${keyOf(repository, format)}.git`);
  makeGitFolder(shadow, format);
  replaceFile(join(shadow, 'objects/info/alternates'), objectsOf(repository));
  linkSharedIndexes(shadow, repository.gitDir);
  return shadow;
}

/** All names that folders over this repository alone may have. */
export function shadowNames(repository: GitRepository): readonly string[] {
  const keys = (['sha1', 'sha256'] as const).map(hash => keyOf(repository, { hash }));
  return keys.flatMap(key => [`${key}.git`, `${key}-attributes.git`]);
}

function keyOf({ gitDir }: GitRepository, { hash }: ObjectFormat): string {
  return createHash('sha256').update(`${gitDir}\0${hash}`).digest('hex').slice(0, 32);
}

/**
 * Another such folder, with attributes: git is asked in it what they say of a path. They name filters, none of which its
 * configuration knows. `own`: those of the repository's git folder; `users`: from outside it.
 */
export function makeAttributesShadow(
  folder: string,
  repository: GitRepository,
  format: ObjectFormat,
  attributes: { readonly own: string; readonly users: string },
): { readonly shadow: string; readonly users: string } {
  const shadow = `${makeShadow(folder, repository, format).slice(0, -'.git'.length)}-attributes.git`;
  makeGitFolder(shadow, format);
  makeOwnFolder(join(shadow, 'info'));
  replaceFile(join(shadow, 'objects/info/alternates'), objectsOf(repository));
  replaceFile(join(shadow, 'info/attributes'), attributes.own);
  const users = join(shadow, 'attributes');
  replaceFile(users, attributes.users);
  return { shadow, users };
}

/** Another such folder, over the objects of several repositories that are all of that format, and over nothing else of them. */
export function makeSharedShadow(folder: string, repositories: readonly GitRepository[], format: ObjectFormat): string {
  const objects = repositories.map(objectsOf).sort();
  const key = createHash('sha256')
    .update(`${format.hash}\0${objects.join('')}`)
    .digest('hex')
    .slice(0, 32);
  const shadow = join(folder, `${key}-shared.git`);
  makeGitFolder(shadow, format);
  replaceFile(join(shadow, 'objects/info/alternates'), objects.join(''));
  return shadow;
}

/** The line by which a shadow has a repository's objects; none where git would come to no end over what they borrow. */
function objectsOf(repository: GitRepository): string {
  return alternatesTrouble(repository) === undefined ? `${quoted(join(repository.commonDir, 'objects'))}\n` : '';
}

/** A git folder with nothing in it, for calls that need no repository. */
export function makeBlank(folder: string): string {
  const blank = join(folder, 'blank.git');
  makeGitFolder(blank, { hash: 'sha1' });
  return blank;
}

function makeGitFolder(path: string, format: ObjectFormat): void {
  for (const part of ['objects/info', 'objects/pack', 'refs']) {
    const folder = join(path, part);
    makeOwnFolder(folder, dirname(path));
    // Throws where it keeps us out: git would say no more than that this is no repository.
    lstatSync(`${folder}/.`);
  }
  const version = format.hash === 'sha256' ? 1 : 0;
  const extension = format.hash === 'sha256' ? '[extensions]\n\tobjectFormat = sha256\n' : '';
  replaceFile(join(path, 'config'), `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = true\n${extension}`);
  replaceFile(join(path, 'HEAD'), 'ref: refs/heads/none\n');
  noteUse(path);
}

const notedEveryMs = 60 * 60_000;

/** When a folder was last used, to the hour, is when its HEAD was last changed. */
export function lastUsedMs(shadow: string): number {
  return lstatSync(join(shadow, 'HEAD'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function noteUse(shadow: string): void {
  const now = Date.now();
  if (Math.abs(now - lastUsedMs(shadow)) > notedEveryMs) utimesSync(join(shadow, 'HEAD'), now / 1000, now / 1000);
}

/** A split index names its other half by its place in the git folder. */
function linkSharedIndexes(shadow: string, gitDir: string): void {
  const halves = readdirSync(gitDir).filter(isHalf);
  for (const name of halves) {
    const place = join(shadow, name);
    if (lstatSync(place, { throwIfNoEntry: false }) === undefined) symlinkSync(join(gitDir, name), place);
  }
  for (const name of readdirSync(shadow).filter(isHalf))
    if (!halves.includes(name)) rmSync(join(shadow, name), { force: true });
}

function isHalf(name: string): boolean {
  return /^sharedindex\.[0-9a-f]{40,64}$/.test(name);
}

/** Readers of an older version keep it: other threads and processes share the folder. What is right already is left, on a full disk too. */
export function replaceFile(path: string, content: string): void {
  if (isFile(path) && readFileSync(path, 'utf8') === content) return;
  if (isFolder(path)) rmSync(path, { recursive: true, force: true });
  const fresh = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(fresh, content, { mode: 0o600, flag: 'wx' });
    renameSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** As C quotes strings: an alternates line may hold any path that way, and so may their list in the environment. */
export function quoted(path: string): string {
  let text = '"';
  for (const byte of Buffer.from(path)) {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === '\\') text += `\\${character}`;
    else if (byte < 0x20 || byte >= 0x7f) text += `\\${byte.toString(8).padStart(3, '0')}`;
    else text += character;
  }
  return `${text}"`;
}
