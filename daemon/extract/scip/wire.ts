import { cutOffWords, type WireProblems } from '../wire.ts';
import { invalidIndex, tooLarge } from './problem.ts';

/** What a reader of the wire format says where it reads SCIP. */
export const scipWire: WireProblems = {
  broken: invalidIndex,
  tooDeep: tooLarge,
  otherType: 'A field that is not written as SCIP says',
};

export function cutOff(offset: number): Error {
  return invalidIndex(cutOffWords, offset);
}
