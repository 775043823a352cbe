/**
 * The moment that a date means, ISO 8601 UTC; undefined where it is none. Days begin at midnight UTC. Read are ISO's form
 * (also with `/` and `.`), `31.1.2024`, `31 January 2024`, `January 31, 2024` and `2024年1月31日`; not `1/2/2024`, which means
 * two things.
 */
export function dateOf(text: string): string | undefined {
  const written = text.replace(/^[\s`'"*_({[]+/, '').slice(0, 64);
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/.exec(written);
  if (iso !== null) return momentOf(iso[1]!, iso[3]!, iso[4]!, timeIn(written.slice(iso[0].length)));
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/.exec(written);
  if (dotted !== null) return momentOf(dotted[3]!, dotted[2]!, dotted[1]!);
  const eastern = /^(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日/.exec(written);
  if (eastern !== null) return momentOf(eastern[1]!, eastern[2]!, eastern[3]!);
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?\.?\s(?:of\s)?([A-Za-z]{3,9})\.?,?\s(\d{4})(?!\d)/.exec(written);
  if (dayFirst !== null) return momentOf(dayFirst[3]!, monthOf(dayFirst[2]!), dayFirst[1]!);
  const monthFirst = /^([A-Za-z]{3,9})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})(?!\d)/.exec(written);
  return monthFirst === null ? undefined : momentOf(monthFirst[3]!, monthOf(monthFirst[1]!), monthFirst[2]!);
}

interface TimeOfDay {
  readonly minutes: number;
  readonly seconds: number;
}

function timeIn(text: string): TimeOfDay {
  const found = /^[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?/.exec(text);
  if (found === null) return { minutes: 0, seconds: 0 };
  const [, hours, minutes, seconds = '0', zone = 'Z'] = found;
  const away = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  const offset = away === null ? 0 : Number(`${away[1]}1`) * (Number(away[2]) * 60 + Number(away[3]));
  return { minutes: Number(hours) * 60 + Number(minutes) - offset, seconds: Number(seconds) };
}

/** Undefined for a day that no calendar has, and for years in which nobody wrote decisions down in files. */
function momentOf(
  year: string,
  month: string,
  day: string,
  { minutes, seconds }: TimeOfDay = { minutes: 0, seconds: 0 },
): string | undefined {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isThere = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!isThere || Number(year) < 1970) return undefined;
  const moment = new Date(date.getTime() + minutes * 60_000 + seconds * 1000);
  return moment.getUTCFullYear() > 9999 || moment.getTime() < 0 ? undefined : moment.toISOString();
}

function monthOf(name: string): string {
  const at = months.findIndex(month => month.startsWith(name.toLowerCase()));
  return String(at + 1);
}

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];
