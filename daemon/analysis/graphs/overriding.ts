import { type CodeGraph, type GraphDocument, type GraphSite, kindOfDefinition, kindOfUse } from '../../model/graph.ts';

/** A member that another one overrides or is overridden by, and how sure that its type extends or implements the other's. */
export interface Overridden {
  readonly site: GraphSite;
  readonly confidence: number;
}

/** How sure it is that a call of a member runs one that overrides it: it may, or not. */
export const dispatchConfidence = 0.7;

/** Members of the same name in the types that are said to extend or implement the one that a member stands in. */
export function overriding(graph: CodeGraph, { in: one, at }: GraphSite): readonly Overridden[] {
  const found: Overridden[] = [];
  const container = one.containers[at]!;
  if (container < 0 || !isOverridden.has(kindOfDefinition(one, at))) return found;
  graph.eachUse(one.symbols[container]!, (user, use) => {
    const heir = user.uses.users[use]!;
    if (heir < 0 || kindOfUse(user.uses.marks[use]!) !== 'implementation') return;
    const confidence = graph.confidence(user, use);
    for (const member of membersNamed(user, heir, one.names[at]!)) {
      found.push({ site: { in: user, at: member }, confidence });
    }
  });
  return found;
}

const isOverridden: ReadonlySet<string> = new Set(['method', 'property', 'function']);

function membersNamed({ containers, names }: GraphDocument, container: number, name: number): readonly number[] {
  const found: number[] = [];
  containers.forEach((one, at) => {
    if (one === container && names[at] === name) found.push(at);
  });
  return found;
}

/** Members of the same name in the types that the one which a member stands in is said to extend or implement. */
export function overridden(graph: CodeGraph, { in: one, at }: GraphSite): readonly Overridden[] {
  const found: Overridden[] = [];
  const container = one.containers[at]!;
  if (container < 0 || !isOverridden.has(kindOfDefinition(one, at))) return found;
  graph.eachUseBy({ in: one, at: container }, (base, use) => {
    if (kindOfUse(one.uses.marks[use]!) !== 'implementation') return;
    const confidence = graph.confidence(one, use);
    for (const { in: document, at: type } of graph.sitesOf(base)) {
      for (const member of membersNamed(document, type, one.names[at]!)) {
        found.push({ site: { in: document, at: member }, confidence });
      }
    }
  });
  return found;
}
