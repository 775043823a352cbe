import { atTop, type GraphDocument } from '../../model/graph.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { type AnalysedSnapshot, analysed } from '../analysis/analyses.ts';
import type { Asked } from '../symbols/answers.ts';
import { type CallsOfSnapshot, callsOf, type ObservedSymbol, observedIn } from './matched-calls.ts';
import { callsFrom, firstDayOf, recentDays } from './recent-calls.ts';

/** A line of a file, from 1. */
export interface CodePlace {
  readonly path: string;
  readonly line: number;
}

export interface CallsAtCall {
  readonly asked: Asked;
  /** Of each group, what calls the code at any of its places has. */
  readonly groups: readonly (readonly CodePlace[])[];
}

/**
 * How often production called the functions around some places in the last 30 days; where none of them is known, all functions of
 * these files. Null where nothing of these files was ever reported.
 */
export function callsAtPlaces(reader: IndexReader, { asked, groups }: CallsAtCall): readonly (number | null)[] {
  return analysed(reader, asked, of => {
    const calls = callsOf(of);
    if (calls === undefined) return groups.map(() => null);
    const observed = observedIn(of.graph, calls);
    return groups.map(places => callsAt(of, calls, observed, places));
  });
}

function callsAt(
  of: AnalysedSnapshot,
  calls: CallsOfSnapshot,
  observed: ReadonlyMap<number, ObservedSymbol>,
  places: readonly CodePlace[],
): number | null {
  const around = new Set<ObservedSymbol>();
  const inFiles = new Set<ObservedSymbol>();
  for (const { path, line } of places) {
    const document = of.graph.documentAt(path);
    if (document === undefined) continue;
    for (const symbol of enclosing(of, document, line)) if (observed.has(symbol)) around.add(observed.get(symbol)!);
    for (const symbol of document.symbols) if (observed.has(symbol)) inFiles.add(observed.get(symbol)!);
  }
  const meant = around.size > 0 ? around : inFiles;
  if (meant.size === 0) return null;
  return callsFrom(calls, meant, firstDayOf(recentDays, of.asked.now));
}

/** The innermost definition around a line, and those around that. */
function enclosing(of: AnalysedSnapshot, document: GraphDocument, line: number): readonly number[] {
  const ranges = of.graph.rangesOf(document);
  let innermost = atTop;
  for (const [at, { startLine, endLine }] of ranges.entries()) {
    if (startLine >= line || endLine + 1 < line) continue;
    const known = ranges[innermost];
    if (known === undefined || startLine >= known.startLine) innermost = at;
  }
  const found: number[] = [];
  for (let at = innermost; at !== atTop; at = document.containers[at]!) found.push(document.symbols[at]!);
  return found;
}
