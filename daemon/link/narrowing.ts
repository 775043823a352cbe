import { identityOf, through } from './environments.ts';
import { either, optionsOf } from './options.ts';
import { roleOf } from './roles.ts';
import type { DefinitionValue, Value } from './values.ts';

interface Types {
  typeOf(of: DefinitionValue): Value | undefined;
  /** A class and those above it. */
  upFrom(type: Value): readonly DefinitionValue[];
}

/** An alias is followed over so many others. */
const maxSteps = 4;

/**
 * What something is that a test says is of a type: of what it is declared to be, all that is of that type; where nothing
 * is, the type, and what it is declared to be besides. Types that are not the repository's say nothing.
 */
export function narrowed(guard: Value | undefined, declared: Value | undefined, types: Types): Value | undefined {
  const wanted = partsOf(guard, types)
    .flatMap(one => typeBehind(one) ?? [])
    .filter(hasMembersOfItsOwn);
  if (wanted.length === 0) return declared;
  const isWanted = (type: DefinitionValue): boolean => wanted.some(one => identityOf(one) === identityOf(type));
  const fitting = partsOf(declared, types).filter(one => {
    const type = typeBehind(one);
    return type !== undefined && types.upFrom(type).some(isWanted);
  });
  return fitting.length > 0 ? either(fitting) : either([guard, declared]);
}

/** The alternatives of a union, aliases followed. */
function partsOf(value: Value | undefined, types: Types, steps = 0): readonly Value[] {
  return optionsOf(value).flatMap(one => {
    const type = typeBehind(one);
    if (type === undefined || one.kind !== 'instance' || roleOf(type) !== 'alias' || steps > maxSteps) return [one];
    const meant = through(one.of, alias => types.typeOf(alias));
    return meant === undefined ? [one] : partsOf(meant, types, steps + 1);
  });
}

/** An alias of something that can't be told has none. */
function hasMembersOfItsOwn(type: DefinitionValue): boolean {
  const { document, slot } = type.sites[0]!;
  return roleOf(type) === 'type' || (roleOf(type) === 'alias' && document.facts.definitions[slot]!.type < 0);
}

function typeBehind(value: Value): DefinitionValue | undefined {
  if (value.kind !== 'instance') return undefined;
  const type = value.of.kind === 'applied' ? value.of.of : value.of;
  return type.kind === 'definition' ? type : undefined;
}
