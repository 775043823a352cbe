import type { Bullet } from '../../model/decision.ts';
import { givenBlock, withoutBlankEnds } from './block-text.ts';
import { linesOf } from './markdown-lines.ts';

/** Texts as items of a list. `literal` makes Markdown of one, that ends no section. */
export function writtenItems(items: readonly string[], bullet: Bullet, literal: (text: string) => string): string {
  return items
    .map(item => {
      const lines = literal(item.trim()).split('\n');
      return lines.map((line, at) => (at === 0 ? `${bullet} ${line}` : line === '' ? '' : `  ${line}`)).join('\n');
    })
    .join('\n');
}

/**
 * The items of a section: those of its lists of the first rank, with all that belongs to each, and paragraphs that stand
 * between them. A line behind an item's goes on with it unless it begins another or stands, unindented, behind a blank one.
 */
export function givenItems(markdown: string): readonly string[] {
  const items: { readonly lines: string[]; readonly indent: number }[] = [];
  let isBehindBlank = true;
  for (const line of linesOf(markdown)) {
    const current = items.at(-1);
    const bullet = /^ {0,1}(?:[-*+]|\d{1,9}[.)])(?:[ \t]{1,4}(?=\S)|[ \t]*$)/.exec(line)?.[0];
    if (line.trim() === '') {
      isBehindBlank = true;
      current?.lines.push(unindented(line, current.indent));
      continue;
    }
    if (bullet !== undefined) items.push({ lines: [line.slice(bullet.length)], indent: bullet.length });
    else if (current === undefined || (isBehindBlank && !isIndented(line))) items.push({ lines: [line], indent: 0 });
    else current.lines.push(unindented(line, current.indent));
    isBehindBlank = false;
  }
  return items.map(({ lines }) => givenBlock(withoutBlankEnds(lines.join('\n')))).filter(item => item.trim() !== '');
}

function isIndented(line: string): boolean {
  return /^(?: {2}|\t)/.test(line);
}

function unindented(line: string, indent: number): string {
  if (line.startsWith('\t')) return line.slice(1);
  const blanks = /^ */.exec(line)![0].length;
  return line.slice(Math.min(blanks, indent));
}
