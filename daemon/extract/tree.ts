import type { Tree } from 'web-tree-sitter';
import { lineStarts } from '../model/line-starts.ts';
import { type Columns, copyColumns } from './columns.ts';
import type { Runtime } from './parsers.ts';
import { type Vocabulary, vocabularyOf } from './vocabulary.ts';
import { Words } from './words.ts';

interface Parts extends Columns {
  readonly source: string;
  readonly errors: number;
  readonly damage: number;
  readonly vocabulary: Vocabulary;
}

/**
 * A syntax tree as flat columns in preorder: node 0 is the root, the subtree of `n` is `n` up to (not with) `after[n]`.
 *
 * One pass over the parser's tree fills it, and from then on nothing asks WebAssembly, which is what makes walkers cheap.
 * -1 stands for "no node" everywhere, and every accessor takes it and answers "nothing".
 */
export class SyntaxTree {
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
  readonly #fieldOf: Uint16Array;
  readonly #fieldNames: readonly string[];
  readonly #named: Uint8Array;
  readonly #fieldIds: ReadonlyMap<string, number>;
  readonly #words: Words;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.source = parts.source;
    this.size = parts.size;
    this.after = parts.after;
    this.parent = parts.parent;
    this.depth = parts.depth;
    this.start = parts.start;
    this.end = parts.end;
    this.lineStarts = Int32Array.from(lineStarts(parts.source));
    this.errors = parts.errors;
    this.damage = parts.damage;
    this.type = parts.type;
    this.typeNames = parts.vocabulary.typeNames;
    this.#fieldOf = parts.fieldOf;
    this.#fieldNames = parts.vocabulary.fieldNames;
    this.#named = parts.vocabulary.named;
    this.#fieldIds = parts.vocabulary.fieldIds;
    this.#words = new Words(parts.source);
    this.#parts = parts;
  }

  /**
   * The same nodes under the same numbers, at most so deep: what lies deeper stands side by side, in no field, below the node
   * of that depth that it lies in. The tree itself where nothing lies deeper.
   */
  atMostDeep(depth: number): SyntaxTree {
    const isDeeper = this.depth.some(one => one > depth);
    return isDeeper ? new SyntaxTree({ ...this.#parts, ...flattened(this.#parts, depth) }) : this;
  }

  /** The same source with its nodes in other places. */
  rearranged(change: (columns: Columns) => Columns): SyntaxTree {
    return new SyntaxTree({ ...this.#parts, ...change(this.#parts) });
  }

  /** Node type, e.g. `class_declaration`, or the token's text. */
  kind(node: number): string {
    return node < 0 ? '' : this.typeNames[this.type[node]!]!;
  }

  isNamed(node: number): boolean {
    return node >= 0 && this.#named[this.type[node]!] === 1;
  }

  /** Whether nodes of that type are named; the others are tokens. */
  isNamedType(type: number): boolean {
    return this.#named[type] === 1;
  }

  /** Name of the field under which the node's parent holds it, or ''. */
  field(node: number): string {
    return node < 0 ? '' : (this.#fieldNames[this.#fieldOf[node]!] ?? '');
  }

  text(node: number): string {
    return node < 0 ? '' : this.#words.at(this.start[node]!, this.end[node]!);
  }

  firstChild(node: number): number {
    return node >= 0 && this.after[node]! > node + 1 ? node + 1 : -1;
  }

  nextSibling(node: number): number {
    if (node <= 0) return -1;
    const next = this.after[node]!;
    return next < this.after[this.parent[node]!]! ? next : -1;
  }

  /** First child in that field. */
  child(node: number, field: string): number {
    const wanted = this.#fieldIds.get(field);
    if (wanted === undefined || node < 0) return -1;
    const { after } = this;
    const fieldOf = this.#fieldOf;
    const end = after[node]!;
    for (let child = node + 1; child < end; child = after[child]!) if (fieldOf[child] === wanted) return child;
    return -1;
  }

  childrenIn(node: number, field: string): number[] {
    const found: number[] = [];
    const { after } = this;
    const end = node < 0 ? 0 : after[node]!;
    for (let child = node + 1; child < end; child = after[child]!) if (this.field(child) === field) found.push(child);
    return found;
  }

  children(node: number): number[] {
    const found: number[] = [];
    const { after } = this;
    const end = node < 0 ? 0 : after[node]!;
    for (let child = node + 1; child < end; child = after[child]!) found.push(child);
    return found;
  }

  namedChildren(node: number): number[] {
    const found: number[] = [];
    const { after, type } = this;
    const named = this.#named;
    const end = node < 0 ? 0 : after[node]!;
    for (let child = node + 1; child < end; child = after[child]!) if (named[type[child]!] === 1) found.push(child);
    return found;
  }

  /** First child of that kind. */
  childOfKind(node: number, kind: string): number {
    const { after, type, typeNames } = this;
    const end = node < 0 ? 0 : after[node]!;
    for (let child = node + 1; child < end; child = after[child]!) if (typeNames[type[child]!] === kind) return child;
    return -1;
  }
}

function flattened(parts: Columns, most: number): Pick<Columns, 'after' | 'parent' | 'depth' | 'fieldOf'> {
  const after = parts.after.slice();
  const parent = parts.parent.slice();
  const depth = parts.depth.slice();
  const fieldOf = parts.fieldOf.slice();
  let above = -1;
  for (let node = 0; node < parts.size; node++) {
    if (depth[node]! === most) above = node;
    if (depth[node]! <= most) continue;
    after[node] = node + 1;
    // A child of its own keeps its field.
    if (depth[node]! > most + 1) fieldOf[node] = 0;
    parent[node] = above;
    depth[node] = most + 1;
  }
  return { after, parent, depth, fieldOf };
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
  const vocabulary = vocabularyOf(tree);
  const { errors, damage } = tree.rootNode.hasError
    ? damageOf(columns, vocabulary.named, brokenBraces(columns, vocabulary.typeNames, text))
    : { errors: 0, damage: 0 };
  if (origin !== undefined) for (const column of [columns.start, columns.end]) moveBack(column, origin, columns.size);
  return new SyntaxTree({ ...columns, source, errors, damage, vocabulary });
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
