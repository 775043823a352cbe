/** Words and signs that C has not, or not there: `const char *typename` is a name of C. */
const cppMarks = [
  /^[ \t]*(?:class|namespace|template|using|public:|private:|protected:)\b/m,
  /\b(?:constexpr|nullptr|std::|typename(?!\s*[),;=[]))\b/,
  /^[ \t]*(?:virtual|explicit|friend)[ \t].*[;{][ \t]*$/m,
  /\benum\s+(?:class|struct)\b|\boperator[ \t]*[^\s\w*]|=\s*(?:default|delete)\s*;/,
];

/** `.h` is C or C++: what the file says decides. */
export function isCpp(header: string): boolean {
  return cppMarks.some(mark => mark.test(header)) || isClassLike(header);
}

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
function isClassLike(header: string): boolean {
  const code = header.replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/.*/g, '');
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
