import { createLinker } from '../link/linker.ts';
import type { TreeManifest } from '../model/manifest.ts';
import type { RepoPath } from '../model/paths.ts';
import type { ReferenceGroups } from '../model/reference-groups.ts';
import type { LinkedDocument } from '../store/publication.ts';
import { factKeyOf } from './fact-key.ts';
import { type FactShelf, linkingManifest } from './linking-manifest.ts';

/** A linker that remembers more gives way to a new one. Neighbours are linked together, and share most of what they share. */
const mostRemembered = 40_000;

/**
 * Links one document of a tree after the other, or some groups of its references, as long as the tree stays as it is.
 * Undefined where the tree has no such document. Throws where its facts are not stored.
 */
export function documentLinker(
  tree: TreeManifest,
  shelf: Omit<FactShelf, 'clear'>,
): (path: RepoPath, groups?: ReferenceGroups) => LinkedDocument | undefined {
  let manifest = linkingManifest(tree, shelf);
  let linker = createLinker(manifest);
  return (path, groups) => {
    const line = tree.get(path);
    const key = line === undefined ? undefined : factKeyOf(line);
    if (line === undefined || key === undefined) return undefined;
    if (linker.size > mostRemembered) {
      if (!manifest.isMostlyOpen) manifest = linkingManifest(tree, shelf);
      linker = createLinker(manifest);
    }
    const document = shelf.document(line);
    if (document === undefined) throw new Error(`the facts of ${path} are not stored`);
    return { document, key, links: linker.link(path, groups) };
  };
}
