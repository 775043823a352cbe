import { isUtf8 } from 'node:buffer';
import { otlpLimits } from './limits.ts';
import { OtlpProblem, undecodable } from './problem.ts';

/** The value of JSON that somebody sent; undefined for no bytes. Throws OtlpProblem, before much is made of what is too much. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  refuseTooMuch(bytes);
  if (!isUtf8(bytes)) throw undecodable('It is not UTF-8');
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    throw undecodable('It is not JSON');
  }
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Looks at brackets, commas and colons alone, as if all of it were JSON: what is none parsing tells. */
function refuseTooMuch(bytes: Uint8Array): void {
  const { jsonDepth, jsonValues, jsonMembers } = otlpLimits;
  /** Of each bracket that is open. */
  const members = new Uint32Array(jsonDepth + 1);
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === comma) values++;
    else if (byte === colon) {
      if (++members[depth]! > jsonMembers) throw undecodable(`An object has more than ${jsonMembers} fields`);
    } else if (byte === openList || byte === openObject) {
      values++;
      if (++depth > jsonDepth) throw undecodable(`It is nested deeper than ${jsonDepth} levels`);
      members[depth] = 0;
    } else if (byte === closeList || byte === closeObject) depth = Math.max(0, depth - 1);
  }
  if (values > jsonValues)
    throw new OtlpProblem('too large', `It holds more than ${jsonValues} values: send it in parts`);
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
  return at;
}
