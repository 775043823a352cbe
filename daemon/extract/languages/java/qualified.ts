import { namesPackages, qualifiedBy } from '../../qualified.ts';
import { declaresValue, typeNamed, valueNamed, type Walk } from './walk.ts';

/** Identifiers of a path of names, `a.b.C` in an expression or as a type; none of anything else. */
function pathOf({ tree }: Walk, node: number): readonly number[] {
  return qualifiedBy(node, at => {
    switch (tree.kind(at)) {
      case 'identifier':
      case 'type_identifier':
        return [at];
      case 'field_access':
      case 'scoped_identifier':
      case 'scoped_type_identifier':
        return tree.namedChildren(at);
      default:
        return [];
    }
  });
}

/** The names of a path that may be a type's name in full, behind its package; none where no package can stand in front. */
function namesInFull(walk: Walk, node: number): readonly string[] {
  const { tree } = walk;
  const names = pathOf(walk, node).map(one => tree.text(one));
  const isType = isTypePath(walk, node);
  const isWhole = isType && !isTypePath(walk, tree.parent[node]!);
  const isLast = isWhole || /^\p{Lu}/u.test(names.at(-1) ?? '');
  if (!isLast || !namesPackages(names.slice(0, -1))) return [];
  return !isType && declaresValue(walk, names[0]!) ? [] : names;
}

function isTypePath({ tree }: Walk, node: number): boolean {
  return /^scoped/.test(tree.kind(node));
}

export function isInFull(walk: Walk, node: number): boolean {
  return namesInFull(walk, node).length > 0;
}

/**
 * What a path denotes that may be a type's name in full: a package is hidden by whatever else has its name where the path
 * stands (JLS 6.5.2), but for what is only presumed. Of any other path it is `otherwise`.
 */
export function inFull(walk: Walk, node: number, otherwise: number): number {
  const { facts } = walk;
  const names = namesInFull(walk, node);
  if (names.length === 0) return otherwise;
  const known = knownMember(walk, names, isTypePath(walk, node));
  return facts.otherwise(facts.otherwise(known, facts.free(names.join('.'))), otherwise);
}

/** What the last of some names is, each a member of the one before, where the first is known to be something. */
function knownMember(walk: Walk, [first = '', ...rest]: readonly string[], isType: boolean): number {
  const { facts } = walk;
  const known = facts.free(`${first}/`);
  const head = isType ? typeNamed(walk, first, known) : valueNamed(walk, first, known);
  return rest.reduce((of, name) => facts.member(of, name), head);
}

/** Emits the names in front of what may be a name in full at a node: those of packages are no use of anything. */
export function visitPackages(walk: Walk, node: number, value: (node: number) => number): void {
  const { tree, facts } = walk;
  const path = pathOf(walk, node);
  const names = path.map(one => tree.text(one));
  path.slice(0, -1).forEach((one, index) => {
    const whole = index === 0 ? one : tree.parent[one]!;
    const known = knownMember(walk, names.slice(0, index + 1), false);
    const isPackage = facts.free(`${names.join('.')}/${index + 1}`);
    facts.refer(one, 'read', facts.otherwise(facts.otherwise(known, isPackage), value(whole)));
  });
}
