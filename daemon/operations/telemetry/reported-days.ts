import type { CallsOfSnapshot, ObservedSymbol } from './matched-calls.ts';

/** Days on which services reported, which alone say something of what they run. */
export interface ReportedDays {
  /** On how many days from one on any of some services reported. */
  since(services: ReadonlySet<number>, day: number): number;
  /**
   * On how many days who called a symbol reported since, the least of several; undefined where it never was called. Who has
   * stopped reporting may call it still.
   */
  silent(one: ObservedSymbol): number | undefined;
  /** The last day on which one reported; undefined where none is kept. */
  last(service: number): number | undefined;
}

export function reportedDays({ reader }: CallsOfSnapshot): ReportedDays {
  const known = new Map<string, readonly number[]>();
  const of = (services: Iterable<number>): readonly number[] => {
    const asked = [...services].sort((a, b) => a - b);
    const key = asked.join(' ');
    const days = known.get(key) ?? reader.reportedDays(asked);
    known.set(key, days);
    return days;
  };
  const since = (services: Iterable<number>, day: number): number => {
    const days = of(services);
    const first = days.findIndex(one => one >= day);
    return first < 0 ? 0 : days.length - first;
  };
  return {
    since,
    silent: ({ functions }) => {
      const called = functions.filter(({ stored }) => stored.called > 0);
      if (called.length === 0) return undefined;
      return Math.min(...called.map(({ stored }) => since([stored.service], stored.called + 1)));
    },
    last: service => of([service]).at(-1),
  };
}
