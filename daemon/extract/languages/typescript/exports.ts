import { isFunction, literalText, named, propertyName, unwrap, visitComputedKey, type Walk } from './context.ts';
import { documentationAbove, signatureOf } from './documentation.ts';
import { visitFunctionValue } from './functions.ts';
import { referToImported } from './imports.ts';
import { visitObjectMembers } from './objects.ts';
import { importedModule } from './required-modules.ts';
import { evidentValue } from './values.ts';

export function visitExport(walk: Walk, node: number): void {
  const { tree } = walk;
  for (const child of tree.namedChildren(node)) if (tree.kind(child) === 'decorator') walk.visit(child);
  const specifier = literalText(walk, tree.child(node, 'source'));
  if (specifier !== undefined) {
    exportFrom(walk, node, specifier);
    return;
  }
  const declaration = tree.child(node, 'declaration');
  const isDefault = tree.childOfKind(node, 'default') >= 0;
  if (declaration >= 0) {
    exportDeclaration(walk, declaration, isDefault);
    return;
  }
  const clause = tree.childOfKind(node, 'export_clause');
  if (clause >= 0) for (const one of tree.namedChildren(clause)) exportLocal(walk, one);
  else if (isDefault) exportDefault(walk, node, tree.child(node, 'value'));
  else exportWhole(walk, node);
}

function exportFrom(walk: Walk, node: number, specifier: string): void {
  const { tree, facts } = walk;
  const clause = tree.childOfKind(node, 'export_clause');
  const namespace = tree.childOfKind(node, 'namespace_export');
  const typeOnly = tree.childOfKind(node, 'type') >= 0;
  const { startLine } = facts.range(node);
  if (clause >= 0 && tree.namedChildren(clause).length === 0)
    facts.addImport({ specifier, name: '', local: '', wildcard: false, typeOnly, line: startLine });
  if (clause < 0) {
    const module = facts.imported(importedModule(walk, specifier, node, typeOnly));
    if (namespace < 0) facts.addExport('*', module);
    else defineModuleName(walk, node, namespace, module);
    return;
  }
  for (const one of tree.namedChildren(clause)) {
    if (tree.kind(one) !== 'export_specifier') continue;
    const nameNode = tree.child(one, 'name');
    const alias = tree.child(one, 'alias');
    const name = literalText(walk, nameNode) ?? tree.text(nameNode);
    const line = facts.range(one).startLine;
    const isTypeOnly = typeOnly || tree.childOfKind(one, 'type') >= 0;
    const index = facts.addImport({ specifier, name, local: '', wildcard: false, typeOnly: isTypeOnly, line });
    facts.addExport(alias < 0 ? name : (literalText(walk, alias) ?? tree.text(alias)), facts.imported(index));
    referToImported(walk, index, name, nameNode, alias);
  }
}

/** `export * as x from 'm'`: the name by which others know the module is defined here. */
function defineModuleName(walk: Walk, node: number, namespace: number, module: number): void {
  const { tree, facts } = walk;
  const [nameNode = -1] = tree.namedChildren(namespace);
  const name = literalText(walk, nameNode) ?? tree.text(nameNode);
  const slot = facts.define({
    name,
    kind: 'namespace',
    suffix: 'namespace',
    nameNode,
    node,
    signature: signatureOf(tree, node, -1),
    documentation: documentationAbove(tree, node),
    exported: true,
  });
  facts.setType(slot, module);
  facts.addExport(name, facts.slot(slot));
}

function exportLocal(walk: Walk, one: number): void {
  const { tree, facts } = walk;
  if (tree.kind(one) !== 'export_specifier') return;
  const name = tree.child(one, 'name');
  const alias = tree.child(one, 'alias');
  const expression = named(walk, tree.text(name));
  facts.addExport(alias < 0 ? tree.text(name) : (literalText(walk, alias) ?? tree.text(alias)), expression);
  if (walk.scopes.resolve(tree.text(name))?.kind !== 'local') {
    for (const mention of alias < 0 ? [name] : [name, alias]) facts.refer(mention, 'read', expression, tree.text(name));
  }
  markExported(walk, tree.text(name));
}

