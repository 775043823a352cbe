import { amount } from '../../client/protocol/amount.ts';
import { qualifiedName } from '../../client/protocol/qualified-name.ts';
import { cutNote, warningNotes } from './notes.ts';
import { pairs, type Views } from './view.ts';

const mostListed = 8;

export const pullRequestViews: Views = {
  'pr.summary': answer => {
    if (typeof answer === 'string') return { kind: 'text', text: answer };
    // At least one is listed where they are asked for.
    const isWithSymbols = answer.symbolsChanged.length > 0 || answer.symbolsTotal === 0;
    const unreadable = isWithSymbols ? answer.symbolsOmitted - answer.filesNotRead : 0;
    const { baseName, headName, filesChanged, linesAdded, linesRemoved, commits } = answer;
    return pairs(
      [
        ['change', `${headName} into ${baseName}: ${amount(commits, 'commit')}`],
        ['size', `${amount(filesChanged, 'file')}, +${linesAdded} -${linesRemoved}`],
        ['risk', `${answer.riskAssessment} (${answer.riskScore})`],
        ...many('why', answer.riskFactors),
        ['reviewers', answer.suggestedReviewers.join(', ')],
        ['authors', answer.authors.join(', ')],
        ['modules', short(answer.modulesAffected)],
        ...many(
          'hotspot',
          answer.hotspotsTouched.map(({ path, score, trend }) => `${path} ${score.toFixed(2)} ${trend}`),
        ),
        ...many(
          'symbol',
          answer.symbolsChanged.map(
            ({ kind, path, line, change, risk, directCount, users, ...symbol }) =>
              `${path}:${line} ${kind} ${qualifiedName(symbol)} ${change}, risk ${risk}, ${users === undefined ? amount(directCount, 'direct user') : `still used in ${short(users)}`}`,
          ),
          { total: isWithSymbols ? answer.symbolsTotal : 0, flag: '--symbol-limit' },
        ),
        ...many(
          'left out',
          answer.usuallyChangesWith.map(
            ({ path, because, strength }) => `${path}: in ${Math.round(100 * strength)} % of the commits to ${because}`,
          ),
        ),
        ...many(
          'file',
          answer.files.map(({ path, from, status, linesAdded: added, linesRemoved: removed, binary }) => {
            const lines = binary ? 'binary' : `+${added} -${removed}`;
            return `${from === undefined ? path : `${from} -> ${path}`} ${status} ${lines}`;
          }),
          { total: filesChanged, flag: '--limit' },
        ),
      ],
      [
        ...warningNotes(answer),
        ...(unreadable > 0 ? [`of ${amount(unreadable, 'file')} not all symbols can be told`] : []),
        ...cutNote(answer),
      ],
    );
  },
};

/** One line each, the first ones. `all`: how many there are, where the answer may not list all, and what makes it list more. */
function many(
  name: string,
  lines: readonly string[],
  all: { readonly total: number; readonly flag: string } = { total: lines.length, flag: '' },
): readonly (readonly [string, string])[] {
  const shown = lines.slice(0, mostListed);
  const left = all.total - shown.length;
  if (left <= 0) return shown.map(line => [name, line]);
  const more = `and ${left} more: ${whatTells(lines.length - shown.length, left, all.flag)}`;
  return [...shown, more].map(line => [name, line]);
}

/** What tells those that are left out here. `listed`: how many of them the answer has. */
function whatTells(listed: number, left: number, flag: string): string {
  if (listed === left) return '--json tells all';
  return listed === 0 ? `${flag} tells more` : `--json tells ${listed} of them, ${flag} more`;
}

function short(names: readonly string[]): string {
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : '';
  return names.slice(0, mostListed).join(', ') + more;
}
