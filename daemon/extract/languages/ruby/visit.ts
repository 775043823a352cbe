import { maxDepth } from '../../builder.ts';
import { Scopes } from '../../scopes.ts';
import { standsInClassMethods } from './around.ts';
import { assign, bindParameters, bindPattern } from './bindings.ts';
import { describedBy, noteHanding, noteYield, sayOfBlock, selfOfBlock } from './blocks.ts';
import { baseOf, extendItself, isMixin, visitMixin } from './mixins.ts';
import { above, calledOn, callee, methodAround, valueAt, variable, yielded } from './values.ts';
import { constant, ofSelf, standing, takenBlock, type Walk } from './walk.ts';

/** Emits the references below a node in order. */
export function visit(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return;
  switch (tree.kind(node)) {
    case 'module':
    case 'class':
      visitClass(walk, node);
      return;
    case 'singleton_class':
      visit(walk, tree.child(node, 'value'));
      standing(walk, { scopes: new Scopes(), self: { ...walk.self, isStatic: true }, nesting: walk.nesting }, () =>
        visit(walk, tree.child(node, 'body')),
      );
      return;
    case 'method':
    case 'singleton_method':
      visitMethod(walk, node);
      return;
    case 'block':
    case 'do_block':
    case 'lambda':
      visitBlock(walk, node);
      return;
    case 'assignment':
    case 'operator_assignment':
      visitAssignment(walk, node);
      return;
    default: {
      // `define_method(:x) { … }`
      const slot = tree.child(node, 'block') < 0 ? undefined : walk.byNode.get(node);
      if (slot === undefined) visitLeaf(walk, node);
      else facts.within(slot, () => visitLeaf(walk, node));
    }
  }
}

function visitLeaf(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  switch (tree.kind(node)) {
    case 'identifier':
      if (!/^__[A-Z]+__$/.test(tree.text(node)) && scopes.resolve(tree.text(node)) === undefined)
        visitBareCall(walk, node, tree.text(node));
      return;
    case 'constant':
      facts.refer(node, constantKind(walk, node), constant(walk, tree.text(node)));
      return;
    case 'scope_resolution':
      visit(walk, tree.child(node, 'scope'));
      facts.refer(tree.child(node, 'name'), constantKind(walk, node), valueAt(walk, node));
      return;
    case 'instance_variable':
    case 'class_variable':
    case 'global_variable':
      referVariable(walk, node, 'read');
      return;
    case 'super':
      if (above(walk) >= 0) facts.refer(node, 'call', above(walk), methodAround(walk));
      return;
    case 'call':
      visitCall(walk, node);
      return;
    case 'block_argument':
      visitBlockArgument(walk, node);
      return;
    case 'exception_variable':
      bindException(walk, node);
      return;
    case 'for':
      visit(walk, tree.child(node, 'value'));
      assign(walk, tree.child(node, 'pattern'), () => facts.element(valueAt(walk, tree.child(node, 'value'))));
      visit(walk, tree.child(node, 'body'));
      return;
    case 'in_clause':
    case 'match_pattern':
    case 'test_pattern':
      bindPattern(walk, tree.child(node, 'pattern'));
      visitChildren(walk, node);
      return;
    case 'pair':
      visitPair(walk, node);
      return;
    case 'alias':
      visitAlias(walk, node);
      return;
    case 'yield':
      visitChildren(walk, node);
      noteYield(walk, node);
      return;
    default:
      visitChildren(walk, node);
  }
}

function visitChildren(walk: Walk, node: number): void {
  for (const child of walk.tree.namedChildren(node)) visit(walk, child);
}

