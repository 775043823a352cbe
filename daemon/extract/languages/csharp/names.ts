import { lastDescriptorAt } from '../../../model/identity.ts';
import { isTypeKind, type Walk } from './walk.ts';

/** What names and written types denote, seen from where the walk is. */
export interface Names {
  /** What a written type denotes. */
  type(node: number): number;
  /** A value of a written type. */
  typed(node: number): number;
  /** The type of a name, which has its number of type parameters behind it (`List+1`). */
  typeNamed(name: string): number;
  /** What a name without receiver denotes where a value may stand: a member, a type, a namespace. */
  value(name: string): number;
  /** The type or namespace that a name is qualified by. */
  place(node: number): number;
  /** Runs `body` with names looked for beyond the type at that slot, as its bases are: its members hang on them. */
  beyond(slot: number, body: () => void): void;
  /** A member that a dotted name ends in: a type or a namespace. */
  within(of: number, name: string): number;
  /** What a qualified name denotes: a type (`#`), a namespace (`/`), or either. */
  qualified(node: number, suffix: '#' | '/' | '?'): number;
  /** Tail of the namespace around: `A/B/`; '' outside of all. */
  namespace(): string;
  /** What follows in the file stands in the namespace of that tail: `namespace A.B;`. */
  follow(tail: string): void;
  /** A type or a namespace by its path from a namespace around, or from the outermost. */
  dotted(path: string, name: string): number;
}

/** Types of the library whose values are called. */
const functionTypes = new Set(['Func', 'Action', 'Predicate', 'Comparison', 'Converter']);

/** Of these `T?` is another type than T; of a class it is the same. */
const valueTypes =
  /^(?:bool|s?byte|char|decimal|double|float|u?int|u?long|u?short|DateTime|DateTimeOffset|TimeSpan|Guid|BigInteger)$/;

const maxTypeDepth = 40;

