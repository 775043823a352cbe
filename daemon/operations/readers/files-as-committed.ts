import { blobHash } from '../../backends/git-head.ts';
import { prefixIn } from '../../backends/git-repository.ts';
import { dialectOf } from '../../extract/dialect.ts';
import { keptFiles } from '../../extract/kept-file.ts';
import { defaultSourceLimits } from '../../extract/read-file.ts';
import { inSlices } from '../../jobs/in-slices.ts';
import { isCode } from '../../model/families.ts';
import type { FileDiff } from '../../model/history.ts';
import { type RepoPath, repoPath } from '../../model/paths.ts';

/** A file that a change leaves; its path is from the top of the work tree. */
export type LeftFile = Pick<FileDiff, 'path' | 'oldBlob' | 'newBlob'>;

/** Where files lie; both are absolute and real. */
export interface FilesPlace {
  readonly root: string;
  readonly workTree: string;
}

/** Which changed files of code a work tree has as some commit has them. */
export interface FilesAsCommitted {
  /** Their paths from the repository's root; none of a change of more files than are worth reading. */
  among(files: readonly LeftFile[], place: FilesPlace): ReadonlySet<string>;
  /** Reads them, a few at a time, so that who asks for them later finds them read. */
  readAhead(files: readonly LeftFile[], place: FilesPlace): Promise<void>;
}

const mostRead = 5000;
/** git writes meanwhile, and would wait for whoever does not read on. */
const attentiveMs = 1;

export function filesAsCommitted(): FilesAsCommitted {
  const hashesOf = (like: string) =>
    keptFiles(bytes => blobHash(bytes, like), defaultSourceLimits.bytes, { mostKept: mostRead });
  const kept = { sha1: hashesOf('0'.repeat(40)), sha256: hashesOf('0'.repeat(64)) };
  const isAsCommitted = ({ root }: FilesPlace, { path, blob }: Meant): boolean => {
    const file = (blob.length === 64 ? kept.sha256 : kept.sha1).at(root, path);
    return file.kind === 'read' && file.value === blob;
  };
  return {
    among: (files, place) =>
      new Set(meantOf(files, place).flatMap(one => (isAsCommitted(place, one) ? [one.path] : []))),
    readAhead: (files, place) =>
      inSlices(
        meantOf(files, place),
        () => {},
        one => void isAsCommitted(place, one),
        attentiveMs,
      ),
  };
}

interface Meant {
  /** From the repository's root. */
  readonly path: RepoPath;
  readonly blob: string;
}

function meantOf(files: readonly LeftFile[], { root, workTree }: FilesPlace): readonly Meant[] {
  const prefix = prefixIn(workTree, root);
  const meant = files.flatMap(({ path, oldBlob, newBlob }) => {
    if (newBlob === undefined || newBlob === oldBlob || !path.startsWith(prefix) || !isCode(dialectOf(path))) return [];
    const own = repoPath(path.slice(prefix.length));
    return own === undefined ? [] : [{ path: own, blob: newBlob }];
  });
  return meant.length > mostRead ? [] : meant;
}
