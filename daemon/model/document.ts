import type { DocumentFacts } from './facts.ts';
import type { RepoPath } from './paths.ts';

/** sha256 of a file's bytes, lower-case hex. */
export type ContentHash = string & { readonly __brand: 'ContentHash' };

/** How a file is read: decided by path and first line. Part of the key under which facts are stored. */
export type Dialect = string & { readonly __brand: 'Dialect' };

/**
 * Where a definition's tail is unique, e.g. `src/a.ts` (TypeScript, Python …) or `go:net/http#http` (directory and
 * package clause). A symbol's identity is (scope key, tail).
 */
export type ScopeKey = string & { readonly __brand: 'ScopeKey' };

/** Why a file is listed but not parsed. */
export type SkipReason =
  | 'too_large'
  | 'binary'
  | 'long_line'
  | 'not_regular'
  | 'unreadable'
  | 'outside_root'
  | 'parse_timeout'
  | 'parser_trap'
  | 'parser_stuck'
  | 'quarantined'
  | 'unsupported';

/**
 * Whether the bytes and the limits decide it; else the next try may end otherwise: memory was others', or what shares the
 * parser's thread. One that came to no end in all its processor time is not tried again: each try would hold up the rest.
 */
export function isFinal(skip: SkipReason | ''): boolean {
  return skip !== 'parser_trap';
}

/** One line of a manifest. `hash` is '' where the bytes were not read. Files without a dialect have skip reason `unsupported`. */
export interface ManifestEntry {
  readonly path: RepoPath;
  readonly hash: ContentHash | '';
  readonly dialect: Dialect | '';
  readonly skip: SkipReason | '';
}

/** Facts at a place: what a file contributes once its path is known. */
export interface MountedDocument {
  readonly path: RepoPath;
  readonly scope: ScopeKey;
  readonly isTest: boolean;
  readonly facts: DocumentFacts;
}
