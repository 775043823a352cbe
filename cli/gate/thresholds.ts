import { UsageError } from '../commands.ts';

/** What of a function is measured. */
export const metrics = ['cyclomatic', 'cognitive', 'lines', 'parameters'] as const;
export type Metric = (typeof metrics)[number];

/** The most that a function may have of each. */
export type Thresholds = Readonly<Partial<Record<Metric, number>>>;

/** Reads `cognitive=25,cyclomatic=15`. Throws `UsageError` naming what would do. */
export function thresholdsOf(text: string): Thresholds {
  const found: Partial<Record<Metric, number>> = {};
  for (const part of text.split(',')) {
    const [, name = '', most = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    const metric = metrics.find(one => one === name);
    if (metric === undefined) throw wrong(part, `is no ${metrics.join('=N, ')}=N`);
    if (!/^\d{1,9}$/.test(most)) throw wrong(part, 'has no whole number behind the sign');
    if (found[metric] !== undefined) throw wrong(part, 'bounds for the second time what another part does');
    found[metric] = Number(most);
  }
  return found;
}

/** As `thresholdsOf` reads it. */
export function thresholdsText(thresholds: Thresholds): string {
  return metrics.flatMap(one => (thresholds[one] === undefined ? [] : [`${one}=${thresholds[one]}`])).join(',');
}

function wrong(part: string, why: string): UsageError {
  return new UsageError(`--fail-over: ${JSON.stringify(part)} ${why}`);
}
