import type { Session } from './session.ts';
import { textOf } from './text-file.ts';

/** More than any daemon takes in as a default. */
const mostBytes = 64 * 1024 * 1024;

/** The text of a file with calls, or of standard input. */
export function callsIn(session: Session, file: string): Promise<string> {
  return textOf(session, file, mostBytes);
}
