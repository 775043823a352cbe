import type { NamePattern } from './name-pattern.ts';
import type { Owner, OwnerHost } from './owner.ts';

/** What a CODEOWNERS file says. Its syntax is `extract/codeowners.ts`' alone. */
export interface Codeowners {
  /** Whose rules it is read by. */
  readonly host: OwnerHost;
  /** In the order of the file. */
  readonly rules: readonly OwnerRule[];
  /** What rules are counted in. The first has no name and is that of all lines before a section begins; of GitHub's it is the only one. */
  readonly sections: readonly OwnerSection[];
  /** The first so many, by line. */
  readonly problems: readonly LineProblem[];
  readonly problemCount: number;
}

export interface OwnerRule {
  /** From 1. */
  readonly line: number;
  /** The pattern as it is written, without the `!` of an exclusion. */
  readonly text: string;
  readonly pattern: PathPattern;
  /** Each once. None: what fits has no owner, whatever lines before say. */
  readonly owners: readonly Owner[];
  /** Index of its section. */
  readonly section: number;
  /** `excludes`: what fits has no owner of its section, whatever lines before and behind say. */
  readonly effect: 'names' | 'excludes';
}

export interface OwnerSection {
  /** As it is written first; '' of lines outside of sections. */
  readonly name: string;
  /** Nobody of it has to approve. */
  readonly optional: boolean;
  /** How many of it have to. */
  readonly approvals: number;
}

/** A line that its host does not take as it stands. */
export interface LineProblem {
  /** From 1. */
  readonly line: number;
  /** The line, cut to 200 characters. */
  readonly text: string;
  /** What is wrong with it, in public words. */
  readonly reason: string;
  /** What becomes of it: the line is skipped, or the words alone that are no owners. */
  readonly effect: 'line' | 'owners' | 'none';
}

/** Which paths a rule is about. */
export interface PathPattern {
  /** From the top of the work tree. */
  readonly steps: readonly PathStep[];
  /** What the steps lead to: a file itself, that or all that lies below, or what lies below a folder alone. */
  readonly fits: 'itself' | 'itself-or-below' | 'below';
}

/** A name as it is, a name by pattern, or any number of folders. */
export type PathStep = string | NamePattern | typeof anyFolders;

/** No name has a slash in it. */
export const anyFolders = '/folders';
