import { givenFile } from './given-file.ts';
import type { Session } from './session.ts';

/** More than any daemon takes in as a default. */
const mostBytes = 64 * 1024 * 1024;

export async function callsFields(
  session: Session,
  { file, ...rest }: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  return { ...rest, ...(await givenFile(session, String(file), { as: 'body', mostBytes })) };
}
