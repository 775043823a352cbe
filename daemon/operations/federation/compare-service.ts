import { contractIn } from '../../extract/api-contract/contract-in.ts';
import { type CompareCall, type Compared, comparedSides } from './compare-sides.ts';

/** What a thread serves that compares large contracts. */
export type CompareCalls = { readonly compare: (call: CompareCall) => Compared };

export const comparing: CompareCalls = { compare: call => withOutline(comparedSides(call)) };

/** Who is hit is found by what the contract said before, and reading that again would hold others up after all. */
function withOutline({ old, ...compared }: Compared): Compared {
  const outline = old && contractIn(old.path, old.bytes)?.outline;
  return { ...compared, old: old && { ...old, ...(outline === undefined ? {} : { outline }) } };
}
