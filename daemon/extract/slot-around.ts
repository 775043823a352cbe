import type { FactsBuilder } from './builder.ts';

/** Slot of the innermost definition around what is walked whose kind is one of those wanted; -1 where there is none. */
export function slotAround(facts: FactsBuilder, isWanted: (kind: string) => boolean): number {
  let slot = facts.enclosing;
  while (slot >= 0 && !isWanted(facts.definition(slot).kind)) slot = facts.definition(slot).container;
  return slot;
}
