import { optionsOf } from './options.ts';
import type { Lookup } from './resolver.ts';
import type { DefinitionValue, Value } from './values.ts';

/**
 * What a class extends, where its declaration lists it among interfaces and may stand in several parts: of what is known
 * the class, else what somebody else's is.
 */
export function extendedClass(look: Lookup, of: DefinitionValue): Value | undefined {
  const bases = [...look.basesOf(of)];
  return bases.find(one => optionsOf(one).some(isClass)) ?? bases.find(one => typeOf(one).kind === 'external');
}

function isClass(base: Value): boolean {
  const type = typeOf(base);
  if (type.kind !== 'definition') return false;
  return type.sites.every(({ document, slot }) => document.facts.definitions[slot]!.kind !== 'interface');
}

function typeOf(base: Value): Value {
  return base.kind === 'applied' ? base.of : base;
}
