import type { Tree } from 'web-tree-sitter';
import { lineStarts } from '../model/line-starts.ts';
import { type Columns, copyColumns } from './columns.ts';
import type { Runtime } from './parsers.ts';
import { vocabularyOf } from './vocabulary.ts';
import { createWords } from './words.ts';

/**
 * A syntax tree as flat columns in preorder: node 0 is the root, the subtree of `n` is `n` up to (not with) `after[n]`.
 *
 * One pass over the parser's tree fills it, and from then on nothing asks WebAssembly, which is what makes walkers cheap.
 * -1 stands for "no node" everywhere, and every accessor takes it and answers "nothing".
 */
export interface SyntaxTree {
  readonly source: string;
  readonly size: number;
  /** First node behind the subtree. */
  readonly after: Int32Array;
  readonly parent: Int32Array;
  readonly depth: Uint16Array;
  /** Positions in `source`, in UTF-16 code units; the end is exclusive. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Start of each line in `source`. */
  readonly lineStarts: Int32Array;
  /** Nodes of error recovery: what the parser could not read, and tokens that it made up. */
  readonly errors: number;
  /**
   * How many characters stand in such nodes, or in what a made-up token closes; a brace that was lost or made up counts as
   * a part of the whole text besides, as all that follows may stand in the wrong container.
   */
  readonly damage: number;
  /** Numbers of node types, for tables of visitors: index into `typeNames`. */
  readonly type: Uint16Array;
  readonly typeNames: readonly string[];
  /** Node type, e.g. `class_declaration`, or the token's text. */
  kind(node: number): string;
  isNamed(node: number): boolean;
  /** Name of the field under which the node's parent holds it, or ''. */
  field(node: number): string;
  text(node: number): string;
  firstChild(node: number): number;
  nextSibling(node: number): number;
  /** First child in that field. */
  child(node: number, field: string): number;
  childrenIn(node: number, field: string): number[];
  children(node: number): number[];
  namedChildren(node: number): number[];
  /** First child of that kind. */
  childOfKind(node: number, kind: string): number;
}

/**
 * Copies a tree into columns. `tree` may be deleted afterwards. It is of `text`, which stands for `source`; `origin` gives
 * positions in `source` where the two differ in length.
 */
export function flatten(
  { tree, runtime }: { readonly tree: Tree; readonly runtime: Runtime },
  source: string,
  text: string,
  origin?: Int32Array,
): SyntaxTree {
  const columns = copyColumns(tree, runtime);
  const { typeNames, named, fieldNames, fieldIds } = vocabularyOf(tree);
  const { after, parent, depth, start, end, type, fieldOf, size } = columns;
  const { errors, damage } = tree.rootNode.hasError
    ? damageOf(columns, named, brokenBraces(columns, typeNames, text))
    : { errors: 0, damage: 0 };
  if (origin !== undefined) for (const column of [columns.start, columns.end]) moveBack(column, origin, columns.size);
  const wordAt = createWords(source);
  const firstChild = (node: number): number => (node >= 0 && after[node]! > node + 1 ? node + 1 : -1);
  const nextSibling = (node: number): number => {
    if (node <= 0) return -1;
    const next = after[node]!;
    return next < after[parent[node]!]! ? next : -1;
  };
  const field = (node: number): string => (node < 0 ? '' : (fieldNames[fieldOf[node]!] ?? ''));
  const isNamed = (node: number): boolean => node >= 0 && named[type[node]!] === 1;
  const select = (node: number, wanted: (child: number) => boolean): number[] => {
    const found: number[] = [];
    const end = node < 0 ? 0 : after[node]!;
    for (let child = node + 1; child < end; child = after[child]!) if (wanted(child)) found.push(child);
    return found;
  };
  return {
    source,
    size,
    after,
    parent,
    depth,
    start,
    end,
    lineStarts: Int32Array.from(lineStarts(source)),
    errors,
    damage,
    type,
    typeNames,
    kind: node => (node < 0 ? '' : typeNames[type[node]!]!),
    isNamed,
    field,
    text: node => (node < 0 ? '' : wordAt(start[node]!, end[node]!)),
    firstChild,
    nextSibling,
    child(node, name) {
      const wanted = fieldIds.get(name);
      if (wanted === undefined || node < 0) return -1;
      const end = after[node]!;
      for (let child = node + 1; child < end; child = after[child]!) if (fieldOf[child] === wanted) return child;
      return -1;
    },
    childrenIn: (node, name) => select(node, child => field(child) === name),
    children: node => select(node, () => true),
    namedChildren: node => select(node, isNamed),
    childOfKind(node, kind) {
      const end = node < 0 ? 0 : after[node]!;
      for (let child = node + 1; child < end; child = after[child]!) if (typeNames[type[child]!] === kind) return child;
      return -1;
    },
  };
}

function moveBack(column: Int32Array, origin: Int32Array, size: number): void {
  for (let node = 0; node < size; node++) column[node] = origin[column[node]!]!;
}

/** One lost brace counts as this part of the text. */
const braceWeight = 1 / 50;

function damageOf(
  { size, after, parent, start, end, type }: Columns,
  named: Uint8Array,
  breaksAt: (node: number) => boolean,
) {
  let errors = 0;
  let damage = 0;
  // Where the outermost error that we are in ends.
  let until = 0;
  for (let node = 0; node < size; node++) {
    const isError = type[node] === named.length - 1;
    const isMadeUp = start[node] === end[node] && after[node] === node + 1 && named[type[node]!] === 0;
    if (!isError && !isMadeUp) continue;
    errors++;
    if (breaksAt(node)) damage += Math.ceil(end[0]! * braceWeight);
    if (node < until) continue;
    const whole = isError ? node : parent[node]!;
    damage += Math.max(1, end[whole]! - start[whole]!);
    until = Math.max(node + 1, isError ? after[node]! : 0);
  }
  return { errors, damage };
}

/** Whether a node of error recovery stands for braces that don't match: made up, or passed over one without the other. */
function brokenBraces({ after, start, end, type }: Columns, typeNames: readonly string[], text: string) {
  const weigh = (written: string): number => (written === '{' ? 1 : written === '}' ? -1 : 0);
  return (node: number): boolean => {
    if (after[node] === node + 1 && start[node] === end[node]) return weigh(typeNames[type[node]!]!) !== 0;
    let open = 0;
    let from = start[node]!;
    const skip = (to: number): void => {
      for (const brace of text.slice(from, to).matchAll(/[{}]/g)) open += weigh(brace[0]);
    };
    for (let child = node + 1; child < after[node]!; child = after[child]!) {
      skip(start[child]!);
      open += weigh(typeNames[type[child]!]!);
      from = end[child]!;
    }
    skip(end[node]!);
    return open !== 0;
  };
}

/** 0-based line on which a node starts. */
export function lineOf(tree: SyntaxTree, node: number): number {
  return lineAt(tree, tree.start[node]!);
}

/** 0-based line of a position. */
export function lineAt({ lineStarts }: SyntaxTree, position: number): number {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lineStarts[middle]! <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
