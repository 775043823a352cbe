import { lastDescriptorAt } from '../../../model/identity.ts';
import { isAmong, preludeValues } from '../../../model/rust-namespaces.ts';
import type { FactsBuilder } from '../../builder.ts';
import type { Slots } from '../../outline.ts';
import { Scopes } from '../../scopes.ts';
import { lineOf, type SyntaxTree } from '../../tree.ts';

/** What the parts of one file's walk share. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  readonly slots: Slots;
  /** Identifiers that bind a local, hence no references. */
  readonly bound: Set<number>;
  /** What paths begin with that the file does not bind, each once: see `nameCrate`. */
  readonly crates: Set<string>;
  /** The module that the walk stands in. */
  module: Module;
  self: Self;
  /** Emits the references below a node. */
  visit(node: number): void;
}

/** What `Self` means: the type of that node, or the definition at that slot; -1 where it is nothing. */
export interface Self {
  readonly type: number;
  readonly slot: number;
}

/** A module of the file: the file's own, or one written out in it. Nothing of the outer ones is seen in it. */
export interface Module {
  /** Slot of its definition, -1 of the file's. */
  readonly slot: number;
  readonly parent: Module | undefined;
  readonly scopes: Scopes;
  /** Its definitions by name. */
  readonly items: ReadonlyMap<string, readonly number[]>;
  /** What `use a::*` opens in the blocks around; what it opens in the module, the linker looks through. */
  readonly globs: Glob[];
}

export interface Glob {
  readonly of: number;
  /** The slot of an enum of this module, or -1. */
  readonly own: number;
  /** It is of a crate, which may be anybody's and have any name. */
  readonly isForeign: boolean;
}

/**
 * Where a name is looked for, as it is written behind it: among values, among types and modules, among macros, or in all
 * of them, as a `use` does.
 */
export type Namespace = '()' | '#' | '!' | '';

export function openModule(walk: Pick<Walk, 'facts' | 'slots'>, slot: number, parent: Module | undefined): Module {
  return { slot, parent, scopes: new Scopes(), items: itemsOf(walk.facts, slot), globs: [] };
}

/** Definitions directly in a module: members of its types stand elsewhere by their tails. */
function itemsOf(facts: FactsBuilder, module: number): ReadonlyMap<string, readonly number[]> {
  const place = module < 0 ? '' : facts.definition(module).tail;
  const items = new Map<string, number[]>();
  facts.definitions.forEach(({ container, name, tail }, slot) => {
    if (container !== module || tail.slice(0, lastDescriptorAt(tail)) !== place) return;
    const known = items.get(name);
    if (known === undefined) items.set(name, [slot]);
    else if (!known.some(one => facts.definition(one).tail === tail)) known.push(slot);
  });
  return items;
}

/** What a name denotes where the walk stands. */
export function nameValue(walk: Walk, name: string, among: Namespace): number {
  const { facts, module } = walk;
  const found = module.scopes.resolve(name, ({ kind, expression }) => {
    if (among === '') return true;
    return kind === 'local' ? among !== '!' : expression < 0 || boundAmong(walk, expression, among) >= 0;
  });
  if (found === undefined) return itemIn(walk, module, name, among) ?? outerValue(walk, name, among);
  if (found.kind === 'local') return found.expression;
  if (among === '!') return facts.otherwise(boundAmong(walk, found.expression, among), outerValue(walk, name, among));
  const bound = boundAmong(walk, found.expression, among);
  const beside = itemIn(walk, module, name, among) ?? (preludeValues.has(name) ? outerValue(walk, name, among) : -1);
  return among === '' ? bound : facts.otherwise(bound, beside);
}

/** Of what a `use` or an item of a block binds, what is in a namespace. */
function boundAmong(walk: Walk, bound: number, among: Namespace): number {
  const { facts } = walk;
  const one = facts.expressions[bound];
  if (one === undefined || among === '') return bound;
  switch (one.op) {
    case 'member':
      return facts.member(one.of, one.name + among);
    case 'slot':
      return isAmong(facts.definition(one.slot), among) ? bound : -1;
    case 'either':
      return facts.either(boundAmong(walk, one.of, among), boundAmong(walk, one.other, among));
    case 'otherwise':
      return facts.otherwise(boundAmong(walk, one.of, among), boundAmong(walk, one.other, among));
    case 'free':
      // A crate, or what a first name leads to.
      return among === '#' ? bound : -1;
    default:
      return bound;
  }
}

/**
 * Writes down as an import what a path of code begins with, where that may be a crate: it is named there, and nowhere else.
 * Types have other names.
 */
export function nameCrate(walk: Walk, node: number, specifier: string): void {
  const { tree, facts, module, crates } = walk;
  const name = specifier.replace(/^::/, '');
  if (crates.has(specifier) || !/^(?:r#)?[a-z_]\w*$/.test(name)) return;
  const isItem = module.items.get(name)?.some(slot => isAmong(facts.definition(slot), '#')) ?? false;
  if (name === specifier && (isItem || module.scopes.resolve(name) !== undefined)) return;
  crates.add(specifier);
  facts.addImport({ specifier, name: '', local: '', wildcard: false, typeOnly: false, line: lineOf(tree, node) });
}

export function itemIn({ facts }: Walk, module: Module, name: string, among: Namespace): number | undefined {
  const slots = module.items.get(name)?.filter(slot => isAmong(facts.definition(slot), among)) ?? [];
  if (slots.length === 0) return undefined;
  return slots.map(slot => facts.slot(slot)).reduce((of, other) => facts.either(of, other));
}

/** So many globs of blocks are looked through for a name. */
const maxGlobs = 12;

/** What the globs of the blocks around have under a name, or those of the module, the crates or the language. */
export function outerValue({ facts, module }: Walk, name: string, among: Namespace): number {
  const globs = module.globs.slice(-maxGlobs).toReversed();
  const written = among === '!' ? name : name + among;
  let found = -1;
  for (const { of, own, isForeign } of globs) {
    if (isForeign) continue;
    const variant = own >= 0 ? facts.slot(facts.slotsNamed(own, name)[0] ?? -1) : facts.member(of, written);
    found = facts.otherwise(found, variant);
  }
  found = facts.otherwise(found, facts.free(placeOf(facts, module) + name + among));
  for (const { of, isForeign } of globs) if (isForeign) found = facts.otherwise(found, facts.member(of, written));
  return found;
}

/** The tail of a module that is written out in its file, '' of the file's own. */
export function placeOf(facts: FactsBuilder, { slot }: Module): string {
  return slot < 0 ? '' : facts.definition(slot).tail;
}
