import { quote } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { nearest } from '../../../client/protocol/nearest.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { merged } from '../../analysis/docs/definition-table.ts';
import { symbolId } from '../../model/identity.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { askedPath } from '../analysis/asked-path.ts';
import { fix } from '../finding.ts';
import { documentAt, documentsAt } from './asked-documents.ts';
import { type CountedReferences, countedReferences } from './counted-references.ts';
import { coverageAnswer } from './coverage.ts';
import { type DocsState, linkedIn, skippedDocuments } from './docs-state.ts';
import { emptyDirectives, hasModule, plainModule } from './empty-directives.ts';
import type { LinkedDocument, LinkedName, LinkedPlace } from './linked-documents.ts';
import { restsOn } from './rests-on.ts';
import { type LinkedRoute, linkedRoutes, routeReference, staleRoute } from './route-references.ts';

/** Operations about documents that the read worker answers. */
export type DocsName = 'docs.symbol' | 'docs.file' | 'docs.stale' | 'docs.coverage' | 'docs.module';

export type DocsQuestion = {
  readonly [Name in DocsName]: { readonly operation: Name; readonly input: InputOf<Operations[Name]> };
}[DocsName];

/** What `docs.index` tells of a snapshot's documents. */
export type DocsTold = Pick<
  OutputOf<Operations['docs.index']>,
  'symbolsFound' | 'resolved' | 'unresolved' | 'stale' | 'documents' | 'passedOver'
>;

export function docsAnswer(of: AnalysedSnapshot, state: DocsState, question: DocsQuestion): object {
  const documents = linkedIn(of, state);
  switch (question.operation) {
    case 'docs.symbol':
      return symbolAnswer(of, state, documents, question.input);
    case 'docs.file':
      return fileAnswer(of, state, documents, question.input.path);
    case 'docs.stale':
      return staleAnswer(of, state, documents, question.input.path);
    case 'docs.coverage':
      return coverageAnswer(of, state, documents, question.input);
    case 'docs.module':
      return moduleAnswer(of, documents, question.input.moduleId);
  }
}

