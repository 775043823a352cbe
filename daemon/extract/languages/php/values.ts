import { classAround, type Walk } from './walk.ts';

/** What expressions give, as far as the file tells. */
export interface Values {
  /** The value of an expression. */
  of(node: number): number;
  /** What stands before `::` or behind `new` or `instanceof`: a class, or a value of one. */
  classOf(node: number): number;
  /** The member that an access names. */
  member(node: number): number;
}

const maxChain = 60;

export function createValues(walk: Omit<Walk, 'values' | 'commentOn' | 'visit'>): Values {
  const { tree, facts, slots, scopes, names } = walk;

  const of = (node: number, depth = 0): number => {
    if (node < 0 || depth > maxChain) return -1;
    const inner = (child: number): number => of(child, depth + 1);
    const kind = tree.kind(node);
    switch (kind) {
      case 'variable_name':
        return variable(node);
      case 'member_access_expression':
      case 'nullsafe_member_access_expression':
      case 'scoped_property_access_expression':
      case 'class_constant_access_expression':
        return member(node, depth);
      case 'member_call_expression':
      case 'nullsafe_member_call_expression':
      case 'scoped_call_expression':
        return facts.otherwise(facts.call(member(node, depth)), madeByName(walk, node));
      case 'function_call_expression': {
        const called = callee(tree.child(node, 'function'), depth);
        return facts.otherwise(facts.call(called), facts.call(facts.member(called, '__invoke()')));
      }
      case 'object_creation_expression':
        return created(node);
      case 'assignment_expression':
        return inner(tree.child(node, 'right'));
      case 'parenthesized_expression':
      case 'clone_expression':
      case 'error_suppression_expression':
      case 'by_ref':
        return inner(tree.namedChildren(node).at(-1) ?? -1);
      case 'subscript_expression':
        return indexed(inner(tree.namedChildren(node)[0] ?? -1));
      case 'conditional_expression': {
        const body = tree.child(node, 'body');
        return facts.either(
          inner(body >= 0 ? body : tree.child(node, 'condition')),
          inner(tree.child(node, 'alternative')),
        );
      }
      case 'binary_expression':
        return tree.children(node).some(child => tree.text(child) === '??')
          ? facts.either(inner(tree.child(node, 'left')), inner(tree.child(node, 'right')))
          : -1;
      case 'match_expression':
        return tree
          .namedChildren(tree.child(node, 'body'))
          .reduce((all, arm) => facts.either(all, inner(tree.child(arm, 'return_expression'))), -1);
      case 'array_creation_expression':
        return array(node, depth);
      case 'integer':
        return facts.instance(facts.free('int'));
      case 'anonymous_function':
      case 'arrow_function':
        return closure(node);
      default:
        return -1;
    }
  };

  const closure = (node: number): number => {
    const result = names.typed(tree.child(node, 'return_type'));
    return facts.functionOf(result < 0 ? facts.unknown() : result);
  };

  /** What all elements of an array are, if the first tells. */
  const array = (node: number, depth: number): number => {
    const [first] = tree.namedChildren(node);
    const value = of(tree.namedChildren(first ?? -1).at(-1) ?? -1, depth + 1);
    return value < 0 ? -1 : facts.instance(facts.generic(facts.free('array'), value));
  };

  /** `ArrayAccess` says what it gives in a method. */
  const indexed = (value: number): number =>
    facts.otherwise(facts.element(value), facts.call(facts.member(value, 'offsetget()')));

  const variable = (node: number): number => {
    const name = tree.text(tree.childOfKind(node, 'name'));
    const known = scopes.resolve(name);
    if (name !== 'this') return known?.expression ?? -1;
    if (known !== undefined) return known.expression;
    return facts.instance(facts.slot(classAround(walk)));
  };

  const created = (node: number): number => {
    const [made] = tree.namedChildren(node);
    if (made === undefined) return -1;
    const isAnonymous = tree.kind(made) === 'anonymous_class';
    return facts.instance(isAnonymous ? facts.slot(slots.byNode.get(made) ?? -1) : classOf(made));
  };

  const classOf = (node: number, depth = 0): number => {
    switch (tree.kind(node)) {
      case 'name':
      case 'qualified_name':
      case 'relative_name':
      case 'relative_scope':
        return names.classNamed(tree.text(node));
      default:
        return of(node, depth + 1);
    }
  };

  const calledOn = (node: number, depth: number): number =>
    /^(?:self|parent)$/i.test(tree.text(node)) ? names.called(tree.text(node)) : classOf(node, depth);

  const callee = (node: number, depth: number): number => {
    switch (tree.kind(node)) {
      case 'name':
      case 'qualified_name':
      case 'relative_name':
        return names.functionNamed(tree.text(node));
      default:
        return of(node, depth + 1);
    }
  };

  const member = (node: number, depth = 0): number => {
    const [object, name] = partsOf(walk, node);
    switch (tree.kind(node)) {
      case 'member_access_expression':
      case 'nullsafe_member_access_expression':
        return tree.kind(name) === 'name' ? facts.member(of(object, depth + 1), `->${tree.text(name)}`) : -1;
      case 'member_call_expression':
      case 'nullsafe_member_call_expression':
        if (tree.kind(name) !== 'name') return -1;
        return facts.member(of(object, depth + 1), `${tree.text(name).toLowerCase()}()`);
      case 'scoped_call_expression':
        if (tree.kind(name) !== 'name') return -1;
        return facts.member(calledOn(object, depth), `${tree.text(name).toLowerCase()}()`);
      case 'scoped_property_access_expression': {
        const leaf = tree.childOfKind(name, 'name');
        return leaf < 0 ? -1 : facts.member(classOf(object, depth), `->${tree.text(leaf)}`);
      }
      case 'class_constant_access_expression':
        return tree.text(name) === 'class' ? -1 : facts.member(classOf(object, depth), tree.text(name));
      default:
        return -1;
    }
  };

  return { of: node => of(node), classOf: node => classOf(node), member: node => member(node) };
}

