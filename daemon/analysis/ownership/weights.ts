import type { Author } from '../../model/people.ts';

/** Lines of a file, next to each other or not, that one commit wrote. */
export interface AuthoredLines {
  /** Undefined of a bot. */
  readonly author: Author | undefined;
  /** Unix seconds, by the author's clock. */
  readonly authoredAt: number;
  readonly count: number;
}

/** Who wrote what stands in something, the newer the weightier; bots left out. */
export interface Weights {
  /** By identity. */
  readonly authors: ReadonlyMap<string, AuthorWeight>;
  /** Of all of them. */
  readonly total: number;
  /** The time as of which it is, Unix seconds. */
  readonly at: number;
}

export interface AuthorWeight extends Author {
  readonly weight: number;
  readonly lines: number;
  /** When the newest of the lines was written, Unix seconds. */
  readonly lastAt: number;
}

const halfLifeSeconds = 90 * 86_400;
/** A weight stays one, whatever a commit claims of its time. */
const mostHalvings = 1_000;

/**
 * What lines weigh at a time, in Unix seconds: each 0.5^(its age in days / 90), by author time; one from a time that has yet to come
 * as one of then. Time moves all weights alike, so that shares of them don't hang on it.
 */
export function weighLines(lines: Iterable<AuthoredLines>, at: number): Weights {
  const parts: AuthorWeight[] = [];
  for (const { author, authoredAt, count } of lines) {
    if (author === undefined) continue;
    const halvings = Math.min(mostHalvings, Math.max(0, at - authoredAt) / halfLifeSeconds);
    const weight = count * 0.5 ** halvings;
    parts.push({ ...author, weight, lines: count, lastAt: authoredAt });
  }
  return sum(parts, at);
}

/** What several files weigh together; all of them as of one time. */
export function addUp(files: Iterable<Weights>, at: number): Weights {
  const parts: AuthorWeight[] = [];
  for (const { authors } of files) parts.push(...authors.values());
  return sum(parts, at);
}

/** What a weight has become, or was, at another time. */
export function weightAt(weight: number, from: number, to: number): number {
  return weight * 0.5 ** ((to - from) / halfLifeSeconds);
}

function sum(parts: readonly AuthorWeight[], at: number): Weights {
  const authors = new Map<string, AuthorWeight>();
  let total = 0;
  for (const part of parts) {
    total += part.weight;
    const known = authors.get(part.identity);
    authors.set(part.identity, known === undefined ? part : together(known, part));
  }
  return { authors, total, at };
}

/** Of several names that of the newer lines. */
function together(one: AuthorWeight, other: AuthorWeight): AuthorWeight {
  const { identity, name } = one.lastAt >= other.lastAt ? one : other;
  return {
    ...{ identity, name },
    weight: one.weight + other.weight,
    lines: one.lines + other.lines,
    lastAt: Math.max(one.lastAt, other.lastAt),
  };
}

export interface Share extends AuthorWeight {
  /** 0 to 1, of the weight of all that is not by bots. */
  readonly share: number;
}

/** The largest first; nothing of what weighs nothing. */
export function sharesOf({ authors, total }: Pick<Weights, 'authors' | 'total'>): readonly Share[] {
  if (total <= 0) return [];
  return [...authors.values()]
    .map(one => ({ ...one, share: one.weight / total }))
    .sort((a, b) => b.share - a.share || (a.identity < b.identity ? -1 : 1));
}

const maintainerShare = 0.5;
export const reviewerShare = 0.2;
const contributorShare = 0.05;

/** Those that are told: whoever has less is no owner. */
export function countingShares(weights: Weights): readonly Share[] {
  return sharesOf(weights).filter(({ share }) => share >= contributorShare);
}

export function scopeOfShare(share: number): 'maintainer' | 'reviewer' | 'contributor' {
  return share >= maintainerShare ? 'maintainer' : share >= reviewerShare ? 'reviewer' : 'contributor';
}
