import type { ImportFact } from '../../../model/facts.ts';
import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import { type Definition, type Local, outlineLanguage } from '../../outline.ts';
import { lineOf, type SyntaxTree } from '../../tree.ts';

/** Ruby: much of what a class has is made by calls (`attr_reader`, `define_method`, `Struct.new`). */
export const ruby = outlineLanguage({
  name: 'ruby',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-ruby.wasm',
  definitions: {
    module: type('module'),
    class: type('class'),
    method: (tree, node) => method(tree, node, isInClass(tree, node) ? 'method' : 'function'),
    singleton_method: (tree, node) => method(tree, node, 'method'),
    alias: (tree, node) => called(tree, node, tree.child(node, 'name'), 'method'),
    assignment: constant,
    call: made,
  },
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

function called(tree: SyntaxTree, node: number, nameNode: number, kind: SymbolKind): Definition {
  return { ...simple(tree, nameNode, kind), suffix: 'method', visibility: visibilityOf(tree, node) };
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

function isInClass(tree: SyntaxTree, node: number): boolean {
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    if (/^(?:class|module|singleton_class)$/.test(tree.kind(at))) return true;
  }
  return false;
}

/** By the last bare `private`, `protected` or `public` above it in the same body, or one around it. */
function visibilityOf(tree: SyntaxTree, node: number): Visibility {
  const around = tree.parent[tree.parent[node]!] ?? -1;
  const wrapped = tree.kind(around) === 'call' ? tree.text(tree.child(around, 'method')) : '';
  let current = /^(?:private|protected)/.test(wrapped) ? wrapped : 'public';
  for (const sibling of tree.namedChildren(tree.parent[node]!)) {
    if (sibling >= node) break;
    if (tree.kind(sibling) !== 'identifier') continue;
    if (/^(?:private|protected|public)$/.test(tree.text(sibling))) current = tree.text(sibling);
  }
  if (tree.kind(node) === 'singleton_method') return 'public';
  return current.startsWith('private') ? 'private' : current === 'protected' ? 'internal' : 'public';
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
