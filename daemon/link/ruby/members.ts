import { isStaticTail } from '../../model/identity.ts';
import { either, first, optionsOf, sure } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { roleOf } from '../roles.ts';
import type { DefinitionValue, Value } from '../values.ts';
import {
  ancestorsOf,
  extensionsOf,
  includesOf,
  isUnknown,
  openedBehind,
  openedOf,
  scope,
  superclassOf,
} from './ancestors.ts';
import { libraryOf } from './library.ts';

/** Whether the class's own are looked at, or only what stands above. */
export type Start = 'own' | 'above';

/** So many classes one above the other are looked at. */
const maxClasses = 40;

/** A method of the class's objects. */
export function methodOf(look: Lookup, type: DefinitionValue, name: string, start: Start = 'own'): Value | undefined {
  const ancestors = ancestorsOf(look, type);
  const own = ancestors.findIndex(one => one.kind === 'definition' && one.tail === type.tail);
  return first(start === 'own' ? ancestors : ancestors.slice(own + 1), one => {
    if (one.kind !== 'definition') return undefined;
    return sure(directMethod(look, one.tail, name, false), one.tail === type.tail ? 0.96 : 0.93);
  });
}

/** A method of the class itself: its own, what it extends, what modules that it includes give to it by custom; then its base's. */
export function staticMethodOf(
  look: Lookup,
  type: DefinitionValue,
  name: string,
  start: Start = 'own',
): Value | undefined {
  let at: Value | undefined = type;
  for (let count = 0; at?.kind === 'definition' && count < maxClasses; count++) {
    const isOwn = count === 0;
    const found: Value | undefined =
      (isOwn && start === 'above' ? undefined : sure(directMethod(look, at.tail, name, true), isOwn ? 0.96 : 0.93)) ??
      first(extensionsOf(look, at), one =>
        one.kind === 'definition' ? sure(methodOf(look, one, name), 0.93) : undefined,
      ) ??
      first(includesOf(look, at), one => (one.kind === 'definition' ? ofClassMethods(look, one, name) : undefined)) ??
      (isOwn && isModule(at) ? ofClassMethods(look, at, name) : undefined);
    if (found !== undefined) return found;
    const base: Value | undefined = superclassOf(look, at) ?? openedOf(look, at);
    at = base?.kind === 'external' ? openedBehind(look, base) : base;
  }
  return undefined;
}

/** `X.new` runs `initialize`. */
export function maker(look: Lookup, type: DefinitionValue): Value | undefined {
  const own = staticMethodOf(look, type, 'new') ?? methodOf(look, type, 'initialize');
  if (own !== undefined) return sure(own, 0.95);
  return ancestorsOf(look, type).some(isUnknown) ? undefined : libraryOf('Class.new');
}

function isModule({ sites }: DefinitionValue): boolean {
  const { document, slot } = sites[0]!;
  return document.facts.definitions[slot]!.kind === 'module';
}

/** What a module's `included` extends the class with. */
function ofClassMethods(look: Lookup, module: DefinitionValue, name: string): Value | undefined {
  return sure(directMethod(look, `${module.tail}ClassMethods#`, name, false), 0.85);
}

/** A variable of the class's objects, or of the class. */
export function variableOf(look: Lookup, type: DefinitionValue, name: string, isStatic: boolean): Value | undefined {
  const isOfClass = isStatic && !name.startsWith('@@');
  return first(ancestorsOf(look, type), one => {
    if (one.kind !== 'definition') return undefined;
    const found = optionsOf(look.definition(scope, one.tail, name)).filter(
      option => option.kind === 'definition' && isStaticTail(option.tail) === isOfClass,
    );
    return sure(either(found), one.tail === type.tail ? 0.96 : 0.9);
  });
}

/** `x=` is also what an `attr_writer` makes, which is defined as `x`. */
function directMethod(look: Lookup, tail: string, name: string, isStatic: boolean): Value | undefined {
  const isMethod = (one: Value): boolean =>
    one.kind === 'definition' && one.tail.endsWith(').') && isStaticTail(one.tail) === isStatic;
  const found = either(optionsOf(look.definition(scope, tail, name)).filter(isMethod));
  if (found !== undefined || !/^\w+=$/.test(name)) return found;
  const property = optionsOf(look.definition(scope, tail, name.slice(0, -1))).filter(isMethod);
  return either(property.filter(one => one.kind === 'definition' && roleOf(one) === 'value'));
}
