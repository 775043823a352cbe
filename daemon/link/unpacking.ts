import type { MountedDocument } from '../model/document.ts';
import type { Cells } from './cells.ts';
import type { CellsOfDefinitions } from './definition-cells.ts';
import { substituted } from './environments.ts';
import { instance } from './instances.ts';
import { awaitedOf, elementOf } from './library.ts';
import { first, then } from './options.ts';
import { roleOf } from './roles.ts';
import type { DefinitionValue, Value } from './values.ts';

export type Part = 'element' | 'awaited';

interface Sources {
  readonly cells: Cells<Value, MountedDocument>;
  readonly cellsOf: CellsOfDefinitions;
  typeOf(of: DefinitionValue): Value | undefined;
  basesOf(of: DefinitionValue): Iterable<Value>;
}

/**
 * Looks through variables, aliases, unions and base types for a library type to take apart: what iterating over a value
 * gives, or awaiting it.
 */
export function createUnpacking({
  cells,
  cellsOf,
  typeOf,
  basesOf,
}: Sources): (of: Value, part: Part) => Value | undefined {
  const unpack = (of: Value, part: Part): Value | undefined => {
    if (of.kind === 'either') return first(of.options, one => unpack(one, part));
    const inner = of.kind === 'instance' ? of.of : of;
    const type = inner.kind === 'applied' ? inner.of : inner;
    if (type.kind !== 'definition' || !isLookedThrough(type, part)) return wrapped(of, part);
    const found = cells.get(cellsOf(type).facets, part, () => unpackDefinition(type, part));
    return inner.kind === 'applied' ? substituted(found, inner) : found;
  };

  const unpackDefinition = (of: DefinitionValue, part: Part): Value | undefined =>
    roleOf(of) === 'type'
      ? first([...basesOf(of)], base => unpack(instance(base), part))
      : then(typeOf(of), type => unpack(type, part));

  return unpack;
}

/** What is awaited is a library's promise or the value itself, whatever its class extends. */
function isLookedThrough(of: DefinitionValue, part: Part): boolean {
  const role = roleOf(of);
  return role === 'value' || role === 'alias' || (role === 'type' && part === 'element');
}

function wrapped(of: Value, part: Part): Value | undefined {
  return then(part === 'element' ? elementOf(of) : awaitedOf(of), instance);
}
