import type { Author } from '../../model/people.ts';
import { rounded } from '../../model/rounded.ts';
import { quarterOf } from './days.ts';

/** A commit's work on a file. */
export interface AuthoredTouch {
  /** Undefined of a bot. */
  readonly author: Author | undefined;
  /** Unix seconds, by the author's clock. */
  readonly authoredAt: number;
  /** Undefined where they are not counted. */
  readonly lines: { readonly added: number; readonly deleted: number } | undefined;
}

/** Who did how much of what was done to something in a quarter. */
export interface QuarterShare {
  /** The first day of the quarter, `2026-04-01`; UTC. */
  readonly date: string;
  readonly identity: string;
  /** 0 to 1. */
  readonly contribution: number;
}

const leastContribution = 0.05;

/**
 * Shares per quarter, bots left out: of lines that were added and taken away, or, of a quarter in which not all are counted (files that
 * are binary have none), of commits. By date, then the largest first; nobody with less than 5 %.
 */
export function quarterShares(touches: Iterable<AuthoredTouch>): readonly QuarterShare[] {
  const quarters = new Map<string, Quarter>();
  for (const { author, authoredAt, lines } of touches) {
    if (author === undefined) continue;
    const date = quarterOf(authoredAt);
    const quarter = quarters.get(date) ?? { commits: new Map(), lines: new Map(), isCounted: true };
    quarters.set(date, quarter);
    add(quarter.commits, author.identity, 1);
    if (lines === undefined) quarter.isCounted = false;
    else add(quarter.lines, author.identity, lines.added + lines.deleted);
  }
  return [...quarters]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([date, quarter]) => sharesIn(date, quarter));
}

interface Quarter {
  readonly commits: Map<string, number>;
  readonly lines: Map<string, number>;
  isCounted: boolean;
}

function add(sums: Map<string, number>, identity: string, amount: number): void {
  sums.set(identity, (sums.get(identity) ?? 0) + amount);
}

/** A quarter that changed no line, for files were moved or made executable alone, is one of commits. */
function sharesIn(date: string, { commits, lines, isCounted }: Quarter): readonly QuarterShare[] {
  const changed = [...lines.values()].reduce((sum, count) => sum + count, 0);
  const amounts = isCounted && changed > 0 ? lines : commits;
  const total = [...amounts.values()].reduce((sum, amount) => sum + amount, 0);
  return [...amounts]
    .map(([identity, amount]) => ({ date, identity, contribution: rounded(amount / total, 4) }))
    .filter(({ contribution }) => contribution >= leastContribution)
    .sort((a, b) => b.contribution - a.contribution || (a.identity < b.identity ? -1 : 1));
}
