import { type FactsBuilder, maxDepth } from '../../builder.ts';
import type { SyntaxTree } from '../../tree.ts';
import { createAnnotations } from './annotations.ts';
import { askedMember } from './escapes.ts';
import { managersCalls } from './managers.ts';
import { partsOf } from './naming.ts';
import { bind, openScope, resolve, type Scope } from './scopes.ts';

/** What pieces of code denote. All answers are expressions, -1 where nothing can be said. */
export interface Values {
  valueAt(node: number, scope: Scope): number;
  /** A value of the type that an annotation names. */
  annotation(node: number, scope: Scope): number;
  /** The type itself. */
  type(node: number, scope: Scope): number;
  /** What a `case` pattern matched. */
  pattern(node: number, scope: Scope): number;
  /** What `with` gives for a context manager. */
  entered(node: number, scope: Scope): number;
  /** One part of a value that is taken apart. */
  part(of: number, index: number): number;
  /** The scope that a lambda or comprehension opens. */
  inside(node: number, outer: Scope): Scope;
}

const literals: Readonly<Record<string, string>> = {
  string: 'str',
  concatenated_string: 'str',
  integer: 'int',
  float: 'float',
  true: 'bool',
  false: 'bool',
  comparison_operator: 'bool',
  not_operator: 'bool',
};

