import { literalText, propertyName, type Walk } from './context.ts';
import { requiredModule, visitRequire } from './required-modules.ts';
import { evidentValue } from './values.ts';

/** Binds what an import statement brings in. */
export function declareImport(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  if (tree.kind(node) === 'import_alias') {
    const [local = -1, target = -1] = tree.namedChildren(node);
    const required = requiredBehind(walk, node, target);
    if (required !== undefined) bindModule(walk, required, local, false);
    else walk.scopes.declare(tree.text(local), () => evidentValue(walk, target), 'global');
    return;
  }
  const typeOnly = tree.childOfKind(node, 'type') >= 0;
  const require = tree.childOfKind(node, 'import_require_clause');
  const specifier = literalText(walk, tree.child(require >= 0 ? require : node, 'source'));
  if (specifier === undefined) return;
  if (require >= 0) bindModule(walk, specifier, tree.childOfKind(require, 'identifier'), typeOnly);
  const clause = tree.childOfKind(node, 'import_clause');
  const { startLine: line } = facts.range(node);
  for (const child of clause < 0 ? [] : tree.namedChildren(clause)) {
    if (tree.kind(child) === 'identifier') bindName(walk, specifier, child, 'default', child, typeOnly);
    else if (tree.kind(child) === 'namespace_import') {
      bindModule(walk, specifier, tree.childOfKind(child, 'identifier'), typeOnly);
    } else for (const one of tree.namedChildren(child)) bindSpecifier(walk, specifier, one, typeOnly);
  }
  const isEmpty = clause >= 0 && tree.text(clause).replace(/\s/g, '') === '{}';
  if ((clause < 0 && require < 0) || isEmpty)
    facts.addImport({ specifier, name: '', local: '', wildcard: false, typeOnly, line });
}

/** The grammar takes `export import x = require('m')` for an alias and a statement behind it. */
function requiredBehind(walk: Walk, alias: number, target: number): string | undefined {
  const { tree } = walk;
  const statement = tree.parent[alias]!;
  if (tree.text(target) !== 'require' || tree.kind(statement) !== 'export_statement') return undefined;
  const [argument = -1] = tree.namedChildren(tree.nextSibling(statement));
  if (tree.kind(argument) !== 'parenthesized_expression') return undefined;
  return literalText(walk, tree.namedChildren(argument)[0] ?? -1);
}

function bindSpecifier(walk: Walk, specifier: string, node: number, typeOnly: boolean): void {
  const { tree } = walk;
  if (tree.kind(node) !== 'import_specifier') return;
  const name = tree.child(node, 'name');
  const alias = tree.child(node, 'alias');
  const isTypeOnly = typeOnly || tree.childOfKind(node, 'type') >= 0;
  bindName(walk, specifier, name, literalText(walk, name) ?? tree.text(name), alias < 0 ? name : alias, isTypeOnly);
}

function bindName(walk: Walk, specifier: string, node: number, name: string, local: number, typeOnly: boolean): void {
  const { tree, facts } = walk;
  const line = facts.range(node).startLine;
  const index = facts.addImport({ specifier, name, local: tree.text(local), wildcard: false, typeOnly, line });
  walk.scopes.declare(tree.text(local), facts.imported(index), 'global');
  referToImported(walk, index, name, node, local);
}

/** An import, or a re-export, mentions what it takes where it says what that is called, and where it gives it another name. */
export function referToImported(walk: Walk, index: number, name: string, node: number, alias: number): void {
  const { tree, facts } = walk;
  // What a module is as a whole has no name there.
  const called = name === 'default' || name === '*' ? tree.text(node) : name;
  facts.refer(node, 'import', facts.imported(index), called);
  if (alias >= 0 && alias !== node && tree.kind(alias) === 'identifier') {
    facts.refer(alias, 'import', facts.imported(index), called);
  }
}

/** A name for a whole module leaves no references itself; what is taken out of it does. */
function bindModule(walk: Walk, specifier: string, local: number, typeOnly: boolean): void {
  const { tree, facts } = walk;
  if (local < 0) return;
  const line = facts.range(local).startLine;
  const index = facts.addImport({ specifier, name: '*', local: tree.text(local), wildcard: false, typeOnly, line });
  walk.scopes.declare(tree.text(local), facts.imported(index), 'local');
}

/** Imports were bound at the scope's entry; an alias of a namespace still mentions one. */
export function visitImport(): void {}

/**
 * `const x = require('m')`, `const x = require('m').y` and `const { a, b: c } = require('m')` bind as an import does and
 * define nothing, and so does `const { a } = await import('m')`. False where the declarator is none of these.
 */
export function declareRequire(walk: Walk, declarator: number): boolean {
  const found = requireOf(walk, declarator);
  if (found === undefined) return false;
  const { tree } = walk;
  const pattern = tree.child(declarator, 'name');
  if (tree.kind(pattern) === 'identifier') bindName(walk, found.specifier, pattern, found.name, pattern, false);
  else for (const one of tree.namedChildren(pattern)) bindProperty(walk, found.specifier, one);
  return true;
}

/** Refers to what a declarator of that kind mentions besides; false where it is none. */
export function visitBoundRequire(walk: Walk, declarator: number): boolean {
  const found = requireOf(walk, declarator);
  if (found !== undefined) visitRequire(walk, found.call);
  return found !== undefined;
}

function requireOf(walk: Walk, declarator: number): { specifier: string; name: string; call: number } | undefined {
  const { tree } = walk;
  const pattern = tree.child(declarator, 'name');
  const value = tree.child(declarator, 'value');
  const isPart = tree.kind(value) === 'member_expression';
  const isAwaited = tree.kind(value) === 'await_expression';
  const call = isPart ? tree.child(value, 'object') : isAwaited ? (tree.namedChildren(value)[0] ?? -1) : value;
  const specifier = requiredModule(walk, call);
  if (specifier === undefined || (tree.kind(tree.child(call, 'function')) === 'import') !== isAwaited) return undefined;
  const isName = tree.kind(pattern) === 'identifier';
  // What a module of ECMAScript is as a whole is a value to whoever awaits it, and what is exported a definition.
  if (isAwaited && (isName || tree.kind(tree.parent[tree.parent[declarator]!]!) === 'export_statement'))
    return undefined;
  const isBound = isName || (!isPart && tree.namedChildren(pattern).every(one => isPlain(walk, one)));
  if (!isBound || tree.child(declarator, 'type') >= 0) return undefined;
  return { specifier, name: isPart ? tree.text(tree.child(value, 'property')) : '*', call };
}

/** `{ a }` or `{ a: b }`: no default, no rest, no pattern in it. */
function isPlain(walk: Walk, property: number): boolean {
  const { tree } = walk;
  if (tree.kind(property) !== 'pair_pattern') return tree.kind(property) === 'shorthand_property_identifier_pattern';
  const isNamed = propertyName(walk, tree.child(property, 'key')) !== undefined;
  return isNamed && tree.kind(tree.child(property, 'value')) === 'identifier';
}

function bindProperty(walk: Walk, specifier: string, property: number): void {
  const { tree } = walk;
  const isPair = tree.kind(property) === 'pair_pattern';
  const key = isPair ? tree.child(property, 'key') : property;
  bindName(walk, specifier, key, propertyName(walk, key)!, isPair ? tree.child(property, 'value') : key, false);
}
