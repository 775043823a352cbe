import { substituted } from './environments.ts';
import { libraryType } from './library.ts';
import { either, first, optionsOf } from './options.ts';
import type { Lookup } from './resolver.ts';
import { roleOf } from './roles.ts';
import type { DefinitionValue, Value } from './values.ts';

/** How a value that is awaited is written behind a dot, among its members. */
export const awaitMember = '.await';

/** Aliases and wrappers that are looked through. */
const maxSteps = 6;

/**
 * What awaiting a value gives that is a future by its type: what its `impl` of `Future` or `IntoFuture` says, or the bound
 * of a trait. Undefined of any other: the value of a function that is `async` stands for what awaiting it gives.
 */
export function awaitedInRust(look: Lookup, of: Value, steps = 0): Value | undefined {
  if (steps > maxSteps) return undefined;
  if (of.kind === 'either') return first(of.options, one => awaitedInRust(look, one, steps + 1));
  if (of.kind !== 'instance') return undefined;
  const type = of.of.kind === 'applied' ? of.of.of : of.of;
  if (type.kind !== 'definition') return awaitedOfLibrary(look, of, steps);
  const found = roleOf(type) === 'alias' ? awaitedByAlias(look, type, steps) : either(outputsOf(look, type));
  return of.of.kind === 'applied' ? substituted(found, of.of) : found;
}

function awaitedByAlias(look: Lookup, of: DefinitionValue, steps: number): Value | undefined {
  const type = either(typesOf(look, of));
  return type === undefined ? undefined : awaitedInRust(look, type, steps + 1);
}

function outputsOf(look: Lookup, { scope, tail }: DefinitionValue): readonly (Value | undefined)[] {
  return optionsOf(look.definition(scope, tail, 'Output#')).flatMap(one =>
    one.kind === 'definition' && /`impl (?:Into)?Future(?: for [^`]*)?`#Output#$/.test(one.tail)
      ? typesOf(look, one)
      : [],
  );
}

function typesOf(look: Lookup, { sites }: DefinitionValue): readonly (Value | undefined)[] {
  return sites.map(({ document, slot }) => {
    const { type } = document.facts.definitions[slot]!;
    return type < 0 ? undefined : look.evaluate(document, type);
  });
}

function awaitedOfLibrary(look: Lookup, of: Value, steps: number): Value | undefined {
  const type = libraryType(of);
  const [inner] = type?.arguments ?? [];
  if (type === undefined || inner === undefined) return undefined;
  if (/^(?:(?:Local)?BoxFuture|Future)$/.test(type.name)) return inner;
  return /^(?:Pin|Box)$/.test(type.name) ? awaitedInRust(look, inner, steps + 1) : undefined;
}
