import type { ReferenceKind } from '../../../model/facts.ts';
import { once } from '../../../model/once.ts';
import { type UseVisibility, visibilityOfUse } from '../../../model/rust-namespaces.ts';
import type { ImportSite } from '../../builder.ts';
import { lineOf, type SyntaxTree } from '../../tree.ts';
import { moduleValue, parentValue } from './types.ts';
import { type Glob, itemIn, type Module, outerValue, placeOf, type Walk } from './walk.ts';

/** What the `use` declarations of a module or a block bring into scope. */
export interface Uses {
  readonly names: { readonly name: string; readonly seenBy: UseVisibility; readonly value: () => number }[];
  readonly globs: (Glob & { readonly seenBy: UseVisibility })[];
}

/** Binds what the `use` declarations directly below a node bring into scope. Before the rest: order says nothing there. */
export function bindUses(walk: Walk, block: number): Uses {
  const { tree, module, facts } = walk;
  const uses: Uses = { names: [], globs: [] };
  for (const child of tree.namedChildren(block)) {
    if (tree.kind(child) === 'use_declaration') bindUse(walk, tree.child(child, 'argument'), -1, uses);
    if (tree.kind(child) === 'extern_crate_declaration') bindCrate(walk, child, uses);
  }
  // A trait and a macro of one name are two declarations, as are those of which one is compiled.
  const values = new Map<string, (() => number)[]>();
  for (const { name, value } of uses.names) values.set(name, [...(values.get(name) ?? []), value]);
  for (const [name, those] of values) {
    const all = (): number => those.map(value => value()).reduce((of, other) => facts.either(of, other));
    module.scopes.declare(name, all, 'global');
  }
  // At once: a local of such a name, further down, must not be taken for the crate.
  for (const name of values.keys()) module.scopes.resolve(name);
  return uses;
}

/**
 * What the `use` declarations of a module bind, `::*` for each glob, behind the module's place and who may name it
 * (`useVisibilities`). Its items are known by themselves.
 */
export function exportModule({ facts }: Walk, module: Module, { names, globs }: Uses): void {
  const place = placeOf(facts, module);
  for (const { name, seenBy, value } of names) facts.addExport(seenBy + place + name, value());
  for (const { of, seenBy } of globs) facts.addExport(`${seenBy}${place}::*`, of);
}

/** A macro that is called among the items of a module may declare anything, as a glob of nobody knows what would bind. */
export function exportMacro({ facts, module }: Walk): void {
  facts.addExport(`${placeOf(facts, module)}::*`, facts.unknown());
}

function seenBy({ tree }: Walk, node: number): UseVisibility {
  let at = node;
  while (!/^(?:use|extern_crate)_declaration$/.test(tree.kind(at))) at = tree.parent[at]!;
  const modifier = tree.childOfKind(at, 'visibility_modifier');
  return visibilityOfUse(modifier < 0 ? '' : tree.text(modifier));
}

function bindCrate(walk: Walk, node: number, { names }: Uses): void {
  const { tree, facts } = walk;
  const name = tree.text(tree.child(node, 'name'));
  const alias = tree.child(node, 'alias');
  const crate = facts.free(name === 'self' ? 'crate' : `::${name}`);
  names.push({ name: alias < 0 ? name : tree.text(alias), seenBy: seenBy(walk, node), value: () => crate });
}

/** `of`: what stands before, -1 for nothing. */
function bindUse(walk: Walk, node: number, of: number, uses: Uses): void {
  const { tree } = walk;
  const declare = (nameNode: number, value: () => number): void => {
    const name = tree.text(nameNode);
    if (/^\w+$/.test(name) && name !== '_') uses.names.push({ name, seenBy: seenBy(walk, node), value: once(value) });
  };
  switch (tree.kind(node)) {
    case 'use_list':
      for (const one of tree.namedChildren(node)) bindUse(walk, one, of, uses);
      return;
    case 'scoped_use_list':
      bindUse(walk, tree.child(node, 'list'), useValue(walk, tree.child(node, 'path'), of), uses);
      return;
    case 'use_wildcard': {
      const path = tree.namedChildren(node)[0] ?? -1;
      uses.globs.push({
        of: path < 0 ? of : useValue(walk, path, of),
        own: ownEnum(walk, path),
        isForeign: isForeign(walk, node),
        seenBy: seenBy(walk, node),
      });
      return;
    }
    case 'use_as_clause':
      declare(tree.child(node, 'alias'), () => useValue(walk, tree.child(node, 'path'), of));
      return;
    case 'self': {
      const path = tree.child(tree.parent[tree.parent[node]!]!, 'path');
      declare(tree.kind(path) === 'scoped_identifier' ? tree.child(path, 'name') : path, () => of);
      return;
    }
    default: {
      const name = tree.child(node, 'name');
      declare(name < 0 ? node : name, () => ofOwnModule(walk, node) ?? useValue(walk, node, of));
    }
  }
}

/** Whether the path of a `use` begins at a crate, not here. */
function isForeign({ tree, module }: Walk, node: number): boolean {
  let at = node;
  while (tree.kind(tree.parent[at]!) !== 'use_declaration') at = tree.parent[at]!;
  const first = /^\w*/.exec(tree.text(at))![0];
  return !/^(?:crate|self|super)$/.test(first) && !module.items.has(first);
}

/** The enum of this module that a path ends in; its variants are known here. */
function ownEnum({ tree, facts, module }: Walk, path: number): number {
  const name = tree.text(tree.kind(path) === 'scoped_identifier' ? tree.child(path, 'name') : path);
  return module.items.get(name)?.find(slot => facts.definition(slot).kind === 'enum') ?? -1;
}

