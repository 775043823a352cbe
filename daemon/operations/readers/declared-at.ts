import { type DeclaredOwners, declaredOwners } from '../../analysis/ownership/declared-owners.ts';
import { GitFailed } from '../../backends/git-process.ts';
import { codeownersPlaces, mostCodeownersBytes, parseCodeowners } from '../../extract/codeowners.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import type { RevisionPlace } from './revisions.ts';

const filesKept = 8;
const limits = { eachBytes: mostCodeownersBytes, allBytes: mostCodeownersBytes };
const ofNobody = declaredOwners({ rules: [], sections: [] });

/** Whom the CODEOWNERS of commits names. */
export interface DeclaredAt {
  /** Full hash. Undefined where the clone has not what tells. */
  of(commit: string, place: RevisionPlace): Promise<DeclaredOwners | undefined>;
}

export function declaredAt(): DeclaredAt {
  const kept = new Map<string, DeclaredOwners>();
  const read: DeclaredAt['of'] = async (commit, { git, repository }) => {
    const files = await git.filesAt(repository, commit, codeownersPlaces);
    const path = codeownersPlaces.find(one => files.get(one)?.mode.startsWith('100'));
    const hash = path === undefined ? undefined : files.get(path)?.hash;
    if (path === undefined || hash === undefined) return ofNobody;
    const key = `${path} ${hash}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const blob = (await git.blobs(repository, [hash], limits)).get(hash);
    if (blob === undefined) return undefined;
    // Of one that is too large hosts read nothing.
    const declared = blob.kind === 'bytes' ? declaredOwners(parseCodeowners(blob.bytes, path)) : ofNobody;
    keepNewest(kept, key, declared, filesKept);
    return declared;
  };
  return {
    of: async (commit, place) => {
      try {
        return await read(commit, place);
      } catch (error) {
        if (error instanceof GitFailed) return undefined;
        throw error;
      }
    },
  };
}
