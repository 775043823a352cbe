/**
 * - `undecodable`: the bytes are no request of the kind that they should be
 * - `too large`: they hold more than is read at once
 */
export type OtlpProblemKind = 'undecodable' | 'too large';

/** What is wrong with a request as a whole. What is wrong with single data points is told in the reading instead. */
export class OtlpProblem extends Error {
  readonly kind: OtlpProblemKind;

  constructor(kind: OtlpProblemKind, message: string) {
    super(message);
    this.name = 'OtlpProblem';
    this.kind = kind;
  }
}

export function undecodable(what: string): OtlpProblem {
  return new OtlpProblem('undecodable', what);
}
