/**
 * git's pattern language (`wildmatch`), in time linear in pattern × text. Ignore files come with repositories, and so
 * from anybody: regular expressions made of them can be made to run for minutes.
 *
 * Patterns and texts are strings of bytes (`latin1`), since git's `?` and `[…]` stand for one byte.
 */
export type SegmentMatcher = (text: string) => boolean;

/** Matches the segments of a path, e.g. `['src', 'a.ts']`. */
export type PathMatcher = (segments: readonly string[]) => boolean;

/** `any`: of ASCII letters a capital and a small one are the same, as git has it with `core.ignoreCase`. */
export type LetterCase = 'exact' | 'any';

/** A text as matchers of that case take it. */
export function subjectOf(text: string, letterCase: LetterCase): string {
  const bytes = /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
  return letterCase === 'any' ? inSmallLetters(bytes) : bytes;
}

/** Of ASCII alone: a byte of another letter is a part of it. */
function inSmallLetters(bytes: string): string {
  return bytes.replace(/[A-Z]+/g, letters => letters.toLowerCase());
}

/** A matcher of single names; `**` means what `*` means. */
export function segmentMatcher(pattern: string, letterCase: LetterCase = 'exact'): SegmentMatcher {
  const wanted = letterCase === 'any' ? inSmallLetters(pattern) : pattern;
  if (!/[*?[\\]/.test(wanted)) return text => text === wanted;
  const tail = wanted.slice(1);
  if (wanted.startsWith('*') && tail !== '' && !/[*?[\\]/.test(tail)) return text => text.endsWith(tail);
  const tokens = tokensOf(pattern, letterCase);
  if (tokens === undefined) return () => false;
  return text => matchesTokens(tokens, text);
}

/** A matcher of whole paths, as ignore files have them. */
export function pathMatcher(pattern: string, letterCase: LetterCase = 'exact'): PathMatcher {
  // git compares the text before the first wildcard by itself, so that `a**/b` reads as `a` and then `**/b`.
  const literal = /^[^*?[\\]*/.exec(pattern)![0];
  if (!/(^|\/)$/.test(literal) && /^\*\*+(\/|$)/.test(pattern.slice(literal.length))) {
    const before = letterCase === 'any' ? inSmallLetters(literal) : literal;
    const rest = plainPathMatcher(pattern.slice(literal.length), letterCase);
    return segments => {
      const text = segments.join('/');
      return text.startsWith(before) && rest(text.slice(before.length).split('/'));
    };
  }
  return plainPathMatcher(pattern, letterCase);
}

/** A matcher of whole paths: `**` between slashes stands for any number of folders, `/**` at the end for at least one name. */
export function plainPathMatcher(pattern: string, letterCase: LetterCase = 'exact'): PathMatcher {
  const parts = splitAtSlashes(pattern);
  const last = parts.length - 1;
  const steps = parts.map((part, index): SegmentMatcher | typeof anyNumber => {
    if (!/^\*\*+$/.test(part)) return segmentMatcher(part, letterCase);
    return index === last ? () => true : anyNumber;
  });
  if (parts.length > 0 && /^\*\*+$/.test(parts[last]!)) steps.splice(last, 0, anyNumber);
  return segments => matchesSteps(steps, segments);
}

const anyNumber = Symbol('**');
const star = Symbol('*');

/** One byte: the byte itself, or the set of bytes it may be. */
type Token = number | Uint8Array | typeof star;

/** Greedy with one point of return: when what follows a star fails, that star takes one more, and no earlier one need move. */
function matchesTokens(tokens: readonly Token[], text: string): boolean {
  let token = 0;
  let at = 0;
  let returnToken = -1;
  let returnAt = 0;
  while (at < text.length) {
    const wanted = tokens[token];
    if (wanted === star) {
      returnToken = ++token;
      returnAt = at;
    } else if (wanted !== undefined && fits(wanted, text.charCodeAt(at))) {
      token++;
      at++;
    } else if (returnToken >= 0) {
      token = returnToken;
      at = ++returnAt;
    } else return false;
  }
  while (tokens[token] === star) token++;
  return token === tokens.length;
}

/** The same, one level up. */
function matchesSteps(steps: readonly (SegmentMatcher | typeof anyNumber)[], segments: readonly string[]): boolean {
  let step = 0;
  let at = 0;
  let returnStep = -1;
  let returnAt = 0;
  while (at < segments.length) {
    const wanted = steps[step];
    if (wanted === anyNumber) {
      returnStep = ++step;
      returnAt = at;
    } else if (wanted?.(segments[at]!)) {
      step++;
      at++;
    } else if (returnStep >= 0) {
      step = returnStep;
      at = ++returnAt;
    } else return false;
  }
  while (steps[step] === anyNumber) step++;
  return step === steps.length;
}

function fits(wanted: number | Uint8Array, byte: number): boolean {
  return typeof wanted === 'number' ? wanted === byte : wanted[byte] === 1;
}

/** Undefined where the pattern is broken, and so matches nothing. An escaped capital is none that any text has in small letters: so it is in git. */
function tokensOf(pattern: string, letterCase: LetterCase): readonly Token[] | undefined {
  const wanted = letterCase === 'any' ? inSmallLetters(pattern) : pattern;
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '*') {
      if (tokens.at(-1) !== star) tokens.push(star);
    } else if (character === '?') {
      tokens.push(anyByte);
    } else if (character === '[') {
      const set = setAt(pattern, at + 1, letterCase);
      if (set === undefined) return undefined;
      tokens.push(set.bytes);
      at = set.end;
    } else if (character === '\\') {
      if (++at === pattern.length) return undefined;
      tokens.push(pattern.charCodeAt(at));
    } else tokens.push(wanted.charCodeAt(at));
  }
  return tokens;
}

const slash = 0x2f;
const [capitalA, capitalZ] = [0x41, 0x5a];
const anyByte = new Uint8Array(256).fill(1);
anyByte[slash] = 0;

/**
 * A bracket expression whose text begins at `from`; `end` is the place of its `]`. In any case what has a capital in a
 * range or by name has the small letter; as git has it, a capital by itself does not.
 */
function setAt(
  pattern: string,
  from: number,
  letterCase: LetterCase,
): { readonly bytes: Uint8Array; readonly end: number } | undefined {
  const bytes = new Uint8Array(256);
  const add = (byte: number): void => {
    bytes[byte] = 1;
    if (letterCase === 'any' && byte >= capitalA && byte <= capitalZ) bytes[byte + 0x20] = 1;
  };
  let at = from;
  const negated = pattern[at] === '!' || pattern[at] === '^';
  if (negated) at++;
  let previous = 0;
  for (let first = true; first || pattern[at] !== ']'; first = false) {
    if (at >= pattern.length) return undefined;
    const next = pattern[at + 1];
    if (pattern[at] === '-' && previous !== 0 && next !== undefined && next !== ']') {
      at += next === '\\' ? 2 : 1;
      if (at >= pattern.length) return undefined;
      for (let byte = previous; byte <= pattern.charCodeAt(at); byte++) add(byte);
      previous = 0;
    } else if (pattern[at] === '[' && next === ':') {
      const end = pattern.indexOf(':]', at + 2);
      const named = end < 0 ? undefined : namedSets.get(pattern.slice(at + 2, end));
      if (named === undefined) return undefined;
      for (let byte = 0; byte < 128; byte++) if (named.test(String.fromCharCode(byte))) add(byte);
      at = end + 1;
      previous = 0;
    } else {
      if (pattern[at] === '\\' && ++at >= pattern.length) return undefined;
      previous = pattern.charCodeAt(at);
      bytes[previous] = 1;
    }
    at++;
  }
  if (negated) for (let byte = 0; byte < 256; byte++) bytes[byte] = bytes[byte] === 1 ? 0 : 1;
  bytes[slash] = 0;
  return { bytes, end: at };
}

const namedSets: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[A-Za-z0-9]/],
  ['alpha', /[A-Za-z]/],
  ['blank', /[ \t]/],
  ['cntrl', /[\x00-\x1f\x7f]/],
  ['digit', /[0-9]/],
  ['graph', /[\x21-\x7e]/],
  ['lower', /[a-z]/],
  ['print', /[\x20-\x7e]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t\n\v\f\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[0-9A-Fa-f]/],
]);

/** Slashes inside brackets part nothing; an escaped one does. */
function splitAtSlashes(pattern: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '[') at = setAt(pattern, at + 1, 'exact')?.end ?? at;
    else if (pattern[at] === '\\' && pattern[at + 1] !== '/') at++;
    else if (pattern[at] === '/' || pattern[at] === '\\') {
      parts.push(pattern.slice(from, at));
      if (pattern[at] === '\\') at++;
      from = at + 1;
    }
  }
  parts.push(pattern.slice(from));
  return parts;
}
