import { substituted } from '../environments.ts';
import { libraryType } from '../library.ts';
import { either, first, optionsOf } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { roleOf } from '../roles.ts';
import type { DefinitionValue, Value } from '../values.ts';

/** What the language takes out of a value by a trait: under which type, of an `impl` of which. */
interface Taking {
  readonly type: string;
  readonly isOf: RegExp;
}

const takings: ReadonlyMap<string, Taking> = new Map([
  ['.await', { type: 'Output#', isOf: /`impl (?:Into)?Future(?: for [^`]*)?`#Output#$/ }],
  ['.item', { type: 'Item#', isOf: /`impl (?:(?:Into)?Iterator|Stream)(?: for [^`]*)?`#Item#$/ }],
]);

/** Aliases and wrappers that are looked through. */
const maxSteps = 6;

export function isTaking(name: string): boolean {
  return takings.has(name);
}

/**
 * What awaiting a value gives, or a loop over it, by what its type's `impl` of the trait says, or for a future, the bound of
 * a trait. Undefined of any other: the value of a function that is `async` stands for what awaiting it gives.
 */
export function takenInRust(look: Lookup, of: Value, name: string, steps = 0): Value | undefined {
  if (steps > maxSteps) return undefined;
  if (of.kind === 'either') return first(of.options, one => takenInRust(look, one, name, steps + 1));
  if (of.kind !== 'instance') return undefined;
  const type = of.of.kind === 'applied' ? of.of.of : of.of;
  if (type.kind !== 'definition') return name === '.await' ? awaitedOfLibrary(look, of, steps) : undefined;
  const found =
    roleOf(type) === 'alias' ? takenByAlias(look, type, name, steps) : given(look, type, takings.get(name)!);
  return of.of.kind === 'applied' ? substituted(found, of.of) : found;
}

function takenByAlias(look: Lookup, of: DefinitionValue, name: string, steps: number): Value | undefined {
  const type = either(typesOf(look, of));
  return type === undefined ? undefined : takenInRust(look, type, name, steps + 1);
}

function given(look: Lookup, { scope, tail }: DefinitionValue, { type, isOf }: Taking): Value | undefined {
  const named = optionsOf(look.definition(scope, tail, type));
  return either(named.flatMap(one => (one.kind === 'definition' && isOf.test(one.tail) ? typesOf(look, one) : [])));
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
  return /^(?:Pin|Box)$/.test(type.name) ? takenInRust(look, inner, '.await', steps + 1) : undefined;
}
