import { receiverPosition } from '../../../model/facts.ts';
import { classAround, type Walk } from './walk.ts';

/** What names and written types denote, seen from where the walk is. */
export interface Names {
  /** The namespace of what follows, in descriptors: `A/B/`. */
  enter(namespace: string): void;
  /** What `use` binds, by the kind of name that it is used as. */
  bind(kind: 'class' | 'function' | 'constant', local: string, path: string): void;
  /** The class of a name as written: `Foo`, `A\Foo`, `\A\Foo`, `self`. */
  classNamed(written: string): number;
  /** What `self::` and `parent::` call methods on: `static` stays in them what it is. */
  called(written: string): number;
  functionNamed(written: string): number;
  constantNamed(written: string): number;
  /** The namespace of a path as a name begins with it: `A\B`, `\A\B`. */
  namespaceNamed(path: string): number;
  /** A value of a written type. */
  typed(node: number): number;
  /** A value of a type as comments write it: `Foo[]`, `?Foo`, `array<int, Foo>|null`. */
  described(text: string): number;
  /** What `extends` names, of the class around. */
  parent(): number;
  /** The same for a class at a slot. */
  setParent(slot: number, expression: number): void;
}

/** Types of the language itself whose values are no objects and name no class. */
const words = new Set('array bool boolean double float int integer list numeric resource'.split(' '));
/** What tells nothing of members: it may be any object, or name any class. */
const vague = /^(?:null|void|mixed|never|false|true|object|string|scalar|callable|iterable)$/i;

const maxDepth = 12;

export function createNames(walk: Pick<Walk, 'tree' | 'facts'>): Names {
  const { tree, facts } = walk;
  let inside = '';
  const bound = {
    class: new Map<string, string>(),
    function: new Map<string, string>(),
    constant: new Map<string, string>(),
  };
  const parents = new Map<number, number>();

  const tailOf = (path: string): string => path.replace(/^\\/, '').replaceAll('\\', '/');

  /** A qualified name: its first part is what `use` binds, or stands in the namespace. */
  const qualified = (written: string): string => {
    if (written.startsWith('\\')) return tailOf(written);
    if (/^namespace\\/i.test(written)) return inside + tailOf(written.slice('namespace\\'.length));
    const [first = '', ...rest] = written.split('\\');
    const used = bound.class.get(first.toLowerCase());
    return used === undefined ? inside + tailOf(written) : [tailOf(used), ...rest].join('/');
  };

  const classNamed = (written: string): number => {
    switch (written.toLowerCase()) {
      case '':
        return -1;
      case 'self':
        return facts.slot(classAround(walk));
      case 'static':
        return called('self');
      case 'parent':
        return parent();
      default:
        return facts.free(`${qualified(written)}#`);
    }
  };

  /** The class that the method is called on, which has what it has from the one that is written. */
  const called = (written: string): number =>
    facts.either(facts.argument(classAround(walk), receiverPosition), classNamed(written));

  const parent = (): number => parents.get(classAround(walk)) ?? -1;

  /** A function or constant without namespace is the one of this namespace, or else the one outside of all. */
  const fallingBack = (written: string, used: ReadonlyMap<string, string>, key: string, suffix: string): number => {
    const known = used.get(key);
    if (known !== undefined) return facts.free(endingIn(tailOf(known), suffix));
    if (written.includes('\\')) return facts.free(endingIn(qualified(written), suffix));
    const outer = facts.free(endingIn(written, suffix));
    return inside === '' ? outer : facts.otherwise(facts.free(`?${endingIn(inside + written, suffix)}`), outer);
  };

  const typed = (node: number, depth = 0): number => {
    if (node < 0 || depth > maxDepth) return -1;
    switch (tree.kind(node)) {
      case 'named_type':
      case 'name':
      case 'qualified_name':
      case 'relative_name':
        return described(tree.text(node));
      case 'primitive_type':
        return described(tree.text(node));
      case 'optional_type':
      case 'union_type':
      case 'intersection_type':
      case 'disjunctive_normal_form_type':
      case 'type_list':
        return tree.namedChildren(node).reduce((of, one) => facts.either(of, typed(one, depth + 1)), -1);
      default:
        return -1;
    }
  };

  const described = (text: string, depth = 0): number => {
    const written = text.trim().replace(/^\?|^\(|\)$/g, '');
    if (depth > maxDepth || written === '') return -1;
    const parts = splitTypes(written);
    if (parts.length > 1) return parts.reduce((of, one) => facts.either(of, described(one, depth + 1)), -1);
    if (written.endsWith('[]')) return sequence(described(written.slice(0, -2), depth + 1));
    const generic = /^([\w\\-]+)\s*<(.+)>$/s.exec(written);
    if (generic !== null) {
      const last = splitArguments(generic[2]!).at(-1) ?? '';
      const own = described(generic[1]!, depth + 1);
      return isSequence(generic[1]!) ? sequence(described(last, depth + 1)) : own;
    }
    return plain(written);
  };

  const plain = (written: string): number => {
    if (!/^\\?[A-Za-z_][\w\\]*$/.test(written)) return -1;
    if (vague.test(written)) return -1;
    if (words.has(written.toLowerCase())) return facts.instance(facts.free(written.toLowerCase()));
    return facts.instance(classNamed(written));
  };

  const sequence = (element: number): number =>
    facts.instance(facts.generic(facts.free('array'), element < 0 ? facts.unknown() : element));

  return {
    enter(namespace) {
      inside = namespace;
      for (const names of Object.values(bound)) names.clear();
    },
    bind: (kind, local, path) => {
      bound[kind].set(kind === 'constant' ? local : local.toLowerCase(), path);
    },
    classNamed,
    called,
    functionNamed: written => fallingBack(written, bound.function, written.toLowerCase(), '()'),
    constantNamed: written => fallingBack(written, bound.constant, written, ''),
    namespaceNamed: path => facts.free(`${qualified(path)}/`),
    typed: node => typed(node),
    described: text => (/^\$this$/.test(text.trim()) ? facts.instance(classNamed('static')) : described(text)),
    parent,
    setParent: (slot, expression) => {
      parents.set(slot, expression);
    },
  };
}

/** Functions are found whatever the case that they are written in. */
export function endingIn(path: string, suffix: string): string {
  const cut = path.lastIndexOf('/') + 1;
  return suffix === '()' ? `${path.slice(0, cut)}${path.slice(cut).toLowerCase()}()` : path + suffix;
}

function isSequence(name: string): boolean {
  return /^\\?(?:array|list|iterable|non-empty-array|non-empty-list|Traversable|Iterator|IteratorAggregate|Generator|\w*Collection)$/.test(
    name,
  );
}

/** The parts of `A|B<C|D>|null`. */
function splitTypes(text: string): readonly string[] {
  return split(text, /[|&]/);
}

function splitArguments(text: string): readonly string[] {
  return split(text, /,/);
}

function split(text: string, separator: RegExp): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if ('<({['.includes(text[at]!)) depth++;
    else if ('>)}]'.includes(text[at]!)) depth--;
    else if (depth === 0 && separator.test(text[at]!)) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)].map(one => one.trim()).filter(one => one !== '');
}
