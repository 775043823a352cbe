import type { SearchResult } from '../../../client/protocol/shapes.ts';
import { type MatchKind, type MatchSink, matchNames } from '../../analysis/name-match.ts';
import { nameTable } from '../../analysis/name-table.ts';
import { pointsOf, scoreOf, weightOf } from '../../analysis/rank.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { ExternalRow } from '../../store/external-rows.ts';
import { type External, externalOf, externalSymbol } from './external-symbol.ts';

/** Symbols of dependencies whose names a query meets and that `usedOf` says are used, best first. */
export function searchExternals(
  rows: readonly ExternalRow[],
  usedOf: (rows: readonly ExternalRow[]) => readonly ExternalRow[],
  { text, kinds }: { readonly text: string; readonly kinds: ReadonlySet<SymbolKind> | undefined },
  { repo, snapshotId }: { readonly repo: string; readonly snapshotId: string },
): readonly SearchResult[] {
  const byName = new Map<string, External[]>();
  for (const row of rows) {
    const one = externalOf(row);
    if (one.name === '' || (kinds !== undefined && !kinds.has(one.kind))) continue;
    const known = byName.get(one.name);
    if (known === undefined) byName.set(one.name, [one]);
    else known.push(one);
  }
  const names = [...byName.keys()];
  const table = nameTable(names);
  const found: { readonly one: External; readonly match: MatchKind; readonly score: number }[] = [];
  const sink: MatchSink = {
    bearers: Uint32Array.from(table.order, name => byName.get(names[name]!)!.length),
    weights: new Float64Array(names.length).fill(1),
    least: () => 0,
    put: (place, match, score) => {
      for (const one of byName.get(names[table.order[place]!]!)!) found.push({ one, match, score });
    },
  };
  matchNames([{ table, sink }], text);
  const used = new Set(usedOf(found.map(({ one }) => one.row)));
  return found
    .filter(({ one }) => used.has(one.row))
    .map(({ one, match, score }) => resultOf(one, match, score, repo, snapshotId))
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function resultOf(one: External, match: MatchKind, nameScore: number, repo: string, snapshotId: string): SearchResult {
  const weight = weightOf({ kind: one.kind, exported: true, hasBody: false, isTest: false });
  return { ...externalSymbol(one, repo, snapshotId), match, score: scoreOf(pointsOf(nameScore, weight)) };
}
