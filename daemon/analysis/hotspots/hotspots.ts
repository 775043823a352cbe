import type { FileHistory } from '../../model/history.ts';
import { type Activity, activityIn, type Window } from './activity.ts';

/** A file that may be one: code, as large and complex as it is now. */
export interface Candidate {
  readonly path: string;
  /** In the history; undefined of one that no commit knows. */
  readonly file: number | undefined;
  /** Of all its functions together. */
  readonly cyclomatic: number;
}

/** Where each part of a score is half of what it can be. */
export interface HalfPoints {
  /** Commits in 30 days. */
  readonly churn: number;
  readonly authors: number;
  /** Files that change together with it. */
  readonly coupling: number;
  readonly cyclomatic: number;
}

export interface HotspotQuestion {
  /** The length of a window. */
  readonly days: number;
  /** Unix seconds: the end of the last window. */
  readonly now: number;
  readonly halfPoints: HalfPoints;
  readonly personOf: (author: number) => number | undefined;
}

export interface Hotspot<One extends Candidate = Candidate> {
  readonly candidate: One;
  readonly score: number;
  readonly trend: Trend;
  /** In the last window. */
  readonly commits: number;
  readonly authors: number;
  readonly coupled: number;
  readonly commits30d: number;
  readonly authors30d: number;
}

export interface Trend {
  readonly direction: 'increasing' | 'stable' | 'decreasing';
  /** Of the score, a day. */
  readonly velocity: number;
  /** The score in 30 days, if it goes on so. */
  readonly projection30d: number;
}

const secondsOfDay = 86_400;
/** Windows that a trend is made of, the last one among them. */
const windowsOfTrend = 4;
/** A change of the score, a window, that is no accident. */
const steepest = 0.02;

/** The hottest first; alike ones by path. */
export function hottestFirst<One extends Candidate>(hotspots: readonly Hotspot<One>[]): readonly Hotspot<One>[] {
  return [...hotspots].sort((a, b) => b.score - a.score || (a.candidate.path < b.candidate.path ? -1 : 1));
}

/**
 * Looks through a history once; what it returns scores any file of it.
 *
 * Scores 0 to 1: 0.4 churn + 0.3 authors and coupling + 0.3 complexity, each x / (x + k). Churn is of 30 days, so that windows of any
 * length compare. The trend leads from the mean score of the windows before to that of the last one, each window's with what was
 * done in it and the file's complexity of today.
 */
export function hotspotScore(
  history: FileHistory,
  { days, now, halfPoints, personOf }: HotspotQuestion,
): <One extends Candidate>(candidate: One) => Hotspot<One> {
  const activity = (window: Window): Activity => activityIn(history, window, personOf);
  const windows = windowsOf(history, days, now).map(activity);
  const last = windows.at(-1)!;
  const month = days === 30 ? last : activity(lastWindow(30, now));
  const scoreIn = (one: Candidate, { commits, authors, coupled }: Activity): number => {
    const of = (column: Int32Array): number => (one.file === undefined ? 0 : (column[one.file] ?? 0));
    const churn = saturating((of(commits) * 30) / days, halfPoints.churn);
    const people = saturating(Math.max(0, of(authors) - 1), halfPoints.authors);
    const coupling = saturating(of(coupled), halfPoints.coupling);
    return 0.4 * churn + 0.3 * ((people + coupling) / 2) + 0.3 * saturating(one.cyclomatic, halfPoints.cyclomatic);
  };
  return candidate => {
    const scores = windows.map(window => scoreIn(candidate, window));
    const of = (column: Int32Array): number => (candidate.file === undefined ? 0 : (column[candidate.file] ?? 0));
    return {
      candidate,
      score: scores.at(-1)!,
      trend: trendOf(scores, days),
      commits: of(last.commits),
      authors: of(last.authors),
      coupled: of(last.coupled),
      commits30d: of(month.commits),
      authors30d: of(month.authors),
    };
  };
}

function saturating(value: number, half: number): number {
  return value / (value + half);
}

/** The last windows, the oldest first; none that lies before the first commit. */
function windowsOf(history: FileHistory, days: number, now: number): readonly Window[] {
  let first = now;
  for (let at = 0; at < history.commitCount; at++) first = Math.min(first, history.commit(at).committedAt);
  const length = days * secondsOfDay;
  const windows: Window[] = [];
  for (let back = 0; back < windowsOfTrend; back++) {
    const until = now - back * length;
    if (back > 0 && until <= first) break;
    windows.unshift(back === 0 ? lastWindow(days, now) : { from: until - length, until });
  }
  return windows;
}

/** Whoever commits by a clock that is ahead has committed by now. */
function lastWindow(days: number, now: number): Window {
  return { from: now - days * secondsOfDay, until: Number.POSITIVE_INFINITY };
}

function trendOf(scores: readonly number[], days: number): Trend {
  const score = scores.at(-1)!;
  const step = stepTo(score, scores.slice(0, -1));
  const velocity = step / days;
  const projection30d = Math.min(1, Math.max(0, score + 30 * velocity));
  const direction = step > steepest ? 'increasing' : step < -steepest ? 'decreasing' : 'stable';
  return { direction, velocity, projection30d };
}

/** From the mean of the values before to the last one, a window: the middle of n that come before it is (n + 1) / 2 windows away. */
function stepTo(last: number, before: readonly number[]): number {
  if (before.length === 0) return 0;
  const mean = before.reduce((sum, value) => sum + value, 0) / before.length;
  return (last - mean) / ((before.length + 1) / 2);
}
