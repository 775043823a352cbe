import { invalid } from '../client/protocol/faults.ts';
import { UsageError } from './commands.ts';
import type { Session } from './session.ts';
import { standardInput } from './standard-input.ts';

/** More than any daemon stores. */
const mostBytes = 1024 * 1024;
/** In place of a text. */
const standard = '-';

/** The fields of a decision, those read that stand on standard input. */
export async function writtenFields({ signal }: Session, fields: Fields): Promise<Fields> {
  const [from, ...more] = (['context', 'decision'] as const).filter(field => fields[field] === standard);
  if (from === undefined) return fields;
  if (more.length > 0) throw new UsageError(`--${more[0]}: standard input is --${from}’s already`);
  const text = new TextDecoder('utf-8', { fatal: true });
  const bytes = await standardInput(signal, from, mostBytes);
  try {
    return { ...fields, [from]: text.decode(bytes) };
  } catch {
    throw invalid('invalidParameter', [{ path: from, message: 'standard input is not UTF-8' }]);
  }
}

type Fields = Readonly<Record<string, unknown>>;
