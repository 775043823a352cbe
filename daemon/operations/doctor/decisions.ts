import { amount } from '../../../client/protocol/amount.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import type { DecisionProblemCode } from '../../model/decision.ts';
import type { DecisionSurvey } from '../decisions/decision-answers.ts';
import type { Finding } from '../finding.ts';

const check = 'repository.decisions';
const named = 3;

/** Whether all that looks like a decision record can be read, and is told from the others. */
export async function decisionsCheck(survey: () => Promise<DecisionSurvey>): Promise<readonly Finding[]> {
  try {
    return [findingOf(await survey())];
  } catch (error) {
    // That the root is gone has a check of its own.
    const isGone = error instanceof Fault && error.reason === 'preconditionFailed';
    return isGone ? [] : [{ check, status: 'info', message: 'could not be looked at' }];
  }
}

function findingOf(found: DecisionSurvey): Finding {
  const { count, folders, unread, problems } = found;
  const grave = [
    ...unread.map(({ path, message }) => `${path} ${message}`),
    ...problems.filter(({ code }) => mistaken.has(code)).map(({ path, message }) => `${path}: ${message}`),
  ];
  const read = count === 0 ? 'there are none' : `${amount(count, 'decision record')} in ${folders.join(', ')}`;
  if (grave.length > 0) return { check, status: 'warn', message: `${read}; ${listed(grave)}` };
  if (problems.length === 0) return { check, status: 'pass', message: read };
  const odd = problems.map(({ path, message }) => `${path}: ${message}`);
  return { check, status: 'info', message: `${read}; ${listed(odd)}` };
}

/** What makes one decision be taken for another. */
const mistaken: ReadonlySet<DecisionProblemCode> = new Set<DecisionProblemCode>([
  'duplicate_id',
  'id_mismatch',
  'superseded_cycle',
  'front_matter_unclosed',
  'cut',
]);

function listed(all: readonly string[]): string {
  return all.slice(0, named).join('; ') + (all.length > named ? `; ${all.length - named} more` : '');
}
