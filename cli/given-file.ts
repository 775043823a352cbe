import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathArgument } from './repository.ts';
import { isOverHttp, type Session } from './session.ts';
import { standardInput } from './standard-input.ts';
import { standard, textOf } from './text-file.ts';

/**
 * A file that is named on the command line, as a field of what is asked: the daemon on this machine reads it itself, one
 * elsewhere is sent its text, as the field `as`. What stands for this process's own input is a file that goes when this process does.
 */
export async function givenFile(
  session: Session,
  file: string,
  { as, mostBytes }: { readonly as: string; readonly mostBytes: number },
): Promise<Readonly<Record<string, string>>> {
  if (isOverHttp(session)) return { [as]: await textOf(session, file, mostBytes) };
  if (file !== standard) return { file: pathArgument(session.directory, file) };
  const passing = passingFile();
  writeFileSync(passing, await standardInput(session.signal, 'file', mostBytes));
  return { file: passing };
}

export function passingFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-given-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'given.json');
}
