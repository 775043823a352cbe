import type { UsePlace } from '../../analysis/impact/closure.ts';
import { atTop, type GraphSite } from '../../model/graph.ts';
import { symbolId } from '../../model/identity.ts';
import { location } from '../symbols/answers.ts';
import type { AnalysedSnapshot } from './analyses.ts';

/** A definition as analyses tell of it; code at the top of a file is no symbol, and stands where it uses something. */
export function showSite({ asked, graph, moduleOf }: AnalysedSnapshot, site: GraphSite, use?: UsePlace) {
  if (site.at !== atTop) {
    const { hash, name, containers, kind, path, nameRange } = graph.shown(site);
    const id = symbolId(asked.repo.id, hash);
    const container = containers.join('.');
    return { id, name, container, kind, location: location(path, nameRange), moduleId: moduleOf(path).id };
  }
  const { document, path } = site.in;
  const range = use?.kind === 'reference' ? graph.placeOf(document, use.reference) : startOf(use);
  return {
    id: null,
    name: path,
    container: '',
    kind: 'module' as const,
    location: location(path, range),
    moduleId: moduleOf(path).id,
  };
}

function startOf(use: Exclude<UsePlace, { readonly kind: 'reference' }> | undefined) {
  const line = use?.kind === 'line' ? use.line : 0;
  return { startLine: line, startColumn: 0, endLine: line, endColumn: 0 };
}
