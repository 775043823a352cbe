import type { DecisionName } from '../../model/decision.ts';
import { dateOf } from './dates.ts';
import { withoutZeros } from './title.ts';

/** Whether a file of this name may hold a decision: Markdown, and no page about the folder or for making others. */
export function mayBeDecision(name: string): boolean {
  const base = /^(?!\.)(.*)\.(?:md|markdown)$/is.exec(name)?.[1];
  if (base === undefined) return false;
  const digits = digitsOf(name);
  if (dateIn(base) !== undefined || (digits !== undefined && digits !== '0')) return true;
  const words = base
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^0+-|^-|-$/g, '');
  return (
    !pages.has(words) &&
    !/^(?:(?:adr|madr|decision|decision-record|record|nygard)-)?template$|^m?adr-template-/.test(words)
  );
}

const pages: ReadonlySet<string> = new Set(
  'readme index toc contents summary contributing changelog license about overview adr adrs decisions log'.split(' '),
);

/** What the name of a file says of the decision in it. */
export function decisionName(name: string): DecisionName {
  const [, base = name, ending = ''] = nameAndEnding.exec(name) ?? [];
  const dated = dateIn(base);
  const numbered = dated === undefined ? numberIn(base) : undefined;
  const wordGap = wordGapOf(base.slice((dated ?? numbered)?.length ?? 0));
  const more = { wordGap, ending: ending || '.md' };
  if (dated !== undefined) {
    const { date, dateGap, after } = dated;
    return { stem: base, digits: undefined, date, naming: { kind: 'date', dateGap, after, ...more } };
  }
  if (numbered !== undefined) {
    const { digits, number } = numbered;
    return { stem: base, digits, date: undefined, naming: { kind: 'number', number, ...more } };
  }
  return { stem: base.replace(/^adr[-_ ]+/i, ''), digits: undefined, date: undefined, naming: undefined };
}

/** Whether it begins with a number or a date: then it is a decision, whatever the document says. */
export function isNamed({ digits, date }: DecisionName): boolean {
  return digits !== undefined || date !== undefined;
}

/** The digits of such a name alone. */
export function digitsOf(name: string): string | undefined {
  const base = nameAndEnding.exec(name)?.[1] ?? name;
  return dateIn(base) === undefined ? numberIn(base)?.digits : undefined;
}

const nameAndEnding = /^(.*?)(\.(?:md|markdown))?$/is;

function dateIn(base: string) {
  const found = /^(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)([-_. ]{0,3})/.exec(base);
  if (found === null) return undefined;
  const [{ length }, year, dateGap, month, day, after] = found as unknown as readonly [string, ...string[]];
  const date = dateOf(`${year}-${month}-${day}`)?.slice(0, 10);
  return date === undefined ? undefined : { length, date, dateGap: dateGap!, after: after || '-' };
}

function numberIn(base: string) {
  const found = /^((?:adr|adl|decision|dr|rfc|madr)[-_ ]?)?(\d{1,40})(?![\p{L}\d])([-_. ]{0,3})/iu.exec(base);
  if (found === null) return undefined;
  const [{ length }, before = '', digits, after] = found as unknown as readonly [string, string, string, string];
  return { length, digits: withoutZeros(digits), number: { before, width: digits.length, after: after || '-' } };
}

/** What stands between words, by what stands between these. */
function wordGapOf(words: string): string {
  const gaps = ['-', '_', ' '].map(gap => ({ gap, count: words.split(gap).length - 1 }));
  const most = gaps.reduce((best, one) => (one.count > best.count ? one : best));
  return most.count === 0 ? '-' : most.gap;
}
