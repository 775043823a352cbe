/**
 * Macros that stand where the grammar expects none (`TEST_END` on a line of its own, `class API Foo`) send the parser
 * astray for pages. Their text is blanked before parsing, length kept, so that every position still holds.
 */
export function blankMacros(source: string): string {
  return blankLines(source)
    .replace(typeAttribute, (_, before: string, macro: string) => before + blank(macro))
    .replace(condition, (_, before: string, macro: string) => before + blank(macro))
    .replace(specifier, (_, before: string, macro: string) => before + blank(macro));
}

/** A line that holds nothing but macros, after the end of a statement, a block or a label. */
function blankLines(source: string): string {
  const lines = source.split('\n');
  let last = ';';
  let isContinued = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const wasContinued = isContinued;
    isContinued = line.endsWith('\\') || line.endsWith('\\\r');
    if (wasContinued || transparent.test(line)) continue;
    if (';{}:'.includes(last) && macrosOnly.test(line) && !continues.test(nextText(lines, at))) {
      lines[at] = line.replace(/[^\r]/g, ' ');
    } else
      last =
        line
          .replace(/\/\/.*$|\/\*.*\*\/\s*$/, '')
          .trimEnd()
          .at(-1) ?? last;
  }
  return lines.join('\n');
}

/** Lines that say nothing about where a statement ends: empty, comments, directives. */
const transparent = /^\s*(?:$|#|\/\/|\/?\*)/;
const macrosOnly = /^\s*(?:[A-Z][A-Z0-9_]{2,80}(?:\([^()\n;{}]{0,200}\))?\s*){1,5}(?:\/\/.*)?$/;
const continues = /^\s*[;{=,)+|&?]/;

function nextText(lines: readonly string[], at: number): string {
  for (let next = at + 1; next < Math.min(lines.length, at + 20); next++) {
    if (!transparent.test(lines[next]!)) return lines[next]!;
  }
  return '';
}

/** `class EXPORT Foo {` or `struct ALIGN(8) Foo :`. */
const typeAttribute =
  /(\b(?:class|struct|union)[ \t]+)([A-Z][A-Z0-9_]{2,80}(?:\([^()\n]{0,80}\))?)(?=[ \t]+\w+(?:[ \t]*final)?[ \t\r\n]*[:{])/g;

/** `if CONSTEXPR (…)`. */
const condition = /(\bif[ \t]+)([A-Z][A-Z0-9_]{2,80})(?=[ \t]*\()/g;

/** `EXPORT void f(`, `static ALWAYS_INLINE int f(`: an upper-case word followed by two more words. */
const specifier =
  /(^[ \t]*(?:(?:static|extern|inline|template[ \t]*<[^;{}\n]{0,120}>)[ \t]+)*)([A-Z][A-Z0-9]*_[A-Z0-9_]{1,80})(?=[ \t]+(?!operator\b)[a-zA-Z_]\w*(?:[ \t]*::[ \t]*\w+)*(?:[ \t]*[*&]+[ \t]*|[ \t]+[*&]*)\w[\w:]*[ \t]*\()/gm;

function blank(text: string): string {
  return ' '.repeat(text.length);
}
