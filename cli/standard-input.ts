import { addAbortSignal } from 'node:stream';
import { Fault, invalid } from '../client/protocol/faults.ts';

/** All of standard input. Throws `cancelled`, `tooLarge` past so many bytes, and under `field` where it can't be read. */
export async function standardInput(signal: AbortSignal, field: string, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of addAbortSignal(signal, process.stdin) as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > mostBytes) throw new Fault('tooLarge', `Standard input is over ${mostBytes} bytes`);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (signal.aborted) throw new Fault('cancelled', 'Cancelled');
    throw invalid('invalidParameter', [{ path: field, message: 'standard input can’t be read' }]);
  }
  return Buffer.concat(parts);
}
