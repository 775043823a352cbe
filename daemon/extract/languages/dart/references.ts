import type { ReferenceKind } from '../../../model/facts.ts';
import { matched, namesMemberOf } from './bindings.ts';
import { typeAt, typeNamed } from './types.ts';
import { aboveMember, genericCall, receiverOf, valueThrough } from './values.ts';
import { before, core, followsDot, freeName, partsOf, type Walk } from './walk.ts';

/** `this.x` among a constructor's parameters, `x = …` among its initializers. */
export function referOwn(walk: Walk, node: number): void {
  const { tree, facts, around } = walk;
  if (node >= 0) facts.refer(node, 'write', facts.member(facts.instance(facts.slot(around)), tree.text(node)));
}

/** `super(x)` and `this(x)` among a constructor's initializers call the class that they stand for. */
export function referConstructor(walk: Walk, node: number): void {
  const { tree, facts, around } = walk;
  const holder = tree.parent[node]!;
  if (around < 0 || tree.childOfKind(holder, 'identifier') >= 0) return;
  const kind = tree.kind(holder);
  if (kind === 'redirection') facts.refer(node, 'call', facts.slot(around), facts.definition(around).name);
  if (kind !== 'initializer_list_entry') return;
  const name = walk.superclass < 0 ? 'Object' : tree.text(walk.superclass);
  facts.refer(node, 'call', superclassValue(walk), name);
}

function superclassValue(walk: Walk): number {
  return walk.superclass < 0 ? core(walk, 'Object') : typeNamed(walk, walk.superclass);
}

export function referName(walk: Walk, node: number): void {
  const { tree, facts, scopes, around } = walk;
  const name = tree.text(node);
  const holder = tree.kind(tree.parent[node]!);
  if (walk.nameNodes.has(node) || holder === 'typed_identifier' || isParameter(walk, node)) return;
  const kind = useOf(walk, node);
  if (/^(?:un)?conditional_assignable_selector$|^cascade_selector$/.test(holder)) {
    const receiver = receiverOf(walk, node);
    if (name === 'new' && receiver >= 0) {
      facts.refer(node, kind, receiver);
      return;
    }
    facts.refer(node, kind, receiver === -2 ? aboveMember(walk, name) : facts.member(receiver, name));
    return;
  }
  const prior = before(walk, node);
  if (holder === 'initializer_list_entry' && tree.kind(prior) === 'super') {
    facts.refer(node, 'call', facts.member(superclassValue(walk), name));
    return;
  }
  if (holder === 'redirection' || followsType(walk, node)) {
    const isOwn = holder === 'redirection' || holder === 'enum_constant';
    const of = isOwn ? facts.slot(around) : typeAt(walk, firstOfType(walk, prior));
    facts.refer(node, 'call', facts.member(of, name));
    return;
  }
  if (holder === 'scoped_identifier' && tree.field(node) === 'name') {
    facts.refer(node, kind, facts.member(valueThrough(walk, prior), name));
    return;
  }
  if (holder === 'object_pattern') {
    facts.refer(node, 'read', facts.member(matched(walk, tree.parent[node]!), name));
    return;
  }
  if (holder === 'qualified' && tree.kind(prior) === 'type_identifier') {
    facts.refer(node, kind, facts.member(typeNamed(walk, prior), name));
    return;
  }
  const known = scopes.resolve(name);
  if (known?.kind === 'local' || isWildcard(walk, node)) return;
  facts.refer(node, kind, known?.expression ?? freeName(walk, name));
}

/** The local that `Foo(:final a)` declares bears the name of the member that it is given. */
export function referMatched(walk: Walk, pattern: number): void {
  const { tree, facts } = walk;
  const name = tree.childOfKind(pattern, 'identifier');
  const object = name < 0 ? -1 : namesMemberOf(walk, pattern);
  if (object >= 0) facts.refer(name, 'read', facts.member(matched(walk, object), tree.text(name)));
}

