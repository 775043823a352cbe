import { declaratorName, initialValue, trailingTypeOf } from './declarator.ts';
import { isPlain, plainAs } from './operators.ts';
import { namespaceSegments, pathValue } from './paths.ts';
import { declaredLevel, levelOf, noteLevel } from './pointers.ts';
import { givenValue, isTemplate, typeOf, valueAt } from './values.ts';
import { contextOf, isCpp, type Walk } from './walk.ts';

/** Writes down what a definition is of: its type, what it is an alias of, what it extends. */
export function describe(walk: Walk, node: number, slot: number): void {
  const { tree, facts, slots } = walk;
  for (const base of slots.superBySlot.get(slot) ?? []) facts.addSuper(slot, typeOf(walk, base));
  switch (tree.kind(node)) {
    case 'type_definition':
    case 'alias_declaration':
      if (facts.definition(slot).kind !== 'type') return;
      facts.setType(slot, facts.instance(typeOf(walk, tree.child(node, 'type'))));
      return;
    case 'namespace_alias_definition':
      facts.setType(slot, pathValue(walk, namespaceSegments(walk, tree.namedChildren(node).at(-1) ?? -1)));
      return;
    case 'enum_specifier':
      return;
    case 'enumerator': {
      const { container } = facts.definition(slot);
      const isNamed = container >= 0 && facts.definition(container).kind === 'enum';
      if (isCpp(tree) && isNamed) facts.setType(slot, facts.instance(facts.slot(container)));
      return;
    }
    default:
  }
  const written = slots.typeBySlot.get(slot);
  if (written === undefined || tree.parent[written] !== node) return;
  const names = tree.childrenIn(node, 'declarator').map(one => declaratorName(tree, one));
  for (const [other, of] of typesIn(walk, written)) {
    const { name } = facts.definition(other);
    if (of === written)
      facts.setType(other, declaredAs(walk, written, names.find(one => tree.text(one) === name) ?? -1));
  }
}

/** What a name is declared as: arrays are looked through, but for those of templates, which may be containers themselves. */
function declaredAs(walk: Walk, written: number, nameNode: number): number {
  const { tree, facts } = walk;
  if (isPlain(walk, written)) return nameNode < 0 ? -1 : plainAs(walk, written, nameNode);
  if (tree.kind(written) === 'placeholder_type_specifier') return trailingType(walk, nameNode);
  let value = facts.instance(typeOf(walk, written));
  if (value < 0 || nameNode < 0 || !isTemplate(walk, written)) return value;
  for (let at = tree.parent[nameNode]!; tree.kind(at) === 'array_declarator'; at = tree.parent[at]!)
    value = facts.instance(facts.generic(facts.free('|std::array'), value));
  return value;
}

/** `auto List::find() -> Node *`: what stands behind the arrow is looked for in the class. */
function trailingType(walk: Walk, nameNode: number): number {
  const { tree, facts } = walk;
  let at = nameNode;
  while (/declarator$|identifier$|^operator_name$/.test(tree.kind(at)) && tree.kind(at) !== 'function_declarator')
    at = tree.parent[at]!;
  const type = trailingTypeOf(tree, at);
  if (type < 0) return -1;
  const outer = walk.context;
  walk.context = contextOf(facts, facts.enclosing);
  const value = facts.instance(typeOf(walk, type));
  walk.context = outer;
  return value;
}

/** `int a, *b;`: all that one type was written for. */
function typesIn({ slots }: Walk, written: number): readonly (readonly [slot: number, type: number])[] {
  let known = bySlots.get(slots.typeBySlot);
  if (known === undefined) {
    known = new Map();
    for (const [slot, type] of slots.typeBySlot) known.set(type, [...(known.get(type) ?? []), [slot, type]]);
    bySlots.set(slots.typeBySlot, known);
  }
  return known.get(written) ?? [];
}

const bySlots = new WeakMap<object, Map<number, (readonly [slot: number, type: number])[]>>();

/** Declares the variables of a declaration inside a function, or of a loop over a range. */
export function bindDeclared(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const isLoop = tree.kind(node) === 'for_range_loop';
  if (tree.kind(node) !== 'declaration' && !isLoop) return;
  const type = tree.child(node, 'type');
  const isAuto = tree.kind(type) === 'placeholder_type_specifier';
  for (const declarator of tree.childrenIn(node, 'declarator')) {
    const value = (): number => {
      if (!isAuto) return declaredAs(walk, type, declaratorName(tree, declarator));
      if (isLoop) return facts.element(valueAt(walk, tree.child(node, 'right')));
      return givenValue(walk, initialValue(tree, declarator));
    };
    const structured = structuredOf(walk, declarator);
    if (structured >= 0) bindParts(walk, structured, value());
    const nameNode = declaratorName(tree, declarator);
    if (structured >= 0 || nameNode < 0 || walk.slots.nameNodes.has(nameNode)) continue;
    const written = declaredLevel(tree, nameNode);
    const isWritten = !isAuto || (written ?? 0) > 0;
    const level = isWritten ? written : levelOf(walk, isLoop ? -1 : initialValue(tree, declarator));
    bind(walk, nameNode, value());
    noteLevel(walk, tree.text(nameNode), level);
  }
}

/** What a declaration declares refers to nothing. */
export function markDeclared({ tree, bound }: Walk, node: number): void {
  for (const declarator of tree.childrenIn(node, 'declarator')) {
    const nameNode = declaratorName(tree, declarator);
    if (nameNode >= 0 && !/^qualified/.test(tree.kind(tree.parent[nameNode]!))) bound.add(nameNode);
  }
}

function structuredOf({ tree }: Walk, declarator: number): number {
  for (let at = declarator; at >= 0 && at < Math.min(tree.after[declarator]!, declarator + 6); at++) {
    if (tree.kind(at) === 'structured_binding_declarator') return at;
  }
  return -1;
}

/** `auto [key, value] = …`: by position, as `std::get` has them. */
function bindParts(walk: Walk, structured: number, value: number): void {
  walk.tree.namedChildren(structured).forEach((one, position) => {
    bind(walk, one, walk.facts.member(value, String(position)));
  });
}

export function bindParameter(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const declarator = tree.child(node, 'declarator');
  const nameNode = declaratorName(tree, declarator >= 0 ? declarator : variadicName(walk, node));
  const type = tree.child(node, 'type');
  if (nameNode < 0) return;
  bind(walk, nameNode, isPlain(walk, type) ? plainAs(walk, type, nameNode) : facts.instance(typeOf(walk, type)));
  noteLevel(walk, tree.text(nameNode), declaredLevel(tree, nameNode));
}

function variadicName({ tree }: Walk, node: number): number {
  return tree.childOfKind(node, 'variadic_declarator');
}

/** A type parameter of a class stands for what the class is applied to, any other for nothing that is known. */
export function bindTypeParameter(walk: Walk, node: number): void {
  const { tree, facts, slots } = walk;
  const name = tree.child(node, 'name') >= 0 ? tree.child(node, 'name') : tree.childOfKind(node, 'type_identifier');
  const list = tree.parent[node]!;
  const type = tree.namedChildren(tree.parent[list]!).find(one => /^(?:class|struct)_specifier$/.test(tree.kind(one)));
  const owner = type === undefined ? -1 : (slots.byNode.get(type) ?? -1);
  if (name >= 0) bind(walk, name, facts.argument(owner, tree.namedChildren(list).indexOf(node)));
}

function bind({ tree, bound, scopes }: Walk, nameNode: number, value: number): void {
  bound.add(nameNode);
  scopes.declare(tree.text(nameNode), value);
}
