import type { Owner } from '../../model/owner.ts';
import type { People } from '../../model/people.ts';
import { rounded } from '../../model/rounded.ts';
import { dayOf } from './days.ts';
import type { Declared } from './declared-owners.ts';
import { countingShares, maintainerShare, reviewerShare, sharesOf, type Weights } from './weights.ts';

/** For whom the owners of something stand. */
export type Named =
  | { readonly kind: 'people'; readonly identities: ReadonlySet<string> }
  /** Nobody is named, or a rule says that nobody owns it. */
  | { readonly kind: 'nobody' }
  /** Owners are named of whom it is not known for whom they stand, beside these: whoever wrote it may be one of them. */
  | {
      readonly kind: 'unresolvable';
      readonly owners: readonly string[];
      readonly identities: ReadonlySet<string>;
    };

type OwnersKnown = Pick<People, 'identityOfOwner' | 'standingOf'>;

export function namedBy(declared: Declared, people: OwnersKnown): Named {
  if (declared.kind !== 'owned') return { kind: 'nobody' };
  const { owners } = declared;
  const unresolvable = owners.filter(owner => people.standingOf(owner).kind === 'unresolvable');
  const identities = new Set(owners.flatMap(owner => identitiesOf(owner, people)));
  return unresolvable.length > 0
    ? { kind: 'unresolvable', owners: unresolvable.map(people.identityOfOwner), identities }
    : { kind: 'people', identities };
}

/**
 * How far those who are named are from those who wrote it: the share of weighted lines that none of them holds, 0 to 1; undefined where
 * nothing is known to be by anybody.
 */
export function driftScore(named: ReadonlySet<string>, { authors, total }: Weights): number | undefined {
  if (total <= 0) return undefined;
  let others = 0;
  for (const { identity, weight } of authors.values()) if (!named.has(identity)) others += weight;
  return rounded(Math.min(1, others / total), 4);
}

export interface DriftInput {
  readonly declared: Extract<Declared, { kind: 'owned' }>;
  /** The file that declares it, from the top of the work tree. */
  readonly codeowners: string;
  readonly people: OwnersKnown;
  readonly weights: Weights;
  /** Whether an author of the history has an identity. */
  readonly isAuthor: (identity: string) => boolean;
  /** Unix seconds. */
  readonly now: number;
}

/** What is told of a file that has drifted. */
export interface ToldDrift {
  /** As CODEOWNERS has them, with commas between them. */
  readonly declaredOwner: string;
  readonly actualOwners: readonly { readonly identity: string; readonly contribution: number }[];
  readonly recommendation: string;
}

export function toldDrift(input: DriftInput): ToldDrift {
  const { declared, weights } = input;
  return {
    declaredOwner: list(declared.owners.map(({ text }) => text)),
    actualOwners: countingShares(weights).map(({ identity, share }) => ({ identity, contribution: rounded(share, 4) })),
    recommendation: recommendation(input),
  };
}

/** Nobody, of an owner of whom that is not known. */
function identitiesOf(owner: Owner, people: OwnersKnown): readonly string[] {
  const standing = people.standingOf(owner);
  return standing.kind === 'people' ? standing.identities : [];
}

const mostListed = 10;

function list(texts: readonly string[]): string {
  const more = texts.length > mostListed ? ` and ${texts.length - mostListed} more` : '';
  return `${texts.slice(0, mostListed).join(', ')}${more}`;
}

/** What would make the two agree, and why: whom to name, and what is the matter with those who are named. */
function recommendation(input: DriftInput): string {
  const { declared, codeowners, people, weights } = input;
  const { owners, rules } = declared;
  const named = new Set(owners.flatMap(owner => identitiesOf(owner, people)));
  const others = sharesOf(weights).filter(({ identity }) => !named.has(identity));
  const place = `(${codeowners}:${rules.map(({ line }) => line).join(', ')})`;
  const shares = new Map(sharesOf(weights).map(({ identity, share }) => [identity, share]));
  const holds = (owner: Owner): number =>
    identitiesOf(owner, people).reduce((sum, one) => sum + (shares.get(one) ?? 0), 0);
  // Whoever wrote a good part of it stays, however long ago that was.
  const troubles = owners.map(owner => ({
    owner,
    trouble: holds(owner) >= reviewerShare ? undefined : troubleWith(owner, input),
  }));
  const gone = troubles.filter(one => one.trouble !== undefined);
  const told = list(gone.map(one => `${one.owner.text} ${one.trouble}`));
  const holders = others.filter(({ share }) => share >= reviewerShare).slice(0, mostHolders);
  const names = list(holders.map(({ identity, share }) => `${identity} (${Math.round(share * 100)} %)`));
  const all = list(owners.map(({ text }) => text));
  const own = owners.reduce((sum, owner) => sum + holds(owner), 0);
  if (holders.length === 0 && own >= maintainerShare) {
    const though = told === '' ? '' : `, though ${told}`;
    return `Nothing: whoever is named wrote ${Math.round(Math.min(1, own) * 100)} % of it${though} ${place}`;
  }
  if (holders.length === 0) {
    const why = told === '' ? '' : `, and ${told}`;
    return `Ask who looks after it: of those who are not named none wrote a fifth of it${why} ${place}`;
  }
  if (gone.length === 0) return `Name ${names} beside ${all} ${place}`;
  const replaced = list(gone.map(({ owner }) => owner.text));
  return `Name ${names} in place of ${replaced}: ${told} ${place}`;
}

const mostHolders = 3;
const lately = 180 * 86_400;

/** Why somebody who is named does not look after it, to be read behind their name; undefined where they may. */
function troubleWith(owner: Owner, { people, weights, isAuthor, now }: DriftInput): string | undefined {
  if (people.standingOf(owner).kind === 'unresolvable') return undefined;
  const identities = identitiesOf(owner, people);
  if (!identities.some(isAuthor)) {
    return owner.kind === 'user' && identities.length === 1
      ? `matches no author of the history: unless they are gone, tell their addresses in [ownership.people."${owner.text}"]`
      : 'matches no author of the history';
  }
  const newest = Math.max(...identities.map(one => weights.authors.get(one)?.lastAt ?? Number.NEGATIVE_INFINITY));
  if (newest === Number.NEGATIVE_INFINITY) return 'is not known to have written anything that stands in it';
  return now - newest > lately ? `last wrote a line of it on ${dayOf(newest)}` : undefined;
}
