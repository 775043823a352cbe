import type { ContractEdge, ContractKey, EdgeEvidence } from '../../model/federation.ts';
import type { ContractChange } from './breaking/change.ts';
import { anyMethod, operationKey } from './breaking/openapi/paths.ts';

/**
 * Of some edges those that a change of a contract hits, of each consumer one for each service: that to the contract itself, else
 * the surest. Who calls a service is hit wherever the contract is that they are known to have it from; who depends on a file as
 * a whole, by all that changes in it; who takes some of its types, by what changes in these; who is known by calls of routes
 * alone, by what changes in the operations that these fit; and by a move whoever has the file's place.
 */
export function hitEdges<Edge extends ContractEdge>(
  { id, severity, services, type }: Pick<ContractChange, 'id' | 'severity' | 'services' | 'type'>,
  { contracts, edges, takes }: Hittable<Edge>,
): readonly Edge[] {
  if (severity === 'safe') return [];
  const changed = new Set(services.flatMap(keysOf));
  const fits = ({ operations = [] }: EdgeEvidence): boolean =>
    wholeRules.has(id) || operations.some(one => changed.has(one));
  const isOfIt = ({ contract }: Edge): boolean =>
    contracts.some(({ uid, path }) => contract.uid === uid && contract.path === path);
  const hit = edges.filter(edge => {
    if (id === 'file-moved' && !edge.evidence.some(hasPlace)) return false;
    if (edge.service !== '') return services.includes(edge.service);
    return isOfIt(edge) && edge.evidence.some(one => (one.kind === 'route-call' ? fits(one) : takes(one, type)));
  });
  const byConsumer = new Map<string, Edge>();
  const worth = (edge: Edge): number => (isOfIt(edge) ? 2 : 0) + edge.confidence;
  for (const edge of hit) {
    const key = JSON.stringify([edge.from, edge.service, edge.service === '' ? edge.id : 0]);
    const known = byConsumer.get(key);
    if (known === undefined || worth(edge) > worth(known)) byConsumer.set(key, edge);
  }
  return [...byConsumer.values()];
}

/** Whom a change may hit. */
export interface Hittable<Edge> {
  /** The contract, and where it stood before. */
  readonly contracts: readonly ContractKey[];
  readonly edges: readonly Edge[];
  readonly takes: Takes;
}

/** Whether a change of a type (see `ContractChange`) is in what some evidence says is taken. */
export type Takes = (evidence: EdgeEvidence, type: string | undefined) => boolean;

/** `within`: by the full name of a type those of its fields. */
export function typesReached(within: ReadonlyMap<string, readonly string[]>): Takes {
  const reached = new Map<string, ReadonlySet<string>>();
  const reachedFrom = (types: readonly string[]): ReadonlySet<string> => {
    const found = new Set([...within.keys()].filter(name => types.some(one => isNamed(name, one))));
    for (const name of found) for (const inner of within.get(name) ?? []) found.add(inner);
    return found;
  };
  return ({ types }, type) => {
    if (types === undefined || type === undefined) return true;
    const key = types.join(' ');
    const all = reached.get(key) ?? reachedFrom(types);
    reached.set(key, all);
    return type !== '' && (all.has(type) || types.some(one => isNamed(type, one)));
  };
}

/** Whatever package it is in. */
function isNamed(fullName: string, name: string): boolean {
  return fullName === name || fullName.endsWith(`.${name}`);
}

/** Whether it names where the file lies, as imports of generated code do in languages whose modules are files. */
function hasPlace({ kind, file }: EdgeEvidence): boolean {
  if (kind === 'stub-import') return /\.(?:py|[cm]?[jt]sx?|rb|dart|cc|cpp|cxx|hh?|hpp)$/.test(file);
  return kind === 'import' || kind === 'generator' || kind === 'load';
}

/** What changes wherever a document is called. */
const wholeRules: ReadonlySet<string> = new Set(['base-path-changed', 'file-deleted']);

/** Of `GET /carts/{id}`, what calls of it are known by, those among them whose method nobody knows. */
function keysOf(operation: string): readonly string[] {
  const space = operation.indexOf(' ');
  const path = operation.slice(space + 1);
  return [operation.slice(0, space), anyMethod].map(method => operationKey({ method, path }));
}