/**
 * `use crate::here::parse::parse` where `mod parse;` stands beside it: to ask what `crate::here` has under the name would
 * come back to this.
 */
function ofOwnModule(walk: Walk, node: number): number | undefined {
  const { tree, facts, module } = walk;
  const name = tree.child(node, 'name');
  const list = tree.parent[node]!;
  const path = name >= 0 ? tree.child(node, 'path') : tree.child(tree.parent[list] ?? -1, 'path');
  const inner = tree.kind(path) === 'scoped_identifier' ? tree.child(path, 'name') : path;
  const bound = tree.text(name < 0 ? node : name);
  if (inner < 0 || tree.text(inner) !== bound) return undefined;
  const slot = module.items.get(bound)?.find(one => facts.definition(one).kind === 'module');
  return slot === undefined ? undefined : facts.member(facts.slot(slot), bound);
}

/** What a path in a `use` denotes, behind `of`. Its first name is an item of the module, something imported, or a crate. */
function useValue(walk: Walk, node: number, of: number): number {
  const { tree, facts, module } = walk;
  switch (tree.kind(node)) {
    case 'crate':
      return facts.free('crate');
    case 'super':
      return of < 0 ? parentValue(walk) : facts.member(of, 'super');
    case 'self':
      return of < 0 ? moduleValue(walk) : of;
    case 'scoped_identifier': {
      const path = tree.child(node, 'path');
      const name = tree.text(tree.child(node, 'name'));
      if (path < 0) return facts.free(`::${name}`);
      return facts.member(useValue(walk, path, of), name);
    }
    default: {
      const name = tree.text(node);
      if (of >= 0) return facts.member(of, name);
      const bound = module.scopes.resolve(name)?.expression ?? -1;
      // `use log::log` names the crate first and binds its own name.
      return bound < 0 ? firstOfPath(walk, name) : bound;
    }
  }
}

/** What the first name of a path in a `use` leads to. */
function firstOfPath(walk: Walk, name: string): number {
  const { facts, module } = walk;
  const item = itemIn(walk, module, name, '');
  if (item !== undefined) return item;
  return module.globs.length > 0 ? outerValue(walk, name, '#') : facts.free(`use ${placeOf(facts, module)}${name}`);
}

/** Emits the names in a `use`, in their order. */
export function referUse(walk: Walk, node: number, of: number, kind: ReferenceKind = 'import'): void {
  const { tree, facts } = walk;
  switch (tree.kind(node)) {
    case 'use_list':
      for (const one of tree.namedChildren(node)) referUse(walk, one, of);
      return;
    case 'scoped_use_list': {
      const path = tree.child(node, 'path');
      referUse(walk, path, of, 'type');
      referUse(walk, tree.child(node, 'list'), useValue(walk, path, of));
      return;
    }
    case 'use_wildcard':
      for (const one of tree.namedChildren(node)) referUse(walk, one, of, 'type');
      return;
    case 'use_as_clause':
      referUse(walk, tree.child(node, 'path'), of);
      return;
    case 'scoped_identifier':
      referUse(walk, tree.child(node, 'path'), of, 'type');
      facts.refer(tree.child(node, 'name'), kind, useValue(walk, node, of));
      return;
    case 'identifier':
      facts.refer(node, kind, useValue(walk, node, of));
      return;
    default:
  }
}

/** The imports of a file as lists show them: `use a::{b, c as d, e::*}` is three, `extern crate a` is one. */
export function importsOf(tree: SyntaxTree, declaration: number): readonly ImportSite[] {
  if (tree.kind(declaration) === 'extern_crate_declaration') {
    const [specifier, alias] = [
      tree.text(tree.child(declaration, 'name')),
      tree.text(tree.child(declaration, 'alias')),
    ];
    const local = alias || specifier;
    return [{ specifier, name: '*', local, wildcard: false, typeOnly: false, line: lineOf(tree, declaration) }];
  }
  const exported = tree.text(tree.childOfKind(declaration, 'visibility_modifier')) === 'pub';
  return uses(tree, tree.child(declaration, 'argument'), '', lineOf(tree, declaration)).map(one => ({
    ...one,
    exported,
  }));
}

function uses(tree: SyntaxTree, node: number, prefix: string, line: number): readonly ImportSite[] {
  const one = (specifier: string, name: string, local: string): ImportSite => ({
    specifier,
    name,
    local,
    wildcard: name === '*',
    typeOnly: false,
    line,
  });
  const under = (path: string): string => (prefix === '' ? path : `${prefix}::${path}`);
  switch (tree.kind(node)) {
    case 'scoped_use_list':
      return uses(tree, tree.child(node, 'list'), under(tree.text(tree.child(node, 'path'))), line);
    case 'use_list':
      return tree.namedChildren(node).flatMap(child => uses(tree, child, prefix, line));
    case 'use_as_clause': {
      const [plain] = uses(tree, tree.child(node, 'path'), prefix, line);
      return plain === undefined ? [] : [{ ...plain, local: tree.text(tree.child(node, 'alias')) }];
    }
    case 'use_wildcard':
      return [one(under(tree.text(tree.firstChild(node))), '*', '')];
    case 'scoped_identifier': {
      const name = tree.text(tree.child(node, 'name'));
      return [one(under(tree.text(tree.child(node, 'path'))), name, name)];
    }
    case 'self':
      return [one(prefix, '*', prefix.slice(prefix.lastIndexOf(':') + 1))].map(self => ({ ...self, wildcard: false }));
    default: {
      const name = tree.text(node);
      return name === '' ? [] : [one(prefix, name, name)];
    }
  }
}
