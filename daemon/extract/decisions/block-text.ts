import { isUnderline, linesOf, type MarkdownLine, markdownLines, markless } from './markdown-lines.ts';
import { sectionKind } from './section-kinds.ts';

/**
 * Text of a section between people and the document, there and back. It is Markdown and stays that, but what would end the
 * section or hide what comes behind it: headings of the section's own rank and of known names, underlines, blocks of code
 * that nothing ends, HTML that takes in what follows. Before such a mark goes a backslash; `k` backslashes that stand before
 * one already become `2k + 1`, so that reading leads back to `k`, and to what is meant where somebody else wrote them.
 */

/** As it goes into a section of this rank, with `\n` for line ends and without blank lines around it. */
export function literalBlock(text: string, rank: number): string {
  return markdownLines(linesOf(withoutBlankEnds(text)))
    .map((line, at, all) =>
      isVerbatim(line) ? line.text : literalLine(line.text, isStructure(line, all[at - 1], rank)),
    )
    .join('\n');
}

/** The same where no mark is to count, that of a block of code included. */
export function literalText(text: string): string {
  return linesOf(withoutBlankEnds(text))
    .map(line => literalLine(line, true))
    .join('\n');
}

/** As it was given. */
export function givenBlock(markdown: string): string {
  return markdownLines(linesOf(withoutBlankEnds(markdown)))
    .map(line => (isVerbatim(line) ? line.text : givenLine(line.text)))
    .join('\n');
}

/** Without blank lines before it, and without blanks behind it. */
export function withoutBlankEnds(text: string): string {
  return text.replace(/^(?:[ \t]*(?:\r\n|[\n\r]))+/, '').trimEnd();
}

/** Whether a heading ends a section of this rank, and begins another. */
export function beginsSection(level: number, heading: string, rank: number): boolean {
  return level <= rank || sectionKind(heading) !== undefined;
}

function isVerbatim({ kind }: MarkdownLine): boolean {
  return kind === 'code' || kind === 'comment';
}

function isStructure(line: MarkdownLine, above: MarkdownLine | undefined, rank: number): boolean {
  const { kind, level, text, isOpen } = line;
  if (isOpen) return true;
  if (kind === 'heading') return beginsSection(level, markless(text), rank);
  return isUnderline(text) && above?.kind === 'text' && !/^ {0,3}(?:>|(?:[-*+]|\d{1,9}[.)])\s)/.test(above.text);
}

function literalLine(text: string, counts: boolean): string {
  const { indent, backslashes, mark, rest } = startOf(text);
  const escaped = mark !== '' && (counts || backslashes !== '') ? doubled(backslashes) : backslashes;
  return `${indent}${escaped}${mark}${literalInside(rest)}`;
}

function givenLine(text: string): string {
  const { indent, backslashes, mark, rest } = startOf(text);
  return `${indent}${mark === '' ? backslashes : halved(backslashes)}${mark}${givenInside(rest)}`;
}

/** How a line begins: a mark that may make a heading of it, or of the line above, or begin a block; empty where none does. */
function startOf(text: string) {
  const found =
    /^( {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?)(\\*)(#{1,6}(?=[ \t]|$)|(?:=+|-+)(?=[ \t]*$)|`{3,}|~{3,})/.exec(text);
  const [whole = '', indent = '', backslashes = '', mark = ''] = found ?? [];
  return { indent, backslashes, mark, rest: text.slice(whole.length) };
}

/** Tags whose content is no Markdown, or that pages must not have: those that GitHub takes out, and `pre`. */
const opaque =
  /<(?=!--|!\[CDATA\[|![A-Za-z]|\?|\/?(?:script|style|pre|textarea|title|xmp|iframe|noembed|noframes|plaintext)(?![A-Za-z0-9-]))/gi;

function literalInside(text: string): string {
  return outsideCode(text, part => withBackslashes(part, doubled));
}

function givenInside(text: string): string {
  return outsideCode(text, part => withBackslashes(part, halved));
}

/** A text in which the backslashes before each of those tags are changed. */
function withBackslashes(text: string, change: (backslashes: string) => string): string {
  let changed = '';
  let from = 0;
  for (const { index } of text.matchAll(opaque)) {
    const start = index - backslashesBefore(text, index);
    changed += `${text.slice(from, start)}${change(text.slice(start, index))}`;
    from = index;
  }
  return changed + text.slice(from);
}

function backslashesBefore(text: string, at: number): number {
  let start = at;
  while (text[start - 1] === '\\') start--;
  return at - start;
}

function doubled(backslashes: string): string {
  return '\\'.repeat(backslashes.length * 2 + 1);
}

/** An even number is none of ours: the mark behind it counts. */
function halved(backslashes: string): string {
  const { length } = backslashes;
  return length % 2 === 0 ? backslashes : '\\'.repeat((length - 1) / 2);
}

/** Changes what stands outside of code within a line, in which no mark of code comes or goes. */
function outsideCode(text: string, change: (part: string) => string): string {
  if (!text.includes('<')) return text;
  let changed = '';
  let from = 0;
  for (const [start, end] of codeSpans(text)) {
    changed += change(text.slice(from, start)) + text.slice(start, end);
    from = end;
  }
  return changed + change(text.slice(from));
}

/** Where code begins and ends: between runs of equally many marks, the first mark behind no odd number of backslashes. Linear. */
function* codeSpans(text: string): Iterable<readonly [number, number]> {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({
    end: index + length,
    length,
    opens: length - (backslashesBefore(text, index) % 2),
  }));
  const places = new Map<number, { readonly at: number[]; next: number }>();
  for (const [at, { length }] of runs.entries()) {
    const same = places.get(length);
    if (same === undefined) places.set(length, { at: [at], next: 0 });
    else same.at.push(at);
  }
  for (let at = 0; at < runs.length; at++) {
    const { opens, end } = runs[at]!;
    const same = places.get(opens);
    while (same !== undefined && same.next < same.at.length && same.at[same.next]! <= at) same.next++;
    const closer = same?.at[same.next];
    if (closer === undefined) continue;
    yield [end - opens, runs[closer]!.end];
    at = closer;
  }
}
