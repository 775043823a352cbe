import { isStaticTail } from '../../../model/identity.ts';
import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import type { ImportSite } from '../../builder.ts';
import { previousSiblings } from '../../comments.ts';
import type { Language } from '../../language.ts';
import { type Declaring, type Definition, defineAll } from '../../outline.ts';
import { Scopes } from '../../scopes.ts';
import { lineOf, type SyntaxTree } from '../../tree.ts';
import { anyClass, around, makesFor, ofClassMethods, standsInClassMethods } from './around.ts';
import { ofExamples, standsInGroup } from './examples.ts';
import { defineVariables } from './variables.ts';
import { visit } from './visit.ts';
import { ofSelf, takenBlock, type Walk } from './walk.ts';

/** Ruby: much of what a class has is made by calls (`attr_reader`, `define_method`, `Struct.new`). */
export const ruby: Language = {
  name: 'ruby',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-ruby.wasm',
  walk(tree, facts) {
    const slots = defineAll(declarations, tree, facts, previousSiblings(tree));
    const byNode = new Map([...slots.byNode, ...defineVariables({ tree, facts, byNode: slots.byNode })]);
    const self = { slot: -1, isStatic: false, isInBlock: false };
    const place = { scopes: new Scopes(), self, nesting: [], described: -1, subject: -1, block: takenBlock('', []) };
    const walk: Walk = { tree, facts, byNode, values: new Map(), ...place };
    for (let node = 0; node < tree.size; node++) for (const one of requires(tree, node)) facts.addImport(one);
    visit(walk, 0);
    typeAccessors(walk, slots.nameNodes);
  },
};

const declarations: Declaring = {
  namesAnything: true,
  definitions: {
    module: type('module'),
    class: type('class'),
    method: (tree, node) => method(tree, node, around(tree, node, anyClass) < 0 ? 'function' : 'method'),
    singleton_method: singletonMethod,
    alias: (tree, node) => called(tree, node, tree.child(node, 'name'), 'method'),
    assignment: constants,
    operator_assignment: (tree, node) => constant(tree, tree.child(node, 'left'), -1) ?? [],
    call: made,
  },
  // A comment above the first statement of a body stands outside it.
  wrappers: new Set(['body_statement', 'argument_list', 'call']),
};

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
  if (isOfClass(tree, node)) return { ...plain, disambiguator: 'static' };
  if (standsInClassMethods(tree, node)) return { ...plain, between: ofClassMethods };
  return standsInGroup(tree, node) ? { ...plain, between: ofExamples, exported: false } : plain;
}

