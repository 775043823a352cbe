import type { ReferenceKind } from '../../model/facts.ts';
import { type GraphSite, kindOfDefinition } from '../../model/graph.ts';
import { mayRunWhenRead } from '../dispatch/accessors.ts';
import type { Dispatch } from '../dispatch/overriding.ts';

/** How a piece of code hangs on what it uses. */
export type UseRelation = 'caller' | 'type-user' | 'implementer' | 'importer';

/** How uses of a symbol, by their kind, have code hang on it. */
export function relationsTo(dispatch: Dispatch, symbol: number): (kind: ReferenceKind) => UseRelation {
  const known = new Map<ReferenceKind, UseRelation>();
  return kind => {
    const relation = known.get(kind) ?? relationBy(dispatch, symbol, kind);
    known.set(kind, relation);
    return relation;
  };
}

function relationBy(dispatch: Dispatch, symbol: number, kind: ReferenceKind): UseRelation {
  switch (kind) {
    case 'implementation':
      return 'implementer';
    case 'call':
      return 'caller';
    case 'type':
      return 'type-user';
    case 'read':
    case 'write':
      if (mayRunWhenRead(dispatch.graph, dispatch, symbol)) return 'caller';
      return kind === 'write' && dispatch.graph.sitesOf(symbol).some(isMethodOfInterface) ? 'implementer' : 'importer';
    case 'import':
    case 'reference':
      return 'importer';
  }
}

/** Code gives an object such a method where it writes it. */
function isMethodOfInterface({ in: one, at }: GraphSite): boolean {
  const container = one.containers[at]!;
  return kindOfDefinition(one, at) === 'method' && container >= 0 && kindOfDefinition(one, container) === 'interface';
}

/** What counts most. */
export function gravestOf(relations: ReadonlySet<UseRelation>): UseRelation {
  return order.find(one => relations.has(one)) ?? 'importer';
}

const order: readonly UseRelation[] = ['implementer', 'caller', 'type-user'];
