import { declaredTogether } from '../../analysis/ownership/declared-owners.ts';
import { type OwnersInput, ownersOf } from '../../analysis/ownership/owners.ts';
import { patternsBelow } from '../../analysis/ownership/patterns-below.ts';
import { type AuthoredLines, weighLines } from '../../analysis/ownership/weights.ts';
import type { MemberOwner, MemberOwnership } from '../../model/federation.ts';
import type { OwnershipState } from '../ownership/ownership-state.ts';

/** Who owns files of a repository, as far as that is known without asking git anything. */
export interface MemberOwners {
  /** Of some files together. Paths are from the repository's root. */
  of(files: readonly string[]): readonly MemberOwner[];
  /** What CODEOWNERS says of the repository’s files, line by line; a pattern begins at the root. */
  readonly declared: readonly MemberOwnership[];
}

/** More files of a module say no more of who works on it. */
const mostFiles = 2_000;
const mostOwners = 10;

/** `prefix`: the root's path from the top of the work tree, '' or ending in `/`. `now`: Unix seconds. */
export function memberOwners(state: OwnershipState, prefix: string, now: number): MemberOwners {
  const { codeowners, people } = state;
  const { rules = [], host = 'github' } = codeowners.content ?? {};
  return {
    declared: rules.flatMap(({ text, owners, effect }) => {
      const named = (effect === 'names' ? owners : []).map(
        (owner): MemberOwner => ({
          identity: people.identityOfOwner(owner),
          ...{ scope: 'maintainer', source: 'codeowners', confidence: 1 },
        }),
      );
      const patterns = patternsBelow(host === 'gitlab' ? patternOfGitlab(text) : text, prefix);
      return patterns.map(pattern => ({ pattern, owners: named }));
    }),
    of(files) {
      const paths = files.slice(0, mostFiles).map(file => `${prefix}${file}`);
      const declared = declaredTogether(codeowners.declared(), paths).owners;
      const lines = paths.map(path => state.linesOf(path)).filter(one => typeof one !== 'string');
      const together = state.together(lines);
      const isBlamed = together.weights.total > 0;
      const weights = isBlamed ? together.weights : weighLines(touchesOf(state, paths), now);
      const known = isBlamed
        ? (together.knownLines / Math.max(1, together.lines)) * (lines.length / paths.length)
        : 0.5;
      const input: OwnersInput = { declared, people, weights, known: Math.min(1, known), now };
      return ownersOf(input)
        .slice(0, mostOwners)
        .map(({ identity, scope, source, confidence }) => ({
          ...{ identity, scope, confidence },
          source: source === 'codeowners' || isBlamed ? source : 'git-log',
        }));
    },
  };
}

/** As GitHub would have it, for a federation has repositories of both: on GitLab a pattern begins anywhere unless a slash begins it. */
function patternOfGitlab(text: string): string {
  return /^(?:\/|\*\*\/)/.test(text) || !/\/(?!$)/.test(text) ? text : `**/${text}`;
}

/** Who changed files how often. */
function* touchesOf({ sources, authorOf }: OwnershipState, paths: readonly string[]): Iterable<AuthoredLines> {
  const { history } = sources;
  if (history === undefined) return;
  for (const path of paths) {
    for (const { commit } of history.touches(path)) {
      const { number, author, authoredAt } = history.commit(commit);
      if (!sources.isIgnored(number)) yield { author: authorOf(author), authoredAt, count: 1 };
    }
  }
}
