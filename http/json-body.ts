import { isUtf8 } from 'node:buffer';
import { type Fault, invalid } from '../client/protocol/faults.ts';
import { repeatedMember, twice } from '../client/protocol/json-members.ts';
import { depthOf } from '../client/protocol/json-signs.ts';

/**
 * The value of a JSON body; undefined for an empty one. Throws 400 for what is not JSON, not UTF-8, nested too deep, or
 * names a field twice.
 */
export function parseJsonBody(bytes: Buffer, mostDepth: number): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw notJson('is not UTF-8');
  if (depthOf(bytes, mostDepth) > mostDepth) throw notJson(`is nested deeper than ${mostDepth} levels`);
  const value = parsed(bytes);
  const path = repeatedMember(bytes, value);
  if (path !== undefined) throw invalid('invalidParameter', [twice(path)]);
  return value;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw notJson('is not JSON');
  }
}

function notJson(message: string): Fault {
  return invalid('invalidParameter', [{ path: 'body', message }]);
}
