import { agreeing, amount } from '../../client/protocol/amount.ts';
import { because, pairs, rows, sizeOf, type Views } from './view.ts';

/** The daemon’s state and checks. */
export const systemViews: Views = {
  'system.status': ({ repository, index, tier, backends, history, warnings, status }) =>
    pairs(
      [
        ['repository', `${repository.id} (${repository.root})`],
        ['status', status],
        ['index', `${index.status}, ${sizeOf(index)}${because(index.reason)}`],
        [
          'indexed',
          index.lastIndexed === null ? 'never' : `${index.lastIndexed}, compared ${index.ageMinutes} min ago`,
        ],
        ['snapshot', index.snapshotId ?? 'none'],
        ['history', `${history.status}, ${amount(history.commits, 'commit')}${because(history.reason)}`],
        ['tier', `${tier.current}${tier.missing.length === 0 ? '' : `; missing ${tier.missing.join(', ')}`}`],
        ['backends', namesOf(backends)],
      ],
      warnings.map(({ message }) => message),
    ),
  'system.doctor': ({ checks, issues, summary }) =>
    rows(
      ['status', 'check', 'message'],
      checks.map(({ status, name, message }) => [status, name, message]),
      [
        `${summary.passed} of ${amount(summary.total, 'check')} ${agreeing(summary.passed, 'passes', 'pass')}, ${amount(summary.warnings, 'warns', 'warn')}, ${amount(summary.failed, 'fails', 'fail')}`,
        ...issues.flatMap(({ suggestedFixes }) => suggestedFixes.map(fix => `${fix.command}  (${fix.description})`)),
      ],
    ),
  'system.doctorFix': ({ script }) => ({ kind: 'text', text: script }),
  'system.metrics': text => ({ kind: 'text', text }),
  'system.openapi': document => ({ kind: 'text', text: JSON.stringify(document, null, 2) }),
};

function namesOf(available: Readonly<Record<string, boolean>>): string {
  return Object.keys(available)
    .filter(name => available[name])
    .join(', ');
}