export function createNames(walk: Pick<Walk, 'tree' | 'facts' | 'slots' | 'scopes'>): Names {
  const { tree, facts, scopes } = walk;
  let beyond = -1;
  let clause = '';

  const namespace = (): string =>
    facts.enclosing < 0 ? clause : (/^(?:[\w$]+\/)*/.exec(facts.definition(facts.enclosing).tail)?.[0] ?? '');

  const innermost = (): number =>
    facts.enclosing === beyond ? (facts.definitions[beyond]?.container ?? -1) : facts.enclosing;

  /** In a namespace the name is looked for outwards, then in what the file uses: see the resolver. */
  const free = (name: string): number => facts.free(`${namespace()}|${name}`);

  const either = (places: readonly number[]): number =>
    places.reduceRight((rest, one) => facts.otherwise(one, rest), -1);

  const bounds = boundsOf(walk);

  const typeNamed = (name: string): number => {
    const known = scopes.resolve(`${name}#`);
    return known === undefined ? typesNamed(name, '#') : known.expression;
  };

  /** The same name means the same wherever it stands in one definition. */
  const once = new Map<string, number>();
  const remembered = (key: string, look: () => number): number => {
    const place = `${innermost()} ${facts.enclosing} ${namespace()} ${key}`;
    const known = once.get(place) ?? look();
    once.set(place, known);
    return known;
  };

  const typesNamed = (name: string, suffix: '#' | '?'): number =>
    remembered(name + suffix, () => either(nested(name, suffix)));

  /** Types of that name in the types around, as far as the first that surely has one, then in namespaces. */
  function nested(name: string, suffix: '#' | '?'): readonly number[] {
    const places: number[] = [];
    for (let slot = innermost(); slot >= 0; slot = facts.definition(slot).container) {
      const { kind, tail } = facts.definition(slot);
      if (!isTypeKind(kind)) continue;
      if (tail.slice(lastDescriptorAt(tail)) === `${name}#`) return [...places, facts.slot(slot)];
      const own = facts
        .slotsNamed(slot, name.replace(/\+\d+$/, ''))
        .find(one => facts.definition(one).tail === `${tail}${name}#`);
      if (own !== undefined) return [...places, facts.slot(own)];
      if (bounds.reaches(slot)) places.push(facts.member(facts.slot(slot), `${name}#`));
    }
    return [...places, free(name + suffix)];
  }

  const value = (name: string): number => {
    const known = scopes.resolve(name) ?? scopes.resolve(`${name}#`);
    return known === undefined ? remembered(name, () => member(name)) : known.expression;
  };

  const member = (name: string): number => {
    const bare = name.replace(/\+\d+$/, '');
    const places: number[] = [];
    for (let slot = innermost(); slot >= 0; slot = facts.definition(slot).container) {
      const { kind } = facts.definition(slot);
      const own = facts.slotsNamed(slot, bare).filter(one => facts.definition(one).kind !== 'constructor');
      const members = own.filter(one => !facts.definition(one).tail.endsWith('#'));
      if (members.length === 1 && facts.definition(members[0]!).kind !== 'method') {
        return either([...places, facts.slot(members[0]!)]);
      }
      if (!isTypeKind(kind)) continue;
      if (members.length > 0) return either([...places, facts.member(facts.slot(slot), name)]);
      if (bounds.reaches(slot)) places.push(facts.member(facts.slot(slot), name));
    }
    return either([...places, ...nested(name, '?')]);
  };

  const within = (of: number, name: string): number =>
    facts.otherwise(facts.member(of, `${name}#`), facts.member(of, `${name}/`));

  const place = (node: number): number => {
    switch (tree.kind(node)) {
      case 'identifier': {
        const name = tree.text(node);
        const known = scopes.resolve(`${name}#`);
        return known === undefined ? typesNamed(name, '?') : known.expression;
      }
      case 'qualified_name':
        return qualified(node, '?');
      default:
        return type(node);
    }
  };

  /** `A.B.C`: a type of a namespace, or of a type. */
  const qualified = (node: number, suffix: '#' | '/' | '?'): number => {
    const name = bareName(tree.child(node, 'name'));
    const qualifier = tree.child(node, 'qualifier');
    const of = place(qualifier);
    const member = suffix === '?' ? within(of, name) : facts.member(of, name + suffix);
    return isPlainPath(tree.text(qualifier)) && !isBound(tree, scopes, qualifier)
      ? facts.otherwise(free(`${tree.text(qualifier)}.${name}${suffix}`), member)
      : member;
  };

  const bareName = (node: number): string =>
    tree.kind(node) === 'generic_name' ? genericName(walk, node) : tree.text(node);

  const type = (node: number, depth = 0): number => {
    if (node < 0 || depth > maxTypeDepth) return -1;
    const inner = (child: number): number => type(child, depth + 1);
    switch (tree.kind(node)) {
      case 'identifier':
        return tree.text(node) === 'dynamic' ? facts.unknown() : typeNamed(tree.text(node));
      case 'predefined_type':
        return facts.free(tree.text(node));
      case 'generic_name':
        return functionTypes.has(tree.text(tree.firstChild(node)))
          ? functionType(node)
          : applied(typeNamed(genericName(walk, node)), node, inner);
      case 'qualified_name':
        return applied(qualified(node, '#'), tree.child(node, 'name'), inner);
      case 'alias_qualified_name':
        return facts.free(`|${bareName(tree.child(node, 'name'))}?`);
      case 'array_type':
        return facts.generic(facts.free('Array'), inner(tree.child(node, 'type')));
      case 'tuple_type':
        return tree
          .namedChildren(node)
          .reduce((of, one) => facts.generic(of, orUnknown(inner(tree.child(one, 'type')))), tuple(node));
      case 'nullable_type': {
        const of = inner(tree.child(node, 'type'));
        return valueTypes.test(tree.text(tree.child(node, 'type'))) ? facts.generic(facts.free('Nullable'), of) : of;
      }
      case 'ref_type':
      case 'scoped_type':
      case 'pointer_type':
        return inner(tree.child(node, 'type'));
      default:
        return -1;
    }
  };

  const tuple = (node: number): number =>
    facts.free(tupleName(tree.namedChildren(node).map(one => tree.text(tree.child(one, 'name')))));

  const orUnknown = (expression: number): number => (expression < 0 ? facts.unknown() : expression);

  const applied = (of: number, node: number, inner: (child: number) => number): number => {
    const given = tree.namedChildren(tree.childOfKind(node, 'type_argument_list'));
    return given.reduce((whole, one) => facts.generic(whole, orUnknown(inner(one))), of);
  };

  /** `Func<A, B>`: a function that takes an A and gives a B. */
  function functionType(node: number): number {
    const given = tree.namedChildren(tree.childOfKind(node, 'type_argument_list'));
    const gives = tree.text(tree.firstChild(node)) === 'Func' || tree.text(tree.firstChild(node)) === 'Converter';
    const result = gives ? typed(given.at(-1) ?? -1) : facts.unknown();
    const takes = gives ? given.slice(0, -1) : given;
    return takes.reduce(
      (whole, one) => facts.generic(whole, orUnknown(typed(one))),
      facts.functionOf(orUnknown(result)),
    );
  }

  function typed(node: number): number {
    const written = type(node);
    return isDynamic(facts, written) ? written : facts.instance(written);
  }

  return {
    ...{ type, typed, typeNamed, value, place, within, qualified, namespace },
    follow(tail) {
      clause = tail;
    },
    dotted: (path, name) => free(`${path}.${name}?`),
    beyond(slot, body) {
      const outer = beyond;
      beyond = slot;
      body();
      beyond = outer;
    },
  };
}