function visitClass(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const slot = walk.byNode.get(node) ?? -1;
  const superclass = tree.namedChildren(tree.child(node, 'superclass'))[0] ?? -1;
  visit(walk, tree.child(tree.child(node, 'name'), 'scope'));
  if (slot < 0) {
    visit(walk, superclass);
    visit(walk, tree.child(node, 'body'));
    return;
  }
  // It is the class that has it as its base, though its name is looked for around that.
  facts.within(slot, () => visit(walk, superclass));
  if (superclass >= 0) facts.addSuper(slot, asBase(walk, superclass, valueAt(walk, superclass)));
  const self = { slot, isStatic: true, isInBlock: false };
  const nesting = [facts.definition(slot).tail, ...walk.nesting];
  standing(walk, { scopes: new Scopes(), self, nesting }, () =>
    facts.within(slot, () => visit(walk, tree.child(node, 'body'))),
  );
}

/** `Struct.new(:x)` makes a class that is a Struct. Of what else a call gives nothing is known. */
function asBase(walk: Walk, node: number, value: number): number {
  const { tree, facts } = walk;
  if (tree.kind(node) !== 'call') return value < 0 ? facts.unknown() : baseOf(walk, node, value);
  const receiver = tree.child(node, 'receiver');
  if (/^(?:Struct|Data)$/.test(tree.text(receiver))) return valueAt(walk, receiver);
  return tree.text(receiver) === 'Class' && value >= 0 ? value : facts.unknown();
}

function visitMethod(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const slot = walk.byNode.get(node) ?? -1;
  const isSingleton = tree.kind(node) === 'singleton_method';
  const object = tree.child(node, 'object');
  if (isSingleton) visit(walk, object);
  const isOfFile = walk.self.slot < 0;
  const tail = slot < 0 ? '' : facts.definition(slot).tail;
  const { groupIn } = walk.self;
  const isOfClass = tail.endsWith('(static).') || standsInClassMethods(tree, node);
  const self = { slot: walk.self.slot, isStatic: !isOfFile && isOfClass, isInBlock: false, groupIn };
  const parameters = tree.child(node, 'parameters');
  const outer = walk.block;
  walk.block = takenBlock(
    tree.text(tree.child(tree.childOfKind(parameters, 'block_parameter'), 'name')),
    tree
      .namedChildren(parameters)
      .map(one => tree.text(tree.kind(one) === 'identifier' ? one : tree.child(one, 'name'))),
  );
  standing(walk, { scopes: new Scopes(), self, nesting: walk.nesting }, () => {
    const inner = (): void => {
      bindParameters(walk, parameters);
      visit(walk, parameters);
      visit(walk, tree.child(node, 'body'));
      if (slot >= 0) facts.setType(slot, valueAt(walk, tree.child(node, 'body')));
      if (slot >= 0) sayOfBlock(walk, slot);
    };
    if (slot < 0) inner();
    else facts.within(slot, inner);
  });
  walk.block = outer;
}

function visitBlock(walk: Walk, node: number): void {
  const { tree } = walk;
  const call = tree.parent[node]!;
  const isLambda = tree.kind(node) === 'lambda' || tree.kind(call) === 'lambda';
  const name = tree.text(tree.child(call, 'method'));
  // `Point = Struct.new(:x) do … end`
  const made = tree.kind(tree.parent[call]!) === 'assignment' ? walk.byNode.get(tree.parent[call]!) : undefined;
  if (made !== undefined && walk.facts.definition(made).kind === 'class') {
    const inClass = { slot: made, isStatic: true, isInBlock: false };
    standing(walk, { scopes: walk.scopes, self: inClass, nesting: walk.nesting }, () =>
      visit(walk, tree.child(node, 'body')),
    );
    return;
  }
  const self = isLambda ? walk.self : selfOfBlock(walk, call, name);
  const { described, subject } = walk;
  walk.described = describedBy(walk, call, name);
  walk.scopes.inside('function', () => {
    const first = isLambda ? -1 : yielded(walk, call);
    bindParameters(walk, tree.child(node, 'parameters'), first);
    visit(walk, tree.child(node, 'parameters'));
    standing(walk, { scopes: walk.scopes, self, nesting: walk.nesting }, () => {
      visit(walk, tree.child(node, 'body'));
      const slot = walk.byNode.get(call);
      if (slot !== undefined) walk.facts.setType(slot, valueAt(walk, tree.child(node, 'body')));
      walk.subject = name === 'subject' ? valueAt(walk, tree.child(node, 'body')) : subject;
    });
  });
  walk.described = described;
}

