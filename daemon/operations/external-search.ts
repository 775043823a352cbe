import type { SearchResult } from '../../client/protocol/shapes.ts';
import { type MatchKind, matchNames } from '../analysis/name-match.ts';
import { nameTable } from '../analysis/name-table.ts';
import { pointsOf, scoreOf, weightOf } from '../analysis/rank.ts';
import { type ScipDescriptor, scipDescriptors } from '../extract/scip/symbol-grammar.ts';
import { kindOfScip } from '../extract/scip/symbol-kind.ts';
import { nameOfScip } from '../extract/scip/symbol-tail.ts';
import { symbolId } from '../model/identity.ts';
import type { SymbolKind } from '../model/symbol.ts';
import type { ExternalRow } from '../store/external-rows.ts';

interface External {
  readonly row: ExternalRow;
  readonly descriptors: readonly ScipDescriptor[];
  readonly name: string;
  readonly kind: SymbolKind;
}

/** Symbols of dependencies whose names a query meets, best first. They have no place: an index names them and no more. */
export function searchExternals(
  rows: readonly ExternalRow[],
  { text, kinds }: { readonly text: string; readonly kinds: ReadonlySet<SymbolKind> | undefined },
  { repo, snapshotId }: { readonly repo: string; readonly snapshotId: string },
): readonly SearchResult[] {
  const byName = new Map<string, External[]>();
  for (const row of rows) {
    const descriptors = scipDescriptors(row.name) ?? [];
    const name = nameOfScip(descriptors);
    const kind = kindOfScip(0, undefined, descriptors);
    if (name === '' || (kinds !== undefined && !kinds.has(kind))) continue;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [{ row, descriptors, name, kind }]);
    else known.push({ row, descriptors, name, kind });
  }
  const names = [...byName.keys()];
  const table = nameTable(names);
  const found: SearchResult[] = [];
  matchNames(table, text, {
    bearers: Uint32Array.from(table.order, name => byName.get(names[name]!)!.length),
    weights: new Float64Array(names.length).fill(1),
    least: () => 0,
    put: (place, match, score) => {
      for (const one of byName.get(names[table.order[place]!]!)!)
        found.push(resultOf(one, match, score, repo, snapshotId));
    },
  });
  return found.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function resultOf(
  { row, descriptors, name, kind }: External,
  match: MatchKind,
  nameScore: number,
  repo: string,
  snapshotId: string,
): SearchResult {
  const weight = weightOf({ kind, exported: true, hasBody: false, isTest: false });
  return {
    id: symbolId(repo, row.hash),
    ...{ name, kind, match, snapshotId },
    location: { file: '', line: 0, column: 0, endLine: 0, endColumn: 0 },
    module: [row.manager, row.package].filter(part => part !== '').join(' '),
    ...{ signature: '', documentation: '', visibility: 'public', language: '', exported: true },
    container: descriptors
      .slice(0, -1)
      .map(one => one.name)
      .join('.'),
    ...{ source: 'scip', confidence: 1, external: true },
    score: scoreOf(pointsOf(nameScore, weight)),
  };
}
