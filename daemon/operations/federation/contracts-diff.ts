import { Fault } from '../../../client/protocol/faults.ts';
import type { Federations } from '../federations.ts';
import type { Handlers } from '../handler.ts';

export interface ContractsDiff {
  readonly federations: Federations;
}

export function contractsDiff(_options: ContractsDiff): Handlers['contracts.diff'] {
  return () => {
    throw new Fault('operationFailed', 'not yet');
  };
}
