import { amount } from '../../client/protocol/amount.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import type { View } from './view.ts';

/** The tests to run, one a line, so that a runner takes them as they come; what is to be known besides are notes. */
export function affectedView(answer: OutputOf<Operations['analysis.affected']>): View {
  const { tests, total, changed, everything, untested, doubts, truncated } = answer;
  const runnable = tests.filter(one => one.runnable);
  const others = tests.length - runnable.length;
  return {
    kind: 'rows',
    head: ['where'],
    rows: runnable.map(({ path }) => [path]),
    notes: [
      `${amount(runnable.length, 'test')} of ${amount(changed.length, 'changed file')}`,
      ...(others === 0 ? [] : [`${amount(others, 'file')} of tests that no runner looks for: --json lists them`]),
      ...(truncated ? [`${amount(total, 'test')} in all: --limit shows more`] : []),
      ...everything.map(
        ({ path, directory, because }) =>
          `${path} settles ${because}: all tests${directory === '' ? '' : ` below ${directory}`} may be affected; --include-all lists them`,
      ),
      ...(untested.length === 0 ? [] : [`no test is known to hang on ${untested.join(' ')}`]),
      ...doubts,
    ],
  };
}
