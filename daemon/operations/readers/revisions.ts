import { Fault } from '../../../client/protocol/faults.ts';
import type { Git } from '../../backends/git.ts';
import { GitFailed } from '../../backends/git-process.ts';
import type { GitRepository } from '../../backends/git-repository.ts';
import { toldByGit } from '../../jobs/commit-tree.ts';
import { knownHead } from '../../jobs/known-head.ts';
import { unanswerable } from './head-trees.ts';

/** Where revisions are looked up. */
export interface RevisionPlace {
  readonly git: Git;
  readonly repository: GitRepository & { readonly workTree: string };
}

/** The commit of HEAD. */
export async function headOf({ git, repository }: RevisionPlace): Promise<string> {
  const { commit } = await knownHead(git.head(repository), repository);
  if (commit !== undefined) return commit;
  throw unanswerable('unborn_head', 'Nothing has been committed on this branch yet: compare with `base` itself');
}

/**
 * The commit that a revision names. Throws `resourceNotFound`, and `preconditionFailed` for what may be one of two, or was
 * left out of a shallow clone.
 */
export async function commitNamed(revision: string, place: RevisionPlace): Promise<string> {
  const { git, repository } = place;
  const [, name = revision] = /^([^~^]+)[~^]/.exec(revision) ?? [];
  const [commit, isAmbiguous] = await Promise.all([
    toldByGit(git.commitOf(repository, revision)),
    isBranchAndTag(name, place),
  ]);
  if (isAmbiguous) {
    const message = `${name} is a branch and a tag, of different commits: say refs/heads/${name} or refs/tags/${name}`;
    throw unanswerable('ambiguous_revision', message, { revision });
  }
  if (commit !== undefined) return commit;
  const shallow = git.isShallow(repository);
  const isKnown = name !== revision && (await toldByGit(git.commitOf(repository, name))) !== undefined;
  const isUnborn =
    /^(?:HEAD|@)$/.test(name) && (await knownHead(git.head(repository), repository)).commit === undefined;
  if (shallow && isKnown) {
    const message = `${JSON.stringify(revision)} is not in this clone, which is shallow: ${wholeHistory}`;
    throw new Fault('preconditionFailed', message, { details: { reason: 'shallow_clone', revision } });
  }
  const why = shallow
    ? `, which is shallow: ${wholeHistory}`
    : isUnborn
      ? ': nothing has been committed on this branch yet'
      : isKnown
        ? revision.includes('^')
          ? ': it has no such parent, or is asked for as something else'
          : ': its history does not go back so far'
        : ': git fetch gets what others have';
  const message = `${JSON.stringify(revision)} names no commit of this clone${why}`;
  throw new Fault('resourceNotFound', message, { details: { reason: 'unknown_revision', revision, shallow } });
}

/** git takes the tag, and warns whom it can: an answer about another commit than was meant would look like any other. */
async function isBranchAndTag(name: string, { git, repository }: RevisionPlace): Promise<boolean> {
  if (/^(?:HEAD|@|[0-9a-f]{40,64})$/i.test(name) || name.startsWith('refs/')) return false;
  const tag = await toldByGit(git.commitOf(repository, `refs/tags/${name}`));
  const branch = tag === undefined ? undefined : await toldByGit(git.commitOf(repository, `refs/heads/${name}`));
  return branch !== undefined && branch !== tag;
}

const wholeHistory = 'git fetch --unshallow gets the rest of its history (of actions/checkout: fetch-depth: 0)';

/**
 * The best common ancestors of two commits, the one that git compares from first. Throws `preconditionFailed` where there is none, or it can’t be told; `advice` says what
 * else to ask then.
 */
export async function partedAt(
  base: string,
  head: string,
  { git, repository }: RevisionPlace,
  advice = '',
): Promise<readonly [string, ...string[]]> {
  try {
    const [first, ...others] = await git.mergeBases(repository, base, head);
    if (first !== undefined) return [first, ...others];
  } catch (error) {
    if (!(error instanceof GitFailed) || !git.isShallow(repository)) return toldByGit(Promise.reject(error));
    const message = `The clone is shallow, and where base and head parted is not in it: ${wholeHistory}`;
    throw new Fault('preconditionFailed', message, { details: { reason: 'shallow_clone', base, head } });
  }
  throw unanswerable('no_merge_base', `Base and head have no commit in common${advice}`, { base, head });
}
