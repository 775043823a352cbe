import type { Git } from '../../backends/git.ts';
import type { Blob } from '../../backends/git-objects.ts';
import { GitFailed } from '../../backends/git-process.ts';
import type { GitRepository } from '../../backends/git-repository.ts';
import { entryOfBlob } from '../../jobs/blob-entry.ts';
import type { DocumentFacts } from '../../model/facts.ts';
import { decodeFacts } from '../../model/facts-codec.ts';
import type { RepoPath } from '../../model/paths.ts';
import { type FactSources, factsOfBytes } from './facts-of-bytes.ts';
import type { HeadSettings } from './head-trees.ts';

/** Of more files, and of longer ones, it is not known what they define. */
const mostFiles = 500;
const mostBytes = 32 * 1024 * 1024;

/** Where blobs are read and parsed. */
export interface BlobPlace {
  readonly git: Git;
  readonly repository: GitRepository & { readonly workTree: string };
  readonly settings: HeadSettings;
  readonly sources: FactSources;
}

/** A content at a path from the repository's root: full hash. */
export interface PlacedBlob {
  readonly path: RepoPath;
  readonly hash: string;
}

/**
 * What contents define, read as git stores them: what it does to line ends tells of no definition. Undefined of those that
 * nobody parses, whose blobs are not here, or that come after too many.
 */
export async function factsOfBlobs(
  placed: readonly PlacedBlob[],
  { git, repository, settings, sources }: BlobPlace,
): Promise<readonly (DocumentFacts | undefined)[]> {
  const hashes = [...new Set(placed.slice(0, mostFiles).map(({ hash }) => hash))];
  const limits = { eachBytes: settings.sourceLimits.bytes, allBytes: mostBytes };
  const blobs = await orNothing(git.blobs(repository, hashes, limits));
  const quarantined = new Set(settings.quarantined);
  return Promise.all(placed.map(({ path, hash }) => factsOf(path, blobs.get(hash))));

  async function factsOf(path: RepoPath, blob: Blob | undefined): Promise<DocumentFacts | undefined> {
    if (blob?.kind !== 'bytes') return undefined;
    const entry = entryOfBlob(path, blob, settings.sourceLimits, quarantined);
    const facts = await factsOfBytes(entry, blob.bytes, settings.parseSteps, sources);
    return typeof facts === 'string' ? undefined : decodeFacts(facts);
  }
}

/** A clone may have less than all of a commit. */
export async function orNothing<Value>(
  answer: Promise<ReadonlyMap<string, Value>>,
): Promise<ReadonlyMap<string, Value>> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GitFailed) return new Map();
    throw error;
  }
}
