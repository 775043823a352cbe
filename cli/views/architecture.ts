import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import { table, type View } from './view.ts';

type Architecture = Exclude<OutputOf<Operations['analysis.architecture']>, string>;

/** Modules, directories or files, with what each needs. `gaps`: what the answer does not know. */
export function architectureView(answer: Architecture, gaps: readonly string[]): View {
  const notes = [
    ...answer.cycles.map(cycle => `cycle: ${cycle.join(', ')}`),
    ...answer.mergedCycles.map(cycle => `cycle only as directories are put together: ${cycle.join(', ')}`),
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
      );
    }
    case 'file': {
      const told = needs(answer.fileDependencies, () => 1);
      const place = placeAmong(answer.files);
      return table(
        ['id', ...place.head, 'language', 'lines', 'needs'],
        answer.files.map(one => [one.path, ...place.of(one), one.language, `${one.loc}`, told(one.path)]),
        notes,
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
