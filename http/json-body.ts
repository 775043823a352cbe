import { isUtf8 } from 'node:buffer';
import { type Fault, invalid } from '../client/protocol/faults.ts';

/** The value of a JSON body; undefined for an empty one. Throws 400 for what is not JSON, not UTF-8 or nested too deep. */
export function parseJsonBody(bytes: Buffer, mostDepth: number): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw notJson('is not UTF-8');
  // Nesting is measured before parsing: a million brackets keep the parser, and so every other caller, busy for a second.
  if (depthOf(bytes, mostDepth) > mostDepth) throw notJson(`is nested deeper than ${mostDepth} levels`);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw notJson('is not JSON');
  }
}

function notJson(message: string): Fault {
  return invalid('invalidParameter', [{ path: 'body', message }]);
}

/** The deepest nesting of brackets outside strings; stops counting past `enough`. */
function depthOf(bytes: Buffer, enough: number): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length && deepest <= enough; at++) {
    switch (bytes[at]) {
      case quote:
        at = endOfString(bytes, at);
        break;
      case openBracket:
      case openBrace:
        depth++;
        if (depth > deepest) deepest = depth;
        break;
      case closeBracket:
      case closeBrace:
        depth--;
        break;
    }
  }
  return deepest;
}

function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
