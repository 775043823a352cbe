import type { GatheredPoint } from '../../model/gathered-calls.ts';
import { textNumber } from '../../model/text-number.ts';
import type { FunctionSeries } from './function-series.ts';
import { type CountedFunction, type Grown, grown, type SeriesStates } from './series.ts';

export interface CountedPoint {
  readonly point: GatheredPoint;
  /** Calls or errors to add. */
  readonly value: number;
  /** As `Grown` has it. */
  readonly wasCalled?: boolean | undefined;
}

/**
 * Which of a function's points count, and how much. Several metrics of one process tell of the same calls, whether they come together
 * or one by one: of a stretch of time that one has told of another counts nothing. A process that goes over to another metric is counted
 * on by that; processes are counted each by their own.
 */
export function countedPoints(
  states: SeriesStates,
  counting: CountedFunction,
  points: readonly GatheredPoint[],
): readonly CountedPoint[] {
  const counted: CountedPoint[] = [];
  for (const [source, own] of bySource(points)) {
    const series = states.of(source, counting);
    const grownBy = (point: GatheredPoint): Grown =>
      point.series === undefined
        ? { value: point.value, sinceUs: point.startUs === 0 ? point.timeUs : point.startUs }
        : grown(series, point, point.series, { isKnown: counting.isKnown, isHeard: states.isHeard(source) });
    const told = own.filter(({ counts }) => counts !== 'errors');
    for (const point of own) if (point.counts === 'errors') counted.push({ point, value: grownBy(point).value });
    if (told.length > 0) counted.push(...countedOf(series, told, grownBy));
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
  series: FunctionSeries,
  told: readonly GatheredPoint[],
  grownBy: (point: GatheredPoint) => Grown,
): readonly CountedPoint[] {
  const chosen = chosenOf(told, series.metric);
  const number = metricNumber(chosen);
  const isSame = series.metric === 0 || series.metric === number;
  const counted: CountedPoint[] = [];
  for (const point of told) {
    const { value, sinceUs, wasCalled } = grownBy(point);
    const isCovered = !isSame && (sinceUs === point.timeUs ? sinceUs <= series.told : sinceUs < series.told);
    if (point.metric === chosen && !isCovered) counted.push({ point, value, wasCalled });
  }
  if (counted.length > 0) {
    series.countedBy(
      number,
      counted.reduce((latest, { point }) => Math.max(latest, point.timeUs), series.told),
    );
  }
  return counted;
}

/** The metric that counted before, or one that is called as if it counted calls. */
function chosenOf(told: readonly GatheredPoint[], before: number): string {
  const [first] = told as readonly [GatheredPoint];
  if (told.every(({ metric }) => metric === first.metric)) return first.metric;
  const names = [...new Set(told.map(({ metric }) => metric))].sort();
  return names.find(name => metricNumber(name) === before) ?? names.find(name => namesCalls.test(name)) ?? names[0]!;
}

const namesCalls = /(?:^|[._])(?:calls|count|invocations|executions|requests)(?:_total)?$/;

const numbers = new Map<string, number>();
const mostNumbers = 10_000;

function metricNumber(metric: string): number {
  const known = numbers.get(metric) ?? textNumber(metric);
  if (numbers.size >= mostNumbers) numbers.clear();
  numbers.set(metric, known);
  return known;
}
