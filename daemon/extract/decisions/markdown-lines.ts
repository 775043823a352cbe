/** A line of Markdown, as far as it decides where sections begin. */
export interface MarkdownLine {
  readonly text: string;
  /**
   * `code`: in a fenced block, its fences included; `comment`: in an HTML comment that began its line; `underline`: makes
   * a heading of the paragraph above it.
   */
  readonly kind: 'text' | 'blank' | 'code' | 'comment' | 'heading' | 'underline';
  /** Of a heading and an underline, from 1 on; else 0. */
  readonly level: number;
  /** Would begin a block that nothing ends: taken for text, so that it hides nothing. */
  readonly isOpen: boolean;
}

/** A heading, and the lines below it up to the next one's. */
export interface MarkdownHeading {
  readonly level: number;
  /** Its text without marks, as it is written. */
  readonly text: string;
  /** Index of its first line, and of the one behind it. */
  readonly line: number;
  readonly bodyLine: number;
  readonly isUnderlined: boolean;
}

/** The lines of a text, whatever ends them. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r]/);
}

/** Tells lines apart as CommonMark does, but that what nothing ends hides nothing. Linear in the text. */
export function markdownLines(lines: readonly string[]): readonly MarkdownLine[] {
  const found: MarkdownLine[] = [];
  let block: Block | undefined;
  let opened = 0;
  let rewinds = 0;
  for (let at = 0; at < lines.length; at++) {
    const text = lines[at]!;
    if (block !== undefined) {
      found.push({ text, kind: block.kind, level: 0, isOpen: false });
      if (ends(text, block)) block = undefined;
      else if (at === lines.length - 1) {
        at = opened;
        found.length = opened;
        found.push({ text: lines[opened]!, kind: 'text', level: 0, isOpen: true });
        block = undefined;
        rewinds++;
      }
      continue;
    }
    const begun = blockAt(text);
    if (begun === undefined) found.push(plainLine(text, found.at(-1)));
    else if (at === lines.length - 1 || rewinds >= mostRewinds)
      found.push({ text, kind: 'text', level: 0, isOpen: true });
    else {
      found.push({ text, kind: begun.kind, level: 0, isOpen: false });
      opened = at;
      block = begun;
    }
  }
  return found;
}

/** How often a text may be read again from where a block began that does not end. */
const mostRewinds = 32;

/** More than a document has; what stands behind them is text of the last one. */
const mostHeadings = 1000;

/** Headings in their order. Of a paragraph of several lines with an underline none is made: such a line parts sections. */
export function headingsOf(lines: readonly MarkdownLine[]): readonly MarkdownHeading[] {
  const headings: MarkdownHeading[] = [];
  for (const [at, { kind, level, text }] of lines.entries()) {
    if (headings.length === mostHeadings) break;
    if (kind === 'heading') {
      headings.push({ level, text: markless(text), line: at, bodyLine: at + 1, isUnderlined: false });
    } else if (kind === 'underline' && lines[at - 2]?.kind !== 'text') {
      headings.push({ level, text: lines[at - 1]!.text.trim(), line: at - 1, bodyLine: at + 1, isUnderlined: true });
    }
  }
  return headings;
}

/** A heading's text: without the marks before it and those that may close it. */
export function markless(text: string): string {
  const inner = text.replace(/^ {0,3}#{1,6}/, '').trim();
  let end = inner.length;
  while (inner[end - 1] === '#') end--;
  return end === 0 || /[ \t]/.test(inner[end - 1]!) ? inner.slice(0, end).trim() : inner;
}

/** Whether a line would make a heading of a paragraph above it. */
export function isUnderline(text: string): boolean {
  return /^ {0,3}(?:=+|-+)[ \t]*$/.test(text);
}

type Block =
  | { readonly kind: 'code'; readonly mark: string; readonly length: number; readonly indent: number }
  | { readonly kind: 'comment' };

/** The block of code or comment that a line begins and does not end. */
function blockAt(text: string): Block | undefined {
  const fence = /^( {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?)(`{3,}|~{3,})(.*)$/.exec(text);
  if (fence !== null) {
    const [, before, marks, behind] = fence as unknown as readonly [string, string, string, string];
    const indent = before.trim() === '' ? 0 : before.length;
    return marks.startsWith('`') && behind.includes('`')
      ? undefined
      : { kind: 'code', mark: marks[0]!, length: marks.length, indent };
  }
  return /^ {0,3}<!--(?!.*-->)/.test(text) ? { kind: 'comment' } : undefined;
}

function ends(text: string, block: Block): boolean {
  if (block.kind === 'comment') return text.includes('-->');
  const found = /^( *)(`{3,}|~{3,})[ \t]*$/.exec(text);
  return (
    found !== null &&
    found[1]!.length <= block.indent + 3 &&
    found[2]!.startsWith(block.mark) &&
    found[2]!.length >= block.length
  );
}

function plainLine(text: string, above: MarkdownLine | undefined): MarkdownLine {
  const line = (kind: MarkdownLine['kind'], level = 0): MarkdownLine => ({ text, kind, level, isOpen: false });
  if (text.trim() === '') return line('blank');
  if (/^ {0,3}<!--/.test(text)) return line('comment');
  const level = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(text)?.[1]?.length ?? 0;
  if (level > 0) return line('heading', level);
  return isUnderline(text) && isParagraph(above) ? line('underline', text.includes('=') ? 1 : 2) : line('text');
}

/** Text that an underline below it makes a heading: no item of a list, no quotation, no row of a table. */
function isParagraph(line: MarkdownLine | undefined): boolean {
  return line?.kind === 'text' && !line.isOpen && !/^(?:\s|[>|<]|(?:[-*+]|\d{1,9}[.)])(?:\s|$))/.test(line.text);
}
