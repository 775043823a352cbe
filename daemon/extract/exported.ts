import type { DefinitionFact, Range } from '../model/facts.ts';
import { lastDescriptorAt } from '../model/identity.ts';

/**
 * Takes back what walkers said by each definition's own words (`export`, `pub`, a capital, no `_`) where it can't be
 * reached after all: what a function declares is its own, and a member is as hidden as what it stands in. A container
 * that another file declares (`impl Shape { … }`, `void Shape::area() {}`) takes nothing back, and a function nothing that
 * is written behind it (`run.later = () => …`).
 */
export function settleExported(
  definitions: readonly { -readonly [K in keyof DefinitionFact]: DefinitionFact[K] }[],
): void {
  const slots = new Map<string, number>();
  definitions.forEach(({ tail }, slot) => {
    if (!slots.has(tail)) slots.set(tail, slot);
  });
  const settled = new Set<number>();
  const settle = (slot: number): boolean => {
    const one = definitions[slot]!;
    if (!settled.has(slot)) {
      settled.add(slot);
      one.exported &&= isReached(one);
    }
    return one.exported;
  };
  const isReached = (one: DefinitionFact): boolean => {
    const container = one.tail.slice(0, lastDescriptorAt(one.tail));
    const direct = definitions[one.container]?.tail === container ? one.container : slots.get(container);
    if (direct !== undefined) {
      const isBehind = direct === one.container && !isBefore(one.range, definitions[direct]!.range);
      return (!isCallable(container) || isBehind) && settle(direct);
    }
    // Descriptors between the two name what is none by itself, as the keys of an object that a function returns.
    for (let outer = container; outer !== ''; outer = outer.slice(0, lastDescriptorAt(outer))) {
      const slot = slots.get(outer);
      if (slot !== undefined) return settle(slot);
    }
    return true;
  };
  for (let slot = 0; slot < definitions.length; slot++) settle(slot);
}

/** Whether a range begins before another one's end. */
function isBefore({ startLine, startColumn }: Range, { endLine, endColumn }: Range): boolean {
  return startLine < endLine || (startLine === endLine && startColumn < endColumn);
}

function isCallable(tail: string): boolean {
  return tail.endsWith(').');
}
