import { mostProse, type ProseBlock } from '../../model/prose.ts';
import { tidy } from './inline.ts';
import { proseLines } from './lines.ts';

/**
 * The blocks of a text in reStructuredText. Directives (pictures, notes, code) and what is indented below them are `other`
 * or left out; levels of headings are told by the order in which their underlines come first.
 */
export function restructuredBlocks(source: string): readonly ProseBlock[] {
  const lines = proseLines(withReplacements(source));
  const blocks: ProseBlock[] = [];
  const levels: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    if (line.trim() === '') {
      at++;
    } else if (isUnderline(line) && !isUnderline(lines[at + 1] ?? '') && isUnderline(lines[at + 2] ?? '')) {
      blocks.push(heading(lines[at + 1]!, levelOf(levels, `${line[0]} above`), at + 1));
      at += 3;
    } else if (/^\S/.test(line) && isUnderline(lines[at + 1] ?? '')) {
      blocks.push(heading(line, levelOf(levels, lines[at + 1]![0]!), at));
      at += 2;
    } else if (/^\.\.(?:\s|$)|^\s/.test(line) || isUnderline(line)) {
      blocks.push({ kind: 'other', text: '', line: at, level: 0 });
      at = behindIndented(lines, at + 1);
    } else if (/^(?:[-*+•]|\d{1,4}[.)]|#\.)\s+\S/.test(line)) {
      const end = endOfItem(lines, at);
      const words = lines
        .slice(at, end)
        .join('\n')
        .replace(/^(?:[-*+•]|\d{1,4}[.)]|#\.)\s+/, '');
      blocks.push({ kind: 'item', text: plainRestructured(words), line: at, level: 0 });
      at = end;
    } else {
      const end = lines.findIndex((one, index) => index > at && one.trim() === '');
      const until = end < 0 ? lines.length : end;
      blocks.push(paragraph(lines.slice(at, until).join('\n'), at));
      at = until;
    }
  }
  return blocks;
}

/** No more names are put in. */
const mostReplacements = 50;

/** `.. |fetch| replace:: ``fetch``` puts its words wherever the name stands; one of a picture nothing. */
function withReplacements(source: string): string {
  const head = source.slice(0, mostProse);
  const found = [...head.matchAll(/^\.\. \|([^|\n]{1,80})\| replace:: (.{1,300})$/gm)].slice(0, mostReplacements);
  const meant = new Map(found.map(([, name = '', words = '']) => [name, words]));
  if (meant.size === 0) return head;
  return head
    .replace(/\|([^|\n]{1,80})\|_{0,2}/g, (whole, name: string) => meant.get(name) ?? whole)
    .slice(0, mostProse);
}

function isUnderline(line: string): boolean {
  return /^([=\-~^"'`#*+:.<>_])\1{2,}\s*$/.test(line);
}

function levelOf(levels: string[], mark: string): number {
  if (!levels.includes(mark)) levels.push(mark);
  return levels.indexOf(mark) + 1;
}

function heading(words: string, level: number, line: number): ProseBlock {
  return { kind: 'heading', text: plainRestructured(words), line, level };
}

function behindIndented(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && /^\s/.test(lines[at]!)) at++;
  return at;
}

function endOfItem(lines: readonly string[], at: number): number {
  let end = at + 1;
  while (end < lines.length && /^\s+\S/.test(lines[end]!)) end++;
  return end;
}

function paragraph(words: string, line: number): ProseBlock {
  const text = plainRestructured(words);
  const unlinked = plainRestructured(words.replace(/`[^`]{1,500}`_{1,2}|https?:\/\/\S{1,500}/g, ' '));
  return { kind: /\p{L}{2}/u.test(unlinked) ? 'paragraph' : 'links', text, line, level: 0 };
}

/** Roles, links and literals are their words; substitutions are mostly badges. */
function plainRestructured(words: string): string {
  const plain = words
    .slice(0, 4_000)
    .replace(/\|[\w .-]{1,80}\|_{0,2}/g, ' ')
    .replace(
      /:[\w:.-]{1,60}:`(?:[^`<]{1,300}<)?~?([^`<>]{1,300})>?`/g,
      (whole, target: string) => labelOf(whole) ?? target,
    )
    .replace(/`([^`<]{1,300}?)\s*<[^`>]{1,500}>`_{1,2}/g, '$1')
    .replace(/``([^`]{1,500})``/g, '$1')
    .replace(/`([^`]{1,500})`_{0,2}/g, '$1')
    .replace(/\*\*([^*]{1,500})\*\*/g, '$1')
    .replace(/\*([^*\s][^*]{0,500})\*/g, '$1')
    .replace(/(?<=\w)_{1,2}(?=[\s.,;:)]|$)/g, '')
    .replace(/::$/, ':');
  return tidy(plain);
}

/** Of a role with a label of its own, as in `` :ref:`the guide <guide>` ``. */
function labelOf(role: string): string | undefined {
  return /`([^`<]{1,300}?)\s*</.exec(role)?.[1];
}
