import type { Columns } from '../../columns.ts';
import type { SyntaxTree } from '../../tree.ts';

/**
 * Operators before an expression that the grammar takes for a part of the first name in it: `!a.b()` is a call of a member
 * of `!a` there. The nodes from `whole` on up to `operators` are what they are applied to in truth, each the first child of
 * the one before; from there on up to `operand` the operators stand.
 */
interface Misread {
  readonly whole: number;
  readonly operators: number;
  readonly operand: number;
}

/** The tree as the language has it, operators before an expression outermost: `!a.b()` is what is not of a call of `a.b`. */
export function withPrefixesOutermost(tree: SyntaxTree): SyntaxTree {
  const all = misreadIn(tree);
  return all.length === 0 ? tree : tree.rearranged(columns => rehung(columns, all));
}

function misreadIn(tree: SyntaxTree): readonly Misread[] {
  const found: Misread[] = [];
  for (let node = 1; node < tree.size; node++) {
    if (!isPrefixed(tree, node)) continue;
    const operand = operandOf(tree, node);
    const whole = wholeAround(tree, node);
    if (whole < node && tree.after[operand] === tree.after[node]) found.push({ whole, operators: node, operand });
  }
  return found;
}

function isPrefixed(tree: SyntaxTree, node: number): boolean {
  return tree.kind(node) === 'unary_expression' && tree.field(tree.firstChild(node)) === 'operator';
}

/** What the operators before an expression are applied to, in the tree's reading; the expression itself where none stands there. */
export function operandOf(tree: SyntaxTree, node: number): number {
  let operand = node;
  while (isPrefixed(tree, operand)) operand = tree.child(operand, 'argument');
  return operand;
}

/** What binds closer than an operator before it: `a.b`, `a()`, `a[b]`, `a!!`. */
const closer: ReadonlySet<string> = new Set([
  'navigation_expression',
  'call_expression',
  'index_expression',
  'unary_expression',
]);

function wholeAround(tree: SyntaxTree, node: number): number {
  let whole = node;
  while (tree.parent[whole] === whole - 1 && closer.has(tree.kind(whole - 1))) whole--;
  return whole;
}

/** In each misread part the operators' nodes change places with those before them. */
function rehung(columns: Columns, all: readonly Misread[]): Columns {
  const { size } = columns;
  const places = Int32Array.from({ length: size }, (_, node) => node);
  for (const { whole, operators, operand } of all) {
    for (let node = whole; node < operators; node++) places[node] = node + operand - operators;
    for (let node = operators; node < operand; node++) places[node] = node + whole - operators;
  }
  const moved = {
    after: columns.after.slice(),
    parent: columns.parent.map(above => (above < 0 ? above : places[above]!)),
    depth: columns.depth.slice(),
    start: columns.start.slice(),
    end: columns.end.slice(),
    type: columns.type.slice(),
    fieldOf: columns.fieldOf.slice(),
  };
  const parents = moved.parent.slice();
  for (const one of all) rehang(columns, one, moved, parents);
  for (let node = 1; node < size; node++) moved.depth[node] = Math.min(moved.depth[moved.parent[node]!]! + 1, 65535);
  return { size, ...moved };
}

/** `parents`: by a node's old number, the new one of what it hung from. */
function rehang(
  from: Columns,
  { whole, operators, operand }: Misread,
  to: Omit<Columns, 'size'>,
  parents: Int32Array,
): void {
  const count = operand - operators;
  for (let node = operators; node < operand; node++) {
    const place = node + whole - operators;
    const isAround = from.after[node]! > operand;
    to.type[place] = from.type[node]!;
    to.start[place] = from.start[node]!;
    to.end[place] = from.end[isAround ? whole : node]!;
    to.after[place] = isAround ? from.after[whole]! : from.after[node]! + whole - operators;
    to.fieldOf[place] = from.fieldOf[node === operators ? whole : node]!;
    to.parent[place] = parents[node === operators ? whole : node]!;
  }
  for (let node = whole; node < operators; node++) {
    const place = node + count;
    to.type[place] = from.type[node]!;
    to.start[place] = from.start[operand]!;
    to.end[place] = from.end[node]!;
    to.after[place] = from.after[node]!;
    to.fieldOf[place] = from.fieldOf[node === whole ? operand : node]!;
    to.parent[place] = parents[node === whole ? operand : node]!;
  }
  to.fieldOf[operand] = from.fieldOf[operators]!;
  to.parent[operand] = operand - 1;
}
