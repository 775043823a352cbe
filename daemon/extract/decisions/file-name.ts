import type { DecisionName, DecisionNaming } from '../../model/decision.ts';
import { dateOf } from './dates.ts';
import { withoutZeros } from './title.ts';

/** Whether a file of this name may hold a decision: Markdown, and no page about the folder or for making others. */
export function mayBeDecision(name: string): boolean {
  const base = /^(?!\.)(.*)\.(?:md|markdown)$/is.exec(name)?.[1];
  if (base === undefined) return false;
  const { digits, date } = decisionName(name);
  if (date !== undefined || (digits !== undefined && digits !== '0')) return true;
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
  const [, base = name, ending = ''] = /^(.*?)(\.(?:md|markdown))?$/is.exec(name) ?? [];
  const date = /^(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)([-_. ]{0,3})/.exec(base);
  const day = date === null ? undefined : dateOf(`${date[1]}-${date[3]}-${date[4]}`)?.slice(0, 10);
  if (date !== null && day !== undefined) {
    const rest = base.slice(date[0].length);
    const naming: DecisionNaming = {
      kind: 'date',
      dateGap: date[2]!,
      after: date[5] || '-',
      wordGap: wordGapOf(rest),
      ending: ending || '.md',
    };
    return { stem: base, digits: undefined, date: day, naming };
  }
  const numbered = /^((?:adr|adl|decision|dr|rfc|madr)[-_ ]?)?(\d{1,40})(?![\p{L}\d])([-_. ]{0,3})/iu.exec(base);
  if (numbered === null)
    return { stem: base.replace(/^adr[-_ ]+/i, ''), digits: undefined, date: undefined, naming: undefined };
  const [whole, before = '', digits, after] = numbered as unknown as readonly [string, string, string, string];
  const naming: DecisionNaming = {
    kind: 'number',
    number: { before, width: digits.length, after: after || '-' },
    wordGap: wordGapOf(base.slice(whole.length)),
    ending: ending || '.md',
  };
  return { stem: base, digits: withoutZeros(digits), date: undefined, naming };
}

/** What stands between words, by what stands between these. */
function wordGapOf(words: string): string {
  const gaps = ['-', '_', ' '].map(gap => ({ gap, count: words.split(gap).length - 1 }));
  const most = gaps.reduce((best, one) => (one.count > best.count ? one : best));
  return most.count === 0 ? '-' : most.gap;
}
