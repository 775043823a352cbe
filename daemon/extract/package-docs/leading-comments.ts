/** A comment at the beginning of a file. */
export interface LeadingComment {
  /** Without its marks, a line for each of the source. */
  readonly lines: readonly string[];
  /** 0-based, of its first line. */
  readonly line: number;
  /** As written: `//!`, `/**`, `#`. */
  readonly mark: string;
  /** The line of code that follows, without the space around it; '' where the file ends. */
  readonly next: string;
  /** Whether an empty line lies between. */
  readonly isApart: boolean;
}

/** How comments are written, and what may stand between those at the beginning without ending them. */
export interface CommentStyle {
  readonly line: RegExp;
  readonly isBlock: boolean;
  readonly passed: RegExp;
}

/** No more lines are looked through: what a file is stands at its top. */
const mostLines = 400;

/** The comments in front of a file's first code, in their order. */
export function leadingComments(source: string, style: CommentStyle): readonly LeadingComment[] {
  const lines = source
    .slice(0, 64 * 1024)
    .split(/\r\n?|\n/)
    .slice(0, mostLines);
  const found: LeadingComment[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!.trim();
    const end = style.isBlock && line.startsWith('/*') ? endOfBlock(lines, at) : endOfRun(lines, at, style);
    if (end > at) {
      found.push(commentIn(lines, at, end, style));
      at = end;
    } else if (line === '' || style.passed.test(line)) at++;
    else break;
  }
  return found;
}

function endOfBlock(lines: readonly string[], at: number): number {
  const end = lines.findIndex((line, index) => index >= at && line.includes('*/', index === at ? 2 : 0));
  return end < 0 ? lines.length : end + 1;
}

/** Line comments right below one another, of one mark, are one. */
function endOfRun(lines: readonly string[], at: number, { line }: CommentStyle): number {
  const [mark] = line.exec(lines[at]!) ?? [];
  let end = at;
  while (mark !== undefined && end < lines.length && line.exec(lines[end]!)?.[0].trim() === mark.trim()) end++;
  return end;
}

function commentIn(lines: readonly string[], at: number, end: number, style: CommentStyle): LeadingComment {
  const own = lines.slice(at, end);
  const [mark = ''] = /^\/\*[*!]?/.exec(own[0]!.trim()) ?? style.line.exec(own[0]!) ?? [];
  const isBlock = mark.startsWith('/*');
  const text = own.map((line, index) => (isBlock ? blockLine(line, index === 0) : line.replace(style.line, '')));
  const after = lines.slice(end);
  const next = after.findIndex(line => line.trim() !== '');
  return {
    lines: text.map(line => line.trimEnd()),
    line: at,
    mark: mark.trim(),
    next: next < 0 ? '' : after[next]!.trim(),
    isApart: next !== 0,
  };
}

function blockLine(line: string, isFirst: boolean): string {
  const begun = isFirst ? line.replace(/^\s*\/\*[*!]?/, '') : line.replace(/^\s*\*(?!\/) ?/, '');
  return begun.replace(/\s*\*+\/.*$/, '');
}
