import {
  type BlockContext,
  type InlineContext,
  type LeafBlock,
  type LeafBlockParser,
  parser,
  Table,
} from '@lezer/markdown';

/** In a paragraph: what follows is text. Each makes the parser look for what it closes in all that came before it. */
const mostClosingBrackets = 1000;

/** An address or a tag, each part of it bounded. */
const tag =
  /<(?:[a-z][\w+.-]{1,30}:[^\s<>]{0,2000}|[\w.!#$%&'*+/=?^`{|}~-]{1,100}@[\w.-]{1,200}|\/?[a-z][\w.-]{0,60}(?:\s{1,100}[a-z:_@#][\w.:-]{0,100}(?:\s{0,100}=\s{0,100}(?:[^\s"'=<>`]{1,1000}|'[^']{0,4000}'|"[^"]{0,4000}"))?){0,100}\s{0,100}\/?)>/iy;

/** Paragraphs of which it is known that no comment ends any more. */
const withoutEnds = new WeakSet<InlineContext>();
const closingBrackets = new WeakMap<InlineContext, number>();

/** A comment, tag or address at a place in a paragraph; -1 where there is none. */
function tagAt(cx: InlineContext, next: number, pos: number): number {
  if (next !== 60) return -1;
  const at = pos - cx.offset;
  if (!cx.text.startsWith('<!--', at)) {
    tag.lastIndex = at;
    const [found] = tag.exec(cx.text) ?? [];
    return found === undefined ? -1 : cx.addElement(cx.elt('HTMLTag', pos, pos + found.length));
  }
  const end = withoutEnds.has(cx) ? -1 : cx.text.indexOf('-->', at + 4);
  if (end >= 0) return cx.addElement(cx.elt('Comment', pos, cx.offset + end + 3));
  withoutEnds.add(cx);
  return -1;
}

function surplusBracketAt(cx: InlineContext, next: number, pos: number): number {
  if (next !== 93) return -1;
  const seen = (closingBrackets.get(cx) ?? 0) + 1;
  closingBrackets.set(cx, seen);
  return seen > mostClosingBrackets ? pos + 1 : -1;
}

const definition =
  /^\[((?:[^[\]\\\n]|\\.){1,999})\]:[ \t]{0,100}(<[^<>\n]{0,2000}>|[^\s<]\S{0,2000})(?:[ \t]{1,100}(?:"[^"\n]{0,1000}"|'[^'\n]{0,1000}'|\([^()\n]{0,1000}\)))?[ \t]{0,100}$/;

/** Where a label leads, in one line: over several the time for a title that never ends grows with the square of its lines. */
function definitionAt(_: BlockContext, leaf: LeafBlock): LeafBlockParser | null {
  const [whole, label, target] = definition.exec(leaf.content) ?? [];
  if (whole === undefined || label === undefined || target === undefined) return null;
  const finish = (cx: BlockContext): boolean => {
    const from = leaf.start;
    const at = from + whole.indexOf(target, label.length + 3);
    const parts = [cx.elt('LinkLabel', from, from + label.length + 2), cx.elt('URL', at, at + target.length)];
    cx.addLeafElement(leaf, cx.elt('LinkReference', from, from + whole.length, parts));
    return true;
  };
  return { nextLine: finish, finish };
}

/**
 * Markdown by its specification, with GitHub's tables, as a tree of places. What emphasis is is nothing to us. Whatever text
 * holds, its time grows with its length: what is of the parser and would look over all of a paragraph at each of its signs is
 * replaced by what is bounded.
 */
const bounded = parser.configure([
  Table,
  {
    remove: ['Emphasis', 'HardBreak', 'Entity'],
    parseInline: [
      { name: 'HTMLTag', parse: tagAt },
      { name: 'SurplusBracket', parse: surplusBracketAt, before: 'LinkEnd' },
    ],
    parseBlock: [{ name: 'LinkReference', leaf: definitionAt }],
  },
]);

export type MarkdownTree = ReturnType<typeof bounded.parse>;
export type MarkdownNode = Parameters<Parameters<MarkdownTree['iterate']>[0]['enter']>[0];

/** The tree of a text whose lines end in `\n`. */
export function markdownTree(text: string): MarkdownTree {
  return bounded.parse(text);
}
