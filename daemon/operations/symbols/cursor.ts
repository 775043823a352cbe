import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Fault, invalid } from '../../../client/protocol/faults.ts';

/** Where a list goes on: the snapshot that it began with, and how many rows of it were given. */
export interface Position {
  readonly epoch: string;
  readonly seq: number;
  readonly offset: number;
}

/**
 * Cursors of one list: opaque, signed, and good for the repository, operation and filters that they were made with and
 * no other. `binding` is all of these as plain values.
 */
export interface Cursors {
  make(position: Position): string;
  /** Throws the fault `invalidParameter` for a cursor that is broken, forged or of another list. */
  read(cursor: string): Position;
}

export function cursors(secret: string, binding: readonly unknown[]): Cursors {
  const signed = signedValues<[epoch: string, seq: number, offset: number]>(secret, binding);
  return {
    make: ({ epoch, seq, offset }) => signed.make([epoch, seq, offset]),
    read: cursor => {
      const values = signed.read(cursor);
      if (values === undefined)
        throw invalid('invalidParameter', [{ path: 'cursor', message: 'is not one of this list' }]);
      const [epoch, seq, offset] = values;
      return { epoch, seq, offset };
    },
  };
}

const signatureBytes = 16;

/** Values as a text that nobody else can make, and that is good together with what it is bound to alone. */
export interface SignedValues<Values> {
  make(values: Values): string;
  /** Undefined for a text that is none of these. */
  read(text: string): Values | undefined;
}

export function signedValues<Values extends readonly (string | number)[]>(
  secret: string,
  binding: readonly unknown[],
): SignedValues<Values> {
  const bound = createHash('sha256').update(JSON.stringify(binding)).digest();
  const sign = (payload: string): string => {
    const signature = createHmac('sha256', Buffer.from(secret, 'hex')).update(bound).update(payload).digest();
    return signature.subarray(0, signatureBytes).toString('base64url');
  };
  return {
    make: values => {
      const payload = Buffer.from(JSON.stringify(values)).toString('base64url');
      return `${payload}.${sign(payload)}`;
    },
    read: text => {
      const [payload = '', signature = '', ...rest] = text.split('.');
      const expected = sign(payload);
      // Compared as text: several spellings decode to the same bytes.
      const isOurs =
        rest.length === 0 &&
        signature.length === expected.length &&
        timingSafeEqual(Buffer.from(signature, 'latin1'), Buffer.from(expected, 'latin1'));
      return isOurs ? (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Values) : undefined;
    },
  };
}

/** What a caller is told whose cursor outlived the rows that it goes on over. */
export function cursorExpired(): Fault {
  return new Fault('cursorExpired', 'The list has changed too much since the cursor was made; ask for its first page');
}
