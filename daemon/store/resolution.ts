import type { Holds, LinkedDocumentView } from './effective-links.ts';
import type { LinkBody } from './link-body.ts';
import type { PreciseBody } from './precise-body.ts';
import type { Prepare } from './rows.ts';

/** How many references of a document lead somewhere, and how many of its call sites. */
export interface Resolution {
  /** Occurrences that are no definition: those that syntax lists, and those that only an indexer does and that hold. */
  readonly references: number;
  /** References that point somewhere with confidence: an indexer says so, or syntax is as sure as `confidentFrom`. */
  readonly confident: number;
  /** Call sites: references that are calls. */
  readonly calls: number;
  /** Call sites that point somewhere, in the repository or in a dependency, with whatever confidence. */
  readonly resolvedCalls: number;
  /** What lists of uses have: a reference with each symbol that it points at, of the repository or of a dependency. */
  readonly uses: number;
  /** Those of them that are calls and point at a symbol of the repository. */
  readonly callEdges: number;
}

/**
 * In hundredths: what scopes, imports and evident types give. Below are links of which several definitions may be meant.
 * What an indexer said of a file among other files than there are now counts for as much.
 */
const confidentFrom = 90;

/** What the counts of a snapshot rest on. */
export interface Settling {
  readonly holds: Holds;
  readonly isExternal: (symbol: number) => boolean;
}

/** Of what syntax says and, where an indexer saw the document, of what that says where it holds. */
export function resolutionOf({ links, precise }: LinkedDocumentView, settling: Settling): Resolution {
  const count = { references: 0, confident: 0, calls: 0, resolvedCalls: 0, uses: 0, callEdges: 0 };
  const add = (isCall: boolean, isConfident: boolean, leadsTo: LeadsTo): void => {
    count.references++;
    if (isConfident) count.confident++;
    if (!isCall) return;
    count.calls++;
    if (leadsTo !== 'nowhere') count.resolvedCalls++;
  };
  const addUse = (isCall: boolean, isExternal: boolean): void => {
    count.uses++;
    if (isCall && !isExternal) count.callEdges++;
  };
  const said = precise === undefined ? () => undefined : indexerSays(links, precise, settling);
  let last = 0;
  let isLastExternal = false;
  links.eachOccurrence((symbol, packed) => {
    const reference = packed >>> 7;
    const byIndexer = said(reference);
    const isCall = links.isCall(reference);
    if (symbol !== last) {
      last = symbol;
      isLastExternal = settling.isExternal(symbol);
    }
    if (byIndexer === undefined) addUse(isCall, isLastExternal);
    const leadsTo = byIndexer ?? (isLastExternal ? 'dependency' : 'repository');
    add(isCall, byIndexer !== undefined || (packed & 127) >= confidentFrom, leadsTo);
  });
  links.eachUnresolvedUse(packed => {
    const reference = packed >>> 3;
    const byIndexer = said(reference);
    add(links.isCall(reference), byIndexer !== undefined, byIndexer ?? 'nowhere');
  });
  if (precise !== undefined) {
    const isCall = (index: number): boolean =>
      index < precise.referenceCount ? links.isCall(index) : precise.extra(index).kind === 'call';
    const extras = new Map<number, LeadsTo>();
    eachUseSaid(links, precise, settling.holds, (symbol, index) => {
      const isExternal = settling.isExternal(symbol);
      addUse(isCall(index), isExternal);
      if (index >= precise.referenceCount && extras.get(index) !== 'repository') {
        extras.set(index, isExternal ? 'dependency' : 'repository');
      }
    });
    for (const [index, leadsTo] of extras) add(isCall(index), true, leadsTo);
  }
  return count;
}

type LeadsTo = 'repository' | 'dependency' | 'nowhere';

/** Where an indexer has a reference lead; undefined where it has no say of it. */
function indexerSays(
  links: LinkBody,
  precise: PreciseBody,
  { holds, isExternal }: Settling,
): (reference: number) => LeadsTo | undefined {
  return reference => {
    let leadsTo: LeadsTo | undefined;
    precise.covers(reference, (symbol, isTied) => {
      if (!holds(symbol) || (isTied && links.sureness(reference, symbol) === 0)) return false;
      leadsTo = isExternal(symbol) ? 'dependency' : 'repository';
      return leadsTo === 'repository';
    });
    return leadsTo;
  };
}

/** Each use that holds of what an indexer says: a symbol, and the index of a reference or an extra. */
function eachUseSaid(
  links: LinkBody,
  precise: PreciseBody,
  holds: Holds,
  take: (symbol: number, index: number) => void,
): void {
  for (const symbol of precise.targets()) {
    if (!holds(symbol)) continue;
    for (const packed of precise.occurrencesOf(symbol)) {
      const isTied = (packed & 1) === 1;
      if (!isTied || links.sureness(packed >>> 1, symbol) > 0) take(symbol, packed >>> 1);
    }
  }
}

/** Whether a symbol is somebody else's. Of a first publication, which asks about most of them, all are read in one go. */
export function externalTest(isFirst: boolean, prepare: Prepare): (symbol: number) => boolean {
  if (isFirst) {
    let all: ReadonlySet<number> | undefined;
    return symbol => {
      all ??= new Set(prepare<[], number>('SELECT symbol FROM external').pluck().all());
      return all.has(symbol);
    };
  }
  const known = new Map<number, boolean>();
  const find = prepare<[number]>('SELECT 1 FROM external WHERE symbol = ?');
  return symbol => {
    const answer = known.get(symbol) ?? find.get(symbol) !== undefined;
    known.set(symbol, answer);
    return answer;
  };
}
