const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000, y: 365 * 86_400_000 } as const;

/** What is longer is as good as for ever, and dates past the year 9999 are written in no common way. */
const longestMs = 100 * unitMs.y;

/** `12h`, `30d`, `1y` in milliseconds; undefined where the text is no such thing, is nothing, or is over 100 years. */
export function lifetimeMs(text: string): number | undefined {
  const [, count, unit] = /^([0-9]{1,9})([mhdwy])$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  return ms > 0 && ms <= longestMs ? ms : undefined;
}
