import { makesFor, standsInClassMethods } from './around.ts';
import { groupAround, ofExamples, standsInGroup } from './examples.ts';
import type { Walk } from './walk.ts';

/**
 * Variables of objects (`@x`), of classes (`@@x`, and `@x` where `self` is the class) and of everybody (`$x`) are there by
 * being assigned. The first place of a file that assigns one is a site of it, as is the first of each group of examples.
 */
export function defineVariables(walk: Pick<Walk, 'tree' | 'facts' | 'byNode'>): Map<number, number> {
  const { tree, facts } = walk;
  const made = new Map<number, number>();
  const known = new Set<string>();
  for (let node = 0; node < tree.size; node++) {
    const kind = tree.kind(node);
    if (!/^(?:instance|class|global)_variable$/.test(kind) || !isAssigned(walk, node)) continue;
    const name = tree.text(node);
    const place =
      kind === 'global_variable' ? { container: -1, isStatic: false, isOfGroup: false } : placeOf(walk, node);
    if (place === undefined || (kind === 'global_variable' && isPredefined(name))) continue;
    const isStatic = place.isStatic && kind === 'instance_variable';
    const key = `${place.container} ${isStatic} ${name} ${kind === 'instance_variable' ? groupAround(tree, node) : ''}`;
    if (known.has(key)) continue;
    known.add(key);
    const whole = assignmentAround(walk, node);
    const slot = facts.define({
      name,
      nameNode: node,
      node: whole,
      kind: kind === 'global_variable' ? 'variable' : 'field',
      suffix: 'term',
      container: place.container,
      ...(isStatic ? { tailName: `static ${name}` } : {}),
      ...(place.isOfGroup ? { between: ofExamples } : {}),
      signature: tree.text(whole).split('\n', 1)[0]!,
      visibility: kind === 'global_variable' ? 'public' : 'private',
      exported: kind === 'global_variable',
    });
    made.set(node, slot);
  }
  return made;
}

/** Ruby sets them itself. */
function isPredefined(name: string): boolean {
  return /^\$(?:[^A-Za-z_].*|_|-\w|stdout|stderr|stdin|PROGRAM_NAME|LOAD_PATH|LOADED_FEATURES|VERBOSE|DEBUG|FILENAME)$/.test(
    name,
  );
}

function isAssigned({ tree }: Pick<Walk, 'tree'>, node: number): boolean {
  const parent = tree.parent[node]!;
  return /^(?:left_assignment_list|rest_assignment|destructured_left_assignment)$/.test(tree.kind(parent))
    ? true
    : tree.field(node) === 'left' && /^(?:operator_)?assignment$/.test(tree.kind(parent));
}

function assignmentAround({ tree }: Pick<Walk, 'tree'>, node: number): number {
  let at = node;
  while (
    !/assignment$/.test(tree.kind(tree.parent[at]!)) ||
    /^(?:rest|destructured)/.test(tree.kind(tree.parent[at]!))
  ) {
    at = tree.parent[at]!;
    if (at <= 0) return node;
  }
  return tree.parent[at]!;
}

/** Whose variable it is; undefined where nobody can tell, as in a block at the top. */
function placeOf(
  { tree, byNode, facts }: Pick<Walk, 'tree' | 'facts' | 'byNode'>,
  node: number,
): { readonly container: number; readonly isStatic: boolean; readonly isOfGroup: boolean } | undefined {
  const isOfGroup = standsInGroup(tree, node);
  let isStatic: boolean | undefined;
  let isInBlock = false;
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    const kind = tree.kind(at);
    const slot = byNode.get(at);
    if (kind === 'singleton_method' || kind === 'singleton_class') isStatic ??= true;
    else if (kind === 'method') {
      const isOfClass = slot !== undefined && facts.definition(slot).tail.endsWith('(static).');
      isStatic ??= isOfClass || standsInClassMethods(tree, at);
    } else if (kind === 'block' || kind === 'do_block') {
      isInBlock = true;
      const call = tree.parent[at]!;
      if (isStatic !== undefined || tree.text(tree.child(call, 'method')) !== 'define_method') continue;
      const owner = makesFor(tree, call);
      if (owner === 'unknown') return undefined;
      isStatic = owner === 'class';
    }
    if ((kind === 'class' || kind === 'module') && slot !== undefined) {
      return { container: slot, isStatic: !isOfGroup && (isStatic ?? !isInBlock), isOfGroup };
    }
  }
  return isOfGroup ? { container: -1, isStatic: false, isOfGroup } : undefined;
}
