/** The day of a time in Unix seconds, `2026-04-30`; UTC. Commits may claim any time: one outside of 1970 to 9999 is told as the nearest inside. */
export function dayOf(seconds: number): string {
  return new Date(within(seconds) * 1000).toISOString().slice(0, 10);
}

/** The first day of its quarter. */
export function quarterOf(seconds: number): string {
  const date = new Date(within(seconds) * 1000);
  const month = date.getUTCMonth() - (date.getUTCMonth() % 3);
  return dayOf(Date.UTC(date.getUTCFullYear(), month) / 1000);
}

const latest = 253_402_300_799;

function within(seconds: number): number {
  return Math.min(latest, Math.max(0, seconds));
}
