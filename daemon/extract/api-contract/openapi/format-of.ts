/** Prose shows contracts in it, and is none. */
const prose = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|html?|ipynb|org|tex|patch|diff)$/i;

/**
 * In which format a file is an OpenAPI document, as the key of its root says, however the file is called; undefined for any
 * other. Most files are told by a search for two words, of the others the keys of the root are looked at alone.
 */
export function formatOfOpenApi(path: string, bytes: Uint8Array): 'json' | 'yaml' | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!words.some(word => buffer.includes(word)) || prose.test(path)) return undefined;
  const start = firstSign(buffer);
  if (buffer[start] === openBrace) return hasJsonKey(buffer, start) ? 'json' : undefined;
  return beginsAsMap(buffer, start) && hasYamlKey(buffer) ? 'yaml' : undefined;
}

const words = ['openapi', 'swagger'];

const newline = 0x0a;
const space = 0x20;
const doubleQuote = 0x22;
const hash = 0x23;
const singleQuote = 0x27;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function isBlank(code: number | undefined): boolean {
  return code === space || code === newline || code === 0x09 || code === 0x0d;
}

/** Behind a mark of byte order, blank lines, comments, and what begins a document of YAML. */
function firstSign(buffer: Buffer): number {
  let at = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
  for (;;) {
    while (isBlank(buffer[at])) at++;
    const isPassedOver = buffer[at] === hash || buffer[at] === 0x25 || isMarker(buffer, at) || isTemplate(buffer, at);
    if (!isPassedOver) return at;
    const end = buffer.indexOf(newline, at);
    if (end < 0) return buffer.length;
    at = end;
  }
}

function isMarker(buffer: Buffer, at: number): boolean {
  return buffer[at] === 0x2d && buffer[at + 1] === 0x2d && buffer[at + 2] === 0x2d;
}

/** `{{- if .Values.docs }}` on a line before the document. */
function isTemplate(buffer: Buffer, at: number): boolean {
  return buffer[at] === openBrace && buffer[at + 1] === openBrace;
}

const longestKey = 100;

/** `key:`, and not a line of a program that happens to hold such a document. */
function beginsAsMap(buffer: Buffer, start: number): boolean {
  return /^(?:"[^"]*"|'[^']*'|[\w$.-]+)[ \t]*:(?:\s|$)/.test(buffer.toString('latin1', start, start + longestKey));
}

/** At the beginning of a line, as the keys of the root are. */
function hasYamlKey(buffer: Buffer): boolean {
  return words.some(word => {
    for (let at = buffer.indexOf(word); at >= 0; at = buffer.indexOf(word, at + 1)) {
      const isQuoted = buffer[at - 1] === doubleQuote || buffer[at - 1] === singleQuote;
      const before = isQuoted ? at - 2 : at - 1;
      if ((before < 0 || buffer[before] === newline || buffer[before] === 0xbf) && saysVersion(buffer, at, word))
        return true;
    }
    return false;
  });
}

/** What stands behind the word is the rest of a key, and a version as its value. */
function saysVersion(buffer: Buffer, at: number, word: string): boolean {
  const rest = buffer.toString('latin1', at + word.length, at + word.length + longestKey);
  return word === 'openapi' ? /^["']?[ \t]*:\s*["']?3/.test(rest) : /^["']?[ \t]*:\s*["']?2/.test(rest);
}

/** Among the keys of the object that the document is, wherever among them it stands. */
function hasJsonKey(buffer: Buffer, start: number): boolean {
  let depth = 0;
  for (let at = start; at < buffer.length; at++) {
    const code = buffer[at];
    if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) depth--;
    else if (code === doubleQuote) {
      const end = stringEnd(buffer, at);
      const word = depth === 1 ? words.find(one => isAt(buffer, at + 1, end, one)) : undefined;
      if (word !== undefined && isKey(buffer, end) && saysVersion(buffer, at + 1, word)) return true;
      at = end;
    }
  }
  return false;
}

function stringEnd(buffer: Buffer, start: number): number {
  let at = start + 1;
  while (at < buffer.length && buffer[at] !== doubleQuote) at += buffer[at] === backslash ? 2 : 1;
  return at;
}

function isAt(buffer: Buffer, start: number, end: number, word: string): boolean {
  return end - start === word.length && buffer.toString('latin1', start, end) === word;
}

function isKey(buffer: Buffer, end: number): boolean {
  let at = end + 1;
  while (isBlank(buffer[at])) at++;
  return buffer[at] === colon;
}
