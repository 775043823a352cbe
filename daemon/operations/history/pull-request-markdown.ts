import { amount } from '../../../client/protocol/amount.ts';
import { qualifiedName } from '../../../client/protocol/qualified-name.ts';
import type { PullRequest } from './pull-request.ts';

/** So many of each list are told; the others are counted. */
const mostListed = 10;

/** The text of a comment on a pull request. What comes out of the repository can't end what it stands in. */
export function markdownOf(of: PullRequest): string {
  const { filesChanged, linesAdded, linesRemoved, commits, modulesAffected } = of;
  const size = `${amount(filesChanged, 'file')} (+${linesAdded} −${linesRemoved}), ${amount(commits, 'commit')}`;
  return [
    `### Risk: ${of.riskAssessment}`,
    '',
    `${size} from ${code(of.baseName)} to ${code(of.headName)}${modulesAffected.length === 0 ? '' : `, in ${listed(modulesAffected)}`}.`,
    ...section('', of.riskFactors.map(escaped)),
    ...section('Reviewers', of.reviewers.slice(0, 5).map(reviewerLine)),
    ...section(
      'Hotspots touched',
      of.hotspotsTouched.map(({ path, score, trend }) => `${code(path)} ${score.toFixed(2)}, ${trend}`),
    ),
    ...section(
      'Symbols changed',
      of.symbolsChanged.map(
        one =>
          `${code(qualifiedName(one))} (${one.kind}, ${one.change}) in ${code(`${one.path}:${one.line}`)}: risk ${one.risk}, ${usersOf(one)}`,
      ),
      of.symbolsTotal,
    ),
    ...section(
      'Usually changes with it, and did not',
      of.usuallyChangesWith.map(
        ({ path, because, strength }) =>
          `${code(path)}: in ${Math.round(100 * strength)} % of the commits to ${code(because)}`,
      ),
    ),
    ...section(
      '',
      (of.warnings ?? []).map(({ message }) => escaped(message)),
    ),
    ...filesTable(of),
    '',
  ].join('\n');
}

/** Shares are of lines as they weigh, and lines of long ago weigh next to nothing. */
function reviewerLine({ identity, share, lines, declaredFor }: PullRequest['reviewers'][number]): string {
  const percent = Math.round(100 * share);
  const weight = percent === 0 ? 'long ago' : `${percent} % where newer lines count more`;
  const lately = share === 0 ? [] : [`worked on these files (${weight})`];
  const wrote =
    lines === 0 ? lately : [`wrote ${amount(lines, 'line')} of what is changed or stands next to it (${weight})`];
  const owns = declaredFor === 0 ? [] : [`owns ${amount(declaredFor, 'changed file')}`];
  return `${escaped(identity)}: ${[...wrote, ...owns].join(', ')}`;
}

/** Who still looks for what is taken away is told by name. */
function usersOf({ change, directCount, users = [] }: PullRequest['symbolsChanged'][number]): string {
  if (change === 'added' || change === 'modified') return amount(directCount, 'direct user');
  if (directCount === 0) return 'nobody here uses it';
  const shown = users.slice(0, mostUsers).map(code).join(', ');
  return `still used in ${shown}${directCount > mostUsers ? ` and ${directCount - mostUsers} more` : ''}`;
}

const mostUsers = 3;

function section(title: string, lines: readonly string[], total = lines.length): readonly string[] {
  if (lines.length === 0) return [];
  const left = total - Math.min(lines.length, mostListed);
  const more = left > 0 ? [`- and ${left} more`] : [];
  return [
    '',
    ...(title === '' ? [] : [`**${title}**`, '']),
    ...lines.slice(0, mostListed).map(line => `- ${line}`),
    ...more,
  ];
}

function filesTable({ files, filesChanged }: PullRequest): readonly string[] {
  if (filesChanged === 0) return [];
  const rows = files.map(({ path, from, status, linesAdded, linesRemoved, binary }) => {
    const name = from === undefined ? code(path) : `${code(from)} → ${code(path)}`;
    return `| ${name.replaceAll('|', '\\|')} | ${status} | ${binary ? 'binary' : `+${linesAdded} −${linesRemoved}`} |`;
  });
  const more = filesChanged > rows.length ? [`| and ${filesChanged - rows.length} more | | |`] : [];
  return [
    ...['', '<details><summary>Files</summary>', '', '| file | change | lines |', '| --- | --- | --- |'],
    ...[...rows, ...more, '', '</details>'],
  ];
}

function listed(modules: readonly string[]): string {
  const shown = modules.slice(0, mostListed).map(code).join(', ');
  return modules.length > mostListed ? `${shown} and ${modules.length - mostListed} more` : shown;
}

/** Terminals show comments, too: no sign that moves their cursor. */
function onOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

/** In as many backticks as it takes. */
function code(text: string): string {
  const line = onOneLine(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** No markup, no HTML; a mention stays one. */
function escaped(text: string): string {
  return onOneLine(text).replace(/[\\`*_[\]<>|~]/g, character => `\\${character}`);
}
