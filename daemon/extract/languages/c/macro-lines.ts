/**
 * Blanks lines that hold nothing but macros where a statement or a declaration could stand, and macros defined amid a list of
 * values, length kept.
 */
export function blankMacroLines(source: string): string {
  const lines = source.split('\n');
  const scan: Scan = { lines, last: ';', inValues: false };
  for (let at = 0; at < lines.length; ) at = step(scan, at);
  return lines.join('\n');
}

interface Scan {
  readonly lines: string[];
  /** The last character that says something, of the lines before. */
  last: string;
  /** Between the braces of `… = {`, whose lines may be chosen by macros defined right there. */
  inValues: boolean;
}

/** Looks at a line, and at those that continue it; the number of the next one. */
function step(scan: Scan, at: number): number {
  const { lines } = scan;
  const line = lines[at]!;
  if (transparent.test(line)) {
    const next = afterContinued(lines, at);
    if (scan.inValues && definesMacro.test(line)) blankFrom(lines, at, next);
    return next;
  }
  if (scan.inValues && /^\}/.test(line)) scan.inValues = false;
  const next = macrosUpTo(scan, at);
  if (next > at) {
    blankFrom(lines, at, next);
    return next;
  }
  const code = line.replace(/\/\/.*$|\/\*.*\*\/\s*$/, '').trimEnd();
  scan.last = code.at(-1) ?? scan.last;
  if (opensValues.test(code)) scan.inValues = true;
  return afterContinued(lines, at);
}

/** Lines that say nothing about where a statement ends: empty, comments, directives. */
const transparent = /^\s*(?:$|#|\/\/|\/?\*)/;
const definesMacro = /^\s*#\s*(?:define|undef)\b/;
const opensValues = /^\w.*=\s*\{$/;
const macrosOnly =
  /^\s*(?:[A-Z][A-Z0-9_]{2,80}(?:\((?:[^()\n;{}]|\([^()\n;{}]{0,80}\)){0,200}\))?\s*){1,5}(?:\/\/.*)?$/;
const continues = /^\s*[;{=,)+|&?]/;
/** A call that no statement is around, over one line or a few: `gen(static, tree_,` … `)`. */
const callStarts = /^([A-Za-z_]\w*)\(/;
const maxCallLines = 40;

/** The line behind the macros that stand at `at` and are no part of anything; `at` where there are none. */
function macrosUpTo({ lines, last, inValues }: Scan, at: number): number {
  const line = lines[at]!;
  const ends = ';{}:'.includes(last) || (inValues && last === ',');
  const next = nextText(lines, at + 1);
  if (macrosOnly.test(line)) {
    // `ATTR(malloc)` between a type and the name of a function.
    const isAttribute = /^[A-Z].*\)/.test(line) && (last === '>' || (/[\w*]/.test(last) && /^\w+[ \t]*\(/.test(next)));
    return (ends && !continues.test(next)) || isAttribute ? at + 1 : at;
  }
  return ends && !inValues && callStarts.test(line) ? afterCall(lines, at) : at;
}

/** The line behind a call from the start of a line to the end of one; `at` where that is the head of a function. */
function afterCall(lines: readonly string[], at: number): number {
  let depth = 0;
  let written = '';
  for (let next = at; next < Math.min(lines.length, at + maxCallLines); next++) {
    const line = lines[next]!;
    if (/[;{}]/.test(line) || (next > at && /^[\w#]/.test(line))) return at;
    written += `${line}\n`;
    for (const mark of line.matchAll(/[()]/g)) depth += mark[0] === '(' ? 1 : -1;
    if (depth > 0) continue;
    const isOldStyle = /^\w+\([\w\s,]*\)\s*$/.test(written) && /^[ \t]*[a-z][^()]*;/.test(nextText(lines, next + 1));
    const isCall = /\)\s*(?:\/\/.*|\/\*.*\*\/\s*)?$/.test(line) && !isOldStyle;
    return isCall && !/^\s*(?:[;{=,)+|&?:]|->|const\b|noexcept\b)/.test(nextText(lines, next + 1)) ? next + 1 : at;
  }
  return at;
}

function afterContinued(lines: readonly string[], at: number): number {
  let next = at;
  while (next < lines.length && /\\\r?$/.test(lines[next]!)) next++;
  return next + 1;
}

function nextText(lines: readonly string[], from: number): string {
  for (let next = from; next < Math.min(lines.length, from + 20); next++) {
    if (!transparent.test(lines[next]!)) return lines[next]!;
  }
  return '';
}

function blankFrom(lines: string[], from: number, to: number): void {
  for (let at = from; at < Math.min(to, lines.length); at++) lines[at] = lines[at]!.replace(/[^\r]/g, ' ');
}