function exportDeclaration(walk: Walk, declaration: number, isDefault: boolean): void {
  const { tree, facts } = walk;
  const slot = walk.slotOf.get(declaration);
  const outer = walk.isExported;
  walk.isExported = true;
  if (slot !== undefined) facts.addExport(isDefault ? 'default' : topName(walk, slot), facts.slot(slot));
  else if (tree.kind(declaration) === 'import_alias') exportAlias(walk, declaration);
  else if (isDefault) exportDefault(walk, tree.parent[declaration]!, declaration);
  else for (let at = declaration; at < tree.after[declaration]!; at++) exportVariable(walk, at);
  if (!isDefault || slot !== undefined) walk.visit(declaration);
  walk.isExported = outer;
}

/** `export import x = N.y`, `export import x = require('m')` */
function exportAlias({ tree, facts, scopes }: Walk, alias: number): void {
  const name = tree.text(tree.namedChildren(alias)[0] ?? -1);
  const denoted = scopes.resolve(name)?.expression ?? -1;
  if (denoted >= 0) facts.addExport(name, denoted);
}

function topName(walk: Walk, slot: number): string {
  return walk.facts.definition(slot).name;
}

/** Declared names of `export const …`, wherever its patterns hold them; a declaration inside an initialiser has no slot yet. */
function exportVariable(walk: Walk, node: number): void {
  const slot = walk.slotOf.get(node);
  if (slot !== undefined) walk.facts.addExport(topName(walk, slot), walk.facts.slot(slot));
}

/** `export default x` names what it stands for; any other value is a definition called `default`. */
function exportDefault(walk: Walk, node: number, value: number): void {
  const { tree, facts } = walk;
  if (value < 0) return;
  if (tree.kind(value) === 'identifier') {
    exportNamed(walk, 'default', value);
    return;
  }
  const slot = defineExported(walk, node, 'default', tree.childOfKind(node, 'default'), value);
  facts.addExport('default', facts.slot(slot));
}

/** Exports what a name stands for, and refers to it. */
function exportNamed(walk: Walk, name: string, identifier: number): void {
  walk.visit(identifier);
  walk.facts.addExport(name, named(walk, walk.tree.text(identifier)));
  markExported(walk, walk.tree.text(identifier));
}

function markExported({ facts }: Walk, name: string): void {
  for (const slot of facts.slotsNamed(facts.enclosing, name)) facts.setExported(slot, true);
}

/** A definition that only an export gives a name: `export default {…}`, `exports.m = …`. */
function defineExported(walk: Walk, node: number, name: string, nameNode: number, value: number): number {
  const { tree, facts } = walk;
  const bare = unwrap(walk, value);
  const kind = tree.kind(bare);
  const isClass = kind === 'class' || kind === 'class_declaration';
  const isCallable = isFunction(kind) || kind === 'method_definition' || /^(?:generator_)?function_/.test(kind);
  const hasBody = isClass || isCallable;
  const slot = facts.define({
    name,
    kind: isClass ? 'class' : isCallable ? 'function' : 'constant',
    suffix: isClass ? 'type' : 'term',
    nameNode,
    node,
    signature: signatureOf(tree, node, hasBody ? tree.child(bare, 'body') : kind === 'object' ? bare : -1),
    documentation: documentationAbove(tree, node),
    exported: true,
    hasBody: true,
  });
  facts.within(slot, () => {
    if (isClass) {
      walk.slotOf.set(bare, slot);
      walk.visit(bare);
    } else if (isCallable) visitFunctionValue(walk, bare, slot, -1);
    else if (kind === 'object') visitObjectMembers(walk, bare, slot);
    else {
      facts.setType(slot, evidentValue(walk, value));
      walk.visit(value);
    }
  });
  return slot;
}

/** `export = x` */
function exportWhole(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  for (const child of tree.namedChildren(node)) {
    if (tree.childOfKind(node, '=') >= 0) facts.addExport('=', evidentValue(walk, child));
    walk.visit(child);
  }
}

/** `exports.m = …`, `module.exports = …`, `module.exports.m = …`, `X.prototype.m = …`; false where the assignment is none of them. */
export function visitCommonExport(walk: Walk, node: number): boolean {
  const { tree } = walk;
  const left = tree.child(node, 'left');
  const right = tree.child(node, 'right');
  if (tree.kind(left) !== 'member_expression') return false;
  const target = tree.text(left).slice(0, 200);
  if (target === 'module.exports' && isFree(walk, 'module')) return exportModule(walk, node, right);
  const object = tree.text(tree.child(left, 'object')).slice(0, 200);
  const isExports =
    (object === 'exports' && isFree(walk, 'exports')) || (object === 'module.exports' && isFree(walk, 'module'));
  if (isExports || isNameOfExports(walk, tree.child(left, 'object'))) {
    return exportProperty(walk, node, tree.child(left, 'property'), right);
  }
  return object.endsWith('.prototype') ? defineOnPrototype(walk, node, left, right) : false;
}

