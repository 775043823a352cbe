import type { MountedDocument, ScopeKey } from '../../model/document.ts';
import type { Condition } from '../../model/facts.ts';
import { lastDescriptorAt } from '../../model/identity.ts';
import { bareType } from '../instances.ts';
import { either, first, optionsOf, then } from '../options.ts';
import type { Lookup, Resolver } from '../resolver.ts';
import { isPlace, isType, roleOf, withoutConstructors } from '../roles.ts';
import { containerOf, surfaceOf } from '../surface.ts';
import { type DefinitionValue, ofOtherUse, type Value } from '../values.ts';
import { conditionOf, standingOf } from './conditions.ts';
import { includedFile, libraryOf, sightOf } from './includes.ts';
import { standardNames } from './library.ts';
import { chosenFromCpp } from './overloads.ts';
import { pointed } from './pointers.ts';

/**
 * C and C++: one scope for the whole repository, of which a file sees what it includes. Names are looked for from the
 * place where they stand (`context|a::b`), outwards through classes, their bases, and namespaces.
 */
export const cResolver: Resolver = {
  module(ask, from, one) {
    const path = includedFile(ask, from.path, one);
    return path === undefined ? undefined : { kind: 'module', path };
  },
  importTarget(look, from, index) {
    const one = from.facts.imports[index]!;
    const path = includedFile(look, from.path, one);
    return path === undefined ? libraryOf(from.facts.language, one) : { kind: 'module', path };
  },
  named(look, from, name) {
    const condition = conditionOf(name);
    const bar = name.indexOf('|');
    const written = name.slice(condition === '' ? 0 : 1, bar);
    // What a test made of a fixture sees: see `fixtureOf`.
    const isInFixture = written.endsWith(':');
    const context = isInFixture ? containerOf(written) : written;
    const isOpening = name[bar + 1] === '=';
    const path = name.slice(bar + (isOpening ? 2 : 1)).split('::');
    // A word of the language: see `plainType`.
    if (path[0]?.startsWith('#')) return standard('cpp', path[0].slice(1));
    const fixture = isInFixture ? fixtureAt(look, from, written) : undefined;
    if (path[0]?.startsWith('^')) return initialised(look, from, context, path[0].slice(1));
    if (path[0]?.startsWith('!')) return then(initialised(look, from, context, path[0].slice(1)), () => ofOtherUse);
    if (/^[()]/.test(path[0] ?? '')) return calledOrCast(look, from, { context, names: path, isOpening, condition });
    if (path[0] === 'this') return fixture ?? classAround(look, from, context);
    if (path[0] === 'std') return standard('cpp', path.slice(1).join('.'));
    const isGlobal = path[0] === '';
    const names = isGlobal ? path.slice(1) : path;
    if (isGlobal && names[0] === 'std') return standard('cpp', names.slice(1).join('.'));
    const inherited = isGlobal || isOpening ? undefined : then(fixture, type => inFixture(look, type, names));
    const found = inherited ?? lookUp(look, from, { context: isGlobal ? '' : context, names, isOpening, condition });
    if (found !== undefined || names.length > 1) return found;
    return outside(names[0]!) ?? undeclared(look, from, names[0]!, condition);
  },
  extension: (look, from, of, name) => then(hidden(look, from, of), type => look.member(type, name)),
  constructors: 'its name',
  overload: chosenFromCpp,
  pointed,
};

const shared = 'c:' as ScopeKey;

function isMacro(one: Value): boolean {
  return one.kind === 'definition' && one.tail.endsWith('!');
}

function outside(name: string): Value | undefined {
  return standardNames.has(name) ? standard('c', name) : undefined;
}

/** Less sure than what is seen by rule: of a header that relies on what was included before it, of namespaces made by macros. */
const likely = 0.85;
const possible = 0.7;

/** What is looked for: a name or a path, from where on. */
interface Wanted {
  readonly context: string;
  readonly names: readonly string[];
  /** It is the namespace that `using namespace` opens. */
  readonly isOpening: boolean;
  /** Of the preprocessor, under which the name stands. */
  readonly condition: Condition;
}

/** `(name)(x)`: behind `(` the function that it calls, behind `)` anything else; each is the other's where that is meant. */
function calledOrCast(
  look: Lookup,
  from: MountedDocument,
  { names: [marked = ''], ...wanted }: Wanted,
): Value | undefined {
  const name = marked.slice(1);
  const found = lookUp(look, from, { ...wanted, names: [name] }) ?? undeclared(look, from, name, wanted.condition);
  const isFunction = (one: Value): boolean => one.kind === 'definition' && roleOf(one) === 'callable' && !isMacro(one);
  const isCall = optionsOf(found).some(isFunction);
  return isCall === marked.startsWith('(') ? (found ?? outside(name)) : ofOtherUse;
}

