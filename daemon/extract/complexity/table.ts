import type { SyntaxTree } from '../tree.ts';

/**
 * How one language's code counts, by the types of its syntax nodes. The walker (`measure.ts`) knows no language: it adds up
 * what a table says, for the function that stands around.
 *
 * Cyclomatic complexity (McCabe 1976) is 1 and the decisions of a function. Cognitive complexity is that of G. Ann Campbell,
 * "Cognitive Complexity: a new way of measuring understandability" (SonarSource): some constructs add 1 and the nesting
 * that they stand in, others 1 flat, and each run of like boolean operators adds 1.
 */
export interface ComplexityTable {
  /** Node types that hold code to be measured for itself, or one level deeper in what stands around. Undefined: this one does neither. */
  readonly functions: Readonly<Record<string, (tree: SyntaxTree, node: number) => FunctionHead | undefined>>;
  /** Node types of what has members. Undefined: this one is none. */
  readonly types?: Readonly<Record<string, (tree: SyntaxTree, node: number) => TypeHead | undefined>>;
  readonly constructs: Readonly<Record<string, Construct>>;
  /** Like `constructs`, of tokens: `else`. */
  readonly tokens?: Readonly<Record<string, Construct>>;
  readonly booleans: BooleanOperations;
  /** Node types of calls → what is called, or -1; a call whose text there is some function's `selfCall` is recursion. */
  readonly calls: Readonly<Record<string, (tree: SyntaxTree, node: number) => number>>;
  /** Where functions of one name are told apart by their parameters: with how many arguments a call is made. */
  readonly argumentCount?: (tree: SyntaxTree, node: number) => number;
}

export interface TypeHead {
  /** '' where it has none: its members are named without what stands around. */
  readonly name: string;
  /** At which level its code stands where it is in a function. */
  readonly nesting: 'same' | 'deeper' | 'anew';
}

export interface FunctionHead {
  readonly name: string;
  /** The type that it is a member of, where that does not stand around it. */
  readonly container?: string;
  readonly parameters: number;
  /**
   * What becomes of its code:
   * - `apart`: it counts for the function alone
   * - `both`: decisions count for the function alone; what it adds to cognitive complexity counts for it, and one level
   *   deeper for what stands around too
   * - `within`: in a function it is none of its own; its code counts for what stands around, one level deeper
   */
  readonly counts: 'apart' | 'both' | 'within';
  /** What counts `both` does so at the level at which it stands, not one deeper. */
  readonly sameLevel?: boolean;
  /** Each call of itself adds 1 to its cognitive complexity. */
  readonly countsRecursion?: true;
  /** It is listed only where it decides something: the initial value of a field. */
  readonly onlyIfBranching?: true;
  /** What is called where it calls itself: `walk`, `this.walk`. */
  readonly selfCall?: string | undefined;
  /** The node, inside, with which its own code begins; what stands before counts for what stands around. By default the whole. */
  readonly opensAt?: number | undefined;
  /** The node whose lines are its lines, by default the whole. */
  readonly place?: number;
  /** The node on whose line it begins, where that is not the first: its name, below annotations. */
  readonly startsAt?: number;
}

type Count = number | ((tree: SyntaxTree, node: number) => number);

/** A branch, loop, jump and the like. */
export interface Construct {
  /** Decisions for cyclomatic complexity. */
  readonly decisions?: Count;
  /** Adds 1 and the nesting to cognitive complexity. */
  readonly nested?: true | ((tree: SyntaxTree, node: number) => boolean);
  /** Adds so many to cognitive complexity, whatever the nesting. */
  readonly flat?: Count;
  /** What stands one level deeper: the first child in each of these fields, or these nodes, which begin behind this one. */
  readonly deeper?: readonly string[] | ((tree: SyntaxTree, node: number) => readonly number[]);
}

/** Operations that evaluate their second operand or not: each is a decision, each run of like ones adds 1 to cognitive complexity. */
export interface BooleanOperations {
  /** Node types → the operator, '' where it is none of these. */
  readonly operators: Readonly<Record<string, (tree: SyntaxTree, node: number) => string>>;
  readonly operandsOf: (tree: SyntaxTree, node: number) => readonly [left: number, right: number];
  /** Node types that only bracket one expression: what stands in them continues the run around. */
  readonly brackets: ReadonlySet<string>;
  /**
   * Operations that add nothing to cognitive complexity, asked about each that continues no run; its operands may begin
   * runs of their own unless they are among them. `isOperation` tells what another node is.
   */
  readonly passedOver?: (tree: SyntaxTree, node: number, isOperation: (node: number) => boolean) => readonly number[];
}

/** The expression in brackets around brackets. */
export function unbracketed(tree: SyntaxTree, node: number, brackets: ReadonlySet<string>): number {
  let inner = node;
  while (inner >= 0 && brackets.has(tree.kind(inner))) {
    inner = firstExpression(tree, inner);
  }
  return inner;
}

/** What stands around a node, brackets left out. */
export function aroundBrackets(tree: SyntaxTree, node: number, brackets: ReadonlySet<string>): number {
  let outer = tree.parent[node]!;
  while (outer >= 0 && brackets.has(tree.kind(outer))) outer = tree.parent[outer]!;
  return outer;
}

/** First named child that is no comment. */
export function firstExpression(tree: SyntaxTree, node: number): number {
  return expressionFrom(tree, tree.firstChild(node));
}

/** The next sibling that is one, or -1. */
export function nextExpression(tree: SyntaxTree, node: number): number {
  return expressionFrom(tree, tree.nextSibling(node));
}

function expressionFrom(tree: SyntaxTree, first: number): number {
  let child = first;
  while (child >= 0 && (!tree.isNamed(child) || tree.kind(child).includes('comment'))) child = tree.nextSibling(child);
  return child;
}

/** What a call calls, in the grammars that say so in this field. */
export function functionOf(tree: SyntaxTree, node: number): number {
  return tree.child(node, 'function');
}

/** All of its named children. */
export function partsOf(tree: SyntaxTree, node: number): readonly number[] {
  return tree.namedChildren(node);
}

/** `&&` or `||`, or '' of another operation. */
export function shortCircuit(tree: SyntaxTree, node: number): string {
  const operator = tree.kind(tree.child(node, 'operator'));
  return operator === '&&' || operator === '||' ? operator : '';
}

/** Of languages whose analysers take what stands in parentheses for a run of its own. */
export const noBrackets: ReadonlySet<string> = new Set();

export const anonymousName = '<anonymous>';
