import type { Principal } from '../../client/protocol/caller.ts';
import type { EdgeMark } from '../model/federation.ts';
import { type ContractsDiff, contractsDiff } from './federation/contracts-diff.ts';
import type { FederatedName } from './federation/member-view.ts';
import { asked, federationNamed } from './federation.ts';
import type { Federations } from './federations.ts';
import type { Handlers, RequestContext } from './handler.ts';

export type ContractsHandlers = Pick<Handlers, Extract<keyof Handlers, `contracts.${string}`>>;

export interface ContractsOptions extends Omit<ContractsDiff, 'federations'> {
  readonly federations: Federations;
  /** Who asks over the socket, and with the daemon's token. */
  readonly userName: string;
}

/** What is said of edges is kept here once the worker has found that there is such an edge. */
export function contractsHandlers(options: ContractsOptions): ContractsHandlers {
  const { federations, userName } = options;
  const answered = asked(federations);
  const marking = <Name extends FederatedName & `contracts.${string}`>(
    operation: Name,
    keep: (input: Marking, context: RequestContext) => void,
  ): Handlers[Name] => {
    const answer = answered(operation) as (input: Marking, context: RequestContext) => Promise<unknown>;
    const handler = async (input: Marking, context: RequestContext): Promise<unknown> => {
      const told = await answer(input, context);
      keep(input, context);
      return told;
    };
    return handler as unknown as Handlers[Name];
  };
  const mark =
    (kind: EdgeMark['mark']) =>
    ({ name, edgeId, reason }: Marking, { now, principal }: RequestContext): void =>
      federations.mark(federationNamed(federations, name), {
        ...{ edgeId, mark: kind, by: nameOf(principal, userName), at: now.getTime(), reason },
      });
  const unmark =
    (kind: EdgeMark['mark']) =>
    ({ name, edgeId }: Marking): void =>
      federations.unmark(federationNamed(federations, name), edgeId, kind);
  return {
    'contracts.list': answered('contracts.list'),
    'contracts.impact': answered('contracts.impact'),
    'contracts.deps': answered('contracts.deps'),
    'contracts.stats': answered('contracts.stats'),
    'contracts.edges': answered('contracts.edges'),
    'contracts.graph': answered('contracts.graph'),
    'contracts.suppress': marking('contracts.suppress', mark('suppressed')),
    'contracts.unsuppress': marking('contracts.unsuppress', unmark('suppressed')),
    'contracts.verify': marking('contracts.verify', mark('verified')),
    'contracts.unverify': marking('contracts.unverify', unmark('verified')),
    'contracts.diff': contractsDiff(options),
  };
}

interface Marking {
  readonly name: string;
  readonly edgeId: number;
  readonly reason?: string;
}

function nameOf(principal: Principal, userName: string): string {
  return principal.kind === 'key' ? principal.id : principal.kind === 'owner' ? userName : 'anonymous';
}
