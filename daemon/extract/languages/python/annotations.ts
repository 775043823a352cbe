import { ofReceiverPosition } from '../../../model/facts.ts';
import { type FactsBuilder, maxDepth } from '../../builder.ts';
import type { SyntaxTree } from '../../tree.ts';
import { stringText } from './naming.ts';
import { type QuotedType, readQuotedType } from './quoted-types.ts';
import { resolve, type Scope, typeArgument } from './scopes.ts';

/** Reads type annotations: `X`, `X | None`, `Optional[X]`, `list[X]`, `"list[X]"`, `type[X]`, `Callable[..., X]`. */
export interface Annotations {
  /** A value of the named type. */
  annotation(node: number, scope: Scope): number;
  /** The named type. */
  type(node: number, scope: Scope): number;
}

/** Say something about a value besides its type, which is their first argument. */
const wrappers = new Set(
  'Optional Annotated ClassVar Final Required NotRequired ReadOnly InitVar Mapped TypeGuard Unpack'.split(' '),
);
/** `object` is what anything is: what it has is told by nobody who writes that. */
const withoutType = new Set('None Literal LiteralString Any object TypeVar NoReturn Never'.split(' '));
/** `Coroutine[Any, Any, X]` and `Generator[X, Any, Any]`: which argument matters. */
const lastMatters = new Set(['Coroutine']);

export function createAnnotations(
  tree: SyntaxTree,
  facts: FactsBuilder,
  valueAt: (node: number, scope: Scope) => number,
): Annotations {
  const type = (node: number, scope: Scope): number => {
    if (node < 0 || tree.depth[node]! > maxDepth) return -1;
    switch (tree.kind(node)) {
      case 'type':
      case 'parenthesized_expression':
      case 'constrained_type':
      case 'type_parameter':
        return type(tree.namedChildren(node)[0] ?? -1, scope);
      case 'identifier':
      case 'attribute':
      case 'member_type':
        return named(node, scope);
      case 'binary_operator':
      case 'union_type':
        return union(tree.namedChildren(node), scope);
      case 'generic_type':
      case 'subscript':
        return generic(node, scope);
      case 'string':
        return quotedType(node, scope);
      default:
        return -1;
    }
  };

  const union = (nodes: readonly number[], scope: Scope): number =>
    nodes.reduce((found, node) => facts.either(found, type(node, scope)), -1);

  const named = (node: number, scope: Scope): number => {
    const word = lastWord(tree.text(node));
    if (word === 'Self' && scope.receiver !== undefined) return self(scope.receiver.classSlot);
    if (word === 'Self' && scope.kind === 'class') return self(scope.slot);
    if (withoutType.has(word)) return -1;
    return facts.either(typeArgument(facts, scope, tree.text(node)), valueAt(node, scope));
  };

  const self = (classSlot: number): number =>
    facts.either(facts.argument(classSlot, ofReceiverPosition), facts.instance(facts.slot(classSlot)));

  const generic = (node: number, scope: Scope): number => {
    const bare = tree.firstChild(node);
    return applied(lastWord(tree.text(bare)), () => valueAt(bare, scope), {
      given: argumentsOf(node, bare),
      typeOf: part => type(part, scope),
      partsOf(part) {
        const list = tree.kind(part) === 'type' ? tree.firstChild(part) : part;
        return tree.kind(list) === 'list' ? tree.namedChildren(list) : [];
      },
    });
  };

  /** What a type means by its arguments. */
  const applied = <Part>(word: string, base: () => number, { given, typeOf, partsOf }: Arguments<Part>): number => {
    if (withoutType.has(word)) return -1;
    const [first] = given;
    const firstType = (): number => (first === undefined ? -1 : typeOf(first));
    if (wrappers.has(word)) return firstType();
    if (word === 'Union') return given.reduce((found, part) => facts.either(found, typeOf(part)), -1);
    if (word === 'type' || word === 'Type') return facts.functionOf(facts.instance(firstType()));
    if (word === 'Callable') return callable({ given, typeOf, partsOf });
    const parts = lastMatters.has(word) ? given.slice(-1) : given.slice(0, 4);
    return parts.reduce((of, part) => {
      const argument = typeOf(part);
      return facts.generic(of, argument < 0 ? facts.unknown() : argument);
    }, base());
  };

  /** A function type: what its call gives, applied to what its parameters take. */
  const callable = <Part>({ given, typeOf, partsOf }: Arguments<Part>): number => {
    const [first] = given;
    const last = given.at(-1);
    const result = last === undefined ? -1 : facts.instance(typeOf(last));
    const takes = first === undefined ? [] : partsOf(first).slice(0, 8);
    return takes.reduce(
      (of, one) => {
        const taken = facts.instance(typeOf(one));
        return facts.generic(of, taken < 0 ? facts.unknown() : taken);
      },
      facts.functionOf(result < 0 ? facts.instance(facts.free('None')) : result),
    );
  };

  const argumentsOf = (node: number, bare: number): readonly number[] => {
    if (tree.kind(node) === 'subscript') return tree.childrenIn(node, 'subscript');
    const holder = tree.nextSibling(bare);
    return tree.namedChildren(holder);
  };

  const quotedType = (node: number, scope: Scope): number => {
    const read = readQuotedType(stringText(tree, node));
    return read === undefined ? -1 : quoted(read, node, scope);
  };

  const quoted = (one: QuotedType, node: number, scope: Scope): number => {
    const { path } = one;
    const word = lastWord(path);
    if (path === '') return -1;
    if (word === 'Self' && scope.receiver !== undefined) return self(scope.receiver.classSlot);
    if (one.arguments.length === 0 && withoutType.has(word)) return -1;
    if (one.arguments.length === 0)
      return facts.either(typeArgument(facts, scope, path), pathValue(tree, facts, scope, path, node));
    return applied(word, () => pathValue(tree, facts, scope, path, node), {
      given: one.arguments,
      typeOf: part => quoted(part, node, scope),
      partsOf: part => (part.path === '' ? part.arguments : []),
    });
  };

  const annotation = (node: number, scope: Scope): number => {
    const inner = tree.kind(node) === 'type' ? (tree.namedChildren(node)[0] ?? -1) : node;
    const bare = lastWord(tree.text(tree.firstChild(inner)));
    if (bare === 'type' || bare === 'Type') {
      return type(argumentsOf(inner, tree.firstChild(inner))[0] ?? -1, scope);
    }
    return facts.instance(type(node, scope));
  };

  return { annotation, type };
}

/** Arguments of a type, whether they are code or quoted. */
interface Arguments<Part> {
  readonly given: readonly Part[];
  typeOf(part: Part): number;
  /** The types in a list of them. */
  partsOf(part: Part): readonly Part[];
}

/** What a dotted name denotes. */
export function pathValue(tree: SyntaxTree, facts: FactsBuilder, scope: Scope, path: string, node: number): number {
  const [first = '', ...rest] = path.split('.');
  const found = resolve(tree, facts, scope, first, node);
  return rest.reduce((of, name) => facts.member(of, name), found === undefined ? facts.free(first) : found.expression);
}

function lastWord(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).trim();
}
