import type { Reached } from '../../analysis/impact/closure.ts';
import { atTop, type GraphSite } from '../../model/graph.ts';
import { symbolId } from '../../model/identity.ts';
import { location } from '../symbols/answers.ts';
import type { AnalysedSnapshot } from './analyses.ts';

/** A definition as analyses tell of it. */
export function showDefinition({ asked, graph, moduleOf }: AnalysedSnapshot, site: GraphSite) {
  const { hash, name, kind, path, nameRange } = graph.shown(site);
  return {
    id: symbolId(asked.repo.id, hash),
    name,
    kind,
    location: location(path, nameRange),
    moduleId: moduleOf(path).id,
  };
}

/** The same of code at the top of a file, which is no symbol: where its first use stands. */
export function showReached(of: AnalysedSnapshot, { site, reference }: Pick<Reached, 'site' | 'reference'>) {
  if (site.at !== atTop) return showDefinition(of, site);
  const { document, path } = site.in;
  const range = reference === undefined ? fileStart : of.graph.placeOf(document, reference);
  return {
    id: null,
    name: path,
    kind: 'module' as const,
    location: location(path, range),
    moduleId: of.moduleOf(path).id,
  };
}

const fileStart = { startLine: 0, startColumn: 0, endLine: 0, endColumn: 0 } as const;
