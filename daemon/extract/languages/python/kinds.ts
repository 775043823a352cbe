import type { ReferenceKind } from '../../../model/facts.ts';
import type { SyntaxTree } from '../../tree.ts';
import { isTarget } from './fields.ts';
import type { Walk } from './walk.ts';

/** How code uses what a name or an attribute denotes. */
export function kindOf(walk: Walk, node: number): ReferenceKind {
  const { tree } = walk;
  const holder = tree.parent[node]!;
  switch (tree.kind(holder)) {
    case 'call':
      return tree.field(node) === 'function' ? 'call' : 'read';
    case 'decorator':
      return 'call';
    case 'attribute':
      // `@size.setter` takes the property itself: none of its functions runs.
      return isOfAccessor(tree, holder) ? 'reference' : isTarget(walk, node) ? 'write' : 'read';
    case 'type':
    case 'generic_type':
    case 'member_type':
    case 'union_type':
    case 'binary_operator':
    case 'subscript':
    case 'list':
      return standsInType(walk, node) ? 'type' : isTarget(walk, node) ? 'write' : 'read';
    case 'argument_list':
      return tree.kind(tree.parent[holder]!) === 'class_definition' ? 'implementation' : 'read';
    case 'augmented_assignment':
      return tree.field(node) === 'left' ? 'write' : 'read';
    default:
      return isTarget(walk, node) ? 'write' : 'read';
  }
}

/** `size.setter` as a decorator. */
function isOfAccessor(tree: SyntaxTree, attribute: number): boolean {
  const isDecorator = tree.kind(tree.parent[attribute]!) === 'decorator';
  return isDecorator && /^(?:getter|setter|deleter)$/.test(tree.text(tree.child(attribute, 'attribute')));
}

/** Whether a name or a string stands in an annotation as a type: not as a literal's value, nor as what annotates a type further. */
export function standsInType({ tree }: Walk, node: number): boolean {
  let isType = false;
  let child = node;
  for (let at = tree.parent[node]!, steps = 0; at >= 0 && steps < 24; at = tree.parent[at]!, steps++) {
    const kind = tree.kind(at);
    if (!typeParts.has(kind)) break;
    isType ||= kind === 'type';
    if ((kind === 'generic_type' || kind === 'subscript') && !isTypeIn(tree, at, child, node)) return false;
    child = at;
  }
  return isType;
}

const typeParts = new Set(
  'type generic_type type_parameter member_type union_type binary_operator subscript list'.split(' '),
);

/** `Literal["a"]` has no types as arguments, `Annotated[int, "a"]` one. */
function isTypeIn(tree: SyntaxTree, applied: number, child: number, node: number): boolean {
  const bare = tree.firstChild(applied);
  const word = /(?:^|\.)(Literal|Annotated)$/.exec(tree.text(bare).slice(0, 80))?.[1];
  if (word === undefined || child === bare) return true;
  const [first = -1] =
    tree.kind(applied) === 'subscript' ? tree.childrenIn(applied, 'subscript') : tree.namedChildren(child);
  return word === 'Annotated' && node < tree.after[first]!;
}
