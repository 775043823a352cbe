/** Words and signs that C has not, or not there: `const char *typename` is a name of C. */
const cppMarks = [
  /^[ \t]*(?:class|namespace|template|using|public:|private:|protected:)\b/m,
  /\b(?:constexpr|nullptr|std::|typename(?!\s*[),;=[]))\b/,
  /^[ \t]*(?:virtual|explicit|friend)[ \t].*[;{][ \t]*$/m,
  /\benum\s+(?:class|struct)\b|\boperator[ \t]*[^\s\w*]|=\s*(?:default|delete)\s*;/,
];

/** `.h` is C or C++: what the file says decides. */
export function isCpp(header: string): boolean {
  if (cppMarks.some(mark => mark.test(header))) return true;
  const code = header.replace(aside, found => (found.startsWith('"') ? '""' : ''));
  return qualified.test(code) || isClassLike(code);
}

/** Comments, texts, and attributes, in which C has `::` too. */
const aside = /\/\*[\s\S]*?(?:\*\/|$)|\/\/.*|"(?:[^"\\\n]|\\.)*"|\[\[[\w:, ]{0,80}(?:\("[^"\n]*"\))?\]\]/g;

/** `plugins::Registry *to`, on a line that is no directive. */
const qualified = /^(?![ \t]*#).*\b[A-Za-z_]\w*::~?[A-Za-z_]/m;

/** So much of a statement is looked at: nobody writes longer ones, and a hostile file must not take longer than its length. */
const longest = 500;

const structHead = /\bstruct\s+(\w+)[^()=]*\{$/;
/** A function that is called as what it stands in. */
const maker = /^\s*~?(\w+)\s*\([^()]*\)\s*(?:;|\{|:[^;{}]*\{)$/;
/** What a structure is built on. */
const derived = /\bstruct\s+\w+\s*(?:\bfinal\s*)?:[^;{}()="]*\{$/;
const body = /\)\s*(?:const\s*)?\{$/;
/** Declared after its type; what C has there is an attribute: `int x __aligned(8);`, `int y ALIGNED(8);`. */
const declaration = /[\w>][\s*&]+(?!__|[A-Z\d_]+\s*\()~?[A-Za-z]\w*\s*\([^()]*\)\s*(?:const\s*)?;$/;

/** Whether a struct declares or holds a function, its constructor among them, or has a base. */
function isClassLike(code: string): boolean {
  let inside: string | undefined;
  for (const part of code.split(/(?<=[;{}])/)) {
    const end = part.slice(-longest);
    if (derived.test(end)) return true;
    if (inside !== undefined && (body.test(end) || declaration.test(end) || maker.exec(end)?.[1] === inside))
      return true;
    inside = structHead.exec(end)?.[1] ?? (end.endsWith(';') ? inside : undefined);
  }
  return false;
}
