import { ofReceiverPosition } from '../../../model/facts.ts';
import { lineOf, type SyntaxTree } from '../../tree.ts';
import { bindTypeParameters } from './generics.ts';
import { bindUses, exportMacro, exportModule } from './modules.ts';
import { bindPattern } from './patterns.ts';
import { boundsOf, resultOf, typeOf } from './types.ts';
import { bindClosure, valueAt } from './values.ts';
import { openModule, type Self, type Walk } from './walk.ts';

/** The file's own module, or one that is written out. */
export function visitModule(walk: Walk, node: number): void {
  const { tree, facts, slots } = walk;
  const isFile = node === 0;
  const body = isFile ? 0 : tree.child(node, 'body');
  const slot = isFile ? -1 : (slots.byNode.get(node) ?? -1);
  if (body < 0) {
    const specifier = `mod ${fileOf(walk, node)}`;
    facts.addImport({ specifier, name: '', local: '', wildcard: false, typeOnly: false, line: lineOf(tree, node) });
    if (slot >= 0) facts.setType(slot, facts.free(specifier));
    return;
  }
  const outer = { module: walk.module, self: walk.self };
  walk.module = openModule(walk, slot, isFile ? undefined : outer.module);
  walk.self = { type: -1, slot: -1 };
  const uses = bindUses(walk, body);
  for (const child of tree.namedChildren(body)) walk.visit(child);
  exportModule(walk, walk.module, uses);
  if (tree.namedChildren(body).some(child => isMacroCall(tree, child))) exportMacro(walk);
  walk.module = outer.module;
  walk.self = outer.self;
}

function isMacroCall(tree: SyntaxTree, node: number): boolean {
  const inner = tree.kind(node) === 'expression_statement' ? tree.firstChild(node) : node;
  return tree.kind(inner) === 'macro_invocation';
}

/** Where the file of `mod name;` is, seen from the file's own module: by its name, or as `#[path]` says. */
function fileOf(walk: Walk, node: number): string {
  const { tree } = walk;
  const siblings = tree.namedChildren(tree.parent[node]!);
  const above = siblings.slice(0, siblings.indexOf(node)).at(-1) ?? -1;
  const path = /^#\[\s*path\s*=\s*"([^"]+)"/.exec(tree.kind(above) === 'attribute_item' ? tree.text(above) : '')?.[1];
  if (path !== undefined) return `=${path}`;
  const outer: string[] = [];
  for (let at = walk.module; at.parent !== undefined; at = at.parent)
    outer.unshift(walk.facts.definition(at.slot).name);
  return [...outer, tree.text(tree.child(node, 'name'))].join('/');
}

export function visitFunction(walk: Walk, node: number): void {
  const { tree, facts, module } = walk;
  const slot = walk.slots.byNode.get(node) ?? -1;
  module.scopes.inside('function', () => {
    bindTypeParameters(walk, node, -1);
    const parameters = tree.namedChildren(tree.child(node, 'parameters')).filter(one => tree.kind(one) === 'parameter');
    if (slot >= 0) {
      facts.setType(slot, resultOfFunction(walk, node));
      for (const one of parameters) {
        const taken = facts.instance(typeOf(walk, tree.child(one, 'type')));
        facts.addSuper(slot, taken < 0 ? facts.unknown() : taken);
      }
    }
    walk.visit(tree.child(node, 'type_parameters'));
    for (const one of parameters) walk.visit(tree.child(one, 'type'));
    walk.visit(tree.child(node, 'return_type'));
    walk.visit(tree.childOfKind(node, 'where_clause'));
    for (const one of parameters) {
      bindPattern(walk, tree.child(one, 'pattern'), () => facts.instance(typeOf(walk, tree.child(one, 'type'))));
    }
    walk.visit(tree.child(node, 'body'));
  });
}

/** What a trait's method gives of `Self` is what it is called on. */
function resultOfFunction(walk: Walk, node: number): number {
  const { tree, facts, self } = walk;
  const result = resultOf(walk, node);
  const isOfTrait = self.slot >= 0 && facts.definition(self.slot).kind === 'trait';
  if (!isOfTrait || tree.text(tree.child(node, 'return_type')) !== 'Self') return result;
  return facts.either(facts.argument(self.slot, ofReceiverPosition), result);
}

export function visitClosure(walk: Walk, node: number): void {
  const { tree, module } = walk;
  const takes = takenBy(walk, node);
  module.scopes.inside('function', () => {
    for (const one of tree.namedChildren(tree.child(node, 'parameters'))) {
      if (tree.kind(one) === 'parameter') walk.visit(tree.child(one, 'type'));
    }
    bindClosure(walk, node, takes, false);
    walk.visit(tree.child(node, 'return_type'));
    walk.visit(tree.child(node, 'body'));
  });
}