/** The type of tuples whose elements have such names: '' for none. */
export function tupleName(fields: readonly string[]): string {
  return fields.some(one => one !== '') ? `tuple{${fields.join(' ')}}` : 'tuple';
}

/** Whether an expression is the type `dynamic` or a value of it, of which nothing is known before the program runs. */
export function isDynamic({ expressions }: Walk['facts'], expression: number): boolean {
  return expressions[expression]?.op === 'unknown';
}

/** A path of plain names, as namespaces are written. */
export function isPlainPath(text: string): boolean {
  return /^[\w.]+$/.test(text);
}

/** Whether a path begins with a name that the file gives a meaning: an alias, a type parameter. */
function isBound(tree: Walk['tree'], scopes: Walk['scopes'], path: number): boolean {
  const first = /^\w+/.exec(tree.text(path))?.[0] ?? '';
  return scopes.resolve(`${first}#`) !== undefined;
}

/** `List<T>` as it is found: `List+1`. */
export function genericName({ tree }: Pick<Walk, 'tree'>, node: number): string {
  const list = tree.childOfKind(node, 'type_argument_list');
  const commas = tree.children(list).filter(child => tree.text(child) === ',').length;
  return list < 0 ? tree.text(node) : `${tree.text(tree.firstChild(node))}+${commas + 1}`;
}

/** Whether a type has members that this file doesn't show: of its other parts, or of classes above it. */
function boundsOf({ tree, facts, slots }: Pick<Walk, 'tree' | 'facts' | 'slots'>) {
  const nodes = new Map<number, number>();
  for (const [node, slot] of slots.byNode) if (!nodes.has(slot)) nodes.set(slot, node);
  const known = new Map<number, boolean>();
  const look = (slot: number): boolean => {
    const node = nodes.get(slot) ?? -1;
    if (tree.children(node).some(child => tree.text(child) === 'partial')) return true;
    const bases = tree.namedChildren(tree.childOfKind(node, 'base_list'));
    const isInterface = facts.definition(slot).kind === 'interface';
    if (facts.definition(slot).kind === 'enum') return false;
    // By custom interfaces begin with an I; a class has none of their names by itself.
    return bases.some(one => isInterface || !/^(?:[\w.]+\.)?I[A-Z]/.test(tree.text(one)));
  };
  return {
    reaches(slot: number): boolean {
      const found = known.get(slot) ?? look(slot);
      known.set(slot, found);
      return found;
    },
  };
}
