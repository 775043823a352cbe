import { valueAt } from './values.ts';
import type { Walk } from './walk.ts';

/** Gives the names on the left of an assignment their value. */
export function assign(walk: Walk, left: number, value: () => number): void {
  const { tree, facts, scopes } = walk;
  switch (tree.kind(left)) {
    case 'identifier': {
      const name = tree.text(left);
      const known = scopes.resolve(name);
      const found = value();
      // What one branch gives is not all that it may be.
      scopes.declare(
        name,
        known !== undefined && isConditional(walk, left) ? facts.either(known.expression, found) : found,
      );
      return;
    }
    case 'instance_variable':
    case 'class_variable': {
      const slot = walk.byNode.get(left);
      const field = slot ?? fieldFor(walk, tree.text(left));
      if (field >= 0) facts.setType(field, value());
      return;
    }
    case 'left_assignment_list':
    case 'destructured_left_assignment':
    case 'rest_assignment':
      assignEach(walk, left);
      return;
    default:
  }
}

/** `a, b = x, y`: each its own. */
function assignEach(walk: Walk, left: number): void {
  const { tree } = walk;
  const right = tree.child(tree.parent[left]!, 'right');
  const values = tree.kind(right) === 'right_assignment_list' ? tree.namedChildren(right) : [];
  tree.namedChildren(left).forEach((one, index) => {
    assign(walk, one, () => valueAt(walk, values[index] ?? -1));
  });
}

function fieldFor({ facts, self }: Walk, name: string): number {
  return (
    facts
      .slotsNamed(self.slot < 0 ? (self.groupIn ?? -1) : self.slot, name)
      .find(slot => /`static /.test(facts.definition(slot).tail) === self.isStatic) ?? -1
  );
}

function isConditional({ tree }: Walk, node: number): boolean {
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    const kind = tree.kind(at);
    if (/^(?:if|unless|elsif|else|when|while|until|rescue|if_modifier|unless_modifier|do_block|block|case)$/.test(kind))
      return true;
    if (/^(?:method|singleton_method|class|module)$/.test(kind)) return false;
  }
  return false;
}

/** `first` is what a block's first parameter gets. */
export function bindParameters(walk: Walk, list: number, first = -1): void {
  const { tree, scopes } = walk;
  tree.namedChildren(list).forEach((one, index) => {
    switch (tree.kind(one)) {
      case 'identifier':
        scopes.declare(tree.text(one), index === 0 ? first : -1);
        return;
      case 'destructured_parameter':
        bindParameters(walk, one);
        return;
      case 'optional_parameter':
      case 'keyword_parameter': {
        const value = tree.child(one, 'value');
        scopes.declare(tree.text(tree.child(one, 'name')), () => valueAt(walk, value));
        return;
      }
      default: {
        const name = tree.child(one, 'name');
        if (name >= 0) scopes.declare(tree.text(name), -1);
      }
    }
  });
}

/** Names in the pattern of a `case … in`. */
export function bindPattern(walk: Walk, pattern: number): void {
  const { tree, scopes } = walk;
  const end = pattern < 0 ? 0 : tree.after[pattern]!;
  for (let node = pattern; node < end; node++) {
    const kind = tree.kind(node);
    const isNamed =
      kind === 'identifier' && !/^(?:call|interpolation|parenthesized_statements)$/.test(tree.kind(tree.parent[node]!));
    if (isNamed) scopes.declare(tree.text(node), -1);
    else if (kind === 'keyword_pattern' && tree.child(node, 'value') < 0) {
      scopes.declare(tree.text(tree.child(node, 'key')), -1);
    }
  }
}
