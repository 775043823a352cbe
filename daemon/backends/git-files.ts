import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isClosed } from '../model/closed.ts';
import { type GitRepository, readSmallFile } from './git-repository.ts';

const headerBytes = 12;
const largestChecked = 16 * 1024 * 1024;

/** Why git can't read its index, as far as the file shows it; undefined where it can, and where there is none. */
export function indexTrouble({ gitDir }: GitRepository): string | undefined {
  const file = join(gitDir, 'index');
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) return 'is no regular file';
  const bytes = startOf(file);
  if (bytes === undefined) return 'can’t be read';
  if (bytes.length === 0) return 'is empty';
  const version = bytes.length < headerBytes ? 0 : bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return 'is no index';
  return stat.size > largestChecked || isWhole(bytes) ? undefined : 'is damaged';
}

/** Ends with a digest of all before it, or with as many zeros where it was written without one. */
function isWhole(bytes: Buffer): boolean {
  return (['sha1', 'sha256'] as const).some(algorithm => {
    const digest = createHash(algorithm);
    const end = bytes.length - (algorithm === 'sha1' ? 20 : 32);
    const said = bytes.subarray(end);
    return (
      end >= headerBytes &&
      (said.every(byte => byte === 0) || digest.update(bytes.subarray(0, end)).digest().equals(said))
    );
  });
}

/** As much of a file as is looked at; undefined where it can't be read. */
function startOf(file: string): Buffer | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(Math.min(fstatSync(descriptor).size, largestChecked));
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** As far as git follows folders that name others. */
const deepest = 5;
const most = { bytes: 1024 * 1024, folders: 1000 } as const;

/**
 * A file by which objects are borrowed, and why git would come to no end over it: it waits for a pipe, and reads a file of
 * any size into memory. Undefined where nothing is wrong.
 */
export function alternatesTrouble(repository: GitRepository): string | undefined {
  return lookAtLenders(repository).trouble;
}

/** The first folder that objects are borrowed from and that is not there: git goes on without what it had. */
export function missingLender(repository: GitRepository): { readonly folder: string; readonly by: string } | undefined {
  return lookAtLenders(repository).missing;
}

interface Lenders {
  readonly trouble?: string;
  readonly missing?: { readonly folder: string; readonly by: string } | undefined;
}

function lookAtLenders({ commonDir }: GitRepository): Lenders {
  let missing: Lenders['missing'];
  const seen = new Set<string>();
  let folders: readonly (readonly [folder: string, by: string])[] = [[join(commonDir, 'objects'), '']];
  for (let depth = 0; depth <= deepest && folders.length > 0; depth++) {
    const further: [string, string][] = [];
    for (const [folder, by] of folders) {
      if (seen.has(folder)) continue;
      if (seen.size >= most.folders) return { trouble: `${folder} is one of too many` };
      seen.add(folder);
      if (by !== '' && statOf(folder)?.isDirectory() !== true) missing ??= { folder, by };
      const file = join(folder, 'info/alternates');
      const stat = statOf(file);
      if (stat === undefined) continue;
      if (!stat.isFile()) return { trouble: `${file} is no regular file` };
      if (stat.size > most.bytes) return { trouble: `${file} is larger than 1 MiB` };
      const lines = readSmallFile(file, most.bytes)?.split('\n') ?? [];
      for (const one of lines.flatMap(line => folderOf(line, folder))) further.push([one, file]);
    }
    folders = further;
  }
  return { missing };
}

/** The first of git's own files that is there as something else, such as a pipe or a link: it is not read, and git may wait for it. */
export function oddFile({ commonDir }: GitRepository): string | undefined {
  const files = ['config', 'packed-refs', 'shallow'].map(name => join(commonDir, name));
  return files.find(file => quietly(() => lstatSync(file, { throwIfNoEntry: false }))?.isFile() === false);
}

/** The first part of what objects are read by that somebody's rights keep us out of: what is not found then may be there. */
export function closedStore({ commonDir }: GitRepository): string | undefined {
  const objects = join(commonDir, 'objects');
  const packs = join(objects, 'pack');
  const folders = namesIn(objects).filter(name => /^(?:[0-9a-f]{2}|info|pack)$/.test(name));
  const files = namesIn(packs).filter(name => /^multi-pack-index$|\.(?:idx|pack)$/.test(name));
  const below = [...folders.map(name => join(objects, name)), ...files.map(name => join(packs, name))];
  return firstClosed([join(commonDir, 'config'), objects, ...below, join(objects, 'info/alternates')]);
}

/** The first file or folder that is there, and may not be read. */
export function firstClosed(paths: readonly string[]): string | undefined {
  return paths.find(
    path => isRefused(() => closeSync(openSync(path, opening))) || isRefused(() => lstatSync(`${path}/.`)),
  );
}

const opening = constants.O_RDONLY | constants.O_NONBLOCK;

function isRefused(look: () => unknown): boolean {
  try {
    look();
    return false;
  } catch (error) {
    return isClosed(error);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What a line of such a file names. */
function folderOf(line: string, folder: string): readonly string[] {
  if (line === '' || line.startsWith('#')) return [];
  const path = line.startsWith('"') ? line.slice(1, line.lastIndexOf('"')) : line;
  if (path.includes('\0')) return [];
  return [isAbsolute(path) ? path : join(folder, path)];
}

function statOf(file: string): ReturnType<typeof statSync> {
  return quietly(() => statSync(file, { throwIfNoEntry: false }));
}

function quietly<Seen>(look: () => Seen): Seen | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
