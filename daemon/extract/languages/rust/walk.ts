import { lastDescriptorAt } from '../../../model/identity.ts';
import type { FactsBuilder } from '../../builder.ts';
import type { Slots } from '../../outline.ts';
import { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';

/** What the parts of one file's walk share. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  readonly slots: Slots;
  /** Identifiers that bind a local, hence no references. */
  readonly bound: Set<number>;
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
  readonly globs: Glob[];
}

/** What `use a::*` opens. */
export interface Glob {
  readonly of: number;
  /** It is the module around. */
  readonly isParent: boolean;
  /** The slot of an enum of this module, or -1. */
  readonly own: number;
  /** It is of a crate, which may be anybody's and have any name. */
  readonly isForeign: boolean;
}

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
export function nameValue(walk: Walk, name: string): number {
  return nameIn(walk, walk.module, name);
}

export function nameIn(walk: Walk, module: Module, name: string): number {
  const found = module.scopes.resolve(name);
  if (found !== undefined) return found.expression;
  return itemIn(walk, module, name) ?? outerValue(walk, module, name);
}

export function itemIn({ facts }: Walk, module: Module, name: string): number | undefined {
  const slots = module.items.get(name);
  return slots?.map(slot => facts.slot(slot)).reduce((of, other) => facts.either(of, other));
}

/** So many globs of a module are looked through for a name. */
const maxGlobs = 12;

/** What a module's globs, the crates or the language have under a name. */
export function outerValue(walk: Walk, module: Module, name: string): number {
  const { facts } = walk;
  const globs = module.globs.slice(0, maxGlobs);
  // The module around asks the crates and the language.
  const isOpen = !globs.some(one => one.isParent);
  let found = -1;
  for (const one of globs) if (!one.isForeign) found = facts.otherwise(found, opened(walk, module, one, name));
  if (isOpen) found = facts.otherwise(found, facts.free(name));
  for (const one of globs) if (one.isForeign) found = facts.otherwise(found, facts.member(one.of, name));
  return found;
}

function opened(walk: Walk, module: Module, { of, isParent, own }: Glob, name: string): number {
  const { facts } = walk;
  if (own >= 0) return facts.slot(facts.slotsNamed(own, name)[0] ?? -1);
  return isParent && module.parent !== undefined ? nameIn(walk, module.parent, name) : facts.member(of, name);
}
