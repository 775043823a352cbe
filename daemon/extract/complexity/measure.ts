import type { FunctionComplexity } from '../../model/facts.ts';
import { lineAt, type SyntaxTree } from '../tree.ts';
import { type Plan, planOf, role } from './plan.ts';
import { type ComplexityTable, type Construct, type FunctionHead, unbracketed } from './table.ts';

/**
 * The complexity of each function of a file, in the order in which they begin. One pass over the flat tree; time and memory
 * are linear in its size, however deep it nests.
 */
export function measureComplexity(tree: SyntaxTree, table: ComplexityTable): readonly FunctionComplexity[] {
  return new Meter(tree, table).measure();
}

/** A function that is being measured. */
interface Unit {
  /** Undefined: the code of a type in a function, which is part of that function but for its nesting. */
  readonly head: FunctionHead | undefined;
  /** The types around it. */
  readonly container: string;
  readonly node: number;
  readonly countsAround: boolean;
  readonly selfCall: string | undefined;
  readonly around: Unit | undefined;
  /** The level of nesting at which its code begins. */
  readonly base: number;
  decisions: number;
  cognitive: number;
  /** How many of its increments grow with the nesting: what stands around counts them deeper. */
  nestedCount: number;
  recursion: number;
}

/** A function before its own code begins. */
interface Opening {
  readonly head: FunctionHead;
  readonly node: number;
}

/** What ends where its last node does. */
interface Open {
  readonly until: number;
  readonly unit: Unit | undefined;
  /** By how many levels what it holds stands deeper. */
  readonly raises: number;
  /** Of what functions are members from there on. */
  readonly container: string;
}

const none: readonly number[] = [];
/** `deeper` is counted: by how many constructs a node stands deeper. */
const mark = { opens: 1, counted: 2, deeper: 4, deepest: 0xfc } as const;
/** Of how many functions around a call is looked at, whether it calls one of them. */
const callersLooked = 16;
const longestName = 400;

class Meter {
  readonly #tree: SyntaxTree;
  readonly #table: ComplexityTable;
  readonly #plan: Plan;
  readonly #marks: Uint8Array;
  readonly #open: Open[] = [];
  readonly #units: Unit[] = [];
  /** Functions whose own code begins with a node further on. */
  readonly #openings = new Map<number, Opening>();
  /** The types around, up to the function around: `A.B`. */
  #container = '';
  #level = 0;
  #unit: Unit | undefined;

  constructor(tree: SyntaxTree, table: ComplexityTable) {
    this.#tree = tree;
    this.#table = table;
    this.#plan = planOf(table, tree.typeNames, type => tree.isNamedType(type));
    this.#marks = new Uint8Array(tree.size);
  }

  measure(): readonly FunctionComplexity[] {
    const { size, type } = this.#tree;
    const { roles } = this.#plan;
    const marks = this.#marks;
    for (let node = 0; node < size; node++) {
      const roleOf = roles[type[node]!]!;
      if ((roleOf | marks[node]!) === 0) continue;
      this.#leave(node);
      this.#visit(node, roleOf);
    }
    this.#leave(size);
    return this.#units.filter(isListed).map(unit => this.#measured(unit));
  }