/** What the function takes to which a closure is given. */
function takenBy(walk: Walk, closure: number): number {
  const { tree, facts } = walk;
  const list = tree.parent[closure]!;
  const call = tree.parent[list] ?? -1;
  if (tree.kind(list) !== 'arguments' || tree.kind(call) !== 'call_expression') return -1;
  const position = tree.namedChildren(list).indexOf(closure);
  return facts.parameter(valueAt(walk, tree.child(call, 'function')), position);
}

export function visitImplementation(walk: Walk, node: number): void {
  const { tree, facts, module } = walk;
  const type = tree.child(node, 'type');
  const name = /^&?\s*(?:'\w+\s+)?(?:mut\s+)?(?:\w+::)*(\w+)/.exec(tree.text(type))?.[1] ?? '';
  const owner = (module.items.get(name) ?? []).find(slot =>
    /^(?:struct|enum|trait)$/.test(facts.definition(slot).kind),
  );
  module.scopes.inside('function', () => {
    bindTypeParameters(walk, node, owner ?? -1);
    withSelf(walk, { type, slot: -1 }, () => {
      const trait = tree.child(node, 'trait');
      if (owner !== undefined && trait >= 0) facts.addSuper(owner, typeOf(walk, trait));
      else if (trait >= 0) exportImplementation(walk, node, name);
      for (const child of tree.namedChildren(node)) {
        // It is the type that implements it, wherever that is said, and nobody else that names it there.
        if ((child === trait || child === type) && owner !== undefined) facts.within(owner, () => walk.visit(child));
        else walk.visit(child);
      }
    });
  });
}

/** Of a type that the module doesn't declare nobody else tells that it has the trait; `*` is any type that meets the bounds. */
function exportImplementation({ tree, facts }: Walk, node: number, type: string): void {
  const parameters = tree
    .namedChildren(tree.child(node, 'type_parameters'))
    .map(one => /\w+/.exec(tree.text(one))?.[0]);
  const written = tree.text(tree.child(node, 'type'));
  const taker = /^&?\s*\[/.test(written) ? '[]' : parameters.includes(type) ? '*' : type;
  const [, trait = ''] = /(\w+)\s*(?:<.*)?$/s.exec(tree.text(tree.child(node, 'trait'))) ?? [];
  if (taker !== '' && trait !== '') facts.addExport(`impl ${trait} for ${taker}`, facts.unknown());
}

export function visitType(walk: Walk, node: number): void {
  const { tree, module } = walk;
  const slot = walk.slots.byNode.get(node) ?? -1;
  const kind = tree.kind(node);
  const isAlias = kind === 'type_item' || kind === 'associated_type';
  module.scopes.inside('function', () => {
    bindTypeParameters(walk, node, slot);
    withSelf(walk, isAlias ? walk.self : { type: -1, slot }, () => {
      if (slot >= 0) describeType(walk, node, slot);
      for (const child of tree.namedChildren(node)) walk.visit(child);
    });
  });
}

function describeType(walk: Walk, node: number, slot: number): void {
  const { tree, facts } = walk;
  const bounds = tree.child(node, 'bounds');
  switch (tree.kind(node)) {
    case 'type_item':
      facts.setType(slot, facts.instance(typeOf(walk, tree.child(node, 'type'))));
      return;
    case 'associated_type':
      facts.setType(slot, facts.instance(boundsOf(walk, bounds)));
      return;
    case 'trait_item':
      for (const one of tree.namedChildren(bounds)) {
        if (tree.kind(one) !== 'lifetime') facts.addSuper(slot, typeOf(walk, one));
      }
      return;
    case 'enum_item':
      for (const one of tree.namedChildren(tree.child(node, 'body'))) describeVariant(walk, one, slot);
      return;
    default:
  }
}

/** A variant is a value of its enum; one that holds something is a function to it, too. */
function describeVariant(walk: Walk, node: number, owner: number): void {
  const { tree, facts } = walk;
  const slot = walk.slots.byNode.get(node);
  if (tree.kind(node) !== 'enum_variant' || slot === undefined) return;
  const value = facts.instance(facts.slot(owner));
  const body = tree.child(node, 'body');
  const holds = tree.kind(body) === 'ordered_field_declaration_list' ? tree.childrenIn(body, 'type') : [];
  if (holds.length === 0) {
    facts.setType(slot, value);
    return;
  }
  const made = holds.reduce((of, type) => {
    const held = facts.instance(typeOf(walk, type));
    return facts.generic(of, held < 0 ? facts.unknown() : held);
  }, facts.functionOf(value));
  facts.setType(slot, facts.either(value, made));
}

function withSelf(walk: Walk, self: Self, body: () => void): void {
  const outer = walk.self;
  walk.self = self;
  body();
  walk.self = outer;
}