function visitAssignment(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const left = tree.child(node, 'left');
  const right = tree.child(node, 'right');
  const slot = walk.byNode.get(node);
  const isUpdate = tree.kind(node) === 'operator_assignment';
  const inner = (): void => {
    visit(walk, right);
    visitTarget(walk, left);
    const before = isUpdate ? valueAt(walk, left) : -1;
    assign(walk, left, () => (isUpdate ? facts.either(before, valueAt(walk, node)) : valueAt(walk, right)));
  };
  if (slot === undefined) inner();
  else facts.within(slot, inner);
  if (slot !== undefined && tree.kind(left) === 'constant') typeConstant(walk, slot, right);
}

function typeConstant(walk: Walk, slot: number, right: number): void {
  const { tree, facts } = walk;
  if (facts.definition(slot).kind !== 'class') facts.setType(slot, valueAt(walk, right));
  else if (tree.kind(right) === 'call') facts.addSuper(slot, asBase(walk, right, valueAt(walk, right)));
}

/** What is written to: `x.a = 1` calls `a=`. */
function visitTarget(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  switch (tree.kind(node)) {
    case 'identifier':
    case 'constant':
      return;
    case 'instance_variable':
    case 'class_variable':
    case 'global_variable':
      referVariable(walk, node, 'write');
      return;
    case 'call': {
      const receiver = tree.child(node, 'receiver');
      const method = tree.child(node, 'method');
      visit(walk, receiver);
      const name = `${tree.text(method)}=`;
      const isSelf = tree.kind(receiver) === 'self';
      facts.refer(method, 'write', isSelf ? ofSelf(walk, 'call', name) : facts.member(valueAt(walk, receiver), name));
      return;
    }
    case 'left_assignment_list':
    case 'destructured_left_assignment':
    case 'rest_assignment':
      for (const one of tree.namedChildren(node)) visitTarget(walk, one);
      return;
    case 'scope_resolution':
      visit(walk, tree.child(node, 'scope'));
      return;
    default:
      visitChildren(walk, node);
  }
}

function referVariable(walk: Walk, node: number, kind: 'read' | 'write'): void {
  const expression = walk.byNode.has(node) ? -1 : variable(walk, node);
  if (expression >= 0) walk.facts.refer(node, kind, expression);
}

/** `module_function` by itself is for the methods behind it. */
function visitBareCall(walk: Walk, node: number, name: string): void {
  const { facts, self } = walk;
  facts.refer(node, 'call', ofSelf(walk, 'call', name));
  if (name === 'module_function' && self.isStatic && facts.enclosing === self.slot) extendItself(walk);
}

function visitCall(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const receiver = tree.child(node, 'receiver');
  const method = tree.child(node, 'method');
  const list = tree.child(node, 'arguments');
  const name = tree.text(method);
  visit(walk, receiver);
  if (tree.kind(method) === 'constant' && receiver >= 0 && list < 0) facts.refer(method, 'read', valueAt(walk, node));
  else if (tree.kind(method) === 'super') visit(walk, method);
  else if (method >= 0) facts.refer(method, 'call', callee(walk, node));
  visit(walk, list);
  visit(walk, tree.child(node, 'block'));
  noteHanding(walk, node, name);
  if (receiver < 0) visitDirective(walk, name, tree.namedChildren(list));
  else if (/^(?:send|public_send|__send__|respond_to\?|method)$/.test(name)) {
    const [first = -1] = tree.namedChildren(list);
    if (tree.kind(first) === 'simple_symbol')
      referSymbol(walk, first, facts.member(valueAt(walk, receiver), symbol(walk, first)));
  }
}

