/** A moment as somebody wrote it down: numbers that may be any. */
export interface WrittenMoment {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly time?: TimeOfDay | undefined;
}

export interface TimeOfDay {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly milliseconds: number;
  readonly zone: Zone;
}

/** How far the clock is from UTC. */
export interface Zone {
  readonly sign: 1 | -1;
  readonly hours: number;
  readonly minutes: number;
}

/**
 * Milliseconds since the epoch, days beginning at midnight; undefined for a day that no calendar has and a time that no clock
 * shows (24:00 is the next day's 00:00, and leap seconds have no number), and for what lies before 1970 or after 9999.
 */
export function momentOf({ year, month, day, time = midnight }: WrittenMoment): number | undefined {
  // Of a year below 100 another is made; all of those lie before 1970.
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const { hours, minutes, seconds, milliseconds, zone } = time;
  if (hours > 23 || minutes > 59 || seconds > 59 || zone.hours > 23 || zone.minutes > 59) return undefined;
  const fromUtc = zone.sign * (zone.hours * 60 + zone.minutes);
  const ms = date.getTime() + ((hours * 60 + minutes - fromUtc) * 60 + seconds) * 1000 + milliseconds;
  return ms < 0 || ms >= year10000Ms ? undefined : ms;
}

const utc: Zone = { sign: 1, hours: 0, minutes: 0 };
const midnight: TimeOfDay = { hours: 0, minutes: 0, seconds: 0, milliseconds: 0, zone: utc };
const year10000Ms = Date.UTC(10_000, 0);

/** A zone as `Z`, `+01:00` or `+0100`; UTC where nothing is said. */
export function zoneOf(text = 'Z'): Zone {
  if (text === 'Z') return utc;
  return { sign: text.startsWith('-') ? -1 : 1, hours: Number(text.slice(1, 3)), minutes: Number(text.slice(-2)) };
}
