import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { Fault, invalid } from '../../../client/protocol/faults.ts';

/** An artifact as it came: its text, or a file of this machine that holds it. */
export interface GivenArtifact {
  readonly text: Uint8Array | undefined;
  readonly file: string | undefined;
  readonly mostBytes: number;
  /** Of its JSON. */
  readonly mostDepth: number;
}

/** Throws where a file is named that is none, or too large. */
export function bytesOf({ text, file, mostBytes }: GivenArtifact): Uint8Array {
  if (text !== undefined) return text;
  const refused = (message: string) => invalid('invalidParameter', [{ path: 'file', message }]);
  let descriptor: number;
  try {
    descriptor = openSync(file!, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    throw refused('can’t be opened');
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw refused('is no regular file');
    if (stat.size > mostBytes) {
      throw new Fault('tooLarge', `The artifact is over ${mostBytes} bytes`, { details: { limitBytes: mostBytes } });
    }
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
