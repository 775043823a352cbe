import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import { table, type View } from './view.ts';

type Architecture = Exclude<OutputOf<Operations['analysis.architecture']>, string>;

/** Modules, directories or files, with what each needs. `gaps`: what the answer does not know. */
export function architectureView(answer: Architecture, gaps: readonly string[]): View {
  const notes = [
    ...answer.cycles.map(cycle => cycleNote(cycle, '')),
    ...answer.mergedCycles.map(cycle => cycleNote(cycle, ' only as directories are put together')),
    ...(answer.truncated ? [`${answer.omitted.nodes} nodes and ${answer.omitted.edges} edges are not listed`] : []),
    ...gaps,
  ];
  switch (answer.granularity) {
    case 'module': {
      const told = needs(answer.dependencies, ({ strength }) => strength);
      const place = placeAmong(answer.modules);
      return table(
        ['id', ...place.head, 'language', 'files', 'lines', 'needs'],
        answer.modules.map(one => {
          return [one.id, ...place.of(one), one.language, `${one.fileCount}`, `${one.loc}`, told(one.id)];
        }),
        notes,
        drops,
      );
    }
    case 'directory': {
      const told = needs(answer.directoryDependencies, ({ importCount }) => importCount);
      const place = placeAmong(answer.directories);
      return table(
        ['id', ...place.head, 'language', 'files', 'lines', 'needs'],
        answer.directories.map(one => {
          return [one.path, ...place.of(one), one.language, `${one.fileCount}`, `${one.loc}`, told(one.path)];
        }),
        notes,
        drops,
      );
    }
    case 'file': {
      const told = needs(answer.fileDependencies, () => 1);
      const place = placeAmong(answer.files);
      return table(
        ['id', ...place.head, 'language', 'lines', 'needs'],
        answer.files.map(one => [one.path, ...place.of(one), one.language, `${one.loc}`, told(one.path)]),
        notes,
        drops,
      );
    }
  }
}

interface Placed {
  readonly outside: boolean;
}

/** Which nodes lie outside of what is asked about: a column where any does. */
function placeAmong(nodes: readonly Placed[]): {
  readonly head: readonly string[];
  readonly of: (node: Placed) => readonly string[];
} {
  if (nodes.every(({ outside }) => !outside)) return { head: [], of: () => [] };
  return { head: ['place'], of: ({ outside }) => [outside ? 'outside' : 'inside'] };
}

/** What a narrow terminal may do without. */
const drops: readonly string[] = ['lines', 'files', 'language'];

const cycleShown = 8;

function cycleNote(cycle: readonly string[], how: string): string {
  const rest = cycle.length - cycleShown;
  if (rest <= 1) return `cycle${how}: ${cycle.join(', ')}`;
  return `cycle of ${cycle.length}${how}: ${cycle.slice(0, cycleShown).join(', ')} and ${rest} more: --json lists them`;
}

/** What each node depends on, by the strongest edges first. */
function needs<Edge extends { readonly from: string; readonly to: string }>(
  edges: readonly Edge[],
  strengthOf: (edge: Edge) => number,
): (id: string) => string {
  const byFrom = new Map<string, Edge[]>();
  for (const edge of edges) byFrom.set(edge.from, [...(byFrom.get(edge.from) ?? []), edge]);
  return id =>
    [...(byFrom.get(id) ?? [])]
      .sort((a, b) => strengthOf(b) - strengthOf(a))
      .map(edge => (strengthOf(edge) === 1 ? edge.to : `${edge.to} (${strengthOf(edge)})`))
      .join(', ');
}
