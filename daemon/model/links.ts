import type { ScopeKey } from './document.ts';
import type { RepoPath } from './paths.ts';
import type { Question } from './question.ts';
import type { ReferenceGroups } from './reference-groups.ts';

/** What one reference points at. */
export type Target =
  /** A definition of this repository. `confidence` 0 to 1: how sure the syntax makes it. */
  | { readonly kind: 'symbol'; readonly scope: ScopeKey; readonly tail: string; readonly confidence: number }
  /** Something of a dependency or the standard library: `manager` npm, pypi, go, …; `name` dotted within the package. */
  | { readonly kind: 'external'; readonly manager: string; readonly package: string; readonly name: string }
  /** No use of anything: it is where what it names is defined, or another one at its place is the use. */
  | { readonly kind: 'own' }
  /**
   * Nothing settled: the name is kept, and readers match it against the name table and count it. `isElsewhere`: what is
   * known of the receiver speaks against every bearer of the name here, so it is only counted.
   */
  | { readonly kind: 'candidate'; readonly isElsewhere?: true }
  /** What it pointed at before: of a group that was not linked again. */
  | { readonly kind: 'kept' };

/** What one import makes its document hang on. */
export type ImportTarget =
  /** A file of the repository, parsed or not: the one that the import names, whatever that takes from others in turn. */
  | { readonly kind: 'file'; readonly path: RepoPath }
  /** All files of a scope: a package of Go, or one of Java and Kotlin in one place. */
  | { readonly kind: 'scope'; readonly scope: ScopeKey }
  /** What the repository defines, in whichever files: where a language imports types, functions and namespaces by their names. */
  | { readonly kind: 'definition'; readonly scope: ScopeKey; readonly tail: string }
  /** A dependency; `std` as the manager of what a language brings along. */
  | { readonly kind: 'external'; readonly manager: string; readonly package: string }
  /** Nothing known: what it names is generated, gone, or beyond what the manifest tells. */
  | { readonly kind: 'unresolved' };

/** The outcome of linking one document: one target for each reference of its facts, and every question that was asked on the way. */
export interface DocumentLinks {
  readonly targets: readonly Target[];
  /** One for each import of its facts, where `linked` has `asImporter`; else none, and they lead where they led. */
  readonly imports: readonly ImportTarget[];
  readonly questions: readonly AskedQuestion[];
  /** What was linked: all groups, or those that a change concerns, whose targets and questions take the place of what they were. */
  readonly linked: ReferenceGroups;
}

/** A question, and whose links rest on the answer. */
export interface AskedQuestion {
  readonly question: Question;
  readonly groups: ReferenceGroups;
}
