import type { ChangeSeverity, Compatibility } from '../change.ts';

/** Which way values of a shape go: what a consumer sends may only be taken more widely, what is answered only told more narrowly. */
export type Direction = 'request' | 'response';

/** A change within a holder: an operation, or a shape that several of them have. */
export interface Found {
  readonly id: string;
  readonly severity: ChangeSeverity;
  readonly compatibility: readonly Compatibility[];
  /** Behind the holder's name: `response 200 total`; '' for itself. */
  readonly where: string;
  readonly message: string;
  /** Lines. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** Tells of a place in an operation; without one of itself. */
export type Put = (found: Omit<Found, 'where'> & { readonly where?: string }) => void;

export interface Holder {
  readonly name: string;
  readonly changes: Found[];
  /** Shapes that references in it name, by their holders. */
  readonly shapes: Set<Holder>;
}

export function holder(name: string): Holder {
  return { name, changes: [], shapes: new Set() };
}
