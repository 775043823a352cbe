import type { ManifestLine } from './manifest.ts';
import type { RepoPath } from './paths.ts';

/** One path whose line in the manifest comes, goes or differs; never both undefined. */
export interface ManifestChange {
  readonly path: RepoPath;
  readonly before: ManifestLine | undefined;
  readonly after: ManifestLine | undefined;
}

/** The difference of two manifests, by path. */
export type ManifestDelta = ReadonlyMap<RepoPath, ManifestChange>;

/** What leads back. */
export function inverse(delta: ManifestDelta): ManifestDelta {
  return new Map([...delta].map(([path, { before, after }]) => [path, { path, before: after, after: before }]));
}

/** The difference between what a manifest says of some paths and what was found there; lines that say the same are left out. */
export function difference(
  before: (path: RepoPath) => ManifestLine | undefined,
  found: ReadonlyMap<RepoPath, ManifestLine | undefined>,
): ManifestDelta {
  const delta = new Map<RepoPath, ManifestChange>();
  for (const [path, after] of found) {
    const known = before(path);
    if (!sameContent(known, after)) delta.set(path, { path, before: known, after });
  }
  return delta;
}

/** Equal but for stat data, which is no part of a snapshot. */
function sameContent(one: ManifestLine | undefined, other: ManifestLine | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.version === other.version &&
    one.scope === other.scope &&
    one.entry.hash === other.entry.hash &&
    one.entry.dialect === other.entry.dialect &&
    one.entry.skip === other.entry.skip
  );
}
