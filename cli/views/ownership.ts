import { amount } from '../../client/protocol/amount.ts';
import { cutNote, warningNotes } from './notes.ts';
import { type Answer, table, type View, type Views } from './view.ts';

type Owners = Answer<'ownership.get'>;
type Drift = Answer<'ownership.drift'>;

export const ownershipViews: Views = { 'ownership.get': ownersView, 'ownership.drift': driftView };

/** Who owns something, and by what; with a history, who worked on it when. */
export function ownersView(answer: Owners): View {
  const { owners, suggestedReviewers, declared, coverage, history = [] } = answer;
  return table(
    ['when', 'name', 'scope', 'source', 'share', 'lines', 'by'],
    [
      ...owners.map(({ identity, scope, source, confidence, share, lines, name, members, unresolved }) => [
        'now',
        identity,
        scope,
        source,
        share === undefined ? ofFiles(confidence) : percent(share),
        lines === undefined ? '' : String(lines),
        name ?? (unresolved ? 'not known who they are' : (members ?? []).join(' ')),
      ]),
      ...history.map(({ date, identity, contribution }) => [
        date,
        identity,
        '',
        'history',
        percent(contribution),
        '',
        '',
      ]),
    ],
    [
      declaredNote(declared),
      ...(suggestedReviewers.length === 0 ? [] : [`ask for a review: ${suggestedReviewers.join(' ')}`]),
      ...nobodyNote(answer),
      `${coverage.knownLines} of ${amount(coverage.lines, 'line')} known, in ${coverage.blamedFiles} of ${amount(coverage.files, 'file')}`,
      ...warningNotes(answer),
      ...cutNote(answer),
    ],
    ['by', 'lines', 'source'],
  );
}

/** Files that drifted, with what to do. */
export function driftView(answer: Drift): View {
  const { driftedFiles, total, counts, codeowners, unresolvedOwners, truncated } = answer;
  return table(
    ['where', 'drift', 'declared', 'actual', 'what to do'],
    driftedFiles.map(({ path, driftScore, declaredOwner, actualOwners, recommendation }) => [
      path,
      percent(driftScore),
      declaredOwner,
      actualOwners.map(({ identity, contribution }) => `${identity} ${percent(contribution)}`).join(', '),
      recommendation,
    ]),
    [
      ...(truncated ? [`${total} in all: --limit shows more`] : []),
      ...(codeowners === null ? ['there is no CODEOWNERS'] : []),
      `${total} drifted, of ${counts.measured} that could be measured; of ${amount(counts.files, 'file')} ${counts.undeclared} have no declared owner`,
      ...(unresolvedOwners.length === 0
        ? []
        : [
            `${amount(counts.unresolvable, 'file')} left out, for it is not known who is in ${unresolvedOwners.join(', ')}`,
          ]),
      ...warningNotes(answer),
      ...cutNote(answer),
    ],
    ['actual', 'declared'],
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Of the files that a declared owner is declared for; nothing where these are all. */
function ofFiles(share: number): string {
  return share === 1 ? '' : `${percent(share)} of files`;
}

const mostRules = 8;

function declaredNote({ status, file, rules }: Owners['declared']): string {
  if (file === null) return 'there is no CODEOWNERS';
  const shown = rules.slice(0, mostRules).map(({ line, pattern }) => `${file}:${line} ${pattern}`);
  const places = [...shown, ...(rules.length > mostRules ? [`${rules.length - mostRules} more`] : [])].join(', ');
  switch (status) {
    case 'owned':
      return `declared by ${places}`;
    case 'partly':
      return `in part declared by ${places}`;
    case 'cleared':
      return `declared to be nobody’s by ${places}`;
    case 'unnamed':
      return `no line of ${file} is about it`;
  }
}

/** Whoever has less than that is no owner: among very many nobody may be one. */
function nobodyNote({ owners, coverage: { lines, knownLines, botLines } }: Owners): readonly string[] {
  if (knownLines === 0 || owners.some(({ source }) => source === 'git-blame')) return [];
  if (botLines < knownLines)
    return ['nobody wrote as much as 5 % of it, where lines count for less the older they are'];
  const whole = knownLines < lines ? 'all of it that is known' : 'all of it';
  return [`bots wrote ${whole}, and own nothing: history.bots says who is one`];
}
