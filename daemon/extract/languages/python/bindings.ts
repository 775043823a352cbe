import type { SymbolKind } from '../../../model/symbol.ts';
import { collectFields, statementOf, yieldToBases } from './fields.ts';
import { collectImport } from './imports.ts';
import {
  accessOf,
  docstringOf,
  functionKind,
  headOf,
  partsOf,
  stringText,
  variableDocumentation,
  variableKind,
} from './naming.ts';
import { areExclusive, type Binding, bind, type Scope } from './scopes.ts';
import type { Walk } from './walk.ts';

/**
 * Binds every name of a scope before anything in it is looked at, since in Python a name belongs to its whole scope and
 * functions run after their module. What a module or class binds becomes a definition here.
 */
export function collect(walk: Walk, scope: Scope): void {
  const { tree } = walk;
  const body = scope.kind === 'module' ? scope.node : tree.child(scope.node, 'body');
  if (body < 0) return;
  collectWithin(walk, scope, body);
  if (scope.kind === 'module') collectGlobals(walk, scope);
  if (scope.kind === 'class') collectFields(walk, scope, body);
  for (const { slot, type } of walk.pending.splice(0)) walk.facts.setType(slot, type());
}

/** Opens their own scopes: what they bind is not seen outside. */
const closed = new Set([
  'lambda',
  'list_comprehension',
  'set_comprehension',
  'dictionary_comprehension',
  'generator_expression',
]);

function collectWithin(walk: Walk, scope: Scope, from: number): void {
  const { tree } = walk;
  const end = tree.after[from]!;
  for (let node = from; node < end; ) {
    const kind = tree.kind(node);
    if (kind === 'function_definition' || kind === 'class_definition') defineBlock(walk, scope, node);
    if (closed.has(kind)) collectWalrus(walk, scope, node);
    const isOver = kind === 'function_definition' || kind === 'class_definition' || closed.has(kind);
    if (!isOver) collectNode(walk, scope, node, kind);
    node = isOver || kind.startsWith('import_') ? tree.after[node]! : node + 1;
  }
}

function collectNode(walk: Walk, scope: Scope, node: number, kind: string): void {
  const { tree, values } = walk;
  switch (kind) {
    case 'assignment':
      collectAssignment(walk, scope, node);
      return;
    case 'augmented_assignment':
      if (scope.kind === 'module' && tree.text(tree.child(node, 'left')) === '__all__') listAll(walk, node);
      return;
    case 'for_statement':
      bindTarget(walk, scope, tree.child(node, 'left'), -1, () =>
        walk.facts.element(values.valueAt(tree.child(node, 'right'), scope)),
      );
      return;
    case 'as_pattern':
      collectAlias(walk, scope, node);
      return;
    case 'named_expression':
      bindTarget(walk, scope, tree.child(node, 'name'), -1, () => values.valueAt(tree.child(node, 'value'), scope));
      return;
    case 'import_statement':
    case 'import_from_statement':
      collectImport(walk, scope, node);
      return;
    case 'global_statement':
    case 'nonlocal_statement':
      for (const name of tree.namedChildren(node)) {
        scope.elsewhere.set(tree.text(name), kind === 'global_statement' ? 'global' : 'nonlocal');
      }
      return;
    case 'type_alias_statement':
      collectTypeAlias(walk, scope, node);
      return;
    case 'case_pattern':
    case 'keyword_pattern':
    case 'splat_pattern':
      collectCapture(walk, scope, node);
      return;
    case 'if_statement':
    case 'elif_clause':
    case 'assert_statement':
      collectNarrowing(walk, scope, node);
      return;
    default:
  }
}

function defineBlock(walk: Walk, scope: Scope, node: number): void {
  const { tree, facts } = walk;
  const nameNode = tree.child(node, 'name');
  if (nameNode < 0) return;
  const name = tree.text(nameNode);
  const isClass = tree.kind(node) === 'class_definition';
  const kind: SymbolKind = isClass ? 'class' : functionKind(tree, node, scope.kind === 'class');
  const holder = tree.parent[node]!;
  const slot = facts.define({
    name,
    kind,
    suffix: isClass ? 'type' : 'method',
    nameNode,
    node: tree.kind(holder) === 'decorated_definition' ? holder : node,
    container: scope.slot,
    signature: headOf(tree, node),
    documentation: docstringOf(tree, tree.child(node, 'body')),
    ...accessOf(name),
    hasBody: !isStub(walk, node),
  });
  walk.slots.set(node, slot);
  walk.sites.add(nameNode);
  bindOutwards(scope, name, nameNode, 'definition', facts.slot(slot));
}

/** An overload's declarations stand in the body's stead: the site with the body is the primary one. */
function isStub({ tree }: Walk, node: number): boolean {
  const body = tree.child(node, 'body');
  return body < 0 || tree.text(body).trim() === '...';
}

