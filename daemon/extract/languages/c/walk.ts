import { lastDescriptorAt } from '../../../model/identity.ts';
import type { FactsBuilder } from '../../builder.ts';
import type { Slots } from '../../outline.ts';
import type { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';

/** What the parts of one file's walk share. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  readonly slots: Slots;
  readonly scopes: Scopes;
  /** Identifiers that bind a local, hence no references. */
  readonly bound: Set<number>;
  /** Blocks that a macro in front of them makes functions of, by what it makes these methods of: see `fixtureBefore`. */
  readonly fixtures: Map<number, string>;
  /** Tail of the class or namespace that the walk stands in. */
  context: string;
}

/** What a name denotes that no scope inside a function binds: the linker looks for it from the context outwards. */
export function nameValue(walk: Walk, name: string): number {
  const { scopes, facts } = walk;
  const local = scopes.resolve(name);
  if (local !== undefined) return local.expression;
  for (let slot = facts.enclosing; slot >= 0; slot = facts.definition(slot).container) {
    if (!/^(?:function|method|constructor)$/.test(facts.definition(slot).kind)) continue;
    const [inner] = facts.slotsNamed(slot, name);
    if (inner !== undefined) return facts.slot(inner);
  }
  return written(walk, name);
}

/** A name or a path as it is written, `a::b::c`, and where. */
export function written({ facts, context }: Walk, path: string): number {
  return facts.free(`${context}|${path}`);
}

/** The class or namespace whose names are seen inside a definition. */
export function contextOf(facts: FactsBuilder, slot: number): string {
  const { kind, tail } = facts.definition(slot);
  return /^(?:class|struct|namespace)$/.test(kind) ? tail : tail.slice(0, lastDescriptorAt(tail));
}
