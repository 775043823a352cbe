import { blankMacroLines } from './macro-lines.ts';

/**
 * Macros that stand where the grammar expects none (`TEST_END` on a line of its own, `class API Foo`) send the parser
 * astray for pages. Their text is blanked before parsing, length kept, so that every position still holds.
 */
export function blankMacros(source: string): string {
  let text = source.replace(longDefinition, line => line.replace(/\/\*.*?\*\//g, blank));
  text = blankMacroLines(text);
  if (glued.test(text)) text = text.replace(besideString, nameAlone);
  text = text.replace(beforePointer, found => 'extern'.padEnd(found.length));
  for (const rule of decorations) text = text.replace(rule, blank);
  return withoutArguments(text).replace(cast, 'Unsigned');
}

/** A definition over several lines: a comment in it ends it for the parser. */
const longDefinition = /^[ \t]*#[ \t]*define\b(?:.*\\\r?\n)+.*/gm;

/** `"a" Q("b")`, `Q("a") "b"`: what is glued to a string is one, too; its name alone is something that the grammar knows. */
const glued = /"[ \t\r\n]+\w+\(|\)[ \t\r\n]+"/;
const besideString =
  /'(?:\\.|[^'\\\n])+'|\/\/.*|\/\*[\s\S]*?\*\/|^[ \t]*#(?:.*\\\r?\n)*.*|\b([A-Za-z_]\w*)(\((?:"[^"\n]*"|[^()"\n])*\))(?=\s+")|("(?:\\.|[^"\\\n])*")(?:(\s+[A-Za-z_]\w*)(\((?:"[^"\n]*"|[^()"\n])*\)))*/gm;

/** Of a string and what follows it, or of what precedes one: parentheses blanked. */
function nameAlone(found: string, before?: string, _arguments?: string, string?: string): string {
  if (before !== undefined) return before + blank(found.slice(before.length));
  if (string === undefined) return found;
  return string + found.slice(string.length).replace(/\((?:"[^"\n]*"|[^()"\n])*\)/g, blank);
}

const word = '[A-Z][A-Z0-9]*_[A-Z0-9_]{1,80}';
const taken = String.raw`\((?:[^()\n;{}]|\([^()\n;{}]{0,80}\)){0,120}\)`;
const macro = String.raw`(?<!\b(?:define|struct|union|class|enum|typename)[ \t]+)\b${word}(?:${taken})?`;
const type = String.raw`(?:void|bool|char|int|long|short|unsigned|signed|float|double|auto|\w+_t)`;
const typeBeforeName = String.raw`(?:void|bool|char|int|long|short|unsigned|signed|float|double|auto|\w+_t[ \t]+\*{0,2}\w+)`;
const declares = String.raw`(?:${typeBeforeName}|const[ \t]+(?!volatile\b|restrict\b)\w+[ \t*]+\w+|template|class|struct|union|enum|using|typedef|namespace|static|inline|extern|virtual|explicit|constexpr|friend|operator[ \t]+[a-z])`;
const takenByPointer = String.raw`\((?:[^();{}]|\([^();{}]{0,80}\)){0,400}\)`;
const behind = String.raw`${word}(?:${taken})?(?:[ \t]+${word}(?:${taken})?){0,3}(?=[ \t]*(?:;|=(?!=)))`;
const qualifier =
  '(?:const|constexpr|volatile|restrict|static|extern|inline|register|mutable|thread_local|__thread|typedef|typename|struct|union|enum|class|namespace|using|friend|virtual|explicit|return|goto|case|else|throw|new|delete)';
const typeThenName = String.raw`\b(?!${qualifier}\b|[A-Z0-9_]+\b)[A-Za-z_]\w*[ \t]+(?!${qualifier}\b|${type}\b)[A-Za-z_]\w*`;

