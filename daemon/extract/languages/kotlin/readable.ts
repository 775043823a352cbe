/**
 * What the grammar stumbles over, in other letters of that length: `set`, `get` and modifiers where they are names, `in1`,
 * which it takes for `in 1`, a member before a `}` on the same line (`A { fun f() {} };`), a comma behind the last type
 * argument, a class's head over several lines, and annotated declarations, of which it makes expressions, as of
 * `annotation class A`.
 */
export function readable(source: string): string {
  return source
    .replace(/\bannotation(?=[ \t]+class\b)/g, blanked)
    .replace(classHead, onOneLine)
    .replace(annotated, asDeclaration)
    .replace(/^.*\b(?:fun|class|interface|object)\b.*[ \t]\}.*$/gm, line =>
      line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/.*|[ \t](?=\})/g, part =>
        /^[ \t]$/.test(part) ? '\n' : part,
      ),
    )
    .replace(modifierAsName, (_, before: string, name: string) => before + name[0]!.toUpperCase() + name.slice(1))
    .replace(/,(?=\s*[>\]])/g, blanked)
    .replace(/\bin(?=\d)/g, 'iN')
    .replace(accessorAsName, '$1$2eT')
    .replace(/\b([sg])et(?=[ \t]*(?:[!=]=|=[^>=]|[-+*/%,)\].?])|[ \t]+(?:and|or|xor|u?sh[lr]|in|is|as)\b)/g, '$1eT')
    .replace(/(\b(?:and|or|xor|return)[ \t]+|[=(,][ \t]*)([sg])et\b(?![ \t]*[({<])/g, '$1$2eT');
}

const comment = String.raw`//.*(?!.)|/\*(?:[^*]|\*(?!/)){0,4000}\*/`;
const text = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
const gap = String.raw`(?:\s|${comment})*`;

/** Brackets around what `part` matches and around further ones, three deep; bounded, for a bracket may stay open. */
function nested(open: string, part: string, close: string): string {
  const around = (inner: string): string => `${open}(?:${part}${inner}){0,4000}${close}`;
  return around(`|${around(`|${around('')}`)}`);
}

const callArguments = nested(String.raw`\(`, `[^()"'/]|${text}|${comment}|/(?![/*])`, String.raw`\)`);
const typeArguments = nested('<', '[^<>(){}]', '>');
const annotation = String.raw`@(?!file\b)(?:\[[^\]\n]*\]|[\w.:]+(?![\w.:])(?:${typeArguments})?(?:${callArguments})?)`;
const modifier = String.raw`(?:public|private|internal|protected|expect|actual)\b`;

/** `class C` and its constructor, maybe on lines below it: there the grammar takes one of a nested class for the outer's. */
const classHead = new RegExp(
  String.raw`(?<!//.*)\bclass[ \t]+\w+(?:${gap}${typeArguments})?${gap}(?:(?=\()|(?:(?:${annotation}|${modifier})${gap}){0,20}\bconstructor\b)`,
  'g',
);

function onOneLine(head: string): string {
  return head.replace(new RegExp(`${text}|${comment}|[\\r\\n]`, 'g'), part =>
    /^["']/.test(part) ? part : blanked(part),
  );
}

const modifiers =
  'public private internal protected expect actual final open abstract sealed const external override lateinit tailrec suspend inner enum data value inline infix operator fun';

/** Where a line may end one character earlier: an empty one, a comment, the one above a block comment. */
const lineEnd = String.raw`(?<=\n)\r?\n|.\r?\n(?<=(?<![^\n])[ \t]*//.+\r?\n)|\n/\*(?:[^*]|\*(?!/)){0,4000}\*/[ \t]*\r?\n`;

/** Annotations at the top of a file's declaration, with the end of the line above, the modifiers and what it declares. */
const annotated = new RegExp(
  String.raw`(${lineEnd})?(?<![^\n])((?:${annotation}${gap}){1,20})((?:(?:${modifiers.replaceAll(' ', '|')})\s+){0,20})(?=(?:class|interface|object|fun|va[lr]|typealias)\b)`,
  'g',
);

const eachAnnotation = new RegExp(annotation, 'g');

/**
 * `@A @B` as `@[A B]`, for which the line above ends earlier; an argument list ends its line. `expect class C` might be an
 * infix call, as `a to b` is; so might `const val X` be, which stays told as `final`: at the top nothing else is.
 */
function asDeclaration(_: string, above: string | undefined, marks: string, words: string): string {
  const isList =
    above !== undefined && (marks.match(eachAnnotation) ?? []).length > 1 && !/@(?:\[|\w+:)|\S$/.test(marks);
  const written = isList ? asList(above, marks) : (above ?? '') + marks.replace(/(?<=\))[ \t](?=[ \t]*$)/, '\n');
  return written + words.replace(/\b(?:expect|actual|data|value)\b/g, blanked).replace(/^(\s*)const\b/, '$1final');
}

function asList(above: string, marks: string): string {
  const shorter = above
    .slice(0, -1)
    .replace(/^\n/, ';')
    .replace(/^.(?=\r?$)/, '\n')
    .replace('\r', ' ');
  const list = marks
    .slice(1)
    .replace(new RegExp(`${text}|${comment}|[@\\r]`, 'g'), part => (/^["']/.test(part) ? part : blanked(part)));
  return `${shorter}@[${list.replace(/\s*$/, rest => `]${rest.slice(1)}`)}`;
}

/** `get("a")` and `set(1, 2)` behind a property are no accessors of it. */
const accessorAsName = /\b(?:(g)et(?=\(\s*[^)\s])|(s)et(?=\([ \t]*(?:["'\d]|\w+[ \t]*[.(,])))/g;

const modifierAsName =
  /(^[ \t]*|[({=,!][ \t]*|\breturn[ \t]+|(?:&&|\|\|)[ \t]*)(open|inner|sealed|external|infix|operator|const|final|override|inline)(?=[ \t]*(?:[=.,)]|\([^\n]*\)[ \t]*$)|\()/gm;

function blanked(part: string): string {
  return ' '.repeat(part.length);
}
