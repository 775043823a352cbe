import { atTop, type GraphSite } from '../../model/graph.ts';
import { symbolId } from '../../model/identity.ts';
import { location } from '../symbols/answers.ts';
import type { AnalysedSnapshot } from './analyses.ts';

/** A definition as analyses tell of it; code at the top of a file is no symbol, and stands where one `reference` of it does. */
export function showSite({ asked, graph, moduleOf }: AnalysedSnapshot, site: GraphSite, reference?: number) {
  if (site.at !== atTop) {
    const { hash, name, kind, path, nameRange } = graph.shown(site);
    const id = symbolId(asked.repo.id, hash);
    return { id, name, kind, location: location(path, nameRange), moduleId: moduleOf(path).id };
  }
  const { document, path } = site.in;
  const range = reference === undefined ? fileStart : graph.placeOf(document, reference);
  return {
    id: null,
    name: path,
    kind: 'module' as const,
    location: location(path, range),
    moduleId: moduleOf(path).id,
  };
}

export const fileStart = { startLine: 0, startColumn: 0, endLine: 0, endColumn: 0 } as const;