/** Words in capitals that say of a declaration what the grammar needn't know. */
const decorations: readonly RegExp[] = [
  // `class EXPORT Foo {`, `struct ALIGN(8) Foo<int> :`.
  /(?=[A-Z])(?<=\b(?:class|struct|union)[ \t]+)[A-Z][A-Z0-9_]{2,80}(?:\([^()\n]{0,80}\))?(?=[ \t]+\w+(?:<[^;{}\n]{0,200}>)?(?:[ \t]*final)?[ \t\r\n]*[:{])/g,
  // `int WINAPI WinMain(`: how Windows calls a function.
  /(?=[A-Z])(?<=\w[ \t*&]+)(?:APIENTRY|CALLBACK|NTAPI|STDMETHODCALLTYPE|WINAPIV?)(?=\s+[A-Za-z_][\w:]*[ \t]*\()/g,
  // `if CONSTEXPR (…)`.
  /(?=[A-Z])(?<=\bif[ \t]+)[A-Z][A-Z0-9_]{2,80}(?=[ \t]*\()/g,
  // `EXPORT template <class T> class Foo {`, `NORETURN API void f(`; `EXPORT` without an underscore at the start of a line.
  new RegExp(
    String.raw`(?=[A-Z])(?:(?<=^[ \t]*)[A-Z][A-Z0-9_]{2,80}|${macro})(?=[ \t]+(?:${word}[ \t]+)*${declares}\b)`,
    'gm',
  ),
  // `EXPORT Foo f(`, `static ALWAYS_INLINE Foo *f(`: followed by two more words.
  new RegExp(
    String.raw`(?=[A-Z])(?<=^[ \t]*(?:(?:static|extern|inline|template[ \t]*<[^;{}\n]{0,120}>)[ \t]+)*)${word}(?=[ \t]+(?!operator\b)[a-zA-Z_]\w*(?:[ \t]*::[ \t]*\w+)*(?:[ \t]*[*&]+[ \t]*|[ \t]+[*&]*)\w[\w:]*[ \t]*\()`,
    'gm',
  ),
  // `int (*hook)(void) ATTR;`.
  new RegExp(String.raw`(?=[A-Z])(?<=\(\*\w+\)[ \t]*${takenByPointer}[ \t]*)${behind}`, 'g'),
  // `int name ATTR(8) = 1;`, `char *name ATTR;`, `int names[2] ATTR;`: behind a variable's name.
  new RegExp(
    String.raw`(?=[A-Z])(?<=(?:\]|\*[ \t]*(?!${qualifier}\b)[A-Za-z_]\w*|${typeThenName})[ \t]+)${behind}`,
    'g',
  ),
  // `void NOTHROW *f(`, `int NOTHROW` before the line with the name, `hook_t *MUTABLE hook`.
  new RegExp(
    String.raw`(?=[A-Z])(?<=\b${type}[ \t]+\*?|\w[ \t]*\*)${word}(?:${taken})?(?=[ \t]*[*&]|\s+[A-Za-z_])`,
    'g',
  ),
  // `DEFINE_FOR(unsigned short, 0);`: types where the grammar wants values.
  /(?=\()(?<=^[ \t]*[A-Z][A-Z0-9_]{2,80})\((?:[^()\n;{}]{0,120},[ \t]*)?(?:void|bool|char|int|long|short|unsigned|signed|float|double)\b[^()\n;{}]{0,120}\)(?=;)/gm,
  // `TRY {`, `CATCH(...) {`.
  /(?=[A-Z])(?<=^[ \t]+)[A-Z][A-Z0-9]*_(?:TRY(?=[ \t]*\{)|CATCH\([^;{}\n]{1,120}\)(?=[ \t]*\{))/gm,
  // `int x BUILTIN)`: behind a parameter's name.
  /(?=[A-Z])(?<=\w[ \t*&]+(?!(?:const|unsigned|long|short|signed|volatile|struct|enum|union|class|typename|return|sizeof|case)\b)[a-z_]\w*[ \t]+)[A-Z][A-Z0-9]*_[A-Z0-9_]{1,80}(?=[ \t]*[,)])/g,
  // `CONSTEXPR INLINE Foo(int x) : x_(x) {}`: where no type stands, the word itself must say that it is none.
  /(?=[A-Z])(?<!\bdefine[ \t]+)\b[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:INLINE|CONSTEXPR|CONSTEVAL|NODISCARD|DEPRECATED|NORETURN|UNUSED|EXPORT|API)\d{0,2}_?(?=[ \t]+[A-Za-z_~])/g,
  // `static atomic size_t n`: of two words before a name, the second is the type.
  /(?=[a-z])(?<=^(?:static|extern)[ \t]+)(?!(?:const|volatile|unsigned|signed|long|short|inline|struct|union|enum|register|constexpr|thread_local)\b)[a-z]\w*(?=[ \t]+(?:void|bool|char|int|unsigned|long|[a-z0-9]+_t)[ \t]+\*?\w)/gm,
];

/** `API name_t (*hook)(void);`: without a word in its place the grammar takes it for two calls. */
const beforePointer = new RegExp(
  String.raw`(?=[A-Z])(?<=^[ \t]*(?:(?:static|extern)[ \t]+)*)${word}(?<=\w{6})(?=[ \t]+[a-zA-Z_][\w \t*]{0,120}\(\*\w+\)[ \t]*\()`,
  'gm',
);

/** `template <class T, ENABLE_IF(a < b)>`: a condition in the place of a parameter; the name alone is one. */
function withoutArguments(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const found of text.matchAll(condition)) {
    const start = found.index + found[0].length;
    if (start < from) continue;
    const end = closing(text, start);
    parts.push(text.slice(from, start), blank(text.slice(start, end)));
    from = end;
  }
  return parts.join('') + text.slice(from);
}

const condition = /(?=[A-Z])(?<=[<,]\s*)\b[A-Z][A-Z0-9_]*_(?:ENABLE_IF|REQUIRES?)\w*(?=\()/g;
const maxCondition = 1000;

/** Behind the parenthesis that closes the one at `start`; `start` where none does. */
function closing(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < Math.min(text.length, start + maxCondition); at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at + 1;
  }
  return start;
}

/** `unsigned(x)`, which the grammar takes for no call. */
const cast = /(?=unsigned)(?<=[-+*/=(,!<>|&?:][ \t]*|\breturn[ \t]+)unsigned(?=\()/g;

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
