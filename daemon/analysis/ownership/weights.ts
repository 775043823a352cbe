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
  const sum = newSum();
  for (const { author, authoredAt, count } of lines) {
    if (author === undefined) continue;
    add(sum, author, count * weightOfAge(at - authoredAt), count, authoredAt);
  }
  return { ...sum, at };
}

/** What a line of an age weighs, in seconds. */
export function weightOfAge(age: number): number {
  return 0.5 ** Math.min(mostHalvings, Math.max(0, age) / halfLifeSeconds);
}

/** What several files weigh together; all of them as of one time. */
export function addUp(files: Iterable<Weights>, at: number): Weights {
  const sum = newSum();
  for (const { authors } of files) {
    for (const author of authors.values()) add(sum, author, author.weight, author.lines, author.lastAt);
  }
  return { ...sum, at };
}

interface Sum {
  readonly authors: Map<string, { -readonly [Field in keyof AuthorWeight]: AuthorWeight[Field] }>;
  total: number;
}

function newSum(): Sum {
  return { authors: new Map(), total: 0 };
}

/** Of several names that of the newest lines stays. */
function add(sum: Sum, { identity, name }: Author, weight: number, lines: number, lastAt: number): void {
  sum.total += weight;
  const known = sum.authors.get(identity);
  if (known === undefined) {
    sum.authors.set(identity, { identity, name, weight, lines, lastAt });
    return;
  }
  known.weight += weight;
  known.lines += lines;
  if (lastAt <= known.lastAt) return;
  known.lastAt = lastAt;
  known.name = name;
}

/** What a weight has become, or was, at another time. */
export function weightAt(weight: number, from: number, to: number): number {
  return weight * 0.5 ** ((to - from) / halfLifeSeconds);
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

export const maintainerShare = 0.5;
export const reviewerShare = 0.2;
const contributorShare = 0.05;

/** Those that are told: whoever has less is no owner. */
export function countingShares(weights: Weights): readonly Share[] {
  return sharesOf(weights).filter(({ share }) => share >= contributorShare);
}

export function scopeOfShare(share: number): 'maintainer' | 'reviewer' | 'contributor' {
  return share >= maintainerShare ? 'maintainer' : share >= reviewerShare ? 'reviewer' : 'contributor';
}
