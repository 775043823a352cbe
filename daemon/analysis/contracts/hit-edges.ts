import type { ContractEdge, ContractKey, EdgeEvidence } from '../../model/federation.ts';
import type { ContractChange } from './breaking/change.ts';
import { anyMethod, operationKey } from './breaking/openapi/paths.ts';

/**
 * Of some edges those that a change of a contract hits, each once. Who calls a service is hit wherever the contract is that they
 * are known to have it from; who depends on a file as a whole, by all that changes in it; and who is known by calls of routes
 * alone, by what changes in the operations that these fit. `contracts`: it, and where it stood before.
 */
export function hitEdges<Edge extends ContractEdge>(
  { id, severity, services }: Pick<ContractChange, 'id' | 'severity' | 'services'>,
  contracts: readonly ContractKey[],
  edges: readonly Edge[],
): readonly Edge[] {
  if (severity === 'safe') return [];
  const changed = new Set(services.flatMap(keysOf));
  const fits = ({ operations = [] }: EdgeEvidence): boolean =>
    wholeRules.has(id) || operations.some(one => changed.has(one));
  const hit = edges.filter(({ contract, service, evidence }) => {
    if (service !== '') return services.includes(service);
    if (!contracts.some(({ uid, path }) => contract.uid === uid && contract.path === path)) return false;
    return evidence.some(one => one.kind !== 'route-call' || fits(one));
  });
  const byId = new Map<number, Edge>();
  for (const edge of hit) if (!byId.has(edge.id)) byId.set(edge.id, edge);
  return [...byId.values()];
}

/** What changes wherever a document is called. */
const wholeRules: ReadonlySet<string> = new Set(['base-path-changed', 'file-deleted']);

/** Of `GET /carts/{id}`, what calls of it are known by, those among them whose method nobody knows. */
function keysOf(operation: string): readonly string[] {
  const space = operation.indexOf(' ');
  const path = operation.slice(space + 1);
  return [operation.slice(0, space), anyMethod].map(method => operationKey({ method, path }));
}