/** `_` that declares nothing: a private constructor may bear that name, too, but stands behind its class. */
function isWildcard({ tree }: Walk, node: number): boolean {
  return tree.text(node) === '_' && /pattern$|^pattern_variable|^for_loop/.test(tree.kind(tree.parent[node]!));
}

function isParameter({ tree }: Walk, node: number): boolean {
  const holder = tree.parent[node]!;
  return (
    tree.kind(holder) === 'formal_parameter' &&
    (tree.field(node) === 'name' || tree.childOfKind(holder, 'identifier') === node)
  );
}

/** `const Foo.named(1)` */
function followsType(walk: Walk, node: number): boolean {
  const { tree } = walk;
  return makesByName.has(tree.kind(tree.parent[node]!)) && followsDot(walk, node);
}

const makesByName: ReadonlySet<string> = new Set([
  'new_expression',
  'const_object_expression',
  'constructor_invocation',
  'enum_constant',
  'redirecting_factory_constructor_signature',
]);

function firstOfType(walk: Walk, node: number): number {
  const { tree } = walk;
  const named = tree.kind(node) === 'type_arguments' ? before(walk, node) : node;
  return followsDot(walk, named) ? before(walk, named) : named;
}

export function referType(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  if (walk.nameNodes.has(node) || tree.kind(tree.parent[node]!) === 'type_parameter') return;
  const isQualified = followsDot(walk, node);
  const known = isQualified ? undefined : scopes.resolve(tree.text(node));
  if (known?.kind === 'local') return;
  // `Foo.new` is how `Foo`'s own constructor is called.
  const named = isQualified && tree.text(node) === 'new' ? before(walk, node) : node;
  facts.refer(node, typeUse(walk, node), typeNamed(walk, named));
}

function typeUse(walk: Walk, node: number): ReferenceKind {
  const { tree } = walk;
  const holder = tree.kind(tree.parent[node]!);
  if (holder === 'redirecting_factory_constructor_signature') return isRedirectedTo(walk, node) ? 'call' : 'type';
  if (/^(?:new_expression|const_object_expression|constructor_invocation)$/.test(holder)) {
    return tree.childOfKind(tree.parent[node]!, 'identifier') < 0 ? 'call' : 'type';
  }
  return /^(?:superclass|mixins|interfaces)$/.test(holder) ? 'implementation' : 'type';
}

/** `factory Foo() = Bar<T>.named`: the last name is what is called. */
function isRedirectedTo(walk: Walk, node: number): boolean {
  const names = partsOf(walk, walk.tree.parent[node]!).filter(one => walk.tree.kind(one) !== 'type_arguments');
  return names.at(-1) === node;
}

function useOf(walk: Walk, node: number): ReferenceKind {
  const { tree } = walk;
  let whole = node;
  if (/(?:assignable|cascade)_selector$/.test(tree.kind(tree.parent[whole]!))) whole = tree.parent[whole]!;
  if (tree.kind(tree.parent[whole]!) === 'selector') whole = tree.parent[whole]!;
  let next = tree.nextSibling(whole);
  while (tree.kind(next) === 'comment') next = tree.nextSibling(next);
  const isCall = tree.kind(next) === 'argument_part' || tree.kind(next) === 'arguments';
  if (isCall || (tree.kind(next) === 'selector' && tree.childOfKind(next, 'argument_part') >= 0)) return 'call';
  const user = tree.parent[whole]!;
  const generic = genericCall(walk, tree.parent[user]!);
  if (generic?.callee === whole) return 'call';
  if (generic?.argument === whole) return 'type';
  if (tree.kind(user) === 'scoped_identifier') return useOf(walk, user);
  if (tree.kind(user) === 'annotation') return tree.childOfKind(user, 'arguments') >= 0 ? 'call' : 'read';
  const isAssigned = tree.kind(user) === 'assignable_expression' && next < 0;
  return isAssigned && tree.field(user) === 'left' ? 'write' : 'read';
}
