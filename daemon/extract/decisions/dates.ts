import { momentOf, type TimeOfDay, zoneOf } from '../../model/moment.ts';

/**
 * The moment that a date means, ISO 8601 UTC; undefined where it is none. Days begin at midnight UTC. Read are ISO's form
 * (also with `/` and `.`), `31.1.2024`, `31 January 2024`, `January 31, 2024` and `2024年1月31日`; not `1/2/2024`, which means
 * two things.
 */
export function dateOf(text: string): string | undefined {
  const written = text.replace(/^[\s`'"*_({[]+/, '').slice(0, 64);
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/.exec(written);
  if (iso !== null) return isoOf(iso[1]!, iso[3]!, iso[4]!, timeIn(written.slice(iso[0].length)));
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/.exec(written);
  if (dotted !== null) return isoOf(dotted[3]!, dotted[2]!, dotted[1]!);
  const eastern = /^(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日/.exec(written);
  if (eastern !== null) return isoOf(eastern[1]!, eastern[2]!, eastern[3]!);
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?\.?\s(?:of\s)?([A-Za-z]{3,9})\.?,?\s(\d{4})(?!\d)/.exec(written);
  if (dayFirst !== null) return isoOf(dayFirst[3]!, monthOf(dayFirst[2]!), dayFirst[1]!);
  const monthFirst = /^([A-Za-z]{3,9})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})(?!\d)/.exec(written);
  return monthFirst === null ? undefined : isoOf(monthFirst[3]!, monthOf(monthFirst[1]!), monthFirst[2]!);
}

function timeIn(text: string): TimeOfDay | undefined {
  const found = /^[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?/.exec(text);
  if (found === null) return undefined;
  const [hours, minutes, seconds] = found.slice(1, 4).map(part => Number(part ?? 0));
  return { hours: hours!, minutes: minutes!, seconds: seconds!, milliseconds: 0, zone: zoneOf(found[4]) };
}

function isoOf(year: string, month: string, day: string, time?: TimeOfDay): string | undefined {
  const ms = momentOf({ year: Number(year), month: Number(month), day: Number(day), time });
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

function monthOf(name: string): string {
  const at = months.findIndex(month => month.startsWith(name.toLowerCase()));
  return String(at + 1);
}

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];