/** The class that a test is built from, by what it is called where the test stands. */
function fixtureAt(look: Lookup, from: MountedDocument, written: string): Value | undefined {
  return look.once(`c fixture ${from.path} ${written}`, () => {
    const names = nameOf(written).split('::');
    const found = optionsOf(
      lookUp(look, from, { context: containerOf(written), names, isOpening: false, condition: '' }),
    );
    return found.find(one => one.kind === 'definition' && isType(one));
  });
}

/** What the fixture or a class above it has under the first of some names, and in that the others. */
function inFixture(look: Lookup, type: Value, [name = '', ...rest]: readonly string[]): Value | undefined {
  const found = withoutConstructors(look.member(type, name));
  return rest.reduce<Value | undefined>((of, one) => then(holding(of), holder => look.member(holder, one)), found);
}

/** Paths of more names have no target: what a lookup costs grows with the third power of them. */
const maxNames = 32;

function lookUp(look: Lookup, from: MountedDocument, wanted: Wanted): Value | undefined {
  const { context, names, isOpening, condition } = wanted;
  if (names.length > maxNames) return undefined;
  const [name = '', ...rest] = names;
  const below = (value: Value): Value | undefined => under(look, from, value, rest);
  const namedAt = (place: string) => standingOf(namedIn(look, from, place, name), name, condition);
  const places = placesOf(context);
  const found =
    first(places, place => firstOf(namedAt(place), one => seen(look, from, below(one)))) ??
    (isOpening ? undefined : opened(look, from, one => seen(look, from, then(memberOf(look, from, one, name), below))));
  if (found !== undefined) return found;
  const unopened = first(places, place => inUnopened(look, from, place, names));
  if (unopened !== undefined) return unopened;
  if (reliesOnOthers(look, from)) {
    const guess = first(places, place => firstOf(namedAt(place), below));
    if (guess !== undefined) return withConfidence(guess, likely);
  }
  const isNamespace = !optionsOf(look.definition(shared, '', name)).some(isType);
  // A namespace that nobody writes down is one that a macro opens: what stands in it is found without, and in no class.
  const outside = places.find(place => !place.includes('#')) ?? '';
  return rest.length > 0 && isNamespace
    ? withConfidence(lookUp(look, from, { context: outside, names: rest, isOpening, condition }), likely)
    : undefined;
}

/** What stands at the end of some names in what a value holds. */
function under(
  look: Lookup,
  from: MountedDocument,
  value: Value | undefined,
  names: readonly string[],
): Value | undefined {
  return names.reduce((of, one) => then(holding(of), holder => memberOf(look, from, holder, one)), value);
}

/** `namespace a::b {` opens `a` without a word of its own: the first names of a path may be such namespaces. */
function inUnopened(look: Lookup, from: MountedDocument, place: string, names: readonly string[]): Value | undefined {
  if (place.endsWith('#')) return undefined;
  let around = place;
  for (const [index, name] of names.entries()) {
    const found = firstOf(index === 0 ? [] : namedIn(look, from, around, name), one =>
      seen(look, from, under(look, from, one, names.slice(index + 1))),
    );
    if (found !== undefined) return found;
    around += `${name}/`;
  }
  return undefined;
}

/**
 * What a class or namespace has under a name; a class is named in itself, too. Of a namespace it is what the file keeps to
 * itself there, then what all have, then what headers keep to whoever includes them.
 */
function memberOf(look: Lookup, from: MountedDocument, holder: Value, name: string): Value | undefined {
  const isItself = (one: Value): boolean => one.kind === 'definition' && isType(one) && nameOf(one.tail) === name;
  const place = namespaceOf(look, holder);
  const own = place && look.definition(ownScope(from), `${place.tail}static/`, name);
  const found = look.member(holder, name) ?? optionsOf(holder).find(isItself);
  return beside(own, found) ?? (place && kept(look, from, `${place.tail}static/`, name));
}

/**
 * What a file keeps to itself, with what others have of that name: functions overload each other, of a template what is
 * written for some arguments is not meant by its name. Anything else is the file's own.
 */
function beside(own: Value | undefined, others: Value | undefined): Value | undefined {
  if (own === undefined || others === undefined) return own ?? others;
  const isFunction = (one: Value): boolean => one.kind === 'definition' && roleOf(one) === 'callable';
  const functions = [...optionsOf(own), ...optionsOf(others)];
  return functions.every(isFunction) ? either(functions) : (plainOf(own) ?? others);
}