/** Calls that say something about the class that they stand in, or name a method of it. */
function visitDirective(walk: Walk, name: string, list: readonly number[]): void {
  const { facts, self } = walk;
  if (visitMixin(walk, name, list)) return;
  if (name === 'module_function') extendItself(walk);
  const named = /^(?:private|public|protected|module_function|method|send)$/.test(name)
    ? list
    : name === 'alias_method'
      ? list.slice(1)
      : [];
  const isStatic =
    self.isStatic && facts.enclosing >= 0 && facts.definition(facts.enclosing).tail.endsWith('(static).');
  const from: Walk =
    isStatic || name === 'method' || name === 'send' ? walk : { ...walk, self: { ...self, isStatic: false } };
  const statics: Walk = /^(?:private_class_method|public_class_method)$/.test(name) ? walk : from;
  const all = statics === walk && statics !== from ? list : named;
  for (const one of all) {
    if (walk.tree.kind(one) === 'simple_symbol') referSymbol(walk, one, ofSelf(statics, 'call', symbol(walk, one)));
  }
}

function symbol({ tree }: Walk, node: number): string {
  return tree.text(node).slice(1);
}

function referSymbol(
  { tree, facts }: Walk,
  node: number,
  expression: number,
  kind: 'call' | 'reference' = 'reference',
): void {
  facts.referAt(tree.start[node]! + 1, tree.end[node]!, kind, expression);
}

/** `map(&:name)`: a call of what a block would get first. */
function visitBlockArgument(walk: Walk, node: number): void {
  const { tree } = walk;
  const [given = -1] = tree.namedChildren(node);
  const call = tree.parent[tree.parent[node]!]!;
  if (tree.kind(given) !== 'simple_symbol') visit(walk, given);
  else {
    const value = tree.kind(call) === 'call' ? yielded(walk, call) : -1;
    referSymbol(walk, given, calledOn(walk, value, symbol(walk, given)), 'call');
  }
}

/** `{ x: }` is short for `{ x: x }`. */
function visitPair(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const key = tree.child(node, 'key');
  const value = tree.child(node, 'value');
  if (tree.kind(key) !== 'hash_key_symbol') visit(walk, key);
  else if (value < 0 && scopes.resolve(tree.text(key)) === undefined) {
    facts.refer(key, 'call', ofSelf(walk, 'call', tree.text(key)));
  }
  visit(walk, value);
}

function visitAlias(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const old = tree.child(node, 'alias');
  if (tree.kind(old) === 'global_variable') {
    referVariable(walk, old, 'read');
    return;
  }
  const name = tree.text(old).replace(/^:/, '');
  const isOfClass = tree.kind(tree.parent[tree.parent[node]!] ?? -1) === 'singleton_class';
  const expression = ofSelf({ ...walk, self: { ...walk.self, isStatic: isOfClass } }, 'call', name);
  facts.referAt(tree.end[old]! - name.length, tree.end[old]!, 'read', expression);
}

function bindException(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const exceptions = tree.namedChildren(tree.child(tree.parent[node]!, 'exceptions'));
  assign(walk, tree.namedChildren(node)[0] ?? -1, () =>
    exceptions.map(one => facts.instance(valueAt(walk, one))).reduce((all, one) => facts.either(all, one), -1),
  );
}

function constantKind({ tree }: Walk, node: number): 'read' | 'implementation' {
  const user = tree.parent[node]!;
  if (tree.kind(user) !== 'argument_list') return tree.kind(user) === 'superclass' ? 'implementation' : 'read';
  const call = tree.parent[user]!;
  // `Dog = Class.new(Animal)`
  const isBase = tree.kind(tree.parent[call]!) === 'assignment' && tree.text(tree.child(call, 'receiver')) === 'Class';
  if (isBase) return 'implementation';
  const mixesIn = tree.child(call, 'receiver') < 0 && isMixin(tree.text(tree.child(call, 'method')));
  return mixesIn ? 'implementation' : 'read';
}
