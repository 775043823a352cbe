import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import { previousSiblings } from '../../comments.ts';
import { withFirstAlternatives, withoutDirectives } from '../../directives.ts';
import type { Language } from '../../language.ts';
import { type Declaring, type Definition, defineAll } from '../../outline.ts';
import { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';
import { referToBlanked } from './blanked-uses.ts';
import { conditioned } from './conditions.ts';
import { declaratorName, declares } from './declarator.ts';
import { ofTheFile } from './file-scope.ts';
import { include } from './includes.ts';
import { blankMacros } from './macros.ts';
import { parametersOf } from './parameter-types.ts';
import { namespaceNames } from './paths.ts';
import { classDescriptor, classTail, functionTail } from './specialisation.ts';
import { visit } from './visit.ts';
import { valuesOf, type Walk } from './walk.ts';

const definitions: Declaring['definitions'] = {
  function_definition: callable,
  declaration: declaration,
  field_declaration: declaration,
  type_definition: typedef,
  struct_specifier: type('struct'),
  union_specifier: type('struct'),
  class_specifier: type('class'),
  enum_specifier: type('enum'),
  enumerator: (tree, node) => simple(tree, tree.child(node, 'name'), 'enum-member'),
  preproc_def: (tree, node) => ({ ...simple(tree, tree.child(node, 'name'), 'macro'), suffix: 'macro' }),
  preproc_function_def: (tree, node) => ({ ...simple(tree, tree.child(node, 'name'), 'macro'), suffix: 'macro' }),
  namespace_definition: namespace,
  namespace_alias_definition: (tree, node) => ({
    ...simple(tree, tree.childOfKind(node, 'namespace_identifier'), 'namespace'),
    suffix: 'namespace',
  }),
  alias_declaration: (tree, node) => ({ ...simple(tree, tree.child(node, 'name'), 'type'), suffix: 'type' }),
  concept_definition: (tree, node) => ({ ...simple(tree, tree.child(node, 'name'), 'type'), suffix: 'type' }),
};

const wrappers: ReadonlySet<string> = new Set([
  'template_declaration',
  'linkage_specification',
  'type_definition',
  'declaration',
]);

const inHeader: Declaring = { definitions: conditioned(definitions), wrappers };
const inSource: Declaring = { definitions: conditioned(ofTheFile(definitions)), wrappers };

export const c = language('c', inSource);
export const cHeader = language('c', inHeader);
export const cpp = language('cpp', inSource);
export const cppHeader = language('cpp', inHeader);

function language(name: 'c' | 'cpp', table: Declaring): Language {
  return {
    name,
    grammar: `@repomix/tree-sitter-wasms/out/tree-sitter-${name}.wasm`,
    prepare: blankMacros,
    referToBlanked,
    retries: [withoutDirectives, withFirstAlternatives],
    walk(tree, facts) {
      const slots = defineAll(table, tree, facts, previousSiblings(tree));
      const walk: Walk = {
        tree,
        facts,
        slots,
        scopes: new Scopes(),
        bound: new Set(),
        given: new Set(),
        values: new Map(),
        valueNames: valuesOf(facts),
        fixtures: new Map(),
        context: '',
        condition: '',
      };
      include(walk);
      visit(walk, 0);
    },
  };
}

function simple(tree: SyntaxTree, nameNode: number, kind: SymbolKind): Definition {
  return { name: tree.text(nameNode), nameNode, kind, suffix: 'term' };
}

function type(kind: SymbolKind) {
  return (tree: SyntaxTree, node: number): Definition | undefined => {
    const body = tree.child(node, 'body');
    if (body < 0) return undefined;
    const written = tree.child(node, 'name');
    const nameNode = written >= 0 ? lastName(tree, written) : typedefName(tree, node);
    if (nameNode < 0) return undefined;
    return {
      ...simple(tree, nameNode, kind),
      suffix: 'type',
      tailName: isTemplate(tree, tree.parent[nameNode]!)
        ? classTail(tree, tree.parent[nameNode]!)
        : tree.text(nameNode),
      body,
      ...(isOfDeclaration(tree, node) ? { lifted: true } : {}),
      between: classAround(tree, node) === undefined && isInAnonymousNamespace(tree, node) ? 'static/' : '',
      visibility: visibilityOf(tree, node),
      supers: tree
        .namedChildren(tree.childOfKind(node, 'base_class_clause'))
        .filter(base => /type|identifier/.test(tree.kind(base))),
    };
  };
}

/** `box<int>`, also at the end of a path. */
function isTemplate(tree: SyntaxTree, node: number): boolean {
  return tree.kind(node) === 'template_type';
}

/** `struct name {…} variable;`: the structure stands beside what is declared with it, in place of in it. */
function isOfDeclaration(tree: SyntaxTree, node: number): boolean {
  const owner = tree.parent[node]!;
  const isDeclared = /^(?:field_)?declaration$/.test(tree.kind(owner)) && tree.child(node, 'name') >= 0;
  return isDeclared && tree.childrenIn(owner, 'declarator').length === 1;
}

/** `typedef struct {…} name_t;`: the structure has no other name. */
function typedefName(tree: SyntaxTree, node: number): number {
  const owner = tree.parent[node]!;
  if (tree.kind(owner) !== 'type_definition') return -1;
  return declaratorName(tree, tree.child(owner, 'declarator'));
}

/** The last name of `a::b<T>`, -1 where there is none. */
function lastName(tree: SyntaxTree, node: number): number {
  let at = node;
  while (at >= 0 && !/^(?:type_|namespace_)?identifier$/.test(tree.kind(at))) at = tree.child(at, 'name');
  return at;
}

function typedef(tree: SyntaxTree, node: number): readonly Definition[] {
  const structure = tree.child(node, 'type');
  const isAnonymous = tree.child(structure, 'body') >= 0 && tree.child(structure, 'name') < 0;
  return tree
    .childrenIn(node, 'declarator')
    .slice(isAnonymous ? 1 : 0)
    .map(one => ({
      ...simple(tree, declaratorName(tree, one), 'type'),
      suffix: 'type',
      visibility: visibilityOf(tree, node),
    }));
}

/** `namespace a::b` is one definition whose container is named by the descriptors between. */
function namespace(tree: SyntaxTree, node: number): Definition | undefined {
  const names = namespaceNames(tree, tree.child(node, 'name'));
  const nameNode = names.at(-1) ?? -1;
  if (nameNode < 0) return undefined;
  const between = names
    .slice(0, -1)
    .map(one => `${tree.text(one)}/`)
    .join('');
  return { ...simple(tree, nameNode, 'namespace'), suffix: 'namespace', body: tree.child(node, 'body'), between };
}

function callable(tree: SyntaxTree, node: number): Definition | undefined {
  const declarator = tree.child(node, 'declarator');
  const nameNode = declaratorName(tree, declarator);
  if (nameNode < 0 || isLocal(tree, node)) return undefined;
  return { ...callableAt(tree, node, declarator, nameNode), body: tree.child(node, 'body') };
}

function callableAt(tree: SyntaxTree, node: number, declarator: number, nameNode: number): Definition {
  const name = nameOf(tree, nameNode);
  const qualifier = qualifierOf(tree, nameNode);
  const owner = qualifier.at(-1) ?? classAround(tree, node);
  const isConstructor = name === owner && tree.child(node, 'type') < 0;
  const isMethod = owner !== undefined && (classAround(tree, node) !== undefined || tree.child(node, 'body') >= 0);
  return {
    ...(isFriend(tree, node) ? { lifted: true } : {}),
    ...simple(tree, nameNode, isConstructor ? 'constructor' : isMethod ? 'method' : 'function'),
    name,
    tailName: functionTail(tree, nameNode) ?? name,
    suffix: 'method',
    disambiguator: parametersOf(tree, declarator),
    between: staticPrefix(tree, node) + qualifierTail(tree, nameNode),
    visibility: visibilityOf(tree, node),
    type: tree.child(node, 'type'),
  };
}

/** `operator const T &() const` is called `operator const T&`. */
function nameOf(tree: SyntaxTree, nameNode: number): string {
  let end = nameNode;
  while (tree.kind(nameNode) === 'operator_cast' && end < tree.after[nameNode]! && tree.kind(end) !== 'parameter_list')
    end++;
  const isCast = end > nameNode && end < tree.after[nameNode]!;
  const written = isCast ? tree.source.slice(tree.start[nameNode]!, tree.start[end]!) : tree.text(nameNode);
  return written
    .replace(/\s+/g, ' ')
    .replace(/ ?([*&]) ?/g, '$1')
    .replace(/^operator (?=\W)/, 'operator')
    .trim();
}

/** A friend is declared in a class and belongs to the namespace around it. */
function isFriend(tree: SyntaxTree, node: number): boolean {
  const around = tree.parent[node]!;
  return tree.kind(around) === 'friend_declaration';
}

/** Variables, fields, and functions declared without a body. What a function body declares is local. */
function declaration(tree: SyntaxTree, node: number): readonly Definition[] {
  if (isLocal(tree, node)) return [];
  const isField = classAround(tree, node) !== undefined;
  const isConstant = /\b(?:const|constexpr)\b/.test(
    tree
      .namedChildren(node)
      .filter(child => tree.kind(child) === 'type_qualifier')
      .map(one => tree.text(one))
      .join(' '),
  );
  return tree.childrenIn(node, 'declarator').flatMap(declarator => {
    const nameNode = declaratorName(tree, declarator);
    if (nameNode < 0) return [];
    if (declares(tree, declarator) === 'function') return [callableAt(tree, node, declarator, nameNode)];
    return [
      {
        ...simple(tree, nameNode, isField ? 'field' : isConstant ? 'constant' : 'variable'),
        visibility: visibilityOf(tree, node),
        between: staticPrefix(tree, node) + qualifierTail(tree, nameNode),
        type: tree.child(node, 'type'),
      },
    ];
  });
}

/** `A`, `B` of `A::B::name`, template arguments left out. */
function qualifierOf(tree: SyntaxTree, nameNode: number): readonly string[] {
  return scopesOf(tree, nameNode).map(scope =>
    tree.text(tree.child(scope, 'name') >= 0 ? tree.child(scope, 'name') : scope),
  );
}

function qualifierTail(tree: SyntaxTree, nameNode: number): string {
  return scopesOf(tree, nameNode)
    .map(scope => classDescriptor(tree, scope))
    .join('');
}

function scopesOf(tree: SyntaxTree, nameNode: number): readonly number[] {
  const scopes: number[] = [];
  for (let node = tree.parent[nameNode]!; tree.kind(node) === 'qualified_identifier'; node = tree.parent[node]!) {
    const scope = tree.child(node, 'scope');
    const name = tree.text(tree.child(scope, 'name') >= 0 ? tree.child(scope, 'name') : scope);
    // Where the parser lost its way, it takes half a file for a name.
    if (/^\w+$/.test(name)) scopes.unshift(scope);
  }
  return scopes;
}

function classAround(tree: SyntaxTree, node: number): string | undefined {
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    const kind = tree.kind(at);
    if (kind === 'friend_declaration') return undefined;
    if (/^(?:class|struct|union)_specifier$/.test(kind)) return tree.text(lastName(tree, tree.child(at, 'name')));
    if (/^(?:function_definition|namespace_definition|compound_statement)$/.test(kind)) return undefined;
  }
  return undefined;
}

