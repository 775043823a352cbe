import type { ImportFact } from '../../../model/facts.ts';
import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import { type Definition, type Local, outlineLanguage } from '../../outline.ts';
import { lineOf, type SyntaxTree } from '../../tree.ts';

/** Ruby: much of what a class has is made by calls (`attr_reader`, `define_method`, `Struct.new`). */
export const ruby = outlineLanguage({
  name: 'ruby',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-ruby.wasm',
  namesAnything: true,
  definitions: {
    module: type('module'),
    class: type('class'),
    method: (tree, node) => method(tree, node, around(tree, node, anyClass) < 0 ? 'function' : 'method'),
    singleton_method: singletonMethod,
    alias: (tree, node) => called(tree, node, tree.child(node, 'name'), 'method'),
    assignment: constant,
    call: made,
  },
  // A comment above the first statement of a body stands outside it.
  wrappers: new Set(['body_statement', 'argument_list', 'call']),
  scopes: new Set(['method', 'singleton_method', 'class', 'module', 'block', 'do_block', 'lambda']),
  locals: {
    method_parameters: parameters,
    block_parameters: parameters,
    lambda_parameters: parameters,
    assignment: (tree, node) => assigned(tree, tree.child(node, 'left'), tree.child(node, 'right')),
    operator_assignment: (tree, node) => assigned(tree, tree.child(node, 'left'), -1),
    for: (tree, node) => assigned(tree, tree.child(node, 'pattern'), -1),
    exception_variable: (tree, node) => assigned(tree, tree.firstChild(node), -1),
  },
  imports: { call: requires },
  identifiers: { identifier: 'read', constant: 'read' },
  members: {
    call: { of: 'receiver', name: 'method', call: true },
    scope_resolution: { of: 'scope', name: 'name' },
  },
  calls: {},
  writes: {},
  selves: new Set(['self']),
});

function simple(tree: SyntaxTree, nameNode: number, kind: SymbolKind): Definition {
  return { name: tree.text(nameNode).replace(/^:/, ''), nameNode, kind, suffix: 'term' };
}

/**
 * What a class has itself says so in every tail, whether or not its instances have the name too: classes are open, and
 * other files may give it to them.
 */
function called(tree: SyntaxTree, node: number, nameNode: number, kind: SymbolKind): Definition {
  const named = simple(tree, nameNode, kind);
  const plain = { ...named, suffix: 'method', visibility: visibilityOf(tree, node, named.name) } as const;
  return isOfClass(tree, node) ? { ...plain, disambiguator: 'static' } : plain;
}

/** In `class << self`. */
function isOfClass(tree: SyntaxTree, node: number): boolean {
  return tree.kind(around(tree, node, anyClass)) === 'singleton_class';
}

/** `class A::B` stands in `A`. */
function type(kind: SymbolKind) {
  return (tree: SyntaxTree, node: number): Definition => {
    const written = tree.child(node, 'name');
    const nameNode = tree.kind(written) === 'scope_resolution' ? tree.child(written, 'name') : written;
    const outer = tree.text(tree.child(written, 'scope'));
    const between =
      outer === ''
        ? ''
        : outer
            .split('::')
            .map(one => `${one}#`)
            .join('');
    const supers = tree.namedChildren(tree.child(node, 'superclass'));
    return { ...simple(tree, nameNode, kind), suffix: 'type', body: tree.child(node, 'body'), between, supers };
  };
}

function method(tree: SyntaxTree, node: number, kind: SymbolKind): Definition {
  const plain = called(tree, node, tree.child(node, 'name'), kind);
  const isConstructor = plain.name === 'initialize' && kind === 'method';
  const body = tree.child(node, 'body');
  return { ...plain, kind: isConstructor ? 'constructor' : kind, body: body < 0 ? node : body };
}

/** `def self.x`; `def A.x` stands in `A`, wherever it is written. */
function singletonMethod(tree: SyntaxTree, node: number): Definition {
  const plain = { ...method(tree, node, 'method'), kind: 'method', disambiguator: 'static' } as const;
  const object = tree.child(node, 'object');
  const isAround = tree.text(object) === tree.text(tree.child(around(tree, node, /^(?:class|module)$/), 'name'));
  return tree.kind(object) === 'constant' && !isAround ? { ...plain, between: `${tree.text(object)}#` } : plain;
}

