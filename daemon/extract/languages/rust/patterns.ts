import { maxDepth } from '../../builder.ts';
import { pathValue, unwrapped } from './types.ts';
import type { Walk } from './walk.ts';

/** Declares the names that a pattern binds to a value; what it names besides is visited, unless `isQuiet`. */
export function bindPattern(walk: Walk, node: number, value: () => number, isQuiet = false): void {
  const { tree, facts } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return;
  const inner = (child: number, part: () => number): void => bindPattern(walk, child, part, isQuiet);
  const none = (): number => -1;
  const visit = (one: number): void => {
    if (!isQuiet) walk.visit(one);
  };
  switch (tree.kind(node)) {
    case 'identifier':
      if (isBinding(walk, node)) declare(walk, node, value);
      else visit(node);
      return;
    case 'tuple_struct_pattern': {
      const type = tree.child(node, 'type');
      visit(type);
      for (const [at, one] of partsOf(walk, node, type))
        inner(one, () => (at < 0 ? -1 : partOf(walk, type, at, value)));
      return;
    }
    case 'struct_pattern':
      bindFields(walk, node, isQuiet);
      return;
    case 'tuple_pattern':
      for (const [at, one] of partsOf(walk, node)) inner(one, () => (at < 0 ? -1 : facts.member(value(), String(at))));
      return;
    case 'slice_pattern':
      for (const one of tree.namedChildren(node)) inner(one, () => facts.element(value()));
      return;
    case 'captured_pattern':
      tree.namedChildren(node).forEach((one, index) => {
        if (index === 0) declare(walk, one, value);
        else inner(one, value);
      });
      return;
    case 'match_pattern':
      inner(tree.namedChildren(node)[0] ?? -1, value);
      visit(tree.child(node, 'condition'));
      return;
    case 'or_pattern':
    case 'reference_pattern':
    case 'ref_pattern':
    case 'mut_pattern':
    case 'parenthesized_pattern':
      for (const one of tree.namedChildren(node)) inner(one, value);
      return;
    case 'remaining_field_pattern':
      return;
    default:
      if (/pattern$/.test(tree.kind(node))) for (const one of tree.namedChildren(node)) inner(one, none);
      else visit(node);
  }
}

/** The parts of a tuple's pattern, `_` among them, each with its position, which is -1 behind `..`. */
function partsOf({ tree }: Walk, node: number, besides = -1): readonly (readonly [position: number, part: number])[] {
  const parts = tree.children(node).filter(one => one !== besides && !/^[(),]$/.test(tree.kind(one)));
  const rest = parts.findIndex(one => tree.kind(one) === 'remaining_field_pattern');
  return parts.map((one, index) => [rest < 0 || index < rest ? index : -1, one]);
}

/** A small letter binds; a capital names a constant or a variant. */
function isBinding({ tree }: Walk, node: number): boolean {
  return /^[a-z_]/.test(tree.text(node));
}

function declare(walk: Walk, node: number, value: () => number): void {
  walk.bound.add(node);
  walk.module.scopes.declare(walk.tree.text(node), value());
}

/** What a part of `Some(x)`, `Ok(x)`, `Kind::Of(x)` holds. */
function partOf(walk: Walk, type: number, index: number, value: () => number): number {
  const { tree, facts } = walk;
  const name = tree.text(type);
  if (name === 'Some' || name === 'Ok') return unwrapped(walk, value());
  if (name === 'Err') return facts.call(facts.member(value(), 'unwrap_err'));
  const path = pathValue(walk, type, '()');
  return facts.parameter(path, index);
}

function bindFields(walk: Walk, node: number, isQuiet: boolean): void {
  const { tree, facts } = walk;
  const type = tree.child(node, 'type');
  if (!isQuiet) walk.visit(type);
  const whole = facts.instance(pathValue(walk, type, '#'));
  for (const one of tree.namedChildren(node)) {
    if (tree.kind(one) !== 'field_pattern') continue;
    const name = tree.child(one, 'name');
    const member = facts.member(whole, tree.text(name));
    if (!isQuiet) facts.refer(name, 'read', member);
    const pattern = tree.child(one, 'pattern');
    if (pattern >= 0) bindPattern(walk, pattern, () => member, isQuiet);
    else declare(walk, name, () => member);
  }
}
