import { isDynamic } from './names.ts';
import { hasModifier, isTypeKind, type Walk } from './walk.ts';

export function declareLocal({ tree, scopes }: Walk, nameNode: number, value: number): void {
  if (nameNode >= 0 && tree.kind(nameNode) !== 'discard') scopes.declare(tree.text(nameNode), value);
}

/** Type parameters are seen in the whole declaration, before they stand there too: each its argument, and what bounds it. */
export function declareTypeParameters(walk: Walk, node: number, slot: number): void {
  const { tree, facts, scopes, names } = walk;
  const list = tree.childOfKind(node, 'type_parameter_list');
  tree.namedChildren(list).forEach((one, position) => {
    const name = tree.text(tree.child(one, 'name'));
    scopes.declare(`${name}#`, () =>
      constraintsOn(walk, node, name)
        .map(type => names.type(type))
        .reduce((of, bound) => facts.either(of, bound), facts.argument(slot, position)),
    );
  });
}

function constraintsOn({ tree }: Walk, node: number, name: string): readonly number[] {
  return tree
    .namedChildren(node)
    .filter(one => tree.kind(one) === 'type_parameter_constraints_clause')
    .map(one => tree.namedChildren(one))
    .filter(([parameter = -1]) => tree.text(parameter) === name)
    .flatMap(([, ...constraints]) => constraints.map(one => tree.child(one, 'type')));
}

/** Parameters of a method, or of a class by itself. */
export function declareParameters(walk: Walk, node: number): void {
  // Those of a record are its properties.
  if (walk.tree.kind(node) === 'record_declaration') return;
  for (const { name, type } of parametersOf(walk, node)) declareLocal(walk, name, walk.names.typed(type));
}

interface Parameter {
  readonly name: number;
  readonly type: number;
  readonly hasDefault: boolean;
}

function parametersOf({ tree }: Walk, node: number): readonly Parameter[] {
  const named = tree.child(node, 'parameters');
  const list = named >= 0 ? named : tree.childOfKind(node, 'parameter_list');
  const found: Parameter[] = [];
  let rest = -1;
  for (const one of tree.namedChildren(list)) {
    // The last one of `params T[] rest` stands in the list itself.
    if (tree.kind(one) === 'parameter') {
      const hasDefault = tree.children(one).some(child => tree.text(child) === '=');
      found.push({ name: tree.child(one, 'name'), type: tree.child(one, 'type'), hasDefault });
    } else if (tree.field(one) === 'type') rest = one;
    else if (tree.field(one) === 'name') found.push({ name: one, type: rest, hasDefault: false });
  }
  return found;
}

/** What a definition is of, what it takes and what it is built from. */
export function describe(walk: Walk, node: number, slot: number): void {
  const { tree, facts, names } = walk;
  const { kind, name, container } = facts.definition(slot);
  const returns = tree.child(node, 'returns') >= 0 ? tree.child(node, 'returns') : tree.child(node, 'type');
  const takes = (): void => {
    for (const { type, hasDefault } of parametersOf(walk, node)) {
      const value = names.typed(type);
      // `dynamic` takes what `object` takes.
      const taken = isDynamic(facts, value) ? facts.instance(facts.free('object')) : value;
      const known = taken < 0 ? facts.unknown() : taken;
      facts.addSuper(slot, hasDefault ? facts.otherwise(known, facts.unknown()) : known);
    }
  };
  if (isTypeKind(kind)) {
    if (kind === 'enum') return;
    names.beyond(slot, () => {
      for (const base of basesOf(walk, node)) facts.addSuper(slot, names.type(base));
    });
    if (tree.kind(node) === 'record_declaration')
      facts.setType(slot, parameters(walk, node, facts.functionOf(facts.unknown())));
    return;
  }
  switch (kind) {
    case 'enum-member':
      facts.setType(slot, facts.instance(facts.slot(container)));
      break;
    case 'type':
      facts.setType(slot, delegate(walk, node, returns));
      break;
    case 'method':
    case 'function':
      facts.setType(slot, names.typed(returns));
      takes();
      if (isExtension(walk, node)) facts.addExport(name, facts.slot(slot));
      break;
    case 'constructor':
      takes();
      break;
    case 'property':
      if (tree.kind(node) !== 'indexer_declaration') facts.setType(slot, names.typed(returns));
      else facts.setType(slot, facts.functionOf(names.typed(returns)));
      break;
    default:
      if (kind !== 'namespace') facts.setType(slot, names.typed(returns));
  }
}

function basesOf({ tree }: Walk, node: number): readonly number[] {
  return tree
    .namedChildren(tree.childOfKind(node, 'base_list'))
    .map(one => (tree.kind(one) === 'primary_constructor_base_type' ? tree.child(one, 'type') : one));
}

/** A delegate is a function that is called by its value. */
function delegate(walk: Walk, node: number, returns: number): number {
  const { facts, names } = walk;
  const result = names.typed(returns);
  return parameters(walk, node, facts.functionOf(result < 0 ? facts.unknown() : result));
}

/** A function that takes what is written there; a record is taken apart as it is made. */
function parameters(walk: Walk, node: number, of: number): number {
  const { facts, names } = walk;
  return parametersOf(walk, node).reduce((whole, { type }) => {
    const value = names.typed(type);
    return facts.generic(whole, value < 0 ? facts.unknown() : value);
  }, of);
}

function isExtension({ tree }: Walk, node: number): boolean {
  const [first] = tree.namedChildren(tree.child(node, 'parameters'));
  return first !== undefined && hasModifier(tree, first, 'this');
}
