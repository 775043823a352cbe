import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isClosed } from '../../watch/file-system.ts';
import { type RepoPath, repoPath } from '../model/paths.ts';
import { isShortage } from '../model/shortage.ts';
import type { UnlistedPath } from './unlisted.ts';

/** A file of a tree with what `lstat` says of it. Symbolic links are listed as themselves and never followed. */
export interface FoundFile {
  readonly path: RepoPath;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
  /** How many names the file has, here or elsewhere. */
  readonly nlink: bigint;
  /** As in `stat`: type and permission bits. */
  readonly mode: number;
}

interface Entry {
  readonly name: string;
  readonly isDirectory: boolean;
}

/**
 * Names that are no UTF-8 come back with U+FFFD in them; such a folder is read again as bytes, to tell those from real ones.
 * Throws where somebody's rights, or a shortage, keep it from being read.
 */
export function entriesOf(
  root: string,
  directory: string,
  leaveOut: (path: string, reason: UnlistedPath['reason']) => void,
): readonly Entry[] {
  const absolute = join(root, directory);
  try {
    const entries = readdirSync(absolute, { withFileTypes: true }).map(entry => ({
      name: entry.name,
      isDirectory: entry.isDirectory(),
    }));
    if (!entries.some(entry => entry.name.includes('\ufffd'))) return entries;
    const real = new Set<string>();
    for (const name of readdirSync(absolute, { encoding: 'buffer' })) {
      const text = name.toString('utf8');
      if (Buffer.from(text, 'utf8').equals(name)) real.add(text);
      else leaveOut(directory === '' ? escaped(name) : `${directory}/${escaped(name)}`, 'name_not_utf8');
    }
    return entries.filter(entry => real.has(entry.name));
  } catch (error) {
    if (isShortage(error) || isClosed(error)) throw error; // what is in there is not gone
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    if (directory === '') throw error;
    leaveOut(directory, 'unreadable');
    return [];
  }
}

/** The bytes of a name that are printable ASCII as they are, the others as `\xff`. */
function escaped(name: Uint8Array): string {
  return [...name]
    .map(byte => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`))
    .join('');
}

/** Regular files and symbolic links, as git tracks them; pipes, sockets and devices are nobody's sources. Throws where rights keep it from being known. */
export function fileAt(root: string, path: string): FoundFile | undefined {
  const valid = repoPath(path);
  if (valid === undefined) return undefined;
  try {
    const stat = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    if (stat === undefined || !(stat.isFile() || stat.isSymbolicLink())) return undefined;
    return {
      path: valid,
      size: Number(stat.size),
      mtimeNs: stat.mtimeNs,
      ctimeNs: stat.ctimeNs,
      ino: stat.ino,
      nlink: stat.nlink,
      mode: Number(stat.mode),
    };
  } catch (error) {
    if (isClosed(error)) throw error;
    return undefined;
  }
}

/** Throws where somebody's rights keep it from being known. */
export function isDirectory(absolute: string): boolean {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    if (isClosed(error)) throw error;
    return false;
  }
}