function isFree(walk: Walk, name: string): boolean {
  return walk.scopes.resolve(name) === undefined;
}

/** Whether a variable at the top stands for what the file exports: `const api = module.exports = {}`. */
function isNameOfExports({ tree, facts, scopes }: Walk, node: number): boolean {
  if (tree.kind(node) !== 'identifier') return false;
  const name = tree.text(node);
  const [slot, another] = facts.slotsNamed(-1, name);
  if (slot === undefined || another !== undefined || facts.definition(slot).type < 0) return false;
  return scopes.resolve(name)?.expression === facts.slot(slot) && facts.definition(slot).type === facts.free('exports');
}

function exportProperty(walk: Walk, node: number, property: number, value: number): boolean {
  const { tree, facts } = walk;
  const name = tree.text(property);
  if (tree.kind(value) === 'identifier') exportNamed(walk, name, value);
  else facts.addExport(name, facts.slot(defineExported(walk, node, name, property, value)));
  return true;
}

function exportModule(walk: Walk, node: number, value: number): boolean {
  const { tree, facts } = walk;
  const bare = unwrap(walk, value);
  if (tree.kind(bare) !== 'object') {
    if (tree.kind(bare) === 'identifier') {
      exportNamed(walk, '=', bare);
    } else if (isFunction(tree.kind(bare)) || tree.kind(bare) === 'class') {
      const own = tree.child(bare, 'name');
      const nameNode = own < 0 ? tree.child(tree.child(node, 'left'), 'property') : own;
      const name = own < 0 ? 'default' : tree.text(own);
      facts.addExport('=', facts.slot(defineExported(walk, node, name, nameNode, value)));
    } else {
      facts.addExport('=', evidentValue(walk, bare));
      walk.visit(value);
    }
    return true;
  }
  for (const member of tree.namedChildren(bare)) exportMember(walk, member);
  return true;
}

function exportMember(walk: Walk, member: number): void {
  const { tree, facts } = walk;
  const kind = tree.kind(member);
  if (kind === 'shorthand_property_identifier') {
    exportNamed(walk, tree.text(member), member);
    return;
  }
  const key = tree.child(member, kind === 'pair' ? 'key' : 'name');
  const name = propertyName(walk, key);
  if ((kind !== 'pair' && kind !== 'method_definition') || name === undefined) {
    walk.visit(member);
    return;
  }
  visitComputedKey(walk, key);
  if (kind === 'pair') exportPair(walk, member, key, name);
  else facts.addExport(name, facts.slot(defineExported(walk, member, name, key, member)));
}

function exportPair(walk: Walk, member: number, key: number, name: string): void {
  const { tree, facts } = walk;
  const value = tree.child(member, 'value');
  if (tree.kind(value) === 'identifier') exportNamed(walk, name, value);
  else facts.addExport(name, facts.slot(defineExported(walk, member, name, key, value)));
}

/** `X.prototype.m = …` is the method `X#m`. */
function defineOnPrototype(walk: Walk, node: number, left: number, value: number): boolean {
  const { tree, facts } = walk;
  const owner = tree.child(tree.child(left, 'object'), 'object');
  if (tree.kind(owner) !== 'identifier' || !isFunction(tree.kind(value))) return false;
  walk.visit(owner);
  const property = tree.child(left, 'property');
  const slot = facts.define({
    name: tree.text(property),
    kind: 'method',
    suffix: 'method',
    nameNode: property,
    node,
    between: `${tree.text(owner)}#`,
    signature: signatureOf(tree, node, tree.child(value, 'body')),
    documentation: documentationAbove(tree, tree.parent[node]!),
    hasBody: true,
    exported: facts.slotsNamed(facts.enclosing, tree.text(owner)).some(one => facts.definition(one).exported),
  });
  const outer = walk.thisValue;
  walk.thisValue = facts.instance(named(walk, tree.text(owner)));
  facts.within(slot, () => visitFunctionValue(walk, value, slot, -1));
  walk.thisValue = outer;
  return true;
}