/** In `class << self`; what a method there makes by a call is its class's objects'. */
function isOfClass(tree: SyntaxTree, node: number): boolean {
  if (tree.kind(node) === 'call') return makesFor(tree, node) === 'class';
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
    return { ...simple(tree, nameNode, kind), suffix: 'type', body: tree.child(node, 'body'), between };
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

/** `A, B = 1, 2`; `A = B = 3` is said by the outer of the two. */
function constants(tree: SyntaxTree, node: number): Definition | readonly Definition[] {
  if (tree.kind(tree.parent[node]!) === 'assignment') return [];
  const left = tree.child(node, 'left');
  const right = tree.child(node, 'right');
  if (tree.kind(left) === 'left_assignment_list') {
    return tree.namedChildren(left).flatMap(one => constant(tree, one, -1) ?? []);
  }
  const own = constant(tree, left, right) ?? [];
  if (tree.kind(right) !== 'assignment') return own;
  return [own, constant(tree, tree.child(right, 'left'), tree.child(right, 'right')) ?? []].flat();
}

/** `CONST = 1`; `Point = Struct.new(:x)` is a class. */
function constant(tree: SyntaxTree, left: number, right: number): Definition | undefined {
  if (tree.kind(left) !== 'constant') return undefined;
  const isClass = tree.kind(right) === 'call' && /^(?:Struct|Class|Data)\.(?:new|define)\b/.test(tree.text(right));
  return isClass ? { ...simple(tree, left, 'class'), suffix: 'type' } : simple(tree, left, 'constant');
}

const makers: Readonly<Record<string, SymbolKind>> = {
  attr_reader: 'property',
  attr_writer: 'property',
  attr_accessor: 'property',
  define_method: 'method',
  alias_method: 'method',
  def_delegators: 'method',
  def_delegator: 'method',
  delegate: 'method',
  let: 'method',
  'let!': 'method',
  subject: 'method',
};

function made(tree: SyntaxTree, node: number): readonly Definition[] {
  const maker = tree.text(tree.child(node, 'method'));
  if (isStruct(tree, node)) return symbolsOf(tree, node).map(one => called(tree, node, one, 'property'));
  if (tree.child(node, 'receiver') >= 0 || !Object.hasOwn(makers, maker)) return [];
  const kind = makers[maker]!;
  return namesMade(tree, node, maker).map(one => called(tree, node, one, kind));
}

/** The arguments of such a call that name what it makes. */
function namesMade(tree: SyntaxTree, node: number, maker: string): readonly number[] {
  const symbols = symbolsOf(tree, node);
  switch (maker) {
    // `def_delegators :@to, :a, :b`
    case 'def_delegators':
      return symbols.slice(1);
    // `def_delegator :@to, :old, :name`
    case 'def_delegator':
      return symbols.slice(-1);
    // `delegate :a, :b, to: :other`
    case 'delegate':
      return /\bto:/.test(tree.text(tree.child(node, 'arguments'))) ? symbols : [];
    case 'let':
    case 'let!':
    case 'subject':
      return tree.child(node, 'block') < 0 ? [] : symbols.slice(0, 1);
    default:
      return makers[maker] === 'method' ? symbols.slice(0, 1) : symbols;
  }
}

function symbolsOf(tree: SyntaxTree, call: number): readonly number[] {
  return tree.namedChildren(tree.child(call, 'arguments')).filter(one => tree.kind(one) === 'simple_symbol');
}

/** `Struct.new(:x)` for a class that has a name. */
function isStruct(tree: SyntaxTree, call: number): boolean {
  if (!/^(?:Struct\.new|Data\.define)\b/.test(tree.text(call))) return false;
  const user = tree.parent[call]!;
  const isAssigned = tree.kind(user) === 'assignment' && tree.kind(tree.child(user, 'left')) === 'constant';
  return isAssigned || tree.kind(user) === 'superclass';
}

/** What an `attr_reader` gives is its variable's. */
function typeAccessors(walk: Walk, names: ReadonlySet<number>): void {
  const { tree, facts } = walk;
  const properties = new Map(
    facts.definitions.flatMap(({ kind, nameRange }, slot) =>
      kind === 'property' ? [[`${nameRange.startLine} ${nameRange.startColumn}`, slot]] : [],
    ),
  );
  for (const node of names) {
    const { startLine, startColumn } = facts.range(node);
    const slot = properties.get(`${startLine} ${startColumn}`);
    if (slot === undefined) continue;
    const { container, tail } = facts.definition(slot);
    const isOfGroup = tail.includes(ofExamples);
    const place = isOfGroup ? { slot: -1, groupIn: container } : { slot: container };
    const self = { ...place, isStatic: isStaticTail(tail), isInBlock: false };
    if (container >= 0 || isOfGroup)
      facts.setType(slot, facts.functionOf(ofSelf({ ...walk, self }, 'variable', `@${symbolText(tree, node)}`)));
  }
}

function symbolText(tree: SyntaxTree, node: number): string {
  return tree.text(node).replace(/^:/, '');
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

function requires(tree: SyntaxTree, node: number): readonly ImportSite[] {
  if (tree.kind(node) !== 'call') return [];
  const verb = tree.text(tree.child(node, 'method'));
  if (!/^(?:require|require_relative|load|autoload)$/.test(verb) || tree.child(node, 'receiver') >= 0) return [];
  const specifier = requiredPath(verb, tree.text(tree.child(node, 'arguments')));
  if (specifier === undefined) return [];
  return [{ specifier, name: '*', local: '', wildcard: true, typeOnly: false, line: lineOf(tree, node) }];
}

/** What is written as lying beside the file begins with a dot; what is put together as the program runs is nothing. */
function requiredPath(verb: string, written: string): string | undefined {
  const path = /['"]([^'"]+)['"]/.exec(written.replace(/#\{(?:__dir__|File\.dirname\(__FILE__\))\}/, ''))?.[1];
  if (path === undefined || path.includes('#{')) return undefined;
  // Seen from the file as if that were a folder.
  if (/expand_path\b.*,\s*__FILE__/s.test(written)) return path.startsWith('../') ? `./${path.slice(3)}` : undefined;
  const isBeside = verb === 'require_relative' || /\b__dir__\b|\bdirname\(\s*__FILE__/.test(written);
  return isBeside && !path.startsWith('.') ? `./${path.replace(/^\//, '')}` : path;
}
