import type { Edit } from './mended-text.ts';
import { lineAt, type SyntaxTree } from './tree.ts';

interface Opener {
  readonly close: string;
  readonly line: number;
  readonly indent: number;
  /** It is closed where its indentation says. Only others may be closed earlier. */
  isSound: boolean;
}

export interface Token {
  readonly start: number;
  readonly end: number;
  /** A leaf's node type; of what the parser skipped, its text. */
  readonly kind: string;
  readonly line: number;
  /** No other token stands before it on its line. */
  readonly isFirst: boolean;
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '${': '}', '#{': '}' };
const isCloser = (kind: string): boolean => kind === ')' || kind === ']' || kind === '}';

/**
 * The edits that make a broken text's brackets match as its indentation says: an opener is closed before the next line
 * that is indented no deeper than its own, a closer that closes nothing goes.
 *
 * `strict`: of two brackets that match, but whose lines are indented differently, the opener counts as unclosed, which
 * finds a bracket that is missing halfway; else only what no bracket closes does.
 */
export function bracketEdits(tree: SyntaxTree, strict: boolean): readonly Edit[] {
  const tokens = tokensOf(tree);
  const indents = indentsOf(tree);
  const openers = pair(tokens, indents, strict);
  if (![...openers.values()].some(opener => !opener.isSound)) return [];
  return edits(tree, tokens, indents, openers);
}

/** What the text consists of, in order, comments left out. A string is a few tokens or none, none of them in it. */
export function tokensOf(tree: SyntaxTree): readonly Token[] {
  const tokens: Token[] = [];
  let covered = 0;
  let last = -1;
  const add = (start: number, end: number, kind: string): void => {
    const line = lineAt(tree, start);
    tokens.push({ start, end, kind, line, isFirst: line !== last });
    last = line;
  };
  for (let node = 0; node < tree.size; node++) {
    if (tree.after[node] !== node + 1 || tree.end[node]! <= tree.start[node]!) continue;
    for (const [start, text] of skipped(tree, covered, node)) add(start, start + text.length, text);
    if (!tree.kind(node).includes('comment')) add(tree.start[node]!, tree.end[node]!, tree.kind(node));
    covered = tree.end[node]!;
  }
  for (const [start, text] of skipped(tree, covered, -1)) add(start, start + text.length, text);
  return tokens;
}

const lexeme = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\w+|\S/g;

/** Words and marks between two leaves, where an error node holds both: the parser could make nothing of them. */
function skipped(tree: SyntaxTree, from: number, node: number): readonly (readonly [number, string])[] {
  const to = node < 0 ? tree.source.length : tree.start[node]!;
  if (to - from < 1 || tree.source.slice(from, to).trim() === '') return [];
  let around = node < 0 ? 0 : node;
  while (around > 0 && tree.start[around]! > from) around = tree.parent[around]!;
  if (around > 0 && tree.kind(around) !== 'ERROR') return [];
  return [...tree.source.slice(from, to).matchAll(lexeme)]
    .filter(([text]) => !/^\/[/*]/.test(text))
    .map(found => [from + found.index, found[0]] as const);
}

/** Width of the white space that each line begins with. A line that ends a bracketed list counts as the line that began it. */
function indentsOf(tree: SyntaxTree): number[] {
  return Array.from(tree.lineStarts, start => {
    let width = 0;
    for (let at = start; tree.source[at] === ' ' || tree.source[at] === '\t'; at++) {
      width += tree.source[at] === '\t' ? 4 : 1;
    }
    return width;
  });
}

function pair(tokens: readonly Token[], indents: number[], strict: boolean): Map<Token, Opener> {
  const all = new Map<Token, Opener>();
  const open: Opener[] = [];
  for (const token of tokens) {
    const { kind, line, isFirst } = token;
    if (isCloser(kind)) {
      const at = open.findLastIndex(opener => opener.close === kind);
      if (at < 0) continue;
      const [opener] = open.splice(at);
      opener!.isSound = !strict || !isFirst || opener!.line === line || indents[line] === opener!.indent;
      if (!isFirst) indents[line] = Math.min(indents[line]!, opener!.indent);
    } else if (Object.hasOwn(closers, kind)) {
      const opener = { close: closers[kind]!, line, indent: indents[line]!, isSound: false };
      open.push(opener);
      all.set(token, opener);
    }
  }
  return all;
}

function edits(
  tree: SyntaxTree,
  tokens: readonly Token[],
  indents: readonly number[],
  openers: ReadonlyMap<Token, Opener>,
): readonly Edit[] {
  const found: Edit[] = [];
  const open: Opener[] = [];
  let previousEnd = 0;
  const closeWhile = (wanted: (top: Opener) => boolean, at: number): void => {
    for (let top = open.at(-1); top !== undefined && wanted(top); top = open.at(-1)) {
      found.push({ at, remove: 0, insert: top.close });
      open.pop();
    }
  };
  for (const token of tokens) {
    const { kind, line, isFirst } = token;
    const indent = indents[line]!;
    if (isFirst && !staysOutside(tree, token)) {
      const limit = isCloser(kind) ? indent + 1 : indent;
      closeWhile(top => !top.isSound && top.line < line && top.indent >= limit, previousEnd);
    }
    previousEnd = token.end;
    const opener = openers.get(token);
    if (opener !== undefined) open.push(opener);
    if (!isCloser(kind)) continue;
    const at = open.findLastIndex(one => one.close === kind);
    const isTooDeep = isFirst && at >= 0 && !open[at]!.isSound && open[at]!.line < line && open[at]!.indent < indent;
    if (at < 0 || isTooDeep) found.push({ at: token.start, remove: 1, insert: '' });
    else {
      closeWhile(top => top !== open[at], token.start);
      open.pop();
    }
  }
  return found;
}

/** Directives and labels stand further out than what they belong to. */
function staysOutside(tree: SyntaxTree, { kind, start, line }: Token): boolean {
  if (/^#[a-z]|^preproc/.test(kind)) return true;
  const text = tree.source.slice(start, tree.lineStarts[line + 1] ?? tree.source.length);
  return /^(?:case\b|default\b|[\w ]+:(?!:)\s*$)/.test(text);
}