/** The namespace that a value is, or is another name of. */
function namespaceOf(look: Lookup, of: Value | undefined, steps = 0): DefinitionValue | undefined {
  const place = optionsOf(of).find((one): one is DefinitionValue => one.kind === 'definition' && isPlace(one));
  if (place === undefined) return undefined;
  const { document, slot } = place.sites[0]!;
  const { type } = document.facts.definitions[slot]!;
  if (type < 0) return place;
  return steps < maxAliases ? namespaceOf(look, look.evaluate(document, type), steps + 1) : undefined;
}

const maxAliases = 4;

/** C lets a function be called that nothing declares; where one file defines it, that is the one. */
function undeclared(look: Lookup, from: MountedDocument, name: string, condition: Condition): Value | undefined {
  if (from.facts.language !== 'c') return undefined;
  const [found] = standingOf([look.definition(shared, '', name)], name, condition);
  if (found?.kind !== 'definition' || roleOf(found) !== 'callable' || found.tail.endsWith('!')) return undefined;
  return withConfidence(found, possible);
}

/** What a namespace has that the file opens. */
function opened(look: Lookup, from: MountedDocument, find: (namespace: Value) => Value | undefined): Value | undefined {
  return first(surfaceOf(from.facts).exports.get('using') ?? [], index => {
    const namespace = holding(look.evaluate(from, index));
    return namespace === undefined || namespace.kind === 'external' ? undefined : find(namespace);
  });
}

/** What can stand before `::`: of a namespace and a variable of one name, the namespace. */
function holding(value: Value | undefined): Value | undefined {
  const isHolder = (one: Value): boolean => one.kind !== 'definition' || isPlace(one) || isType(one);
  return either(optionsOf(value).filter(isHolder));
}

/** A header may rely on what its users include before it, and so may a piece of a file that includes nothing. */
function reliesOnOthers(look: Lookup, from: MountedDocument): boolean {
  return /\.(?:h|hh|hpp|hxx|ipp|inc|inl|def|tcc)$/.test(from.path) || sightOf(look, from).size === 1;
}

/** A class or namespace and all around it, innermost first; '' is the file's own. */
function placesOf(context: string): readonly string[] {
  const places: string[] = [];
  for (let tail = context; tail !== ''; tail = containerOf(tail)) {
    if (tail.endsWith('static/')) continue;
    places.push(tail);
    // `void a::B::f() {}` tells no namespace from a class.
    const asNamespaces = containerOf(tail).replaceAll('#', '/') + tail.slice(lastDescriptorAt(tail));
    if (asNamespaces !== tail) places.push(asNamespaces);
    if (tail.endsWith('#')) places.push(asNamespaces.replaceAll('#', '/'));
  }
  return [...new Set([...places, ''])];
}

/** What a class or namespace has under a name: the file's own, all others', what headers keep to their users. */
function* namedIn(look: Lookup, from: MountedDocument, place: string, name: string): Generator<Value> {
  if (place.endsWith('#')) {
    const type = typeAt(look, from, place) ?? typeAt(look, from, ofTheFile(place));
    // Inside a class its name is the class, not one of its constructors.
    const isItself = type === undefined || nameOf(place) === name;
    const found = isItself ? type : (macroFirst(look.member(type, name)) ?? baseNamed(look, type, name));
    if (found !== undefined) yield found;
    return;
  }
  const own = look.definition(ownScope(from), `${place}static/`, name);
  const plain = plainOf(own);
  if (plain !== undefined) yield plain;
  const common = primary(look.definition(shared, place, name));
  if (common !== undefined) yield common;
  const held = kept(look, from, `${place}static/`, name);
  if (held !== undefined) yield held;
  if (plain === undefined && own !== undefined) yield optionsOf(own)[0]!;
}

/** What a macro is called is the macro, whatever the class seems to have of that name. */
function macroFirst(members: Value | undefined): Value | undefined {
  return optionsOf(members).find(isMacro) ?? withoutConstructors(members);
}

/** Inside a class those that it is built on bear their names, wherever they stand. */
function baseNamed(look: Lookup, type: Value, name: string): Value | undefined {
  return ancestorsOf(look, type).find(({ tail }) => nameOf(tail) === name);
}

function ancestorsOf(look: Lookup, type: Value): readonly DefinitionValue[] {
  if (type.kind !== 'definition') return [];
  const found = look.once(`c ancestors ${type.scope} ${type.tail}`, () => {
    const known = new Map<string, DefinitionValue>();
    const open = [type];
    for (let one = open.shift(); one !== undefined && known.size < maxAncestors; one = open.shift()) {
      for (const base of look.basesOf(one)) {
        const above = bareType(base);
        if (above?.kind !== 'definition' || known.has(`${above.scope} ${above.tail}`)) continue;
        known.set(`${above.scope} ${above.tail}`, above);
        open.push(above);
      }
    }
    return either([...known.values()]);
  });
  return optionsOf(found).filter((one): one is DefinitionValue => one.kind === 'definition');
}

