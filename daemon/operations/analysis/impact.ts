import { agreeing, amount } from '../../../client/protocol/amount.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { impactClosure, type Reached, type Way } from '../../analysis/impact/closure.ts';
import { type Evidence, riskOf } from '../../analysis/impact/risk.ts';
import { isTestSite } from '../../analysis/impact/runnable-tests.ts';
import { atTop, type GraphSite, traitsOf } from '../../model/graph.ts';
import { symbolId } from '../../model/identity.ts';
import { nameConfidence } from '../../store/reference-rows.ts';
import { completeness, hashOfId } from '../symbols/answers.ts';
import { callsADayOf } from '../telemetry/calls-a-day.ts';
import type { AnalysedSnapshot } from './analyses.ts';
import { runnableIn } from './runnable-files.ts';
import { showSite } from './shown.ts';

type ImpactInput = InputOf<Operations['analysis.impact']>;
type ImpactOutput = OutputOf<Operations['analysis.impact']>;

/** All that hangs on a symbol; undefined where the snapshot has no such symbol. */
export function impactAnswer(of: AnalysedSnapshot, input: ImpactInput): ImpactOutput | undefined {
  const { asked, graph, snapshot } = of;
  const hash = hashOfId(input.id);
  const symbol = graph.numberOf(hash);
  const known = symbol === undefined ? undefined : knownOf(of, symbol, hash);
  if (symbol === undefined || known === undefined) return undefined;
  const { users: named, open } = graph.byNameAlone(symbol);
  const { depth, includeTests, limit } = input;
  const byNameAlone = { users: named, confidence: nameConfidence };
  const { isRunnable } = runnableIn(of);
  const isRunnableTest = (site: GraphSite): boolean => isTestSite(site, isRunnable) && isRunnable.has(site.in.path);
  // Who uses it by way of what it overrides is two steps away, and known whatever is asked for.
  const closure = impactClosure(of.dispatch(), symbol, {
    depth: Math.max(depth, 2),
    includeTests,
    isRunnableTest,
    byNameAlone,
  });
  const reached = nearestFirst(closure.filter(({ distance }) => distance <= depth));
  const modules = modulesOf(of, reached);
  const direct = reached.filter(({ distance }) => distance === 1);
  const rests = completeness(snapshot, asked, open);
  const byWay = closure.filter(({ distance, by }) => distance === 2 && by?.isStandIn === true);
  const doubts = (): readonly string[] => doubtsOf(rests, partlyReadNaming(of, symbol));
  const observedCallsADay = callsADayOf(of, hash);
  const risk = riskOf({ ...known, direct, byWay, modules: modules.length, observedCallsADay, doubts });
  const files = new Set(reached.map(({ site }) => site.in.path));
  return {
    symbolId: symbolId(asked.repo.id, hash),
    impact: {
      ...risk,
      factors: [...risk.factors],
      directCount: direct.length,
      transitiveCount: reached.length - direct.length,
      filesAffected: files.size,
      modulesAffected: modules,
      testsAffected: [...new Set(reached.flatMap(({ site }) => (isRunnableTest(site) ? [site.in.path] : [])))].sort(),
      blastRadius: {
        modules: modules.length,
        files: files.size,
        callers: reached.filter(({ isCaller }) => isCaller).length,
      },
    },
    affected: reached.slice(0, limit).map(one => ({
      ...showSite(of, one.site, one.place),
      distance: one.distance,
      relation: one.relation,
      uses: [...one.uses].sort(),
      source: one.isPrecise ? 'scip' : 'tree-sitter',
      confidence: Math.round(one.confidence * 1000) / 1000,
      via: between(of, one),
    })),
    truncated: reached.length > limit,
    risk: risk.level,
    snapshotId: snapshot.snapshotId,
    completeness: rests,
    timestamp: new Date(asked.now).toISOString(),
  };
}

