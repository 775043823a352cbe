import { prefixIn } from '../../backends/git-repository.ts';
import type { DocumentFacts } from '../../model/facts.ts';
import { repoPath } from '../../model/paths.ts';
import { type BlobPlace, factsOfBlobs, orNothing } from './facts-of-blobs.ts';

/** What files that are gone say in a commit which still has them, by path. Without those of which that can't be told. */
export async function goneFacts(
  paths: readonly string[],
  commit: string,
  place: BlobPlace,
): Promise<ReadonlyMap<string, DocumentFacts>> {
  const { git, repository, settings } = place;
  const prefix = prefixIn(repository.workTree, settings.root);
  const names = paths.map(path => prefix + path);
  const committed = await orNothing(git.filesAt(repository, commit, names));
  const placed = paths.flatMap(name => {
    const [path, hash] = [repoPath(name), committed.get(prefix + name)?.hash];
    return path === undefined || hash === undefined ? [] : [{ path, hash }];
  });
  const facts = await factsOfBlobs(placed, place);
  return new Map(placed.flatMap(({ path }, at) => (facts[at] === undefined ? [] : [[path, facts[at]]])));
}
