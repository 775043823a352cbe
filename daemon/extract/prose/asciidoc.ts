import type { ProseBlock } from '../../model/prose.ts';
import { tidy } from './inline.ts';
import { proseLines } from './lines.ts';

/** The blocks of a text in AsciiDoc. Attributes, macros, admonitions, delimited blocks and tables are `other` or left out. */
export function asciidocBlocks(source: string): readonly ProseBlock[] {
  const lines = proseLines(source);
  const blocks: ProseBlock[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const [, marks, title] = /^(={1,6})\s+(\S.*)$/.exec(line) ?? [];
    if (line.trim() === '' || isAttribute.test(line)) {
      at++;
    } else if (isUnderlined(line, lines[at + 1] ?? '')) {
      blocks.push({
        kind: 'heading',
        text: plainAsciidoc(line),
        line: at,
        level: lines[at + 1]!.startsWith('=') ? 1 : 2,
      });
      at += 2;
    } else if (marks !== undefined && title !== undefined) {
      blocks.push({ kind: 'heading', text: plainAsciidoc(title), line: at, level: marks.length });
      at++;
    } else if (delimiter.test(line)) {
      const end = lines.findIndex((one, index) => index > at && one.trimEnd() === line.trimEnd());
      blocks.push({ kind: 'other', text: '', line: at, level: 0 });
      at = end < 0 ? at + 1 : end + 1;
    } else if (/^(?:\*{1,5}|-|\.{1,5}|\d{1,4}\.)\s+\S/.test(line)) {
      const end = endOfRun(lines, at);
      const words = lines.slice(at, end).join('\n');
      const [mark = ''] = /^\S+/.exec(words) ?? [];
      blocks.push({ kind: 'item', text: plainAsciidoc(words.slice(mark.length)), line: at, level: mark.length - 1 });
      at = end;
    } else {
      const end = endOfRun(lines, at);
      blocks.push(paragraph(lines.slice(at, end).join('\n'), at));
      at = end;
    }
  }
  return blocks;
}

/** `:name: value`, a comment, `[NOTE]` in front of a block, an include, a condition. */
const isAttribute = /^(?::[\w-]{1,80}!?:|\/\/|\[[^\]]{0,300}\]\s*$|(?:include|ifdef|ifndef|endif|ifeval)::)/;
const delimiter = /^(?:-{4,}|={4,}|\.{4,}|\*{4,}|_{4,}|\+{4,}|\|={3,}|`{3,}.{0,40}|--)\s*$/;

/** A title in two lines, the second about as long as the first. */
function isUnderlined(line: string, under: string): boolean {
  return /^[\w(]/.test(line) && /^([=~^-])\1{3,}\s*$/.test(under) && Math.abs(line.length - under.trimEnd().length) < 3;
}

function endOfRun(lines: readonly string[], at: number): number {
  let end = at + 1;
  while (end < lines.length && lines[end]!.trim() !== '' && !/^(?:\*{1,5}|-|\.{1,5}|={1,6})\s+\S/.test(lines[end]!))
    end++;
  return end;
}

function paragraph(words: string, line: number): ProseBlock {
  if (/^(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):/.test(words)) return { kind: 'other', text: '', line, level: 0 };
  const unlinked = plainAsciidoc(words.replace(/(?:link:|https?:\/\/)[^\s[]{1,500}\[[^\]]{0,300}\]/g, ' '));
  const text = plainAsciidoc(words);
  return { kind: /\p{L}{2}/u.test(unlinked) ? 'paragraph' : 'links', text, line, level: 0 };
}

function plainAsciidoc(words: string): string {
  const plain = words
    .slice(0, 4_000)
    .replace(/image::?[^\s[]{0,500}\[[^\]]{0,500}\]/g, ' ')
    .replace(/(?:link:|xref:|https?:\/\/)[^\s[]{0,500}\[([^\],]{0,300})[^\]]{0,300}\]/g, '$1')
    .replace(/<<[^,>]{1,200}(?:,([^>]{1,200}))?>>/g, '$1')
    .replace(/(?<![\w*])\*{1,2}([^*\n]{1,300})\*{1,2}(?![\w*])/g, '$1')
    .replace(/(?<![\w_])_{1,2}([^_\n]{1,300})_{1,2}(?![\w_])/g, '$1')
    .replace(/`{1,2}\+?([^`\n]{1,300}?)\+?`{1,2}/g, '$1')
    .replace(/\{[\w-]{1,80}\}/g, ' ');
  return tidy(plain);
}