/** `CONST = 1`; `Point = Struct.new(:x)` is a class. */
function constant(tree: SyntaxTree, node: number): Definition | undefined {
  const left = tree.child(node, 'left');
  if (tree.kind(left) !== 'constant') return undefined;
  const right = tree.child(node, 'right');
  const isClass = tree.kind(right) === 'call' && /^(?:Struct|Class|Data)\.(?:new|define)\b/.test(tree.text(right));
  return isClass ? { ...simple(tree, left, 'class'), suffix: 'type' } : simple(tree, left, 'constant');
}

const makers: Readonly<Record<string, SymbolKind>> = {
  attr_reader: 'property',
  attr_writer: 'property',
  attr_accessor: 'property',
  define_method: 'method',
  alias_method: 'method',
};

function made(tree: SyntaxTree, node: number): readonly Definition[] {
  const maker = tree.text(tree.child(node, 'method'));
  if (tree.child(node, 'receiver') >= 0 || !Object.hasOwn(makers, maker)) return [];
  const kind = makers[maker]!;
  const symbols = tree.namedChildren(tree.child(node, 'arguments')).filter(one => tree.kind(one) === 'simple_symbol');
  return (kind === 'method' ? symbols.slice(0, 1) : symbols).map(one => called(tree, node, one, kind));
}

const anyClass = /^(?:class|module|singleton_class)$/;

/** The innermost node of these kinds around one; -1 where there is none. */
function around(tree: SyntaxTree, node: number, kinds: RegExp): number {
  let at = tree.parent[node]!;
  while (at >= 0 && !kinds.test(tree.kind(at))) at = tree.parent[at]!;
  return at;
}

/**
 * By the last bare `private`, `protected` or `public` above it in the same body, or a call of one around it or with its
 * name. Methods of `self` have words of their own: `private_class_method`.
 */
function visibilityOf(tree: SyntaxTree, node: number, name: string): Visibility {
  const isSingleton = tree.kind(node) === 'singleton_method';
  const caller = tree.parent[tree.parent[node]!] ?? -1;
  const statement = tree.kind(caller) === 'call' ? caller : node;
  let current = 'public';
  for (const sibling of tree.namedChildren(tree.parent[statement]!)) {
    const isCall = tree.kind(sibling) === 'call';
    if (!isCall && (tree.kind(sibling) !== 'identifier' || sibling > statement || isSingleton)) continue;
    const word = tree.text(isCall ? tree.child(sibling, 'method') : sibling);
    const says = isSingleton ? /^(?:private|public)_class_method$/ : /^(?:private|protected|public)$/;
    if (says.test(word) && (!isCall || sibling === statement || names(tree, sibling, name))) current = word;
  }
  return current.startsWith('private') ? 'private' : current === 'protected' ? 'internal' : 'public';
}

function names(tree: SyntaxTree, call: number, name: string): boolean {
  return tree.namedChildren(tree.child(call, 'arguments')).some(one => tree.text(one) === `:${name}`);
}

function parameters(tree: SyntaxTree, node: number): readonly Local[] {
  return tree.namedChildren(node).flatMap(one => {
    if (tree.kind(one) === 'identifier') return [{ nameNode: one }];
    if (tree.kind(one) === 'destructured_parameter') return parameters(tree, one);
    return [{ nameNode: tree.child(one, 'name') }];
  });
}

function assigned(tree: SyntaxTree, left: number, right: number): readonly Local[] {
  if (tree.kind(left) === 'identifier') {
    const isNew = tree.kind(right) === 'call' && tree.text(tree.child(right, 'method')) === 'new';
    return [{ nameNode: left, type: isNew ? tree.child(right, 'receiver') : -1 }];
  }
  if (!/^(?:left_assignment_list|destructured_left_assignment|rest_assignment)$/.test(tree.kind(left))) return [];
  return tree.namedChildren(left).flatMap(one => assigned(tree, one, -1));
}

function requires(tree: SyntaxTree, node: number): readonly ImportFact[] {
  const verb = tree.text(tree.child(node, 'method'));
  if (!/^(?:require|require_relative|load|autoload)$/.test(verb) || tree.child(node, 'receiver') >= 0) return [];
  const path = /['"]([^'"]+)['"]/.exec(tree.text(tree.child(node, 'arguments')))?.[1];
  if (path === undefined) return [];
  const specifier = verb === 'require_relative' && !path.startsWith('.') ? `./${path}` : path;
  return [{ specifier, name: '*', local: '', wildcard: true, typeOnly: false, line: lineOf(tree, node) }];
}
