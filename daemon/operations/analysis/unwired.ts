import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { Claim, ExportedSymbol } from '../../analysis/unwired/claims.ts';
import { ceilingOf } from '../../analysis/unwired/doubts.ts';
import { exportsByName } from '../../analysis/unwired/reach.ts';
import { surroundingsOf } from '../../analysis/unwired/surroundings.ts';
import { UnwiredExports, type UnwiredQuestion } from '../../analysis/unwired/unwired.ts';
import { type GraphDocument, type GraphSite, keyOf } from '../../model/graph.ts';
import { symbolId } from '../../model/identity.ts';
import type { ModuleModel } from '../../model/module.ts';
import { isTestPath } from '../../model/mount.ts';
import { directoryOf } from '../../model/paths.ts';
import type { SnapshotGraph } from '../../store/graph/snapshot-graph.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { isInScope, scopeIn } from '../scope.ts';
import { completeness } from '../symbols/answers.ts';
import { calledInProduction } from '../telemetry/called-in-production.ts';
import type { AnalysedSnapshot } from './analyses.ts';

type Input = InputOf<Operations['analysis.unwired']>;
type Output = OutputOf<Operations['analysis.unwired']>;

/** Exported symbols that no entrypoint reaches, by directory. Throws `invalidParameter` for a scope in which nothing lies. */
export function unwiredAnswer(of: AnalysedSnapshot, input: Input): Output {
  const { asked, snapshot, graph } = of;
  const { exported: all, entrypoints, limitations } = foundIn(of);
  const called = calledInProduction(of);
  const exported = called.size === 0 ? all : all.map(one => (called.has(keyOf(one.site)) ? withoutClaim(one) : one));
  const scope = scopeIn(
    graph.documents().map(({ path }) => path),
    input.scope,
  );
  const isMeant = ({ site, kind }: ExportedSymbol): boolean =>
    (input.includeTypes || !types.has(kind)) && isInScope(site.in.path, scope);
  const meant = exported.filter(isMeant);
  const claims = meant.flatMap(({ claim }) => claim ?? []);
  const sure = claims.filter(({ confidence }) => confidence >= input.minConfidence);
  const shown = new Set(surest(sure, input.limit));
  return {
    unwiredModules: directoriesOf(of, meant, sure, shown),
    summary: {
      totalExported: meant.length,
      reachableCount: meant.length - claims.length,
      unwiredCount: sure.length,
      uncertainCount: claims.length - sure.length,
      byKind: countsOf(sure.map(({ kind }) => kind)),
    },
    entrypoints: [...entrypoints],
    limitations: [...limitations, ...neverSure(meant, input.minConfidence)],
    truncated: sure.length > shown.size,
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, asked, 0),
    timestamp: new Date(asked.now).toISOString(),
  };
}

/** What production calls is wired, whatever the code tells. */
function withoutClaim({ site, kind }: ExportedSymbol): ExportedSymbol {
  return { site, kind, claim: undefined };
}

/** Languages about which nothing is claimed as surely as is asked for, whatever the code looks like. */
function neverSure(meant: readonly ExportedSymbol[], minConfidence: number): readonly string[] {
  const languages = new Set(meant.map(({ site }) => site.in.language));
  const unsure = [...languages].filter(language => ceilingOf(language) < minConfidence).sort();
  return unsure.map(
    language =>
      `nothing of ${language} is claimed here: there a claim is worth ${ceilingOf(language)} at most, less than ${minConfidence}`,
  );
}

/** What no program needs to run. */
const types: ReadonlySet<string> = new Set(['interface', 'type', 'trait', 'type-parameter']);

function surest(claims: readonly Claim[], limit: number): readonly Claim[] {
  if (claims.length <= limit) return claims;
  return [...claims].sort((a, b) => b.confidence - a.confidence).slice(0, limit);
}

function directoriesOf(
  of: AnalysedSnapshot,
  exported: readonly ExportedSymbol[],
  sure: readonly Claim[],
  shown: ReadonlySet<Claim>,
): Output['unwiredModules'] {
  const totals = countsOf(exported.map(({ site }) => directoryOf(site.in.path)));
  const directories = new Map<string, Claim[]>();
  for (const claim of sure) {
    const directory = directoryOf(claim.site.in.path);
    const known = directories.get(directory);
    if (known === undefined) directories.set(directory, [claim]);
    else known.push(claim);
  }
  return [...directories]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, claims]) => {
      const symbols = inOrder(claims.filter(claim => shown.has(claim)).map(claim => showClaim(of, claim)));
      return symbols.length === 0
        ? []
        : [{ path, symbols, unwiredCount: claims.length, totalExported: totals[path] ?? 0 }];
    });
}

type Shown = Output['unwiredModules'][number]['symbols'];

/** By file and line: definitions come in the order of an extractor, who may tell methods after types. */
function inOrder(symbols: Shown): Shown {
  return [...symbols].sort((a, b) => (a.filePath < b.filePath ? -1 : a.filePath > b.filePath ? 1 : a.line - b.line));
}

