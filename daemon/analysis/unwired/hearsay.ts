import { familyOf } from '../../model/families.ts';
import { type GraphDocument, type GraphSite, kindOfUse } from '../../model/graph.ts';
import type { SpokenNames } from '../../model/wiring.ts';
import { spokenWord } from '../../model/word-hash.ts';
import type { Counts } from './contributions.ts';
import { type Circumstances, isOfC } from './doubts.ts';
import type { Wiring } from './wiring.ts';

interface Heard {
  readonly counts: Pick<Counts, 'spoken' | 'affixes' | 'asksHeirs'>;
  readonly wiring: Wiring;
  readonly spokenIn: (document: GraphDocument) => SpokenNames;
}

/** What is said in texts, or put together by code, that may have a definition found: by its name, or by that of what others have by it. */
export function hearsayOf(
  site: GraphSite,
  names: readonly string[],
  { counts, wiring, spokenIn }: Heard,
): Pick<Circumstances, 'isSpoken' | 'isPasted' | 'isLookedInto' | 'isHeir'> {
  const { in: graph } = site;
  const bases = basesOf(site, wiring);
  const asksHeirs = (): boolean =>
    counts.asksHeirs.has(true) || [graph, ...bases].some(one => spokenIn(one).heirs !== 'none');
  return {
    isSpoken:
      loadsNames.has(graph.language) &&
      [familyOf(graph.language), ''].some(family => names.some(name => counts.spoken.has(spokenWord(family, name)))),
    isPasted: isOfC(graph) && [...counts.affixes.keys()].some(affix => names.some(name => isPutTogether(name, affix))),
    isLookedInto: spokenIn(graph).isLookedInto,
    isHeir: bases.length > 0 && asksHeirs(),
  };
}

/** Languages whose programs find code by names in texts. */
const loadsNames: ReadonlySet<string> = new Set([
  ...['python', 'ruby', 'php', 'java', 'kotlin', 'csharp', 'c', 'cpp', 'rust'],
]);

/** `affix`: see `SpokenNames`. */
function isPutTogether(name: string, affix: string): boolean {
  const [prefix = '', suffix = ''] = affix.split('\0');
  return name.length > prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix);
}

/** Documents of Python with a class that one is built from, whatever is between. */
function basesOf(site: GraphSite, wiring: Wiring): readonly GraphDocument[] {
  if (site.in.language !== 'python') return [];
  const found = new Set<GraphDocument>();
  const seen = new Set<number>();
  const waiting = [site];
  for (let one = waiting.pop(); one !== undefined && seen.size < mostBases; one = waiting.pop()) {
    const { uses } = one.in;
    for (let target = 0; target < uses.targets.length; target++) {
      const symbol = uses.targets[target]!;
      if (seen.has(symbol) || !isBuiltFrom(one, target)) continue;
      seen.add(symbol);
      wiring.eachSite(symbol, (place, index) => {
        const base = wiring.documents[place]!.graph;
        found.add(base);
        waiting.push({ in: base, at: index });
      });
    }
  }
  return [...found];
}

const mostBases = 100;

function isBuiltFrom({ in: { uses }, at }: GraphSite, target: number): boolean {
  for (let use = uses.starts[target]!; use < uses.starts[target + 1]!; use++) {
    if (uses.users[use] === at && kindOfUse(uses.marks[use]!) === 'implementation') return true;
  }
  return false;
}