  #visit(node: number, roleOf: number): void {
    const marked = this.#marks[node]!;
    if (marked >= mark.deeper) this.#raise(node, Math.trunc(marked / mark.deeper));
    if ((marked & mark.opens) !== 0) this.#begin(this.#openings.get(node)!);
    if ((roleOf & role.type) !== 0) this.#type(node);
    if ((roleOf & role.function) !== 0) this.#function(node);
    if ((roleOf & role.construct) !== 0) this.#construct(node, this.#plan.constructs[this.#tree.type[node]!]!);
    if ((roleOf & role.boolean) !== 0) this.#boolean(node);
    if ((roleOf & role.call) !== 0) this.#call(node);
  }

  #function(node: number): void {
    const head = this.#plan.functions[this.#tree.type[node]!]!(this.#tree, node);
    if (head === undefined) return;
    const opensAt = head.opensAt ?? node;
    if (opensAt <= node) this.#begin({ head, node });
    else {
      this.#openings.set(opensAt, { head, node });
      this.#marks[opensAt]! |= mark.opens;
    }
  }

  #begin({ head, node }: Opening): void {
    const isInFunction = this.#unit?.head !== undefined;
    if (isInFunction && head.counts !== 'apart' && head.sameLevel !== true) this.#raise(node);
    if (isInFunction && head.counts === 'within') return;
    this.#units.push(this.#enter(node, head));
  }

  #type(node: number): void {
    const head = this.#plan.types[this.#tree.type[node]!]!(this.#tree, node);
    if (head === undefined) return;
    const container = head.name === '' ? '' : [this.#container, head.name].filter(Boolean).join('.');
    if (this.#unit !== undefined && head.nesting === 'anew') this.#enter(node);
    else this.#raise(node, this.#unit === undefined || head.nesting === 'same' ? 0 : 1);
    this.#container = container.slice(-longestName);
  }

  #enter(node: number, head?: FunctionHead): Unit {
    const around = this.#unit;
    const unit: Unit = {
      head,
      container: head?.container ?? this.#container,
      node,
      countsAround: head?.counts === 'both' && around !== undefined,
      selfCall: head?.selfCall,
      around,
      base: this.#level,
      decisions: 0,
      cognitive: 0,
      nestedCount: 0,
      recursion: 0,
    };
    this.#open.push({ until: this.#tree.after[node]!, unit, raises: 0, container: this.#container });
    this.#unit = unit;
    // A function that is the initial value of a field is a member, too.
    if (head?.onlyIfBranching === undefined) this.#container = '';
    return unit;
  }

  #raise(node: number, raises = 1): void {
    this.#open.push({ until: this.#tree.after[node]!, unit: undefined, raises, container: this.#container });
    this.#level += raises;
  }

  /** Ends what ends before the node. */
  #leave(node: number): void {
    const open = this.#open;
    while (open.length > 0 && open[open.length - 1]!.until <= node) {
      const last = open.pop()!;
      this.#level -= last.raises;
      this.#container = last.container;
      if (last.unit !== undefined) this.#end(last.unit);
    }
  }

  #end({ head, around, countsAround, base, cognitive, decisions, nestedCount }: Unit): void {
    this.#unit = around;
    if (around === undefined) return;
    if (head === undefined) {
      around.decisions += decisions;
      around.cognitive += cognitive;
    } else if (countsAround) {
      around.cognitive += cognitive + nestedCount * (base - around.base);
      around.nestedCount += nestedCount;
    }
  }

  #construct(node: number, construct: Construct): void {
    const tree = this.#tree;
    const unit = this.#unit;
    const count = (of: Construct['flat']): number => (typeof of === 'function' ? of(tree, node) : (of ?? 0));
    if (unit !== undefined) {
      const { nested } = construct;
      const isNested = typeof nested === 'function' ? nested(tree, node) : nested === true;
      unit.decisions += count(construct.decisions);
      unit.cognitive += count(construct.flat) + (isNested ? 1 + this.#level - unit.base : 0);
      unit.nestedCount += isNested ? 1 : 0;
    }
    this.#markDeeper(node, construct);
  }

  #markDeeper(node: number, { deeper }: Construct): void {
    if (deeper === undefined) return;
    const tree = this.#tree;
    if (typeof deeper === 'function') for (const one of deeper(tree, node)) this.#deepen(one);
    else {
      for (const field of deeper) {
        const child = tree.child(node, field);
        if (child >= 0) this.#deepen(child);
      }
    }
  }

  #deepen(node: number): void {
    if (this.#marks[node]! < mark.deepest) this.#marks[node]! += mark.deeper;
  }

  #boolean(node: number): void {
    const unit = this.#unit;
    if (unit === undefined || !this.#isOperation(node)) return;
    unit.decisions++;
    if ((this.#marks[node]! & mark.counted) !== 0) return;
    const { passedOver } = this.#table.booleans;
    const passed = passedOver?.(this.#tree, node, one => this.#isOperation(one)) ?? none;
    for (const one of passed) this.#marks[one]! |= mark.counted;
    if (passed.length === 0) unit.cognitive += this.#runsIn(node);
  }

  /** Runs of like operators, in the order in which they are written: `a && b && c || d` has two. */
  #runsIn(root: number): number {
    const { operandsOf } = this.#table.booleans;
    const waiting: number[] = [];
    let runs = 0;
    let previous = '';
    for (let node = root; node >= 0 || waiting.length > 0; ) {
      for (; node >= 0; node = this.#operationIn(operandsOf(this.#tree, node)[0])) {
        this.#marks[node]! |= mark.counted;
        waiting.push(node);
      }
      const last = waiting.pop()!;
      const operator = this.#operatorOf(last);
      if (operator !== previous) runs++;
      previous = operator;
      node = this.#operationIn(operandsOf(this.#tree, last)[1]);
    }
    return runs;
  }

  /** The operation that an operand is, or -1. */
  #operationIn(operand: number): number {
    const inner = unbracketed(this.#tree, operand, this.#table.booleans.brackets);
    return this.#isOperation(inner) ? inner : -1;
  }

  #isOperation(node: number): boolean {
    return this.#operatorOf(node) !== '';
  }

  #operatorOf(node: number): string {
    return node < 0 ? '' : (this.#plan.operators[this.#tree.type[node]!]?.(this.#tree, node) ?? '');
  }

  #call(node: number): void {
    const { start, end, type, source } = this.#tree;
    const callee = this.#plan.callees[type[node]!]!(this.#tree, node);
    if (callee < 0) return;
    const length = end[callee]! - start[callee]!;
    let unit = this.#unit;
    for (let looked = 0; unit !== undefined && looked < callersLooked; looked++, unit = unit.around) {
      const self = unit.selfCall;
      if (self?.length !== length || !source.startsWith(self, start[callee]!)) continue;
      const passed = this.#table.argumentCount?.(this.#tree, node);
      if (passed !== undefined && passed !== unit.head?.parameters) continue;
      unit.recursion++;
      if (unit.head?.countsRecursion) unit.cognitive++;
      return;
    }
  }

  #measured({ container, node, countsAround, decisions, cognitive, recursion, head }: Unit): FunctionComplexity {
    const place = head?.place ?? node;
    const line = lineAt(this.#tree, this.#tree.start[head?.startsAt ?? place]!);
    const endLine = lineAt(this.#tree, this.#tree.end[place]!);
    const { name, parameters } = head ?? { name: '', parameters: 0 };
    const cyclomatic = decisions + 1;
    const shown = name.slice(0, longestName);
    return { name: shown, container, line, endLine, cyclomatic, cognitive, parameters, recursion, countsAround };
  }
}

function isListed({ head, decisions }: Unit): boolean {
  return head?.onlyIfBranching === undefined || decisions > 0;
}
