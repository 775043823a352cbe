import type { ProseBlock } from '../../model/prose.ts';
import { tidy } from './inline.ts';
import { proseLines } from './lines.ts';

/** The blocks of a text without markup: paragraphs between empty lines, lists, and headings that are underlined or in capitals. */
export function plainBlocks(source: string): readonly ProseBlock[] {
  return blocksBy(source, {
    heading: (line, next) => {
      if (/^ {0,3}(?:={3,}|-{3,}|~{3,}|\*{3,})\s*$/.test(next)) return { level: 1, words: line, lines: 2 };
      const isShouted = /^[A-Z][A-Z \d/&-]{2,60}:?\s*$/.test(line);
      return isShouted ? { level: 2, words: line, lines: 1 } : undefined;
    },
    plain: words => words,
  });
}

/** The blocks of a text in RDoc, as Ruby writes it: headings begin with `=`, what is indented is code. */
export function rdocBlocks(source: string): readonly ProseBlock[] {
  return blocksBy(source, {
    heading: line => {
      const [, marks, words] = /^(={1,6})\s*([^=\s].*)$/.exec(line) ?? [];
      return marks === undefined || words === undefined ? undefined : { level: marks.length, words, lines: 1 };
    },
    plain: words =>
      words
        .replace(/\{([^}]{1,300})\}\[[^\]]{1,500}\]/g, '$1')
        .replace(/(?<!\w)(\w{1,100})\[(?:https?|link|rdoc-\w{1,10}):[^\]]{1,500}\]/g, '$1')
        .replace(/<\/?(?:tt|b|em|i|code)>/g, '')
        .replace(/(?<![\w+])\+([\w:.?!#]{1,100})\+(?![\w+])/g, '$1')
        .replace(/(?<![\w*])\*([^*\s]{1,100})\*(?![\w*])/g, '$1')
        .replace(/\\(?=[A-Z#])/g, ''),
  });
}

interface Writing {
  readonly heading: (
    line: string,
    next: string,
  ) => { readonly level: number; readonly words: string; readonly lines: number } | undefined;
  readonly plain: (words: string) => string;
}

function blocksBy(source: string, writing: Writing): readonly ProseBlock[] {
  const lines = proseLines(source);
  const blocks: ProseBlock[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const titled = writing.heading(line, lines[at + 1] ?? '');
    if (line.trim() === '') at++;
    else if (titled !== undefined) {
      blocks.push({ kind: 'heading', text: tidy(writing.plain(titled.words)), line: at, level: titled.level });
      at += titled.lines;
    } else if (item.test(line)) {
      const end = endOf(lines, at, writing);
      const words = lines.slice(at, end).join('\n').replace(item, '');
      blocks.push({ kind: 'item', text: tidy(writing.plain(words)), line: at, level: 0 });
      at = end;
    } else {
      const end = endOf(lines, at, writing);
      const words = lines.slice(at, end).join('\n').slice(0, 4_000);
      const isText =
        !/^(?: {4}|\t| {2}\S.*\n {2})/.test(words) &&
        /\p{L}{2}/u.test(words.replace(/https?:\S+|\{[^}]{1,300}\}\[[^\]]{1,500}\]/g, ' '));
      blocks.push({ kind: isText ? 'paragraph' : 'other', text: tidy(writing.plain(words)), line: at, level: 0 });
      at = end;
    }
  }
  return blocks;
}

const item = /^\s{0,4}(?:[-*+•]|\d{1,4}[.)])\s+(?=\S)/;

function endOf(lines: readonly string[], at: number, { heading }: Writing): number {
  const isMore = (index: number): boolean =>
    lines[index]!.trim() !== '' &&
    !item.test(lines[index]!) &&
    heading(lines[index]!, lines[index + 1] ?? '') === undefined;
  let end = at + 1;
  while (end < lines.length && isMore(end)) end++;
  return end;
}
