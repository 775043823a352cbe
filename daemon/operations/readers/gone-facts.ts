import type { Git } from '../../backends/git.ts';
import type { Blob } from '../../backends/git-head.ts';
import { GitFailed } from '../../backends/git-process.ts';
import { type GitRepository, prefixIn } from '../../backends/git-repository.ts';
import { entryOfBlob } from '../../jobs/blob-entry.ts';
import type { DocumentFacts } from '../../model/facts.ts';
import { decodeFacts } from '../../model/facts-codec.ts';
import { repoPath } from '../../model/paths.ts';
import { type FactSources, factsOfBytes } from './facts-of-bytes.ts';
import type { HeadSettings } from './head-trees.ts';

/** Of more, and of longer ones, it is not known what they defined. */
const mostFiles = 500;
const mostBytes = 32 * 1024 * 1024;

export interface GonePlace {
  readonly git: Git;
  readonly repository: GitRepository & { readonly workTree: string };
  readonly settings: HeadSettings;
  readonly sources: FactSources;
}

/**
 * What files that are gone say in a commit which still has them, by path, read as git stores them: what it does to line
 * ends tells of no definition. Without those that nobody parses or whose blobs are not here.
 */
export async function goneFacts(
  paths: readonly string[],
  commit: string,
  { git, repository, settings, sources }: GonePlace,
): Promise<ReadonlyMap<string, DocumentFacts>> {
  const prefix = prefixIn(repository.workTree, settings.root);
  const asked = paths.slice(0, mostFiles);
  const limits = { eachBytes: settings.sourceLimits.bytes, allBytes: mostBytes };
  const committed = await orNothing(
    git.filesAt(
      repository,
      commit,
      asked.map(path => prefix + path),
    ),
  );
  const hashes = [...new Set([...committed.values()].map(({ hash }) => hash))];
  const blobs = await orNothing(git.blobs(repository, hashes, limits));
  const found = await Promise.all(
    asked.map(async path => [path, await factsOf(path, blobs.get(committed.get(prefix + path)?.hash ?? ''))] as const),
  );
  return new Map(found.flatMap(([path, facts]) => (facts === undefined ? [] : [[path, facts]])));

  async function factsOf(path: string, blob: Blob | undefined): Promise<DocumentFacts | undefined> {
    const named = repoPath(path);
    if (named === undefined || blob?.kind !== 'bytes') return undefined;
    const entry = entryOfBlob(named, blob, settings.sourceLimits, new Set(settings.quarantined));
    const facts = await factsOfBytes(entry, blob.bytes, settings.parseSteps, sources);
    return typeof facts === 'string' ? undefined : decodeFacts(facts);
  }
}

/** A clone may have less than all of a commit. */
async function orNothing<Value>(answer: Promise<ReadonlyMap<string, Value>>): Promise<ReadonlyMap<string, Value>> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GitFailed) return new Map();
    throw error;
  }
}
