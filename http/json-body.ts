import { isUtf8 } from 'node:buffer';
import { Fault, invalid } from '../client/protocol/faults.ts';
import { repeatedMember, twice } from '../client/protocol/json-members.ts';
import { extentOf } from '../client/protocol/json-signs.ts';
import type { HttpLimits } from './options.ts';

/**
 * The value of a JSON body; undefined for an empty one. Throws 400 for what is not JSON, not UTF-8, nested too deep, or
 * names a field twice, and 413 for too many values.
 */
export function parseJsonBody(
  bytes: Uint8Array,
  { jsonDepth, jsonValues }: Pick<HttpLimits, 'jsonDepth' | 'jsonValues'>,
): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw notJson('is not UTF-8');
  const { depth, values } = extentOf(bytes, { depth: jsonDepth, values: jsonValues });
  if (depth > jsonDepth) throw notJson(`is nested deeper than ${jsonDepth} levels`);
  if (values > jsonValues) throw tooManyValues(jsonValues);
  const value = parsed(bytes);
  const path = repeatedMember(bytes, value);
  if (path !== undefined) throw invalid('invalidParameter', [twice(path)]);
  return value;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch {
    throw notJson('is not JSON');
  }
}

function notJson(message: string): Fault {
  return invalid('invalidParameter', [{ path: 'body', message }]);
}

function tooManyValues(limit: number): Fault {
  return new Fault('tooLarge', `The body holds more than ${limit} values (limits.json_values)`, { details: { limit } });
}
