import { readFileSync } from 'node:fs';
import { Fault, invalid } from '../client/protocol/faults.ts';
import { lookedAt, unreadable } from './looked-at.ts';
import { pathArgument } from './repository.ts';
import type { Session } from './session.ts';
import { standardInput } from './standard-input.ts';

/** In place of a file: standard input where one is read, standard output where one is written. */
export const standard = '-';

/** The text of a file, or of standard input, of which somebody on the command line says the name. Throws where it can't be read. */
export async function textOf({ directory, signal }: Session, file: string, mostBytes: number): Promise<string> {
  if (file === standard) return (await standardInput(signal, 'file', mostBytes)).toString('utf8');
  const path = pathArgument(directory, file);
  const stat = lookedAt(path, file);
  if (stat === undefined) throw new Fault('fileNotFound', 'There is no such file');
  if (!stat.isFile()) throw invalid('invalidParameter', [{ path: 'file', message: 'is no regular file' }]);
  if (stat.size > mostBytes) throw new Fault('tooLarge', `The file is over ${mostBytes} bytes`);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}
