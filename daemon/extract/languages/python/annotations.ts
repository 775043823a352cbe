import { type FactsBuilder, maxDepth } from '../../builder.ts';
import type { SyntaxTree } from '../../tree.ts';
import { stringText } from './naming.ts';
import { resolve, type Scope } from './scopes.ts';

/** Reads type annotations: `X`, `X | None`, `Optional[X]`, `list[X]`, `"X"`, `type[X]`, `Callable[..., X]`. */
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
const withoutType = new Set(['None', 'Literal', 'LiteralString', 'Any', 'TypeVar', 'NoReturn', 'Never']);
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
        return quoted(stringText(tree, node), node, scope);
      default:
        return -1;
    }
  };

  const union = (nodes: readonly number[], scope: Scope): number =>
    nodes.reduce((found, node) => facts.either(found, type(node, scope)), -1);

  const named = (node: number, scope: Scope): number => {
    const word = lastWord(tree.text(node));
    if (word === 'Self' && scope.receiver !== undefined) return facts.slot(scope.receiver.classSlot);
    if (word === 'Self' && scope.kind === 'class') return facts.slot(scope.slot);
    return withoutType.has(word) ? -1 : valueAt(node, scope);
  };

  const generic = (node: number, scope: Scope): number => {
    const bare = tree.firstChild(node);
    const given = argumentsOf(node, bare);
    const word = lastWord(tree.text(bare));
    if (withoutType.has(word)) return -1;
    if (wrappers.has(word)) return type(given[0] ?? -1, scope);
    if (word === 'Union') return union(given, scope);
    if (word === 'type' || word === 'Type') return facts.functionOf(facts.instance(type(given[0] ?? -1, scope)));
    if (word === 'Callable') return callable(given, scope);
    const parts = lastMatters.has(word) ? given.slice(-1) : given.slice(0, 4);
    return parts.reduce(
      (of, part) => {
        const argument = type(part, scope);
        return facts.generic(of, argument < 0 ? facts.unknown() : argument);
      },
      valueAt(bare, scope),
    );
  };

  /** A function type: what its call gives, applied to what its parameters take. */
  const callable = (given: readonly number[], scope: Scope): number => {
    const result = facts.instance(type(given.at(-1) ?? -1, scope));
    const [first = -1] = given;
    const list = tree.kind(first) === 'type' ? tree.firstChild(first) : first;
    const takes = tree.kind(list) === 'list' ? tree.namedChildren(list).slice(0, 8) : [];
    return takes.reduce(
      (of, one) => {
        const taken = facts.instance(type(one, scope));
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

  /** A quoted annotation is read word by word: its first name that is none of typing's own. */
  const quoted = (text: string, node: number, scope: Scope): number => {
    const path = text
      .slice(0, 200)
      .match(/[A-Za-z_][\w.]*/g)
      ?.find(one => !wrappers.has(lastWord(one)) && !withoutType.has(lastWord(one)) && lastWord(one) !== 'Union');
    if (path === undefined) return -1;
    const [first = '', ...rest] = path.split('.');
    const found = resolve(tree, facts, scope, first, node);
    const start = found === undefined ? facts.free(first) : found.expression;
    return rest.reduce((of, name) => facts.member(of, name), start);
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

function lastWord(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).trim();
}
