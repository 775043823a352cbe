import { amount } from '../../../client/protocol/amount.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import type { DecisionProblemCode } from '../../model/decision.ts';
import { StoreError } from '../../store/store-faults.ts';
import type { DecisionSurvey } from '../decisions/decision-answers.ts';
import type { Finding } from '../finding.ts';

const check = 'repository.decisions';
const mostFindings = 100;

/** Whether all that looks like a decision record can be read, and is told from the others. */
export async function decisionsCheck(survey: () => Promise<DecisionSurvey>): Promise<readonly Finding[]> {
  try {
    return findingsOf(await survey());
  } catch (error) {
    // What can't be read of what is stored, the doctor has words for.
    if (error instanceof StoreError) throw error;
    // That the root is gone has a check of its own.
    const isGone = error instanceof Fault && error.reason === 'preconditionFailed';
    return isGone ? [] : [{ check, status: 'info', message: 'could not be looked at' }];
  }
}

/** One for each document that can't be read, or is odd; else one for all. */
function findingsOf({ count, folders, unread, problems }: DecisionSurvey): readonly Finding[] {
  const found: readonly Finding[] = [
    ...unread.map(({ path, message }) => ({ check, status: 'warn' as const, message: `${path} ${message}` })),
    ...problems.map(({ path, code, message }) => ({
      ...{ check, status: mistaken.has(code) ? ('warn' as const) : ('info' as const) },
      message: `${path}: ${message}`,
    })),
  ];
  if (found.length > 0) {
    const more = found.length - mostFindings;
    const first = [...found].sort((a, b) => Number(a.status === 'info') - Number(b.status === 'info'));
    const rest: readonly Finding[] = more > 0 ? [{ check, status: 'info', message: `and ${more} more` }] : [];
    return [...first.slice(0, mostFindings), ...rest];
  }
  const read = count === 0 ? 'there are none' : `${amount(count, 'decision record')} in ${folders.join(', ')}`;
  return [{ check, status: 'pass', message: read }];
}

/** What makes one decision be taken for another. */
const mistaken: ReadonlySet<DecisionProblemCode> = new Set<DecisionProblemCode>([
  'duplicate_id',
  'id_mismatch',
  'superseded_cycle',
  'front_matter_unclosed',
  'cut',
]);