function collectAssignment(walk: Walk, scope: Scope, node: number): void {
  const { tree, values } = walk;
  const left = tree.child(node, 'left');
  const type = tree.child(node, 'type');
  const right = tree.child(node, 'right');
  if (scope.kind === 'module' && tree.text(left) === '__all__') listAll(walk, node);
  bindTarget(walk, scope, left, type, () => {
    const declared = type < 0 ? -1 : values.annotation(type, scope);
    return declared >= 0 ? declared : values.valueAt(right, scope);
  });
}

/** `as` in `with`, `except` and `case`. */
function collectAlias(walk: Walk, scope: Scope, node: number): void {
  const { tree, values, facts } = walk;
  const value = tree.firstChild(node);
  const holder = tree.kind(tree.parent[node]!);
  const alias = tree.namedChildren(node).at(-1) ?? -1;
  const target = tree.kind(alias) === 'as_pattern_target' ? tree.firstChild(alias) : alias;
  if (holder === 'except_clause' || holder === 'except_group_clause') {
    const caught = (): number => facts.instance(values.valueAt(value, scope));
    if (tree.kind(target) === 'identifier') bindOutwards(scope, tree.text(target), target, 'local', caught);
    return;
  }
  bindTarget(walk, scope, target, -1, () =>
    holder === 'case_pattern' ? values.pattern(value, scope) : values.entered(value, scope),
  );
}

function collectCapture(walk: Walk, scope: Scope, node: number): void {
  const { tree } = walk;
  const names = tree.namedChildren(node);
  const name = tree.kind(node) === 'keyword_pattern' ? names[1] : names[0];
  if (name === undefined || tree.text(name) === '_' || tree.text(name).includes('.')) return;
  if (tree.kind(name) === 'identifier' || tree.kind(name) === 'dotted_name')
    bindTarget(walk, scope, name, -1, () => -1);
}

function collectTypeAlias(walk: Walk, scope: Scope, node: number): void {
  const { tree, facts, values } = walk;
  let nameNode = tree.child(node, 'left');
  while (nameNode >= 0 && tree.kind(nameNode) !== 'identifier') nameNode = tree.firstChild(nameNode);
  if (nameNode < 0) return;
  const name = tree.text(nameNode);
  const denoted = (): number => values.type(tree.child(node, 'right'), scope);
  walk.sites.add(nameNode);
  if (scope.kind === 'function') {
    bind(scope, name, nameNode, 'local', denoted);
    return;
  }
  const signature = tree.text(node);
  const container = scope.slot;
  const slot = facts.define({
    name,
    kind: 'type',
    suffix: 'type',
    nameNode,
    node,
    container,
    signature,
    ...accessOf(name),
  });
  walk.slots.set(nameNode, slot);
  walk.pending.push({ slot, type: denoted });
  bind(scope, name, nameNode, 'definition', facts.slot(slot));
}

/** `if isinstance(x, A):` and `assert isinstance(x, A)`. */
function collectNarrowing(walk: Walk, scope: Scope, node: number): void {
  const { tree, values } = walk;
  const isAssert = tree.kind(node) === 'assert_statement';
  const test = isAssert ? (tree.namedChildren(node)[0] ?? -1) : tree.child(node, 'condition');
  if (tree.kind(test) !== 'call' || tree.text(tree.child(test, 'function')) !== 'isinstance') return;
  const [subject, type] = partsOf(tree, tree.child(test, 'arguments'));
  if (subject === undefined || type === undefined || tree.kind(subject) !== 'identifier') return;
  const place = isAssert ? test : tree.firstChild(tree.child(node, 'consequence'));
  if (place < 0) return;
  bind(scope, tree.text(subject), place, 'narrowing', () => walk.facts.instance(values.valueAt(type, scope)));
}

/** A walrus inside a comprehension binds in the scope around it. */
function collectWalrus(walk: Walk, scope: Scope, from: number): void {
  if (walk.tree.kind(from) === 'lambda') return;
  for (let node = from; node < walk.tree.after[from]!; node++) {
    if (walk.tree.kind(node) === 'named_expression')
      bindTarget(walk, scope, walk.tree.child(node, 'name'), -1, () => -1);
  }
}

