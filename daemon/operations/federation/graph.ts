import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { copiesAmong } from '../../analysis/contracts/copies.ts';
import { condense } from '../../analysis/pictures/condense.ts';
import { dotOf } from '../../analysis/pictures/dot.ts';
import { mermaidOf, mostMermaidEdges } from '../../analysis/pictures/mermaid.ts';
import type { Drawing, Picture, PictureNode } from '../../analysis/pictures/picture.ts';
import { svgOf } from '../../analysis/pictures/svg.ts';
import { timeOf } from './contract-answers.ts';
import type { FederationView, SeenEdge } from './member-view.ts';
import { countingEdges, idsIn, surest } from './seen-edges.ts';

type Input = InputOf<Operations['contracts.graph']>;
type Output = Exclude<OutputOf<Operations['contracts.graph']>, string>;

/** Who depends on whom by which services, as JSON or as the text of a picture. */
export function graphAnswer(view: FederationView, { includeHeuristic, format }: Input): Output | string {
  const made = graphs.get(view.edges()) ?? new Map<string, Graph | string>();
  graphs.set(view.edges(), made);
  const key = `${format} ${includeHeuristic}`;
  const edges = countingEdges(view, includeHeuristic);
  const graph = made.get(key) ?? (format === 'json' ? graphOf(view, edges) : drawing[format](pictureOf(view, edges)));
  made.set(key, graph);
  return typeof graph === 'string' ? graph : { ...graph, timestamp: timeOf(view) };
}

type Graph = Omit<Output, 'timestamp'>;

/** By the edges that they are of: a picture takes longer to place than anything else that is asked. */
const graphs = new WeakMap<readonly SeenEdge[], Map<string, Graph | string>>();

const mostDrawnEdges = 120;

const drawing: Readonly<Record<Exclude<Input['format'], 'json'>, (picture: Picture) => string>> = {
  svg: picture => svgOf(condensed(picture)),
  dot: picture => dotOf(condensed(picture)),
  mermaid: picture => mermaidOf(condense(picture, mostMermaidEdges)),
};

function condensed(picture: Picture): Drawing {
  return condense(picture, mostDrawnEdges);
}

/** To those who implement a service, and where nobody does to those who declare it. */
function graphOf(view: FederationView, edges: readonly SeenEdge[]): Graph {
  const idOf = idsIn(view);
  const pairs = new Map<string, { readonly from: string; readonly to: string; readonly all: SeenEdge[] }>();
  const isToCopy = copiesAmong(edges);
  for (const edge of edges) {
    if (edge.role === 'provider' && isToCopy(edge)) continue;
    const ends = edge.role === 'consumer' && edge.providers.length > 0 ? edge.providers : [edge.contract.uid];
    for (const to of ends) {
      const key = `${edge.from}\0${to}`;
      const pair = pairs.get(key) ?? { from: edge.from, to, all: [] };
      pair.all.push(edge);
      pairs.set(key, pair);
    }
  }
  const provided = new Map<string, string[]>();
  for (const [name, uids] of view.linked().providers) {
    for (const uid of uids) provided.set(uid, [...(provided.get(uid) ?? []), name]);
  }
  return {
    nodes: view.members.map(({ repoId, repoUid, known }) => ({
      repoId,
      contracts: known?.contracts.declared.length ?? 0,
      services: provided.get(repoUid) ?? [],
    })),
    edges: [...pairs.values()]
      .map(({ from, to, all }) => ({
        ...{ from: idOf(from), to: idOf(to) },
        services: [...new Set(all.map(({ service }) => service).filter(name => name !== ''))].sort(),
        tier: surest(all).tier,
        confidence: Math.max(...all.map(({ confidence }) => confidence)),
      }))
      .sort((a, b) => (a.from === b.from ? compare(a.to, b.to) : compare(a.from, b.from))),
  };
}

/** Repositories, and between them the contracts that connect them, each with the repository that it lies in. */
function pictureOf(view: FederationView, edges: readonly SeenEdge[]): Picture {
  const idOf = idsIn(view);
  const nodes: PictureNode[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (key: string, node: () => PictureNode): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    nodes.push(node());
    numbers.set(key, nodes.length - 1);
    return nodes.length - 1;
  };
  const size = { fileCount: 0, loc: 0 };
  const ofRepo = (uid: string): number =>
    numberOf(uid, () => ({ label: idOf(uid), place: [idOf(uid)], ...size, kind: 'inside' }));
  for (const { repoUid } of view.members) ofRepo(repoUid);
  const arrows = new Map<string, { from: number; to: number; strength: number; isFaint: boolean }>();
  const arrow = (from: number, to: number, isFaint: boolean): void => {
    const known = arrows.get(`${from} ${to}`);
    if (known === undefined) arrows.set(`${from} ${to}`, { from, to, strength: 1, isFaint });
    else {
      known.strength++;
      known.isFaint &&= isFaint;
    }
  };
  for (const { from, contract, role, tier, providers } of edges) {
    const { uid, path } = contract;
    const repo = idOf(uid);
    const file = numberOf(`${uid}\0${path}`, () => ({
      ...{ label: `${repo}/${path}`, place: [repo, path], ...size, kind: 'outside' },
    }));
    // What is called leads by its contract to whoever implements it.
    if (role === 'provider') arrow(file, ofRepo(from), true);
    else arrow(ofRepo(from), file, tier === 'heuristic');
    for (const provider of role === 'consumer' ? providers : []) arrow(file, ofRepo(provider), tier === 'heuristic');
  }
  return {
    title: `${view.federation.name}: services and contracts`,
    noun: { one: 'service or contract', many: 'services and contracts' },
    words: { edge: { one: 'edge', many: 'edges' }, outside: 'contracts', faint: 'guesses, and who implements' },
    nodes,
    edges: [...arrows.values()].map(one => ({ ...one, inCycle: false })),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
