import type { ProseBlock } from '../../model/prose.ts';
import { plainInline } from './inline.ts';
import { proseLines } from './lines.ts';

/**
 * The blocks of a text in Markdown, as GitHub shows it: front matter, comments, code, tables, admonitions and definitions of
 * links are `other` or left out. Of a long text the beginning.
 */
export function markdownBlocks(source: string): readonly ProseBlock[] {
  const lines = proseLines(source);
  const blocks: ProseBlock[] = [];
  for (let at = behindFrontMatter(lines); at < lines.length; ) {
    const take = takers.find(([begins]) => begins.test(lines[at]!));
    const taken = take === undefined ? takeParagraph(lines, at) : take[1](lines, at);
    blocks.push(...taken.blocks);
    at = Math.max(taken.next, at + 1);
  }
  return blocks;
}

interface Taken {
  readonly blocks: readonly ProseBlock[];
  /** Where the next block begins. */
  readonly next: number;
}

function behindFrontMatter(lines: readonly string[]): number {
  if (!/^---\s*$/.test(lines[0] ?? '')) return 0;
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  return end < 0 ? 0 : end + 1;
}

type Take = (lines: readonly string[], at: number) => Taken;

/** What a line that begins a block looks like; any other begins a paragraph. */
const takers: readonly (readonly [begins: RegExp, take: Take])[] = [
  [/^\s*$/, (_, at) => nothing(at + 1)],
  [/^ {0,3}(?:`{3,}|~{3,})/, takeFence],
  [/^(?: {4}|\t)/, takeIndented],
  [/^ {0,3}#{1,6}(?:\s|$)/, takeHeading],
  [/^ {0,3}<!--/, takeComment],
  [/^ {0,3}<\/?[a-zA-Z][^<>]{0,1000}/, takeHtml],
  [/^ {0,3}>/, takeQuote],
  [/^ {0,3}:{3,}/, takeContainer],
  [/^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/, (_, at) => nothing(at + 1)],
  [/^\s*(?:[-*+]|\d{1,9}[.)])\s+\S/, takeItem],
  [/^ {0,3}\|/, takeTable],
  [/^ {0,3}\[[^\]]{1,300}\]:\s*\S/, (_, at) => nothing(at + 1)],
  [/^ {0,3}(?:import|export) .{0,300}from ['"]/, (_, at) => nothing(at + 1)],
];

function nothing(next: number): Taken {
  return { blocks: [], next };
}

function other(line: number, next: number): Taken {
  return { blocks: [{ kind: 'other', text: '', line, level: 0 }], next };
}

function takeFence(lines: readonly string[], at: number): Taken {
  const [, fence = '```'] = /^ {0,3}(`{3,}|~{3,})/.exec(lines[at]!)!;
  const closes = (line: string): boolean => {
    const marks = line.trim();
    return marks.length >= fence.length && marks.replaceAll(fence[0]!, '') === '';
  };
  const end = lines.findIndex((line, index) => index > at && closes(line));
  return other(at, end < 0 ? lines.length : end + 1);
}

function takeIndented(lines: readonly string[], at: number): Taken {
  let end = at;
  while (end < lines.length && /^(?: {4}|\t|\s*$)/.test(lines[end]!)) end++;
  return other(at, end);
}

function takeHeading(lines: readonly string[], at: number): Taken {
  const [, marks = '#', words = ''] =
    /^ {0,3}(#{1,6})\s*(.*?)\s*#*\s*$/.exec(lines[at]!.slice(0, longestHeading)) ?? [];
  return { blocks: [heading(words, marks.length, at)], next: at + 1 };
}

const longestHeading = 300;

function heading(words: string, level: number, line: number): ProseBlock {
  return { kind: 'heading', text: plainInline(words).text, line, level };
}

function takeComment(lines: readonly string[], at: number): Taken {
  const end = lines.findIndex((line, index) => index >= at && line.includes('-->'));
  return nothing(end < 0 ? lines.length : end + 1);
}

/** HTML goes on to an empty line; its headings are some, and what else it says is set apart. */
function takeHtml(lines: readonly string[], at: number): Taken {
  if (isInlineTag.test(lines[at]!)) return takeParagraph(lines, at);
  let end = at;
  while (end < lines.length && lines[end]!.trim() !== '') end++;
  const text = lines.slice(at, end).join('\n');
  if (/^\s*<(?:details|table|pre|script|style|svg)\b/i.test(text)) return other(at, end);
  const [title = '', level = '', words = ''] = /<h([1-6])\b[^<>]{0,1000}>([\s\S]{0,1000}?)<\/h\1>/i.exec(text) ?? [];
  const rest = text.replace(title, ' ').replace(/<a\b[^<>]{0,1000}>[\s\S]{0,1000}?<\/a>/gi, ' ');
  const titled = heading(words, Number(level), at);
  const { text: plain, unlinked } = plainInline(rest);
  const kind = hasWords(unlinked) ? 'html' : 'links';
  const blocks: readonly ProseBlock[] = [titled, { kind, text: plain, line: at, level: 0 }];
  return { blocks: blocks.filter(one => one.text !== ''), next: end };
}

/** A line of words that begins with one that is set in some way. */
const isInlineTag = /^ {0,3}<(?:b|i|em|strong|code|kbd|sub|sup|span|a)\b[^<>]{0,1000}>[^<]{0,300}<\/\w{1,10}>\s*\S/i;

function takeQuote(lines: readonly string[], at: number): Taken {
  let end = at;
  while (end < lines.length && /^ {0,3}>/.test(lines[end]!)) end++;
  const inner = lines.slice(at, end).map(line => line.replace(/^ {0,3}> ?/, ''));
  if (/^\s*\[!\w{1,20}\]/.test(inner[0]!)) return other(at, end);
  const first = inner.findIndex(line => line.trim() !== '');
  const words = inner.slice(Math.max(0, first));
  const blank = words.findIndex(line => line.trim() === '');
  const text = words.slice(0, blank < 0 ? words.length : blank).join('\n');
  return { blocks: [said('quote', text, at)], next: end };
}

/** `:::note` and what it holds. */
function takeContainer(lines: readonly string[], at: number): Taken {
  const end = lines.findIndex((line, index) => index > at && /^ {0,3}:{3,}\s*$/.test(line));
  return other(at, end < 0 ? lines.length : end + 1);
}

function takeItem(lines: readonly string[], at: number): Taken {
  const [, indent = '', first = ''] = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(.*)$/.exec(lines[at]!)!;
  const words = [first];
  let end = at + 1;
  while (end < lines.length && /^\s+\S/.test(lines[end]!) && !beginsBlock.test(lines[end]!)) words.push(lines[end++]!);
  const { text } = plainInline(words.join('\n'));
  const level = Math.floor(indent.replaceAll('\t', '  ').length / 2);
  return { blocks: [{ kind: 'item', text, line: at, level }], next: end };
}

const beginsBlock = /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|`{3,}|~{3,}|#{1,6}\s|>|\|)/;

function takeTable(lines: readonly string[], at: number): Taken {
  let end = at;
  while (end < lines.length && /^ {0,3}\|/.test(lines[end]!)) end++;
  return other(at, end);
}

/** Goes on to an empty line, or to one that begins something else; underlined it is a heading. */
function takeParagraph(lines: readonly string[], at: number): Taken {
  let end = at + 1;
  while (end < lines.length && lines[end]!.trim() !== '' && !interrupts.test(lines[end]!)) {
    const [, line] = /^ {0,3}(=+|-+)\s*$/.exec(lines[end]!) ?? [];
    if (line !== undefined) {
      return { blocks: [heading(lines.slice(at, end).join(' '), line.startsWith('=') ? 1 : 2, at)], next: end + 1 };
    }
    end++;
  }
  // A table need not begin with a bar.
  const under = lines[at + 1] ?? '';
  if (under.includes('-') && under.includes('|') && /^[\s:|-]+$/.test(under)) return other(at, end);
  return { blocks: [said('paragraph', lines.slice(at, end).join('\n'), at)], next: end };
}

const interrupts =
  /^ {0,3}(?:`{3,}|~{3,}|#{1,6}\s|>|[-*+]\s+\S|:{3,}|<(?:p|div|h[1-6]|table|details|img|br|hr|center|pre|ul|ol)\b|<!--)/;

function said(kind: 'paragraph' | 'quote', source: string, line: number): ProseBlock {
  const { text, unlinked } = plainInline(source);
  return { kind: hasWords(unlinked) ? kind : 'links', text, line, level: 0 };
}

/** Bars and dots between links say nothing. */
function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(text);
}
