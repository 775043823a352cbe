import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { centralities } from '../../analysis/docs/centrality.ts';
import { merged } from '../../analysis/docs/definition-table.ts';
import { isGenerated } from '../../model/foreign.ts';
import { type GraphDocument, type GraphSite, isOfTests, traitsOf } from '../../model/graph.ts';
import { symbolId } from '../../model/identity.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { isBeside } from './defined-names.ts';
import type { DocsState } from './docs-state.ts';
import type { LinkedDocument } from './linked-documents.ts';
import { restsOn } from './rests-on.ts';

type Output = OutputOf<Operations['docs.coverage']>;

/** What documents may be expected to tell of; fields and values of enums come with their types. */
const documentable: ReadonlySet<SymbolKind> = new Set([
  'function',
  'method',
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'type',
  'constant',
  'macro',
  'object',
]);

/** A public symbol, and what is known of it. */
interface PublicSymbol {
  readonly site: GraphSite;
  readonly hash: string;
  readonly hasDocComment: boolean;
}

interface Counted {
  readonly seq: number;
  readonly all: readonly PublicSymbol[];
  readonly centrality: ReadonlyMap<number, number>;
}

/** Of each state the newest snapshot that was asked about, by whether exports alone count. */
const counted = new WeakMap<DocsState, Map<boolean, Counted>>();

export function coverageAnswer(
  of: AnalysedSnapshot,
  state: DocsState,
  documents: readonly LinkedDocument[],
  { exportedOnly, topN }: InputOf<Operations['docs.coverage']>,
): Output {
  const { all, centrality } = countedIn(of, state, exportedOnly);
  const mentioned = mentionedIn(documents, state);
  const left = all.filter(({ hash }) => !mentioned.has(hash));
  const rankOf = ({ site }: PublicSymbol): number => centrality.get(site.in.symbols[site.at]!) ?? 0;
  const top = [...left].sort((a, b) => rankOf(b) - rankOf(a) || (a.hash < b.hash ? -1 : 1)).slice(0, topN);
  const documentedSymbols = all.length - left.length;
  return {
    totalSymbols: all.length,
    documentedSymbols,
    coverage: all.length === 0 ? 1 : Math.floor((documentedSymbols / all.length) * 10_000) / 10_000,
    withDocComments: all.filter(({ hasDocComment }) => hasDocComment).length,
    topUndocumented: top.map(one => {
      const { hash, name, containers, kind, path, nameRange } = of.graph.shown(one.site);
      return {
        symbolId: symbolId(of.asked.repo.id, hash),
        name: [...containers, name].join('.'),
        kind,
        centrality: Math.round(rankOf(one) * 10_000) / 10_000,
        filePath: path,
        line: nameRange.startLine + 1,
        hasDocComment: one.hasDocComment,
      };
    }),
    ...restsOn(of),
  };
}

/** Hashes of what documents mention, with those of what is one thing with it: overloads, declarations. */
function mentionedIn(documents: readonly LinkedDocument[], { names }: DocsState): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { definition } of documents.flatMap(one => one.names)) {
    if (definition === undefined || found.has(definition.hash)) continue;
    found.add(definition.hash);
    for (const other of names.named(definition.name)) {
      if (other.hash !== definition.hash && merged([definition, other]).length === 1) found.add(other.hash);
    }
  }
  return found;
}

function countedIn(of: AnalysedSnapshot, state: DocsState, exportedOnly: boolean): Counted {
  const ofState = counted.get(state) ?? new Map<boolean, Counted>();
  counted.set(state, ofState);
  const { seq } = of.graph;
  const known = ofState.get(exportedOnly);
  if (known?.seq === seq) return known;
  const documents = of.graph.documents();
  const same = ofState.get(!exportedOnly);
  const centrality = same?.seq === seq ? same.centrality : centralities(documents);
  const all = documents.flatMap(document => publicIn(of, document, exportedOnly));
  const made = { seq, all: merging(all, of), centrality };
  ofState.set(exportedOnly, made);
  return made;
}

/** One for each thing: what overloads and declarations tell again is left out. */
function merging(all: readonly PublicSymbol[], { graph }: AnalysedSnapshot): readonly PublicSymbol[] {
  const seen = new Set<string>();
  return all.filter(({ site, hash }) => {
    const { name, containers, path } = graph.shown(site);
    const key = [path.replace(/\.d(?=\.[cm]?ts$)/, ''), ...containers, name].join('\0');
    if (seen.has(key) || seen.has(hash)) return false;
    seen.add(key).add(hash);
    return true;
  });
}

/** Of parts of the graph, which stay what they are: those whose exports alone count, and all. */
const exportedIn = new WeakMap<GraphDocument, readonly PublicSymbol[]>();
const allIn = new WeakMap<GraphDocument, readonly PublicSymbol[]>();

function publicIn(of: AnalysedSnapshot, document: GraphDocument, exportedOnly: boolean): readonly PublicSymbol[] {
  const kept = exportedOnly ? exportedIn : allIn;
  const found = kept.get(document) ?? findPublic(of, document, exportedOnly);
  kept.set(document, found);
  return found;
}

function findPublic({ graph }: AnalysedSnapshot, document: GraphDocument, exportedOnly: boolean) {
  if (document.isTest || document.symbols.length === 0 || isBeside(document.path) || isGenerated(document.path))
    return [];
  const meant: number[] = [];
  for (let at = 0; at < document.symbols.length; at++) {
    if (isPublic({ in: document, at }, exportedOnly)) meant.push(at);
  }
  if (meant.length === 0) return [];
  const { definitions } = graph.factsOf(document);
  return meant.map(at => {
    const site = { in: document, at };
    const hasDocComment = (definitions[document.slots[at]!]?.documentation ?? '') !== '';
    return { site, hash: graph.shown(site).hash, hasDocComment };
  });
}

function isPublic(site: GraphSite, exportedOnly: boolean): boolean {
  const { in: document, at } = site;
  const { kind, visibility, exported } = traitsOf(site);
  if (!documentable.has(kind) || visibility !== 'public' || isOfTests(site)) return false;
  const container = document.containers[at]!;
  if (container < 0) return exported || (!exportedOnly && kind !== 'constant');
  return !exportedOnly && isPublic({ in: document, at: container }, false);
}