export function createValues(tree: SyntaxTree, facts: FactsBuilder, scopes: Map<number, Scope>): Values {
  const known = new Map<number, number>();
  const annotations = createAnnotations(tree, facts, (node, scope) => valueAt(node, scope));

  const valueAt = (node: number, scope: Scope): number => {
    if (node < 0 || tree.depth[node]! > maxDepth) return -1;
    const memo = known.get(node);
    if (memo !== undefined) return memo;
    known.set(node, -1);
    const found = compute(node, scope);
    known.set(node, found);
    return found;
  };

  const compute = (node: number, scope: Scope): number => {
    const kind = tree.kind(node);
    if (Object.hasOwn(literals, kind)) return builtin(literals[kind]!);
    switch (kind) {
      case 'identifier':
        return nameValue(node, scope);
      case 'dotted_name':
        return tree
          .namedChildren(node)
          .reduce((of, part) => (of < -1 ? nameValue(part, scope) : facts.member(of, tree.text(part))), -2);
      case 'attribute':
        return attributeValue(node, scope);
      case 'call':
        return callValue(node, scope);
      case 'subscript':
        return subscriptValue(node, scope);
      case 'await':
        return facts.awaited(valueAt(tree.namedChildren(node)[0] ?? -1, scope));
      case 'conditional_expression': {
        const [yes = -1, , no = -1] = partsOf(tree, node);
        return facts.either(valueAt(yes, scope), valueAt(no, scope));
      }
      case 'boolean_operator': {
        const right = valueAt(tree.child(node, 'right'), scope);
        if (tree.kind(tree.child(node, 'operator')) === 'and') return right;
        return facts.either(valueAt(tree.child(node, 'left'), scope), right);
      }
      case 'assignment':
        return valueAt(tree.child(node, 'right'), scope);
      case 'named_expression':
        return valueAt(tree.child(node, 'value'), scope);
      case 'parenthesized_expression':
        return valueAt(tree.namedChildren(node)[0] ?? -1, scope);
      case 'lambda':
        return facts.functionOf(valueAt(tree.child(node, 'body'), inside(node, scope)));
      default:
        return displayValue(node, kind, scope);
    }
  };

  /** What a class has its instances have as well: `type(x).make` is `x.make`. */
  const attributeValue = (node: number, scope: Scope): number => {
    const object = tree.child(node, 'object');
    const name = tree.text(tree.child(node, 'attribute'));
    const instance = name.startsWith('__') ? -1 : instanceBehind(object, scope);
    const of = instance >= 0 && isReceiver(instance, scope) ? ownClass(scope) : valueAt(instance, scope);
    const shared = facts.member(of, name);
    return shared < 0 ? facts.member(valueAt(object, scope), name) : shared;
  };

  /** `x` of `type(x)` and `x.__class__`, -1 for anything else. */
  const instanceBehind = (node: number, scope: Scope): number => {
    if (tree.kind(node) === 'attribute')
      return tree.text(tree.child(node, 'attribute')) === '__class__' ? tree.child(node, 'object') : -1;
    const callee = tree.kind(node) === 'call' ? tree.child(node, 'function') : -1;
    if (callee < 0 || tree.text(callee) !== 'type' || !isBuiltin(callee, scope)) return -1;
    const [part = -1, another] = partsOf(tree, tree.child(node, 'arguments'));
    return another === undefined ? part : -1;
  };

  const isReceiver = (node: number, { receiver }: Scope): boolean =>
    receiver !== undefined && tree.text(node) === receiver.name;

  const ownClass = ({ receiver }: Scope): number => facts.slot(receiver?.classSlot ?? -1);

  /** Lists, tuples, dictionaries and their comprehensions. */
  const displayValue = (node: number, kind: string, scope: Scope): number => {
    switch (kind) {
      case 'list':
      case 'set':
        return listOf(kind, firstValue(partsOf(tree, node), scope));
      case 'tuple':
      case 'expression_list':
        return tupleOf(partsOf(tree, node).map(child => valueAt(child, scope)));
      case 'list_comprehension':
      case 'set_comprehension':
      case 'generator_expression':
        return listOf(
          kind === 'set_comprehension' ? 'set' : 'list',
          valueAt(tree.child(node, 'body'), inside(node, scope)),
        );
      case 'dictionary': {
        const [pair = -1] = partsOf(tree, node);
        return dictOf(valueAt(tree.child(pair, 'key'), scope), valueAt(tree.child(pair, 'value'), scope));
      }
      case 'dictionary_comprehension': {
        const within = inside(node, scope);
        const pair = tree.child(node, 'body');
        return dictOf(valueAt(tree.child(pair, 'key'), within), valueAt(tree.child(pair, 'value'), within));
      }
      default:
        return -1;
    }
  };

  const builtin = (name: string): number => facts.instance(facts.free(name));
  const applied = (name: string, parts: readonly number[]): number =>
    facts.instance(parts.reduce((of, part) => facts.generic(of, part < 0 ? facts.unknown() : part), facts.free(name)));
  const listOf = (name: string, element: number): number => applied(name, element < 0 ? [] : [element]);
  const tupleOf = (parts: readonly number[]): number => applied('tuple', parts.slice(0, 12));
  const dictOf = (key: number, value: number): number => applied('dict', key < 0 && value < 0 ? [] : [key, value]);

  const firstValue = (nodes: readonly number[], scope: Scope): number => {
    for (const node of nodes.slice(0, 5)) {
      const found = valueAt(node, scope);
      if (found >= 0) return found;
    }
    return -1;
  };

  const nameValue = (node: number, scope: Scope): number => {
    const name = tree.text(node);
    const found = resolve(tree, facts, scope, name, node);
    return found === undefined ? facts.free(name) : found.expression;
  };

  const isBuiltin = (node: number, scope: Scope): boolean =>
    tree.kind(node) === 'identifier' && resolve(tree, facts, scope, tree.text(node), node) === undefined;

  const callValue = (node: number, scope: Scope): number => {
    const callee = tree.child(node, 'function');
    const parts = partsOf(tree, tree.child(node, 'arguments'));
    const name = tree.text(tree.kind(callee) === 'attribute' ? tree.child(callee, 'attribute') : callee);
    if (name === 'cast' && parts.length === 2) return annotations.annotation(parts[0]!, scope);
    const like = instanceBehind(callee, scope);
    if (like >= 0) return isReceiver(like, scope) ? facts.call(ownClass(scope)) : valueAt(like, scope);
    const special = isBuiltin(callee, scope) ? builtinCall(node, name, parts, scope) : undefined;
    return special ?? facts.call(valueAt(callee, scope));
  };

  const builtinCall = (call: number, name: string, parts: readonly number[], scope: Scope): number | undefined => {
    const first = (): number => valueAt(parts[0] ?? -1, scope);
    switch (name) {
      case 'getattr': {
        const asked = askedMember(tree, call);
        return asked === undefined ? undefined : facts.member(valueAt(asked.of, scope), tree.text(asked.nameNode));
      }
      case 'super':
        return superValue(scope);
      case 'type':
        return parts.length === 1 && isReceiver(parts[0]!, scope) ? ownClass(scope) : undefined;
      case 'sorted':
      case 'list':
      case 'tuple':
      case 'set':
      case 'frozenset':
      case 'reversed':
      case 'iter':
        return listOf('list', facts.element(first()));
      case 'enumerate':
        return listOf('list', tupleOf([builtin('int'), facts.element(first())]));
      case 'zip':
        return listOf('list', tupleOf(parts.map(part => facts.element(valueAt(part, scope)))));
      case 'next':
        return facts.element(first());
      case 'max':
      case 'min':
        return parts.length === 1 ? facts.element(first()) : first();
      default:
        return undefined;
    }
  };

  const superValue = (scope: Scope): number => {
    const { receiver } = scope;
    return receiver === undefined ? -1 : facts.instance(facts.superOf(receiver.classSlot));
  };

  const subscriptValue = (node: number, scope: Scope): number => {
    if (/\b(?:Callable|Union|Optional)$/.test(tree.text(tree.child(node, 'value'))))
      return annotations.type(node, scope);
    const of = valueAt(tree.child(node, 'value'), scope);
    const index = tree.child(node, 'subscript');
    if (tree.kind(index) === 'slice') return of;
    if (tree.kind(index) === 'integer') return facts.member(of, tree.text(index));
    return facts.call(facts.member(of, '__getitem__'));
  };

  const inside = (node: number, outer: Scope): Scope => {
    const made = scopes.get(node);
    if (made !== undefined) return made;
    const scope = openScope('function', node, outer, outer.slot, outer.receiver);
    scopes.set(node, scope);
    if (tree.kind(node) === 'lambda') bindLambda(node, scope, outer);
    else bindLoops(node, scope, outer);
    return scope;
  };

  /** A lambda's parameters are what the function that it is handed to says that it calls it with. */
  const bindLambda = (node: number, scope: Scope, outer: Scope): void => {
    const holder = tree.parent[node]!;
    const position = tree.kind(holder) === 'argument_list' ? partsOf(tree, holder).indexOf(node) : -1;
    const callee = position < 0 ? -1 : tree.child(tree.parent[holder]!, 'function');
    tree.namedChildren(tree.child(node, 'parameters')).forEach((parameter, index) => {
      const name = tree.kind(parameter) === 'identifier' ? parameter : tree.firstChild(parameter);
      const word = tree.kind(name) === 'identifier' ? name : tree.nextSibling(name);
      if (word < 0) return;
      const value = (): number => facts.parameter(facts.parameter(valueAt(callee, outer), position), index);
      bind(scope, tree.text(word), word, 'local', callee < 0 ? -1 : value);
    });
  };

  const bindLoops = (node: number, scope: Scope, outer: Scope): void => {
    let isFirst = true;
    for (const clause of tree.children(node)) {
      if (tree.kind(clause) !== 'for_in_clause') continue;
      const source = isFirst ? outer : scope;
      isFirst = false;
      bindPattern(tree.child(clause, 'left'), scope, () => facts.element(valueAt(tree.child(clause, 'right'), source)));
    }
  };

  const bindPattern = (target: number, scope: Scope, value: () => number): void => {
    if (tree.kind(target) === 'identifier') bind(scope, tree.text(target), target, 'local', value);
    else if (/pattern|tuple|list/.test(tree.kind(target)) && tree.depth[target]! < maxDepth) {
      partsOf(tree, target).forEach((part, index) => {
        bindPattern(part, scope, () => facts.member(value(), String(index)));
      });
    }
  };

  return {
    valueAt,
    annotation: annotations.annotation,
    type: annotations.type,
    inside,
    part: (of, index) => facts.member(of, String(index)),
    entered: (node, scope) => {
      const manager = valueAt(node, scope);
      const entered = facts.call(facts.member(manager, '__enter__'));
      if (managersCalls(tree, tree.parent[tree.parent[node]!]!)?.isAwaited !== true) return entered;
      return facts.otherwise(facts.awaited(facts.call(facts.member(manager, '__aenter__'))), entered);
    },
    pattern(node, scope) {
      const inner = tree.kind(node) === 'case_pattern' ? tree.firstChild(node) : node;
      if (tree.kind(inner) !== 'class_pattern') return -1;
      return facts.instance(valueAt(tree.firstChild(inner), scope));
    },
  };
}