export function docsTold(of: AnalysedSnapshot, state: DocsState): DocsTold {
  const documents = linkedIn(of, state);
  const counts = documents.map(one => countedReferences(one, linkedRoutes(of, state, one)));
  const sum = (kind: keyof CountedReferences): number => counts.reduce((all, one) => all + one[kind], 0);
  const [resolved, stale, unresolved] = [sum('resolved'), sum('stale'), sum('unresolved')];
  const skipped = skippedDocuments(of);
  const unsaid = documents.flatMap(({ path, said }) => (said.trouble === '' ? [] : [{ path, why: said.trouble }]));
  return {
    symbolsFound: resolved + stale + unresolved,
    resolved,
    unresolved,
    stale,
    documents: documents.length + skipped.length,
    passedOver: [...unsaid, ...skipped].sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

type SymbolOutput = OutputOf<Operations['docs.symbol']>;

function symbolAnswer(
  of: AnalysedSnapshot,
  state: DocsState,
  documents: readonly LinkedDocument[],
  { name, limit }: InputOf<Operations['docs.symbol']>,
): SymbolOutput {
  const asked = meantBy(name, state, of);
  const found = documents.flatMap(document =>
    document.names.filter(asked.isMeant).map(one => ({ path: document.path, one, document })),
  );
  if (found.length === 0 && !asked.isKnown) throw unknownName(of, asked.shown, documents);
  const docs = found.slice(0, limit).map(({ path, one, document }) => ({
    path,
    ...placeOf(one),
    rawText: one.mention.rawText,
    context: headingOf(document, one.mention.heading),
    ...resolutionOf(of, one),
  }));
  return { symbol: asked.shown, docs, total: found.length, ...restsOn(of) };
}

interface MeantName {
  readonly shown: string;
  readonly isKnown: boolean;
  readonly isMeant: (one: LinkedName) => boolean;
}

/** What a name means: all definitions that end so, and references to what is gone that are written so. */
function meantBy(name: string, { names }: DocsState, { asked, graph }: AnalysedSnapshot): MeantName {
  const [, hash] = /:sym:([0-9a-f]{32})$/.exec(name) ?? [];
  if (hash !== undefined) {
    const symbol = graph.numberOf(hash);
    const [site] = symbol === undefined ? [] : graph.sitesOf(symbol);
    const isHere = name === symbolId(asked.repo.id, hash) && site !== undefined;
    const shown = site === undefined ? name : graph.shown(site).name;
    const isTwin = (other: string): boolean =>
      isHere && (other === hash || isMergedWith(names.named(shown), hash, other));
    return { shown, isKnown: isHere, isMeant: one => one.definition !== undefined && isTwin(one.definition.hash) };
  }
  const parts = name
    .trim()
    .replace(/\(.*\)$/s, '')
    .split(/\.|::|#|->|\/|\\/)
    .filter(part => part !== '');
  const isEnd = (all: readonly string[]): boolean =>
    parts.length > 0 &&
    parts.length <= all.length &&
    parts.every((part, at) => part === all[all.length - parts.length + at]);
  return {
    shown: name.trim(),
    isKnown: names.named(parts.at(-1) ?? '').some(one => isEnd([...one.containers, one.name])),
    isMeant: ({ definition, stale, mention }) =>
      definition === undefined
        ? stale !== undefined && isEnd(mention.names)
        : isEnd([...definition.containers, definition.name]) || isEnd(mention.names),
  };
}

function isMergedWith(all: Parameters<typeof merged>[0], hash: string, other: string): boolean {
  const both = all.filter(one => one.hash === hash || one.hash === other);
  return both.length === 2 && merged(both).length === 1;
}

function unknownName({ asked }: AnalysedSnapshot, name: string, documents: readonly LinkedDocument[]): Fault {
  const known = new Set(documents.flatMap(one => one.names.flatMap(({ definition }) => definition?.name ?? [])));
  const meant = nearest(name, [...known]);
  const repo = quote(asked.repo.id);
  return new Fault('symbolNotFound', `Nothing is called ${JSON.stringify(name)}, in code or in documents`, {
    suggestedFixes: [
      ...(meant === undefined ? [] : [fix(`svc docs symbol --repo ${repo} ${quote(meant)}`, 'Ask for that name')]),
      fix(`svc search --repo ${repo} ${quote(name)}`, 'Search for a name like it'),
    ],
  });
}

type FileOutput = OutputOf<Operations['docs.file']>;

function fileAnswer(
  of: AnalysedSnapshot,
  state: DocsState,
  documents: readonly LinkedDocument[],
  asked: string,
): FileOutput {
  const document = documentAt(of, documents, asked);
  const routes = linkedRoutes(of, state, document);
  const toldRoutes = routes.flatMap(one => routeReference(one, headingOf(document, one.mention.heading)));
  const shown = document.names.filter(({ definition, stale }) => definition !== undefined || stale !== undefined);
  const names = shown.map(one => ({
    rawText: one.mention.rawText,
    ...placeOf(one),
    context: headingOf(document, one.mention.heading),
    source: one.mention.kind,
    ...resolutionOf(of, one),
    ...definitionOf(one),
  }));
  const symbols = [...names, ...toldRoutes].sort((a, b) => a.line - b.line || a.column - b.column);
  const files = document.places.flatMap(fileReference);
  const { trouble, modules } = document.said;
  return {
    path: document.path,
    symbols,
    summary: { total: symbols.length + files.length, ...countedReferences(document, routes) },
    files,
    modules: [...new Set(modules.map(({ module }) => module))],
    ...(trouble === '' ? {} : { passedOver: trouble }),
    ...restsOn(of),
  };
}

function definitionOf({ definition }: LinkedName) {
  if (definition === undefined) return {};
  const { kind, containers, name, path } = definition;
  return { kind, name: [...containers, name].join('.'), filePath: path };
}

function fileReference({ mention, place }: LinkedPlace): FileOutput['files'] {
  if (place.kind === 'open') return [];
  const shown = { rawText: mention.rawText, ...pathPlace(mention), source: mention.kind };
  if (place.kind === 'resolved') return [{ ...shown, resolution: 'resolved', target: place.path }];
  const { reason, suggestion } = place;
  return [{ ...shown, resolution: 'stale', reason, ...(suggestion === undefined ? {} : { suggestion }) }];
}

type StaleOutput = OutputOf<Operations['docs.stale']>;

function staleAnswer(
  of: AnalysedSnapshot,
  state: DocsState,
  documents: readonly LinkedDocument[],
  asked: string | undefined,
): StaleOutput {
  const meant = asked === undefined ? documents : documentsAt(of, documents, asked);
  const reports = meant
    .map(document => ({ docPath: document.path, stale: staleIn(document, linkedRoutes(of, state, document)) }))
    .filter(({ stale }) => stale.length > 0);
  const totalStale = reports.reduce((sum, { stale }) => sum + stale.length, 0);
  const directives = meant.flatMap(document => emptyDirectives(of, state.names, document));
  return { reports, directives, totalStale, totalDocs: meant.length, ...restsOn(of) };
}

type StaleReference = StaleOutput['reports'][number]['stale'][number];

function staleIn({ names, places }: LinkedDocument, routes: readonly LinkedRoute[]): StaleReference[] {
  const ofNames = names.flatMap((one): StaleReference[] => {
    if (one.stale === undefined) return [];
    const { rawText, kind: source } = one.mention;
    return [{ rawText, ...placeOf(one), kind: 'symbol', source, ...reasonOf(one.stale) }];
  });
  const ofPlaces = places.flatMap(({ mention, place }): StaleReference[] => {
    if (place.kind !== 'stale') return [];
    const { rawText, kind: source } = mention;
    return [{ rawText, ...pathPlace(mention), kind: 'file', source, ...reasonOf(place) }];
  });
  return [...ofNames, ...ofPlaces, ...routes.flatMap(staleRoute)].sort(
    (a, b) => a.line - b.line || a.column - b.column,
  );
}

function reasonOf({ reason, suggestion }: NonNullable<LinkedName['stale']>) {
  return { reason, ...(suggestion === undefined ? {} : { suggestion }) };
}

function resolutionOf({ asked }: AnalysedSnapshot, { definition, stale }: LinkedName) {
  if (definition !== undefined) {
    return { resolution: 'resolved' as const, symbolId: symbolId(asked.repo.id, definition.hash) };
  }
  return { resolution: 'stale' as const, ...reasonOf(stale!) };
}

function placeOf({ mention }: LinkedName) {
  const { line, column, endColumn, names, written, separator } = mention;
  return { line, column, endColumn, written: names.slice(-written).join(separator) };
}

function pathPlace({ line, column, endColumn, rawText }: LinkedPlace['mention']) {
  return { line, column, endColumn, written: rawText };
}

function headingOf({ said }: LinkedDocument, heading: number): string {
  return said.headings[heading] ?? '';
}

type ModuleOutput = OutputOf<Operations['docs.module']>;

function moduleAnswer(of: AnalysedSnapshot, documents: readonly LinkedDocument[], asked: string): ModuleOutput {
  const moduleId = plainModule(asked);
  const docs = documents.flatMap(({ path, said }) =>
    said.modules
      .filter(({ module }) => plainModule(module) === moduleId)
      .map(({ directive, line }) => ({ path, directive, line })),
  );
  if (docs.length === 0) refuseUnknown(of, moduleId);
  return { moduleId, docs, total: docs.length, ...restsOn(of) };
}

/** Throws `resourceNotFound` for what is no module and no folder that may be one, `invalidParameter` for no path. */
function refuseUnknown(of: AnalysedSnapshot, moduleId: string): void {
  const isHere = (path: string): boolean => of.modules().modules.some(one => one.path === path);
  if (hasModule(of, moduleId)) return;
  const path = askedPath(moduleId, { field: 'moduleId', refusal: 'invalidParameter', isHere });
  if (hasModule(of, plainModule(path))) return;
  const repo = quote(of.asked.repo.id);
  throw new Fault('resourceNotFound', `There is no module ${JSON.stringify(moduleId)}`, {
    details: { moduleId },
    suggestedFixes: [fix(`svc arch --repo ${repo}`, 'Show the modules')],
  });
}