/** Of a symbol of a dependency, which is for everybody to use, nothing but that it is used. */
function knownOf({ asked, graph, reader, snapshot }: AnalysedSnapshot, symbol: number, hash: string) {
  const [site] = graph.sitesOf(symbol);
  if (site !== undefined) return traitsOf(site);
  const outside = reader.external(asked.repo.key, snapshot.seq, hash);
  return outside === undefined ? undefined : ({ exported: true, visibility: 'public' } satisfies Partial<Evidence>);
}

/** Of these the surest, then by place. */
function nearestFirst(reached: readonly Reached[]): readonly Reached[] {
  const place = ({ site }: Reached): string => site.in.path;
  return [...reached].sort(
    (a, b) =>
      a.distance - b.distance ||
      b.confidence - a.confidence ||
      (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : slotOf(a) - slotOf(b)),
  );
}

function slotOf({ site }: Reached): number {
  return site.in.slots[site.at] ?? -1;
}

function modulesOf(
  { moduleOf }: AnalysedSnapshot,
  reached: readonly Reached[],
): ImpactOutput['impact']['modulesAffected'] {
  const counts = new Map<string, { readonly name: string; count: number }>();
  for (const { site } of reached) {
    const { id, name } = moduleOf(site.in.path);
    const known = counts.get(id) ?? { name, count: 0 };
    known.count++;
    counts.set(id, known);
  }
  return [...counts]
    .map(([moduleId, { name, count }]) => ({ moduleId, name, count }))
    .sort((a, b) => b.count - a.count || (a.moduleId < b.moduleId ? -1 : 1));
}

/** Why there may be uses that the index doesn't know. `partial`: files read only in part that have the name in their text. */
function doubtsOf(
  { unresolvedCandidates, failedFiles, dirtyFiles }: ImpactOutput['completeness'],
  partial: number,
): readonly string[] {
  const doubts = [
    unresolvedCandidates > 0 &&
      `${amount(unresolvedCandidates, 'place')} of that name ${agreeing(unresolvedCandidates, 'leads', 'lead')} nowhere and may mean it`,
    failedFiles > 0 && `${amount(failedFiles, 'file or folder', 'files or folders')} could not be read`,
    partial > 0 &&
      `${amount(partial, 'file')} that ${agreeing(partial, 'names', 'name')} it could be read in part only`,
    dirtyFiles > 0 && `${amount(dirtyFiles, 'file')} changed since the snapshot`,
  ];
  return doubts.filter(doubt => doubt !== false);
}

/** A constructor is called by its class's name; what a file exports as its default by any, but the file is named then. */
function partlyReadNaming({ graph }: AnalysedSnapshot, symbol: number): number {
  const [site] = graph.sitesOf(symbol);
  if (site === undefined) return 0;
  const { containers, language, path } = site.in;
  const container = containers[site.at]!;
  const { kind, name } = graph.shown(site);
  const named = kind === 'constructor' && container !== atTop ? graph.shown({ in: site.in, at: container }).name : name;
  const { exports } = graph.wiringOf(site.in);
  const isDefault = exports.some(one => one.name === 'default' && one.definition === site.at);
  return graph.partlyReadNaming(isDefault ? [named, importedAs(path)] : [named], language);
}

/** The last word of a path that leads to a file. */
function importedAs(path: string): string {
  const [, folder, stem] = /(?:([^/]*)\/)?([^/.]*)[^/]*$/.exec(path)!;
  return stem === 'index' && folder !== undefined ? folder : stem!;
}

/** What lies between the symbol and what hangs on it, the nearest to the symbol first. */
function between(of: AnalysedSnapshot, { by }: Reached): string[] {
  const ids: string[] = [];
  for (let at: Way | undefined = by; at !== undefined; at = at.by) {
    // Code at the top of a file has no id.
    if (at.site.at !== atTop) ids.unshift(symbolId(of.asked.repo.id, of.graph.shown(at.site).hash));
  }
  return ids;
}
