import { amount } from '../../client/protocol/amount.ts';
import { cutNote } from './notes.ts';
import { type Answer, table, type Views } from './view.ts';

type Hotspots = Answer<'hotspots.list'>;

/** Hotspots, and what changes together. */
export const hotspotsViews: Views = {
  'hotspots.list': ({ hotspots, total, changed, days, lastCommit, ...rest }) =>
    table(
      [
        'file',
        'score',
        'trend',
        'commits',
        'authors',
        'complexity',
        ...(rest.rankBy === 'production' ? ['calls'] : []),
      ],
      hotspots.map(({ targetId, score, trend, metrics }) => [
        targetId,
        score.toFixed(2),
        `${trend.direction} ${signed(trend.projection30d - score)}`.trim(),
        String(metrics.churnCommits),
        String(metrics.churnAuthors),
        String(metrics.complexityCyclomatic),
        ...(metrics.observedCalls === undefined ? [] : [String(metrics.observedCalls)]),
      ]),
      [
        `${amount(total, 'file')} of code, ${changed} of them changed in ${amount(days, 'day')}; the trend is that of 30 days to come`,
        ...(changed === 0 && lastCommit !== null ? [quietNote(lastCommit, days, rest)] : []),
        ...cutNote(rest),
      ],
      ['authors', 'commits'],
    ),
  'hotspots.coupling': ({ path, commits, commitsLeftOut, couplings, total, days, ...rest }) =>
    table(
      ['file', 'together', 'strength', 'reverse', 'last'],
      couplings.map(one => [
        one.path,
        String(one.together),
        percent(one.strength),
        percent(one.reverse),
        one.lastTogether.slice(0, 10),
      ]),
      [
        ...(couplings.length === 0 ? [`nothing usually changes together with ${path || 'the whole'}`] : []),
        `${amount(commits, 'commit')} of ${amount(days, 'day')} changed ${path || 'anything'}${
          commitsLeftOut === 0 ? '' : `, ${commitsLeftOut} more together with over 50 files, which says nothing of any`
        }`,
        ...(total > couplings.length ? [`${amount(total, 'file')} in all: --limit shows more`] : []),
        ...cutNote(rest),
      ],
      ['last', 'reverse'],
    ),
};

/** Why none of the files changed in a window: of its commits none is known to have changed one, or there are none. */
function quietNote(
  lastCommit: string,
  days: number,
  { timestamp, historyIsCut }: Pick<Hotspots, 'timestamp' | 'historyIsCut'>,
): string {
  const last = `the last commit is of ${lastCommit.slice(0, 10)}`;
  const isBefore = Date.parse(lastCommit) < Date.parse(timestamp) - days * 86_400_000;
  if (isBefore) return `${last}: --days looks further back`;
  const known = historyIsCut ? 'is known to have changed any of these files' : 'changed any of these files';
  return `${last}, and none of that time ${known}`;
}

function signed(change: number): string {
  const size = Math.abs(change).toFixed(2);
  return size === '0.00' ? '' : `${change < 0 ? '-' : '+'}${size}`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
