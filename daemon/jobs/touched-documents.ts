import { gatherTouched } from '../link/touched.ts';
import type { ManifestDelta } from '../model/delta.ts';
import type { MountedDocument } from '../model/document.ts';
import type { ManifestLine, TreeManifest } from '../model/manifest.ts';
import type { RepoPath } from '../model/paths.ts';
import type { QuestionKey } from '../model/question.ts';
import { allGroups, type ReferenceGroups } from '../model/reference-groups.ts';
import type { IndexWriter } from '../store/index-db.ts';
import { inSlices } from './in-slices.ts';

export interface TouchedWorld {
  readonly tree: TreeManifest;
  readonly document: (line: ManifestLine) => MountedDocument | undefined;
  /** Throws when the work is called off. */
  readonly check: () => void;
}

/**
 * Documents whose links may differ once a tree has moved: those that changed, and whoever asked about them, with the
 * groups of its references that did. `key` is the repository's in the index file.
 */
export async function touchedBy(
  delta: ManifestDelta,
  world: TouchedWorld & { readonly key: string; readonly writer: Pick<IndexWriter, 'askersOf' | 'groupsThatAsked'> },
): Promise<ReadonlyMap<RepoPath, ReferenceGroups>> {
  const { writer, key } = world;
  const questions = await questionsTouched(delta, asked => writer.askersOf(key, asked), world);
  return new Map([...writer.groupsThatAsked(key, questions), ...wholly(delta)]);
}

/** Each document that changed, with all groups. */
export function wholly(delta: ManifestDelta): Iterable<[RepoPath, ReferenceGroups]> {
  return Array.from(delta.keys(), path => [path, allGroups]);
}

/** The questions whose answers may differ once a tree has moved. */
export async function questionsTouched(
  delta: ManifestDelta,
  askersOf: (questions: Iterable<QuestionKey>) => Iterable<RepoPath>,
  { tree, document, check }: TouchedWorld,
): Promise<ReadonlySet<QuestionKey>> {
  const documentOf = (line: ManifestLine | undefined) => (line === undefined ? undefined : document(line));
  const touched = gatherTouched({ askersOf, document: path => documentOf(tree.get(path)) });
  await inSlices(delta.values(), check, ({ path, before, after }) => {
    const cameOrWent = before === undefined || after === undefined;
    touched.add({ path, before: documentOf(before), after: documentOf(after), cameOrWent });
  });
  return touched.questions();
}
