import type { GatheredPoint } from '../../model/gathered-calls.ts';
import { digestOf, grown, type SeriesRow, type SeriesStates } from './series.ts';

export interface CountedPoint {
  readonly point: GatheredPoint;
  /** Calls or errors to add. */
  readonly value: number;
}

/**
 * Which of a function's points count, and how much. Several metrics of one process tell of the same calls, whether they come together
 * or one by one: of a stretch of time that one has told of another counts nothing. A process that goes over to another metric is counted
 * on by that; processes are counted each by their own.
 */
export function countedPoints(
  states: SeriesStates,
  key: string,
  points: readonly GatheredPoint[],
  isKnown: boolean,
): readonly CountedPoint[] {
  const counted: CountedPoint[] = [];
  for (const [source, own] of bySource(points)) {
    const told = own.filter(({ counts }) => counts !== 'errors');
    for (const point of own)
      if (point.counts === 'errors') counted.push({ point, value: valueIn(states, point, isKnown).value });
    if (told.length > 0) counted.push(...countedOf(states, digestOf(`metric\0${key}\0${source}`), told, isKnown));
  }
  return counted;
}

function bySource(points: readonly GatheredPoint[]): ReadonlyMap<string, readonly GatheredPoint[]> {
  const sources = new Map<string, GatheredPoint[]>();
  for (const point of points) {
    const own = sources.get(point.source);
    if (own === undefined) sources.set(point.source, [point]);
    else own.push(point);
  }
  return sources;
}

function countedOf(
  states: SeriesStates,
  digest: Uint8Array,
  told: readonly GatheredPoint[],
  isKnown: boolean,
): readonly CountedPoint[] {
  const state = states.of(digest);
  const chosen = chosenOf(told, state);
  const isSame = state === undefined || state.start === numberOf(chosen);
  const counted: CountedPoint[] = [];
  for (const point of told) {
    const { value, sinceUs } = valueIn(states, point, isKnown);
    const isCovered = !isSame && (sinceUs === point.timeUs ? sinceUs <= state.at : sinceUs < state.at);
    if (point.metric === chosen && !isCovered) counted.push({ point, value });
  }
  if (counted.length > 0) {
    const at = counted.reduce((latest, { point }) => Math.max(latest, point.timeUs), state?.at ?? 0);
    const day = counted.reduce((latest, { point }) => Math.max(latest, point.day), 0);
    states.keep(digest, { start: numberOf(chosen), at, value: 0 }, day, state);
  }
  return counted;
}

/** The metric that counted before, or one that is called as if it counted calls. */
function chosenOf(told: readonly GatheredPoint[], state: SeriesRow | undefined): string {
  const [first] = told as readonly [GatheredPoint];
  if (told.every(({ metric }) => metric === first.metric)) return first.metric;
  const names = [...new Set(told.map(({ metric }) => metric))].sort();
  const before = state === undefined ? undefined : names.find(name => numberOf(name) === state.start);
  return before ?? names.find(name => namesCalls.test(name)) ?? names[0]!;
}

const namesCalls = /(?:^|[._])(?:calls|count|invocations|executions|requests)(?:_total)?$/;

const numbers = new Map<string, number>();
const mostNumbers = 10_000;

function numberOf(metric: string): number {
  const known = numbers.get(metric) ?? Buffer.from(digestOf(metric)).readUIntBE(0, 6);
  if (numbers.size >= mostNumbers) numbers.clear();
  numbers.set(metric, known);
  return known;
}

function valueIn(
  states: SeriesStates,
  point: GatheredPoint,
  isKnown: boolean,
): { readonly value: number; readonly sinceUs: number } {
  const { series, value, startUs, timeUs } = point;
  if (series !== undefined) return grown(states, point, series, isKnown);
  return { value, sinceUs: startUs === 0 ? timeUs : startUs };
}