/** Takes a target apart and binds its names; an attribute of the receiver gets its type. */
function bindTarget(walk: Walk, scope: Scope, target: number, annotation: number, value: () => number): void {
  const { tree } = walk;
  switch (tree.kind(target)) {
    case 'identifier':
    case 'dotted_name':
      bindName(walk, scope, target, annotation, value);
      return;
    case 'attribute':
      bindField(walk, scope, target, value);
      return;
    case 'list_splat_pattern':
    case 'list_splat':
    case 'parenthesized_expression':
      bindTarget(walk, scope, tree.namedChildren(target)[0] ?? -1, -1, () => -1);
      return;
    case 'pattern_list':
    case 'tuple_pattern':
    case 'list_pattern':
    case 'tuple':
    case 'list':
      if (tree.depth[target]! > 500) return;
      partsOf(tree, target).forEach((part, index) => {
        bindTarget(walk, scope, part, -1, () => walk.values.part(value(), index));
      });
      return;
    default:
  }
}

function bindName(walk: Walk, scope: Scope, nameNode: number, annotation: number, value: () => number): void {
  const name = walk.tree.text(nameNode);
  const moved = scope.elsewhere.get(name);
  if (scope.kind === 'function') {
    if (moved === undefined) bind(scope, name, nameNode, 'local', value);
    return;
  }
  if (moved !== undefined) return;
  const known = scope.names.get(name) ?? [];
  const slotKnown = known.map(one => walk.slots.get(one.node)).find(slot => slot !== undefined);
  const isFurther = known.some(one => one.kind === 'definition' && !areExclusive(walk.tree, one.node, nameNode));
  const slot = isFurther && slotKnown !== undefined ? slotKnown : defineVariable(walk, scope, nameNode, annotation);
  walk.pending.push({ slot, type: () => valueOfMember(walk, scope, slot, value) });
  if (isFurther) return;
  walk.slots.set(nameNode, slot);
  bind(scope, name, nameNode, 'definition', walk.facts.slot(slotKnown ?? slot));
}

function valueOfMember({ facts }: Walk, scope: Scope, slot: number, value: () => number): number {
  return facts.definition(slot).kind === 'enum-member' ? facts.instance(facts.slot(scope.slot)) : value();
}

function defineVariable(walk: Walk, scope: Scope, nameNode: number, annotation: number): number {
  const { tree, facts } = walk;
  const name = tree.text(nameNode);
  const statement = statementOf(walk, nameNode);
  walk.sites.add(nameNode);
  const slot = facts.define({
    name,
    kind: variableKind(tree, name, annotation, scope.kind === 'class' ? scope.node : -1),
    suffix: 'term',
    nameNode,
    node: statement,
    container: scope.slot,
    signature: tree.text(statement),
    documentation: variableDocumentation(tree, statement),
    ...accessOf(name),
    hasBody: tree.child(statement, 'right') >= 0,
  });
  if (scope.kind === 'class' && annotation < 0) yieldToBases(walk, slot);
  return slot;
}

/** Functions and classes bind where `global` says. */
function bindOutwards(scope: Scope, name: string, node: number, kind: Binding['kind'], value: Binding['value']): void {
  let home: Scope | undefined = scope;
  if (scope.elsewhere.get(name) === 'global') while (home.outer !== undefined) home = home.outer;
  bind(home, name, node, kind, value);
}

/** A global that only functions assign is defined where the first of them does. */
function collectGlobals(walk: Walk, module: Scope): void {
  const { tree } = walk;
  for (let node = 0; node < tree.size; node++) {
    if (tree.kind(node) !== 'global_statement') continue;
    let body = node;
    while (body > 0 && tree.kind(body) !== 'function_definition') body = tree.parent[body]!;
    for (const name of tree.namedChildren(node).map(child => tree.text(child))) {
      if (module.names.has(name)) continue;
      const assigned = firstAssigned(walk, body, name);
      if (assigned >= 0) bindName(walk, module, assigned, -1, () => -1);
    }
  }
}

function firstAssigned({ tree }: Walk, body: number, name: string): number {
  for (let node = body; node < tree.after[body]!; node++) {
    if (tree.kind(node) !== 'assignment' && tree.kind(node) !== 'named_expression') continue;
    const target = tree.firstChild(node);
    if (tree.kind(target) === 'identifier' && tree.text(target) === name) return target;
  }
  return -1;
}

function bindField(walk: Walk, scope: Scope, target: number, value: () => number): void {
  const { tree, facts } = walk;
  const { receiver } = scope;
  if (receiver === undefined || tree.text(tree.child(target, 'object')) !== receiver.name) return;
  const name = tree.text(tree.child(target, 'attribute'));
  const slot = facts.slotsNamed(receiver.classSlot, name).find(one => !/\(/.test(facts.definition(one).tail.slice(-3)));
  if (slot !== undefined) walk.pending.push({ slot, type: value });
}

function listAll(walk: Walk, node: number): void {
  const { tree } = walk;
  walk.all ??= new Set();
  const right = tree.child(node, 'right');
  for (let at = right; at >= 0 && at < tree.after[right]!; at++) {
    if (tree.kind(at) === 'string') walk.all.add(stringText(tree, at));
  }
}
