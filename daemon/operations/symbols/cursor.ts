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

const signatureBytes = 16;

export function cursors(secret: string, binding: readonly unknown[]): Cursors {
  const sign = (payload: string): Buffer => {
    const bound = createHash('sha256').update(JSON.stringify(binding)).digest();
    const signature = createHmac('sha256', Buffer.from(secret, 'hex')).update(bound).update(payload).digest();
    return signature.subarray(0, signatureBytes);
  };
  return {
    make: ({ epoch, seq, offset }) => {
      const payload = Buffer.from(JSON.stringify([epoch, seq, offset])).toString('base64url');
      return `${payload}.${sign(payload).toString('base64url')}`;
    },
    read: cursor => {
      const [payload = '', signature = '', ...rest] = cursor.split('.');
      const expected = sign(payload).toString('base64url');
      // Compared as text: several spellings decode to the same bytes.
      const isOurs =
        rest.length === 0 &&
        signature.length === expected.length &&
        timingSafeEqual(Buffer.from(signature, 'latin1'), Buffer.from(expected, 'latin1'));
      if (!isOurs) throw invalid('invalidParameter', [{ path: 'cursor', message: 'is not one of this list' }]);
      const [epoch, seq, offset] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [string, number, number];
      return { epoch, seq, offset };
    },
  };
}

/** What a caller is told whose cursor outlived the rows that it goes on over. */
export function cursorExpired(): Fault {
  return new Fault('cursorExpired', 'The list has changed too much since the cursor was made; ask for its first page');
}
