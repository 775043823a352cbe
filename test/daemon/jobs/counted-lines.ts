import type { SnapshotCounts } from '../../../daemon/store/publication.ts';

/** How many references of a language are not settled with confidence, and what its calls lead to. */
interface Settled {
  readonly unsure: number;
  readonly calls: number;
  readonly resolvedCalls: number;
  readonly uses: number;
  readonly callEdges: number;
}

/** What a dump's counts say of each language, and what its lines come to, which readers see: the two must agree. */
export function settledIn(lines: readonly string[]): {
  readonly counted: Readonly<Record<string, Settled>>;
  readonly listed: Readonly<Record<string, Settled>>;
} {
  const told = lines.find(line => line.startsWith('counts\t'))!.slice('counts\t'.length);
  const { languages } = JSON.parse(told) as SnapshotCounts;
  const counted = Object.entries(languages).map(([language, one]) => {
    const { references, confident, calls, resolvedCalls, uses, callEdges } = one;
    return [language, { unsure: references - confident, calls, resolvedCalls, uses, callEdges }] as const;
  });
  return { counted: Object.fromEntries(counted), listed: listedIn(lines) };
}

interface Place {
  readonly path: string;
  readonly isCall: boolean;
  /** In hundredths; 0 where nothing settles it. */
  confidence: number;
}

function listedIn(lines: readonly string[]): Readonly<Record<string, Settled>> {
  const languageOf = new Map<string, string>();
  const places = new Map<string, Place>();
  const uses: { readonly path: string; readonly isEdge: boolean }[] = [];
  for (const line of lines) {
    const [what, path = '', row, column, use = '', target = '', confidence] = line.split('\t');
    if (what === 'document') languageOf.set(path, row!);
    if (what !== 'reference' && what !== 'candidate') continue;
    const kind = use.split(' ')[0]!;
    const key = [path, row, column, kind].join('\t');
    const place = places.get(key) ?? { path, isCall: kind === 'call', confidence: 0 };
    places.set(key, place);
    if (what === 'candidate') continue;
    place.confidence = Math.max(place.confidence, Number(confidence));
    // Those of dependencies are told by package and name as well.
    uses.push({ path, isEdge: place.isCall && !target.includes(' ') });
  }
  const found = new Map([...new Set(languageOf.values())].map(language => [language, { ...none }]));
  for (const { path, isEdge } of uses) {
    const one = found.get(languageOf.get(path)!)!;
    one.uses++;
    if (isEdge) one.callEdges++;
  }
  for (const { path, isCall, confidence } of places.values()) {
    const one = found.get(languageOf.get(path)!)!;
    if (confidence < 90) one.unsure++;
    if (!isCall) continue;
    one.calls++;
    if (confidence > 0) one.resolvedCalls++;
  }
  return Object.fromEntries(found);
}

const none = { unsure: 0, calls: 0, resolvedCalls: 0, uses: 0, callEdges: 0 };