const makers = /^(?:createMock|createStub|createConfiguredMock|createPartialMock|get|make|prophesize)$/;
const mockMakers = /^(?:getMock|getMockForAbstractClass|getMockForTrait)$/;
const maxBuilderSteps = 12;

/** `$this->createMock(Foo::class)`, `$this->getMockBuilder(Foo::class)->…->getMock()`: something of a class that is named. */
function madeByName(walk: Pick<Walk, 'tree' | 'facts' | 'names'>, node: number): number {
  const { tree, facts, names } = walk;
  const name = tree.text(tree.child(node, 'name'));
  let at = makers.test(name) ? node : -1;
  if (mockMakers.test(name)) {
    at = node;
    for (let steps = 0; steps < maxBuilderSteps && tree.text(tree.child(at, 'name')) !== 'getMockBuilder'; steps++) {
      at = tree.child(at, 'object');
    }
  }
  const [first = -1] = tree.namedChildren(tree.child(at, 'arguments'));
  const [given = -1] = tree.namedChildren(first);
  const [of = -1, word = -1] = tree.namedChildren(given);
  if (tree.kind(given) === 'class_constant_access_expression' && tree.text(word) === 'class') {
    return facts.instance(names.classNamed(tree.text(of)));
  }
  const path = tree.kind(given) === 'string' ? tree.text(of).replaceAll('\\\\', '\\') : '';
  return /^\\?\w+(?:\\\w+)+$/.test(path) ? facts.instance(names.classNamed(`\\${path.replace(/^\\/, '')}`)) : -1;
}

/** What an access is of, and the name that it has. */
export function partsOf({ tree }: Pick<Walk, 'tree'>, node: number): readonly [object: number, name: number] {
  if (tree.kind(node) === 'class_constant_access_expression') {
    const [object = -1, name = -1] = tree.namedChildren(node);
    return [object, name];
  }
  const object = tree.child(node, 'object');
  return [object >= 0 ? object : tree.child(node, 'scope'), tree.child(node, 'name')];
}