function showClaim({ asked, graph }: AnalysedSnapshot, claim: Claim): Shown[number] {
  const { hash, name, kind, path, nameRange } = graph.shown(claim.site);
  return {
    symbolId: symbolId(asked.repo.id, hash),
    name,
    kind,
    filePath: path,
    line: nameRange.startLine + 1,
    referenceCount: claim.references,
    testReferences: claim.testReferences,
    confidence: claim.confidence,
    reason: claim.reason,
  };
}

function countsOf(all: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of all) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

interface Found {
  readonly seq: number;
  readonly exported: readonly ExportedSymbol[];
  readonly entrypoints: readonly string[];
  readonly limitations: readonly string[];
}

interface Kept {
  readonly exports: UnwiredExports;
  found?: Found;
}

/** Of each reader by repository. */
const kept = new WeakMap<IndexReader, Map<string, Kept>>();

function foundIn({ asked, graph, modules, reader }: AnalysedSnapshot): Found {
  const ofReader = kept.get(reader) ?? new Map<string, Kept>();
  kept.set(reader, ofReader);
  const known = ofReader.get(asked.repo.key) ?? { exports: new UnwiredExports() };
  ofReader.set(asked.repo.key, known);
  if (known.found?.seq !== graph.seq) {
    const model = modules({ inferModules: false, depth: 1, base: '' });
    known.found = { seq: graph.seq, ...find(known.exports, graph, model) };
  }
  return known.found;
}

function find(exports: UnwiredExports, graph: SnapshotGraph, model: ModuleModel): Omit<Found, 'seq'> {
  const nameOf = (site: GraphSite): string => graph.shown(site).name;
  const { exported, leftOut } = exports.at({
    ...{ documents: graph.documents(), model, nameOf },
    surroundingsOf: documents => surroundingsOf(documents, model, nameOf),
    wired: one => graph.wiringOf(one),
    isShownAt: ({ in: one, at }) => graph.sitesOf(one.symbols[at]!)[0]?.in === one,
    finderOf: site =>
      graph
        .sitesOf(site.in.symbols[site.at]!)
        .map(one => graph.finderOf(one))
        .find(one => one !== undefined),
    foreignBasesOf: site => graph.foreignBasesOf(site),
    spokenIn: one => graph.spokenIn(one),
    unreadNear: unreadNear(graph, model),
    documentsAt: imported => graph.documentsAt(imported),
    documentsUsing: symbol => graph.documentsUsing(symbol),
    documentsImporting: document => importersOf(graph, document),
  });
  return {
    exported,
    entrypoints: startsOf(model, graph.documents()),
    limitations: limitationsOf(model, graph.documents(), leftOut),
  };
}

/** Files that what is reached is reached from: entrypoints, and those that tools load. Sorted. */
function startsOf(
  { entrypoints, configuredFiles }: ModuleModel,
  documents: readonly GraphDocument[],
): readonly string[] {
  const starts = new Set([...entrypoints, ...configuredFiles].map(({ path }) => path));
  return documents.flatMap(({ path, isTest }) => (starts.has(path) && !isTest ? [path] : []));
}

function importersOf(graph: SnapshotGraph, document: GraphDocument): readonly number[] {
  const found = new Set<number>();
  graph.eachImport(document, importer => found.add(importer.document));
  return [...found];
}

/** What keeps all claims from being sure. */
function limitationsOf(
  { entrypoints }: ModuleModel,
  documents: readonly GraphDocument[],
  leftOut: ReadonlyMap<string, number>,
): readonly string[] {
  const isPrecise = documents.every(({ isTest, language }) => isTest || exportsByName.has(language));
  return [
    ...(entrypoints.length > 0 ? [] : ['no entrypoint is known: no manifest and no convention names one']),
    ...(isPrecise
      ? []
      : [
          'members of types are not looked at, and of languages whose files do not list their exports only what no reached code names is told',
        ]),
    ...(leftOut.size === 0 ? [] : [leftOutText(leftOut)]),
  ];
}

function leftOutText(leftOut: ReadonlyMap<string, number>): string {
  const folders = [...leftOut].sort(([, one], [, other]) => other - one).slice(0, mostFolders);
  const all = [...leftOut.values()].reduce((sum, count) => sum + count, 0);
  const told = folders.map(([folder, count]) => `${folder}: ${count}`).join(', ');
  return `${all} exported symbols are left out by the names of their folders, as tests’ data that nothing loads or others’ code (${told})`;
}

const mostFolders = 8;

/** Files that import code, and that nothing here reads: of other languages that become JavaScript, or too large. */
const importing = /\.(?:vue|svelte|astro|mdx|marko|riot|gts|gjs|coffee|litcoffee|civet|imba|res)$/;

function unreadNear(graph: SnapshotGraph, { moduleOf }: ModuleModel): UnwiredQuestion['unreadNear'] {
  const packages = new Map<string, Set<string>>();
  for (const path of graph.unread()) {
    const [extension] = importing.exec(path) ?? [];
    if (extension === undefined || isTestPath(path)) continue;
    const { packageId } = moduleOf(path);
    packages.set(packageId, (packages.get(packageId) ?? new Set()).add(extension));
  }
  return ({ path }) => (packages.size === 0 ? [] : [...(packages.get(moduleOf(path).packageId) ?? [])]);
}
