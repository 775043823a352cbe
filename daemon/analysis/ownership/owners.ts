import type { Owner } from '../../model/owner.ts';
import type { People } from '../../model/people.ts';
import { rounded } from '../../model/rounded.ts';
import type { DeclaredTogether } from './declared-owners.ts';
import { countingShares, scopeOfShare, type Weights, weightAt } from './weights.ts';

/** Somebody who owns something, and who says so. Who is one by both is told twice: each says another thing. */
export type OwnerEntry = DeclaredEntry | BlameEntry;

export interface DeclaredEntry {
  readonly identity: string;
  readonly scope: 'maintainer';
  readonly source: 'codeowners';
  /** How much of what is asked about they are declared for, 0 to 1. */
  readonly confidence: number;
  /** Of a team that is configured: identities. */
  readonly members?: readonly string[];
  /** It is not known for whom the owner stands. */
  readonly unresolved?: true;
}

export interface BlameEntry {
  readonly identity: string;
  readonly scope: 'maintainer' | 'reviewer' | 'contributor';
  readonly source: 'git-blame';
  /** How likely it is that they know it: the share, times how much of the lines is known. 0 to 1. */
  readonly confidence: number;
  readonly weightedLines: number;
  /** As commits have it. */
  readonly name: string;
  /** 0 to 1. */
  readonly share: number;
  readonly lines: number;
}

export interface OwnersInput {
  readonly declared: DeclaredTogether['owners'];
  readonly people: Pick<People, 'identityOfOwner' | 'standingOf'>;
  readonly weights: Weights;
  /** How much of the lines is known by whom it is, 0 to 1: less where files have yet to be blamed. */
  readonly known: number;
  /** Unix seconds. */
  readonly now: number;
}

/** Declared owners, then those by what they wrote, the largest share first. */
export function ownersOf({ declared, people, ...lines }: OwnersInput): readonly OwnerEntry[] {
  return [...declared.map(({ owner, share }) => declaredEntry(owner, share, people)), ...blameEntries(lines)];
}

function declaredEntry(owner: Owner, share: number, people: OwnersInput['people']): DeclaredEntry {
  const standing = people.standingOf(owner);
  const entry = { scope: 'maintainer', source: 'codeowners', confidence: rounded(share, 4) } as const;
  const identity = people.identityOfOwner(owner);
  if (standing.kind === 'unresolvable') return { identity, ...entry, unresolved: true };
  const isItself = standing.identities.length === 1 && standing.identities[0] === identity;
  return isItself ? { identity, ...entry } : { identity, ...entry, members: standing.identities };
}

function blameEntries({ weights, known, now }: Pick<OwnersInput, 'weights' | 'known' | 'now'>): readonly BlameEntry[] {
  return countingShares(weights).map(({ identity, name, share, weight, lines }) => ({
    identity,
    scope: scopeOfShare(share),
    source: 'git-blame',
    confidence: rounded(share * known, 2),
    weightedLines: Number(weightAt(weight, weights.at, now).toPrecision(4)),
    name,
    share: rounded(share, 4),
    lines,
  }));
}

const mostReviewers = 10;

/**
 * Whom to ask for a review: who wrote most of it first, then the declared owners. Who changed it last does not come first where
 * there is anybody else, for the next change may well be theirs.
 */
export function suggestedReviewers(owners: readonly OwnerEntry[], lastAuthor: string | undefined): readonly string[] {
  const bySource = (source: OwnerEntry['source']) => owners.filter(one => one.source === source);
  const all = [...bySource('git-blame'), ...bySource('codeowners')].map(({ identity }) => identity);
  const [first, second, ...others] = new Set(all);
  if (first === undefined || second === undefined) return all.slice(0, 1);
  const begin = first === lastAuthor ? [second, first] : [first, second];
  return [...begin, ...others].slice(0, mostReviewers);
}