function isLocal(tree: SyntaxTree, node: number): boolean {
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    const kind = tree.kind(at);
    if (kind === 'compound_statement' || kind === 'for_statement' || kind === 'lambda_expression') return true;
    if (/^(?:class|struct|union)_specifier$|^(?:namespace|function)_definition$/.test(kind))
      return kind === 'function_definition';
  }
  return false;
}

/** Linkage internal to the file: the tail says so, and identity hangs on the file. */
function staticPrefix(tree: SyntaxTree, node: number): string {
  if (classAround(tree, node) !== undefined) return '';
  return hasWord(tree, node, 'static') || isInAnonymousNamespace(tree, node) ? 'static/' : '';
}

function isInAnonymousNamespace(tree: SyntaxTree, node: number): boolean {
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    if (tree.kind(at) === 'namespace_definition' && tree.child(at, 'name') < 0) return true;
  }
  return false;
}

function hasWord(tree: SyntaxTree, node: number, word: string): boolean {
  return tree.children(node).some(child => tree.kind(child) === 'storage_class_specifier' && tree.text(child) === word);
}

/** By the nearest access specifier above a member; `class` starts private. */
function visibilityOf(tree: SyntaxTree, node: number): Visibility {
  let member = node;
  while (/^(?:template|field)_declaration$|^type_definition$/.test(tree.kind(tree.parent[member]!)))
    member = tree.parent[member]!;
  const body = tree.parent[member]!;
  if (tree.kind(body) !== 'field_declaration_list') return staticPrefix(tree, node) === '' ? 'public' : 'private';
  let current = tree.kind(tree.parent[body]!) === 'class_specifier' ? 'private' : 'public';
  for (const sibling of tree.namedChildren(body)) {
    if (sibling >= member) break;
    if (tree.kind(sibling) === 'access_specifier') current = tree.text(sibling).replace(':', '').trim();
  }
  return current === 'private' ? 'private' : current === 'protected' ? 'internal' : 'public';
}
