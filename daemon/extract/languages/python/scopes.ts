import type { FactsBuilder } from '../../builder.ts';
import type { SyntaxTree } from '../../tree.ts';

/**
 * A scope of Python: names bound anywhere in it are its own throughout. A class's names are seen by its own statements
 * alone, never from functions or comprehensions inside.
 */
export interface Scope {
  readonly kind: 'module' | 'class' | 'function';
  readonly node: number;
  readonly outer: Scope | undefined;
  /** Innermost definition that the scope belongs to, -1 for the module. */
  readonly slot: number;
  readonly names: Map<string, Binding[]>;
  /** Names that `global` and `nonlocal` hand to another scope. */
  readonly elsewhere: Map<string, 'global' | 'nonlocal'>;
  /** Inside a method: its first parameter, and the class that it belongs to. */
  readonly receiver: { readonly name: string; readonly classSlot: number } | undefined;
  /** Of a class: positions of its type parameters by their names, which its methods see too. */
  readonly typeParameters: Map<string, number>;
  /** How many values of the file are being asked for right now. */
  readonly asking: { count: number };
}

/** One place that gives a name a value. */
export interface Binding {
  readonly node: number;
  /** Uses of locals leave no reference, uses of definitions and imports do. A `narrowing` holds in its own branch only. */
  readonly kind: 'local' | 'definition' | 'import' | 'narrowing';
  /** An expression, or the question for one: a local's value may hang on names bound further down. */
  value: number | (() => number);
  isAsked: boolean;
}

export interface Resolution {
  readonly isLocal: boolean;
  readonly expression: number;
}

export function openScope(
  kind: Scope['kind'],
  node: number,
  outer: Scope | undefined,
  slot: number,
  receiver?: Scope['receiver'],
): Scope {
  return {
    kind,
    node,
    outer,
    slot,
    names: new Map(),
    elsewhere: new Map(),
    receiver,
    typeParameters: new Map(),
    asking: outer?.asking ?? { count: 0 },
  };
}

export function bind(scope: Scope, name: string, node: number, kind: Binding['kind'], value: Binding['value']): void {
  const binding: Binding = { node, kind, value, isAsked: false };
  const known = scope.names.get(name);
  if (known === undefined) scope.names.set(name, [binding]);
  else known.push(binding);
}

/** What a name denotes where `use` stands; undefined where no scope of the file binds it. */
export function resolve(
  tree: SyntaxTree,
  facts: FactsBuilder,
  scope: Scope,
  name: string,
  use: number,
): Resolution | undefined {
  for (let at = home(scope, name); at !== undefined; at = at.outer) {
    if (at.kind === 'class' && at !== scope) continue;
    const bindings = at.names.get(name);
    const lasting = bindings?.find(binding => binding.kind !== 'narrowing');
    if (bindings === undefined || lasting === undefined) continue;
    const reaching = bindingsReaching(tree, bindings, at === scope ? use : -1);
    let expression = -1;
    for (const one of reaching.slice(0, maxAlternatives))
      expression = facts.either(expression, valueAt(one, scope.asking));
    return { isLocal: lasting.kind === 'local', expression };
  }
  return undefined;
}

/** What the type parameter of that name of the class around is given where the class is applied; -1 where it is none. */
export function typeArgument(facts: FactsBuilder, scope: Scope, name: string): number {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const position = at.typeParameters.get(name);
    if (position !== undefined) return facts.argument(at.slot, position);
    if (at.kind !== 'function' || at.names.has(name)) return -1;
  }
  return -1;
}

const maxAlternatives = 6;
const maxQuestions = 150;

/** The scope that a name is looked up from: `global` and `nonlocal` move it outwards. */
function home(scope: Scope, name: string): Scope | undefined {
  const moved = scope.elsewhere.get(name);
  if (moved === undefined) return scope;
  if (moved === 'nonlocal') return scope.outer;
  let module = scope;
  while (module.outer !== undefined) module = module.outer;
  return module;
}

/** A binding that asks for itself (`x = f(x)`), or stands at the end of too long a chain, is unknown. */
function valueAt(binding: Binding, asking: Scope['asking']): number {
  if (typeof binding.value === 'number') return binding.value;
  if (binding.isAsked || asking.count >= maxQuestions) return -1;
  binding.isAsked = true;
  asking.count++;
  const found = binding.value();
  asking.count--;
  binding.isAsked = false;
  binding.value = found;
  return found;
}

/**
 * The bindings that may have given the value seen at `use` (-1: seen from another scope, at any time). The last one
 * before it that stands on the same branch hides all earlier ones.
 */
function bindingsReaching(tree: SyntaxTree, bindings: readonly Binding[], use: number): readonly Binding[] {
  if (bindings.length === 1) return bindings;
  const lasting = bindings.filter(binding => binding.kind !== 'narrowing');
  if (use < 0) return lasting;
  const here = branchesOf(tree, use);
  const found: Binding[] = [];
  for (const binding of bindings.toReversed()) {
    if (binding.node >= use || isWithinOwnValue(tree, binding, use)) continue;
    const relation = relate(branchesOf(tree, binding.node), here);
    if (relation === 'exclusive' || (binding.kind === 'narrowing' && relation !== 'before')) continue;
    found.push(binding);
    if (relation === 'before') break;
  }
  return found.length > 0 ? found : lasting;
}

/** A name bound by `x = f(x)` has its old value on the right. */
function isWithinOwnValue(tree: SyntaxTree, binding: Binding, use: number): boolean {
  if (binding.kind === 'narrowing') return false;
  let at = binding.node;
  while (at > 0 && (tree.kind(at) === 'identifier' || patterns.has(tree.kind(at)))) at = tree.parent[at]!;
  return tree.kind(at) === 'assignment' && tree.after[at]! > use;
}

const patterns = new Set(['pattern_list', 'tuple_pattern', 'list_pattern', 'list_splat_pattern']);

/** Whether two bindings can never both happen: they stand in different branches of one statement. */
export function areExclusive(tree: SyntaxTree, one: number, other: number): boolean {
  return relate(branchesOf(tree, one), branchesOf(tree, other)) === 'exclusive';
}

function relate(
  one: ReadonlyMap<number, number>,
  use: ReadonlyMap<number, number>,
): 'exclusive' | 'before' | 'perhaps' {
  let relation: 'before' | 'perhaps' = 'before';
  for (const [statement, arm] of one) {
    const other = use.get(statement);
    if (other === undefined) relation = 'perhaps';
    else if (other !== arm) return 'exclusive';
  }
  return relation;
}

/** The `if`, `try` and `match` statements around a node, each with the branch that it stands in; not past a scope. */
function branchesOf(tree: SyntaxTree, node: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (let child = node, at = tree.parent[node]!; at >= 0; child = at, at = tree.parent[at]!) {
    const kind = tree.kind(at);
    if (kind === 'function_definition' || kind === 'class_definition') break;
    if (kind === 'if_statement') {
      if (tree.field(child) !== 'condition') found.set(at, child);
    } else if (kind === 'try_statement') {
      const arm = tree.kind(child);
      if (arm === 'except_clause') found.set(at, child);
      else if (arm !== 'finally_clause') found.set(at, 0);
    } else if (kind === 'case_clause') found.set(caseHolder(tree, at), at);
  }
  return found;
}

function caseHolder(tree: SyntaxTree, clause: number): number {
  let at = clause;
  while (at > 0 && tree.kind(at) !== 'match_statement') at = tree.parent[at]!;
  return at;
}
