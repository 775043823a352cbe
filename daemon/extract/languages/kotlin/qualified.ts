import { namesPackages, qualifiedBy } from '../../qualified.ts';
import { memberNamed, nameOf, typeNamed, valueNamed, type Walk } from './walk.ts';

/** Identifiers of a path of names in an expression; none of anything else. */
function pathOf({ tree }: Walk, node: number): readonly number[] {
  return qualifiedBy(node, at => {
    if (tree.kind(at) === 'identifier') return [at];
    const isPath = tree.kind(at) === 'navigation_expression' && tree.text(tree.children(at)[1] ?? -1) === '.';
    return isPath ? tree.namedChildren(at) : [];
  });
}

/** The names of a path that may be a name in full, behind its package; none where no package can stand in front. */
function namesInFull(walk: Walk, node: number): readonly string[] {
  const names = pathOf(walk, node).map(one => nameOf(walk, one));
  return namesPackages(names.slice(0, -1)) && !isDeclared(walk, names[0]!) ? names : [];
}

/** Whether the file itself declares something of a name, or imports it. */
function isDeclared({ facts, scopes, imports, receivers }: Walk, name: string): boolean {
  const isBound = scopes.resolve(name) !== undefined || imports.has(name) || facts.slotsNamed(-1, name).length > 0;
  return isBound || receivers.some(one => one.own(name).length > 0);
}

/** Whether a node may be the packages in front of a name in full. */
export function isQualifier(walk: Walk, node: number): boolean {
  const holder = walk.tree.parent[node]!;
  return holder >= 0 && walk.tree.firstChild(holder) === node && namesInFull(walk, holder).length > 0;
}

/**
 * What a path denotes that may be a name in full: packages are hidden by whatever else has their names where the path
 * stands, but for what is only presumed. Of any other path it is `otherwise`.
 */
export function inFull(walk: Walk, node: number, otherwise: number): number {
  const { facts } = walk;
  const names = namesInFull(walk, node);
  if (names.length === 0) return otherwise;
  const written = facts.free(names.join('.'));
  // An extension bears a function's or a property's name whatever it is called on, and is looked for afterwards.
  const known = isTypeName(names.at(-1)!) ? knownMember(walk, names) : -1;
  return facts.otherwise(facts.otherwise(known, written), otherwise);
}

function isTypeName(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** The same of the names that a type begins with; `isLast`: they are all of it. */
export function typeInFull(walk: Walk, names: readonly string[], isLast: boolean, otherwise: number): number {
  const { facts } = walk;
  const isWhole = isLast || isTypeName(names.at(-1)!);
  if (!isWhole || !namesPackages(names.slice(0, -1))) return otherwise;
  const [first = '', ...rest] = names;
  const head = typeNamed(walk, first, facts.free(`${first}/`));
  const known = rest.reduce((of, name) => facts.member(of, name), head);
  return facts.otherwise(facts.otherwise(known, facts.free(names.join('.'))), otherwise);
}

/** What the last of some names is, each a member of the one before, where the first is known to be something. */
function knownMember(walk: Walk, [first = '', ...rest]: readonly string[]): number {
  const head = valueNamed(walk, first, walk.facts.free(`${first}/`));
  return rest.reduce((of, name) => memberNamed(walk, of, name), head);
}

/** Emits the names in front of what may be a name in full at a node: those of packages are no use of anything. */
export function visitPackages(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const path = pathOf(walk, node);
  const names = path.map(one => nameOf(walk, one));
  path.slice(0, -1).forEach((one, index) => {
    const whole = index === 0 ? one : tree.parent[one]!;
    const known = index === 0 ? knownMember(walk, [names[0]!]) : facts.free(names.slice(0, index + 1).join('.'));
    const isPackage = facts.free(`${names.join('.')}/${index + 1}`);
    const denoted = facts.otherwise(facts.otherwise(known, isPackage), walk.value(whole));
    facts.refer(one, 'read', denoted, names[index]!);
  });
}
