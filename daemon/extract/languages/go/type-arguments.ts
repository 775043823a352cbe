import type { Walk } from './walk.ts';

/** A function that is called with type arguments, and these: `F[T]()`. */
export interface Instantiated {
  readonly of: number;
  readonly types: readonly number[];
}

/**
 * The function and the type arguments of a call that has some. The grammar takes `T` or `*T` between brackets for an index
 * where no value is passed: it is a type where what stands before it may be a function of the package's own or an
 * import's, the only ones that have type parameters, and where the file has no other meaning for it.
 */
export function instantiatedBy(walk: Walk, call: number): Instantiated | undefined {
  const { tree } = walk;
  const callee = tree.child(call, 'function');
  const given = tree.child(call, 'type_arguments');
  if (given >= 0) return { of: callee, types: tree.namedChildren(given) };
  if (tree.kind(callee) !== 'index_expression') return undefined;
  const of = tree.child(callee, 'operand');
  const name = behindPointer(walk, tree.child(callee, 'index'));
  return mayBeGeneric(walk, of) && isTypeName(walk, name) ? { of, types: [name] } : undefined;
}

function behindPointer({ tree }: Walk, index: number): number {
  const isPointer = tree.kind(index) === 'unary_expression' && tree.text(tree.child(index, 'operator')) === '*';
  return isPointer ? tree.child(index, 'operand') : index;
}

/** Whether a node is what stands before such brackets, or the name between them. */
export function partOfInstantiation(walk: Walk, node: number): 'function' | 'type' | undefined {
  const { tree } = walk;
  const holder = tree.parent[node]!;
  const index = tree.kind(holder) === 'unary_expression' ? tree.parent[holder]! : holder;
  if (tree.kind(index) !== 'index_expression' || tree.field(index) !== 'function') return undefined;
  const instantiated = instantiatedBy(walk, tree.parent[index]!);
  if (instantiated?.of === node) return 'function';
  return instantiated?.types[0] === node ? 'type' : undefined;
}

function mayBeGeneric(walk: Walk, of: number): boolean {
  const { tree, packages, scopes } = walk;
  const name = tree.kind(of) === 'selector_expression' ? tree.child(of, 'operand') : of;
  if (tree.kind(name) !== 'identifier') return false;
  const text = tree.text(name);
  const found = scopes.resolve(text);
  if (name !== of) return found?.kind === 'global' && packages.has(text);
  return found === undefined && /^(?:function)?$/.test(kindAtTop(walk, text));
}

/** Names of other files' may be types: that a constant of the package chooses what is called is the rarer case. */
function isTypeName(walk: Walk, name: number): boolean {
  const { tree, scopes, typeParameters } = walk;
  if (tree.kind(name) !== 'identifier') return false;
  const text = tree.text(name);
  const found = scopes.resolve(text);
  if (found === undefined) return /^(?:struct|interface|type)?$/.test(kindAtTop(walk, text));
  // A type that a function declares is bound as nothing else is.
  return found.kind === 'global' || typeParameters.has(text);
}

/** What a name is at the top of the file, '' where that has none. */
function kindAtTop({ facts }: Walk, name: string): string {
  const [slot] = facts.slotsNamed(-1, name);
  return slot === undefined ? '' : facts.definition(slot).kind;
}
