import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export interface DocumentFile {
  readonly bytes: Buffer;
  readonly text: string;
}

/**
 * The document at a path; a text says why there is none. Only a Markdown file that really lies at a plain path under the
 * root is one, whatever whoever names it says.
 */
export function readDocumentFile(root: string, path: string): DocumentFile | string {
  if (!isPlain(path)) return 'is no document of the repository';
  const file = join(root, path);
  try {
    if (!lstatSync(file).isFile()) return 'is no regular file';
    if (realpathSync(dirname(file)) !== join(realpathSync(root), dirname(path))) return 'lies behind a link';
    const bytes = readFileSync(file);
    const text = bytes.toString('utf8');
    return Buffer.from(text).equals(bytes) ? { bytes, text } : 'is not UTF-8';
  } catch {
    return 'can’t be read';
  }
}

/** Puts a text in a document's place where that is still what was read; else says why not. */
export function replaceDocumentFile(
  root: string,
  path: string,
  before: DocumentFile,
  after: string,
): string | undefined {
  const file = join(root, path);
  const fresh = join(dirname(file), `.svc-docs-fix-${process.pid}`);
  try {
    writeFresh(fresh, after, lstatSync(file).mode & 0o777);
    const now = readDocumentFile(root, path);
    if (typeof now === 'string' || !now.bytes.equals(before.bytes))
      return 'was changed meanwhile, and is left as it is';
    renameSync(fresh, file);
    return undefined;
  } catch {
    return 'can’t be written';
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** From the root down, and in no folder of git's. */
function isPlain(path: string): boolean {
  const parts = path.split('/');
  if (parts.some(part => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git')) return false;
  return !path.includes('\0') && /\.(?:md|markdown|mdx)$/i.test(path);
}

/** All of the text, with the very mode that is asked for, on the disk. */
function writeFresh(file: string, text: string, mode: number): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
