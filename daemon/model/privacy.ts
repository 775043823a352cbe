import type { RepoPath } from './paths.ts';

/** What of a served index is shown. What is not shown can't be asked for either. */
export interface Privacy {
  readonly exposePaths: boolean;
  readonly exposeDocs: boolean;
  readonly exposeSignatures: boolean;
  /** Left out of the beginning of every path; '' for nothing. */
  readonly pathPrefixStrip: string;
}

export const everythingExposed: Privacy = {
  exposePaths: true,
  exposeDocs: true,
  exposeSignatures: true,
  pathPrefixStrip: '',
};

/** Whether anything is kept back: then ids and hashes are keyed, so that nothing can be confirmed by guessing it. */
export function isRedacted({ exposePaths, exposeDocs, exposeSignatures, pathPrefixStrip }: Privacy): boolean {
  return !(exposePaths && exposeDocs && exposeSignatures) || pathPrefixStrip !== '';
}

/** A path as it is shown. */
export function shownPath(path: RepoPath | string, { exposePaths, pathPrefixStrip }: Privacy): string {
  if (!exposePaths) return path.slice(path.lastIndexOf('/') + 1);
  return pathPrefixStrip !== '' && path.startsWith(pathPrefixStrip) ? path.slice(pathPrefixStrip.length) : path;
}
