import { amount } from '../../client/protocol/amount.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import type { View } from './view.ts';

/** The tests to run, one a line, so that a runner takes them as they come; what is to be known besides are notes. */
export function affectedView(answer: OutputOf<Operations['analysis.affected']>): View {
  const { tests, total, changed, folders, everything, untested, doubts, truncated } = answer;
  const runnable = tests.filter(one => one.runnable);
  const others = tests.length - runnable.length;
  return {
    kind: 'rows',
    head: ['where'],
    rows: runnable.map(({ path }) => [path]),
    notes: [
      `${amount(runnable.length, 'test')} of ${amount(changed.length, 'changed file')}`,
      ...folders.map(({ path, files }) => `${path === '' ? '.' : path} is a folder: ${amount(files, 'file')} of it`),
      ...(others === 0 ? [] : [`${amount(others, 'file')} of tests that no runner looks for: --json lists them`]),
      ...(truncated ? [`${amount(total, 'test')} in all: --limit shows more`] : []),
      ...everythingNote(everything),
      ...(untested.length === 0 ? [] : [`no test is known to hang on ${some(untested)}`]),
      ...doubts,
    ],
  };
}

/** What each of them settles is for `--json`: a release touches the manifest of every package. */
function everythingNote(all: OutputOf<Operations['analysis.affected']>['everything']): readonly string[] {
  if (all.length === 0) return [];
  const places = [...new Set(all.map(({ directory }) => directory))].sort();
  const where = places.includes('') ? '' : ` below ${some(places)}`;
  return [`${some(all.map(({ path }) => path))} may make a difference to all tests${where}: --include-all lists them`];
}

const namesShown = 5;

function some(names: readonly string[]): string {
  const rest = names.length - namesShown;
  return names.slice(0, namesShown).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
