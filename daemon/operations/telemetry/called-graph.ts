import { dispatchConfidence } from '../../analysis/dispatch/overriding.ts';
import type { UsersOfFunction } from '../../analysis/usage/dead-code.ts';
import {
  atTop,
  type GraphDocument,
  type GraphSite,
  isOfTests,
  keyOf,
  kindOfUse,
  traitsOf,
  useOf,
} from '../../model/graph.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';

/** What of a graph runs in production, as far as that is known. */
export interface CalledGraph {
  /** Whether a definition, or one around it, was called. */
  isAlive(site: GraphSite): boolean;
  usersOf(symbol: number): FoundUsers;
  /** Of the functions that called ones are sure to call, those that were reported themselves, 0 to 1. */
  readonly density: number;
}

export interface FoundUsers extends UsersOfFunction {
  /** Of the silent ones those that stand in a definition. */
  readonly silentUsers: ReadonlySet<number>;
}

/** Symbols. */
export interface SeenInProduction {
  /** What was called. */
  readonly called: ReadonlySet<number>;
  /** What of it was spoken at all. */
  readonly reported: ReadonlySet<number>;
  /** What may have been called: others did, if they are of this repository. */
  readonly perhaps: ReadonlySet<number>;
}

export function calledGraph(of: AnalysedSnapshot, seen: SeenInProduction): CalledGraph {
  const { called, reported } = seen;
  const { graph } = of;
  const isAlive = ({ in: one, at }: GraphSite): boolean => {
    for (let index = at; index !== atTop; index = one.containers[index]!) {
      if (called.has(one.symbols[index]!)) return true;
    }
    return false;
  };
  const perhaps = whatMayRun(of, new Set([...called, ...seen.perhaps]));
  const mayRun = ({ in: one, at }: GraphSite): boolean => {
    for (let index = at; index !== atTop; index = one.containers[index]!) {
      if (perhaps.has(one.symbols[index]!)) return true;
    }
    return at === atTop;
  };
  return {
    isAlive,
    density: densityOf(of, called, reported),
    usersOf: symbol => {
      const users = { alive: 0, perhaps: 0, silent: 0, tests: 0 };
      const silentUsers = new Set<number>();
      const count = (user: GraphSite, times: number): void => {
        if (isOfTests(user)) users.tests += times;
        else if (isAlive(user)) users.alive += times;
        else if (mayRun(user)) users.perhaps += times;
        else {
          users.silent += times;
          if (user.at !== atTop) silentUsers.add(keyOf(user));
        }
      };
      // A call of what it overrides may run it.
      const above = of
        .dispatch()
        .overridden(symbol)
        .map(({ site }) => keyOf(site));
      for (const used of [symbol, ...above]) {
        graph.eachUse(used, (one, use) => {
          const user = { in: one, at: one.uses.users[use]! };
          const isOwn = user.at !== atTop && isInside(user, symbol);
          if (!isOwn && isUse(of, one, use)) count(user, one.uses.counts[use]!);
        });
      }
      const { users: named, open } = graph.byNameAlone(symbol);
      for (const user of named) count(user, 1);
      // Places of that name that lead nowhere may lead here.
      const perhaps = open > 0 && users.alive + users.perhaps === 0 ? open : users.perhaps;
      return { ...users, perhaps, silentUsers };
    },
  };
}

/** Code of a function itself: recursion keeps nothing alive. */
function isInside({ in: one, at }: GraphSite, symbol: number): boolean {
  for (let index = at; index !== atTop; index = one.containers[index]!) if (one.symbols[index] === symbol) return true;
  return false;
}

/** Imports, types and exports run nothing. */
function isUse({ graph }: AnalysedSnapshot, one: GraphDocument, use: number): boolean {
  const kind = kindOfUse(one.uses.marks[use]!);
  return kind !== 'import' && kind !== 'type' && kind !== 'implementation' && !graph.wiringOf(one).handedOn.has(use);
}

/** What called functions, and code at the top of files, may run, itself and by way of others. */
function whatMayRun(of: AnalysedSnapshot, called: ReadonlySet<number>): ReadonlySet<number> {
  const { graph } = of;
  const found = new Set<number>(called);
  const waiting = [...called];
  const add = (symbol: number): void => {
    if (found.has(symbol)) return;
    found.add(symbol);
    waiting.push(symbol);
  };
  for (const one of graph.documents()) {
    if (!one.isTest) eachUsed(of, { in: one, at: atTop }, add);
  }
  for (let symbol = waiting.pop(); symbol !== undefined; symbol = waiting.pop()) {
    for (const site of graph.sitesOf(symbol)) {
      eachUsed(of, site, add);
      for (const at of childrenOf(site)) eachUsed(of, { in: site.in, at }, add);
    }
    for (const { site } of of.dispatch().overriding(symbol)) add(keyOf(site));
  }
  return found;
}

function eachUsed(of: AnalysedSnapshot, user: GraphSite, take: (symbol: number) => void): void {
  of.graph.eachUseBy(user, (symbol, use) => {
    if (isUse(of, user.in, use)) take(symbol);
  });
}

/** Functions within a function; what a type has is not run with it. */
function childrenOf(site: GraphSite): readonly number[] {
  const { kind } = traitsOf(site);
  if (kind !== 'function' && kind !== 'method') return [];
  const { containers } = site.in;
  return Array.from(containers.keys()).filter(index => containers[index] === site.at);
}

/** One more of each kind is assumed, so that few cases say little. */
function densityOf(of: AnalysedSnapshot, called: ReadonlySet<number>, reported: ReadonlySet<number>): number {
  const { graph } = of;
  const callees = new Set<number>();
  for (const symbol of called) {
    for (const site of graph.sitesOf(symbol)) {
      graph.eachUseBy(site, (callee, use) => {
        const { kind, confidence } = useOf(site.in.uses.marks[use]!);
        if (kind === 'call' && confidence > dispatchConfidence) callees.add(callee);
      });
    }
  }
  const own = [...callees].filter(symbol => {
    const [site] = graph.sitesOf(symbol);
    return site !== undefined && isFunctionWithBody(site) && !isOfTests(site);
  });
  return (own.filter(symbol => reported.has(symbol)).length + 1) / (own.length + 2);
}

export function isFunctionWithBody(site: GraphSite): boolean {
  const { kind, hasBody } = traitsOf(site);
  return hasBody && (kind === 'function' || kind === 'method');
}