const maxAncestors = 64;

function ownScope({ path }: MountedDocument): ScopeKey {
  return path as string as ScopeKey;
}

/** What headers keep to whoever includes them: `static inline`. */
function kept(look: Lookup, from: MountedDocument, container: string, name: string): Value | undefined {
  const all = look.definition(shared, container, name);
  if (all === undefined) return undefined;
  const files = sightOf(look, from);
  const paths = optionsOf(all).flatMap(one =>
    one.kind === 'definition' ? one.sites.map(({ document }) => document.path as string) : [],
  );
  return first([...new Set(paths)], path =>
    files.has(path) ? look.definition(path as ScopeKey, container, name) : undefined,
  );
}

/** The template itself before what is written for some of its arguments. */
function primary(value: Value | undefined): Value | undefined {
  return optionsOf(value).length < 2 ? value : (plainOf(value) ?? optionsOf(value)[0]);
}

/** The template without what is written for some of its arguments. */
function plainOf(value: Value | undefined): Value | undefined {
  return either(optionsOf(value).filter(one => one.kind !== 'definition' || !one.tail.endsWith('>`#')));
}

function typeAt(look: Lookup, from: MountedDocument, tail: string): Value | undefined {
  const scope = /(?:^|\/)static\//.test(tail) ? ownScope(from) : shared;
  return optionsOf(look.definition(scope, containerOf(tail), nameOf(tail))).find(
    one => one.kind === 'definition' && one.tail === tail,
  );
}

/** The tail of a class, written with the namespaces around it, where the file keeps it to itself. */
function ofTheFile(tail: string): string {
  let outermost = tail;
  while (containerOf(outermost).endsWith('#')) outermost = containerOf(outermost);
  const around = containerOf(outermost);
  return `${around}static/${tail.slice(around.length)}`;
}

/** The name of a class, by its tail. */
function nameOf(tail: string): string {
  const last = tail.slice(lastDescriptorAt(tail), -1);
  return last.replaceAll('`', '').replace(/<.*$/s, '');
}

function classAround(look: Lookup, from: MountedDocument, context: string): Value | undefined {
  return first(placesOf(context), place => (place.endsWith('#') ? typeAt(look, from, place) : undefined));
}

/** The class itself or a base of it, where an initialiser names one of them and no member. */
function initialised(look: Lookup, from: MountedDocument, context: string, name: string): Value | undefined {
  const type = classAround(look, from, context);
  const member = type === undefined ? undefined : withoutConstructors(look.member(type, name));
  if (optionsOf(member).some(one => one.kind === 'definition' && !isType(one))) return ofOtherUse;
  const found = lookUp(look, from, { context, names: [name], isOpening: false, condition: '' });
  return optionsOf(found).find(one => one.kind !== 'definition' || isType(one));
}

/** What of a value the file can see. */
function seen(look: Lookup, from: MountedDocument, value: Value | undefined): Value | undefined {
  if (value === undefined) return undefined;
  const files = sightOf(look, from);
  const isSeen = (one: Value): boolean =>
    one.kind !== 'definition' || isPlace(one) || one.sites.some(({ document }) => files.has(document.path));
  return either(optionsOf(value).filter(isSeen));
}

/** A header names a structure that one file alone writes down: `typedef struct list list;`. That file sees into it. */
function hidden(look: Lookup, from: MountedDocument, of: Value | undefined): Value | undefined {
  const type = of?.kind === 'instance' ? of.of : of;
  if (type?.kind !== 'definition' || roleOf(type) !== 'alias') return undefined;
  return first(type.sites, ({ document: { facts }, slot }) => {
    const { type: index } = facts.definitions[slot]!;
    const written = index < 0 ? undefined : facts.expressions[index];
    const named = written?.op === 'instance' ? facts.expressions[written.of] : written;
    const tag = named?.op === 'free' ? named.name.split('|')[1]! : nameOf(type.tail);
    return look.definition(ownScope(from), 'static/', tag);
  });
}

function standard(language: 'c' | 'cpp', name: string): Value {
  return { kind: 'external', manager: 'std', package: language, name };
}

function withConfidence(value: Value | undefined, confidence: number): Value | undefined {
  return either(optionsOf(value).map(one => (one.kind === 'definition' ? { ...one, confidence } : one)));
}

function firstOf(many: Iterable<Value>, find: (one: Value) => Value | undefined): Value | undefined {
  for (const one of many) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
