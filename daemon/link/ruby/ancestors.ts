import type { MountedDocument, ScopeKey } from '../../model/document.ts';
import { lastDescriptorAt, namesOfTypes } from '../../model/identity.ts';
import { first, optionsOf, pick } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { roleOf } from '../roles.ts';
import { containerOf } from '../surface.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { builtOn, gemNamed, libraryOf, standardConstants } from './library.ts';
import { requiredBy } from './loaded.ts';

/** Tails are qualified names, and classes are open: the language is one scope. */
export const scope = 'ruby:' as ScopeKey;

/** So many classes and modules above one are looked at. */
const maxAncestors = 64;

/** The class or module of that tail. */
export function typeAt(look: Lookup, tail: string): DefinitionValue | undefined {
  const name = tail.slice(lastDescriptorAt(tail), -1);
  const found = pick(look.definition(scope, containerOf(tail), name), tail);
  return found?.kind === 'definition' ? found : undefined;
}

/** What may stand above a class and nobody can tell. */
export function isUnknown(one: Value): boolean {
  return one.kind === 'function';
}

/** In the order in which Ruby looks for a method of the class's objects: what it prepends, itself, what it includes, its base. */
export function ancestorsOf(look: Lookup, type: DefinitionValue): readonly Value[] {
  const all = look.once(`ancestors ${type.tail}`, () => {
    const own = typeAt(look, type.tail);
    return own && { kind: 'either', options: above(look, own) };
  });
  // A class that is above itself.
  return all?.kind === 'either' ? all.options : [type, unknown];
}

/** What the class's own object extends, the last first. */
export function extensionsOf(look: Lookup, type: DefinitionValue): readonly Value[] {
  return basesOf(look, type, 2).toReversed();
}

/** Modules that a file, or one that it requires, includes outside of all classes: every object has them. Of each the last first. */
export function includedAtTop(look: Lookup, from: MountedDocument): readonly DefinitionValue[] {
  const all = look.once(`included ${from.path}`, () => {
    const paths = [from.path, ...requiredBy(look, from)];
    return { kind: 'either', options: paths.flatMap(path => includedBy(look, path)) };
  });
  return all?.kind === 'either' ? all.options.filter(one => one.kind === 'definition') : [];
}

function includedBy(look: Lookup, path: string): readonly Value[] {
  const included = look.exportsNamed(path, 'includes');
  return included?.of.flatMap(index => optionsOf(look.evaluate(included.document, index))).toReversed() ?? [];
}

/** The class that a class extends; undefined where it extends none. */
export function superclassOf(look: Lookup, type: DefinitionValue): Value | undefined {
  return basesOf(look, type, 0)[0];
}

/** The modules that a class includes, the last first. */
export function includesOf(look: Lookup, type: DefinitionValue): readonly Value[] {
  return basesOf(look, type, 1).toReversed();
}

const unknown: Value = { kind: 'function', of: undefined };

function above(look: Lookup, type: DefinitionValue): readonly Value[] {
  const found: Value[] = [];
  const add = (one: Value): void => {
    const isKnown = found.some(other => other === one || (isSame(other, one) && one.kind === 'definition'));
    if (!isKnown && found.length < maxAncestors) found.push(one);
  };
  const addAll = (one: Value): void => (one.kind === 'definition' ? ancestorsOf(look, one).forEach(add) : add(one));
  basesOf(look, type, 3).toReversed().forEach(addAll);
  add(type);
  for (const one of includesOf(look, type)) addAll(one);
  const base = superclassOf(look, type) ?? openedOf(look, type);
  if (base !== undefined) addAll(base);
  const opened = openedBehind(look, base);
  if (opened !== undefined) addAll(opened);
  return found;
}

/** What the repository opens of that on which a dependency builds the class that is meant. */
export function openedBehind(look: Lookup, base: Value | undefined): DefinitionValue | undefined {
  if (base?.kind !== 'external') return undefined;
  return first(builtOn(base.name), name => typeAt(look, tailOf(name)));
}

/** `A.B` is `A#B#`. */
export function tailOf(name: string): string {
  return name
    .split('.')
    .map(one => `${one}#`)
    .join('');
}

/** `class Minitest::Test` opens what a dependency has, where nothing else opens the module around it. */
export function openedOf(look: Lookup, type: DefinitionValue): Value | undefined {
  const outer = containerOf(type.tail);
  if (outer === '' || superclassOf(look, type) !== undefined || typeAt(look, outer) !== undefined) return undefined;
  const names = namesOfTypes(type.tail);
  if (standardConstants.has(names[0]!)) return libraryOf(names.join('.'));
  return { kind: 'external', manager: 'gem', package: gemNamed(names[0]!), name: names.join('.') };
}

function isSame(a: Value, b: Value): boolean {
  return a.kind === 'definition' && b.kind === 'definition' && a.tail === b.tail;
}

function basesOf(look: Lookup, type: DefinitionValue, times: number): readonly Value[] {
  const found = look.once(`bases ${times} ${type.tail}`, () => {
    const own = typeAt(look, type.tail);
    return own && { kind: 'either', options: wrappedBases(look, own, times) };
  });
  return found?.kind === 'either' ? found.options : [];
}

/** What extraction wrapped so many times: a superclass not at all, see its `mixIn`. */
function wrappedBases(look: Lookup, type: DefinitionValue, times: number): readonly Value[] {
  return type.sites.flatMap(({ document, slot }) =>
    document.facts.definitions[slot]!.supers.flatMap(index => {
      let depth = 0;
      let at = index;
      for (; depth < 4; depth++) {
        const one = document.facts.expressions[at]!;
        if (one.op !== 'function') break;
        at = one.of;
      }
      return depth === times ? [classBehind(look, document, at)] : [];
    }),
  );
}

function classBehind(look: Lookup, document: MountedDocument, index: number): Value {
  const [value] = optionsOf(look.evaluate(document, index));
  if (value?.kind === 'external') return value;
  if (value?.kind !== 'definition') return unknown;
  if (roleOf(value) !== 'value') return value;
  // `Base = Other::Base`
  const { document: other, slot } = value.sites[0]!;
  const { type } = other.facts.definitions[slot]!;
  const [behind] = type < 0 ? [] : optionsOf(look.evaluate(other, type));
  const isType = behind?.kind === 'external' || (behind?.kind === 'definition' && roleOf(behind) !== 'value');
  return isType ? behind : unknown;
}
