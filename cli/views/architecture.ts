import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import { table, type View } from './view.ts';

type Architecture = Exclude<OutputOf<Operations['analysis.architecture']>, string>;

/** Modules, directories or files, with what each needs. `gaps`: what the answer does not know. */
export function architectureView(answer: Architecture, gaps: readonly string[]): View {
  const notes = [
    ...answer.cycles.map(cycle => `cycle: ${cycle.join(', ')}`),
    ...(answer.truncated ? [`${answer.omitted.nodes} nodes and ${answer.omitted.edges} edges are not listed`] : []),
    ...gaps,
  ];
  switch (answer.granularity) {
    case 'module': {
      const told = needs(answer.dependencies, ({ strength }) => strength);
      return table(
        ['id', 'language', 'files', 'lines', 'needs'],
        answer.modules.map(({ id, language, fileCount, loc }) => [id, language, `${fileCount}`, `${loc}`, told(id)]),
        notes,
      );
    }
    case 'directory': {
      const told = needs(answer.directoryDependencies, ({ importCount }) => importCount);
      return table(
        ['id', 'language', 'files', 'lines', 'needs'],
        answer.directories.map(({ path, language, fileCount, loc }) => {
          return [path, language, `${fileCount}`, `${loc}`, told(path)];
        }),
        notes,
      );
    }
    case 'file': {
      const told = needs(answer.fileDependencies, () => 1);
      return table(
        ['id', 'language', 'lines', 'needs'],
        answer.files.map(({ path, language, loc }) => [path, language, `${loc}`, told(path)]),
        notes,
      );
    }
  }
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
