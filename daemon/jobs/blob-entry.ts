import type { Blob } from '../backends/git-objects.ts';
import { dialectOf, dialectOfFile } from '../extract/dialect.ts';
import { contentHash, type SourceLimits, sizeHash, unreadableText } from '../extract/read-file.ts';
import type { ManifestEntry } from '../model/document.ts';
import type { RepoPath } from '../model/paths.ts';

/** What a manifest says of a file whose content is this blob. `quarantined`: content hashes of what parsers died of. */
export function entryOfBlob(
  path: RepoPath,
  blob: Blob,
  limits: SourceLimits,
  quarantined: ReadonlySet<string>,
): ManifestEntry {
  if (blob.kind === 'large') return { path, hash: sizeHash(blob.size), dialect: dialectOf(path), skip: 'too_large' };
  const hash = contentHash(blob.bytes);
  const unreadable = unreadableText(blob.bytes, limits);
  const dialect = unreadable === undefined ? dialectOfFile(path, blob.bytes) : dialectOf(path);
  const skip = unreadable ?? (dialect === '' ? 'unsupported' : quarantined.has(hash) ? 'quarantined' : '');
  return { path, hash, dialect, skip };
}
