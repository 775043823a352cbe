import { atTop, type GraphSite } from '../../model/graph.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { type CallsOfSnapshot, callsOfStrangers, observedIn } from './matched-calls.ts';

/** Calls that services of no known repository report, where these would be of this one. */
export interface CalledByStrangers {
  /** Symbols that would be what they call. */
  readonly symbols: ReadonlySet<number>;
  /** Ids of the services that would call a definition, or one around it; none where nobody would. */
  callersOf(site: GraphSite): ReadonlySet<number>;
}

const nobody: ReadonlySet<number> = new Set();

/**
 * All that they report is looked up once, and after that what is new: calls come all the time, and what they call stays the same.
 * Services that are assumed to be of another repository are left to it where anything of theirs is known to match there.
 */
export function calledByStrangers(of: AnalysedSnapshot, { asked }: CallsOfSnapshot): CalledByStrangers {
  const { nowhere, elsewhere } = asked.strangers ?? { nowhere: [], elsewhere: [] };
  const services = [...nowhere, ...elsewhere].map(id => ({ id, name: '', folder: '', by: 'assumed' as const }));
  const question = { ...of, asked: { ...of.asked, calls: { ...asked, services } } };
  const calls = services.length === 0 ? undefined : callsOfStrangers(question);
  const callers = calls === undefined ? new Map<number, ReadonlySet<number>>() : callersIn(of, calls, elsewhere);
  return {
    symbols: new Set(callers.keys()),
    callersOf: ({ in: one, at }) => {
      for (let index = at; index !== atTop; index = one.containers[index]!) {
        const found = callers.get(one.symbols[index]!);
        if (found !== undefined) return found;
      }
      return nobody;
    },
  };
}

function callersIn(
  { graph }: AnalysedSnapshot,
  calls: CallsOfSnapshot,
  elsewhere: readonly number[],
): ReadonlyMap<number, ReadonlySet<number>> {
  const settled = settledElsewhere(calls, new Set(elsewhere));
  const found = new Map<number, ReadonlySet<number>>();
  for (const [symbol, { functions }] of observedIn(graph, calls)) {
    const called = functions.filter(({ stored }) => stored.calls > 0 && !settled.has(stored.service));
    if (called.length > 0) found.set(symbol, new Set(called.map(({ stored }) => stored.service)));
  }
  return found;
}

/** Services of which something was another repository's when it was last looked at. */
function settledElsewhere(calls: CallsOfSnapshot, elsewhere: ReadonlySet<number>): ReadonlySet<number> {
  if (elsewhere.size === 0) return nobody;
  const { symbols, unmatched } = calls.all();
  const all = [...[...symbols.values()].flatMap(({ functions }) => functions), ...unmatched];
  const isSettled = all.filter(
    ({ stored: { service, was } }) =>
      elsewhere.has(service) && was !== undefined && was.repoUid !== calls.asked.repoUid,
  );
  return new Set(isSettled.map(({ stored }) => stored.service));
}
