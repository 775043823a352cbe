import type { MountedDocument } from '../../model/document.ts';
import { shapeOf } from '../../model/parameter-shape.ts';
import { either, first, optionsOf, then } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { roleOf } from '../roles.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { assignability, isMismatch } from './assignability.ts';
import { kotlinNames } from './names.ts';

/** Kotlin's properties are methods for Java, its objects have their value in a field. */
export function seenFromJava(
  look: Lookup,
  _from: MountedDocument,
  of: Value | undefined,
  name: string,
): Value | undefined {
  if (of === undefined) return undefined;
  const [, property] = /^(?:get|set)([A-Z]\w*)$/.exec(name) ?? [];
  const names = property === undefined ? (/^is[A-Z]/.test(name) ? [name] : []) : [lowered(property), `is${property}`];
  const named = first(names, one => ofKotlin(look.member(of, one)));
  if (named !== undefined) return named;
  return name === 'INSTANCE' ? ofKotlin(of) : undefined;
}

/** Besides what the receiver's type declares: extensions in sight, and Java's getters as properties. */
export function seenFromKotlin(
  look: Lookup,
  from: MountedDocument,
  receiver: Value | undefined,
  name: string,
): Value | undefined {
  // A property that is a method of Java, or of a library's type, has the value that calling it gives.
  const isGetter = receiver?.kind === 'method' || (receiver?.kind === 'definition' && roleOf(receiver) === 'callable');
  if (isGetter) {
    const value = look.call(receiver);
    const own = then(value, of => look.member(of, name));
    if (own !== undefined && own.kind !== 'method') return own;
    return value === undefined ? undefined : (seenFromKotlin(look, from, value, name) ?? own);
  }
  const extension = extensionOf(look, from, receiver, name) ?? then(receiver, of => getterOf(look, of, name));
  if (extension !== undefined || receiver === undefined || !/^[a-z]/.test(name)) return extension;
  if (look.member(receiver, name) !== undefined) return undefined;
  const known = kotlinNames.get(name);
  return known === undefined ? undefined : { kind: 'external', manager: 'std', package: 'kotlin', name: known };
}

function getterOf(look: Lookup, of: Value, name: string): Value | undefined {
  if (!/^[a-z]/.test(name)) return undefined;
  const capital = name[0]!.toUpperCase() + name.slice(1);
  return first([`get${capital}`, `is${capital}`, name], one => {
    const found = look.member(of, one);
    return optionsOf(found).find(option => isOf(option, 'java'));
  });
}

function lowered(name: string): string {
  return name[0]!.toLowerCase() + name.slice(1);
}

function isOf(value: Value, language: string): boolean {
  return value.kind === 'definition' && value.sites[0]!.document.facts.language === language;
}

function ofKotlin(value: Value | undefined): Value | undefined {
  return optionsOf(value).find(one => isOf(one.kind === 'instance' ? one.of : one, 'kotlin'));
}

/** Functions and properties of that name that extend what the receiver is; all of the name where that is not known. */
function extensionOf(
  look: Lookup,
  from: MountedDocument,
  receiver: Value | undefined,
  name: string,
): Value | undefined {
  const imported = from.facts.imports.findIndex(one => one.local === name && !one.wildcard);
  const inSight = imported < 0 ? look.free(from, name) : look.imported(from, from.facts.imports[imported]!);
  const value = look.held(receiver);
  const ranked = optionsOf(inSight).flatMap(one => {
    const rank = one.kind === 'definition' ? rankOf(look, one, value) : undefined;
    return rank === undefined || isMismatch(rank) ? [] : [{ one, rank }];
  });
  const best = Math.max(...ranked.map(({ rank }) => rank));
  const fitting = ranked.filter(({ rank }) => rank === best).map(({ one }) => one);
  return fitting.length === 0 && imported >= 0 && inSight?.kind === 'external' ? inSight : either(fitting);
}

/** How well an extension fits what it is called on; undefined of what is no extension. */
function rankOf(look: Lookup, one: DefinitionValue, receiver: Value | undefined): number | undefined {
  const { document, slot } = one.sites[0]!;
  const { supers, tail, name } = document.facts.definitions[slot]!;
  const [first] = supers;
  if (roleOf(one) === 'callable') {
    if (first === undefined || shapeOf(at => document.facts.expressions[at]!, first) !== 'receiver') return undefined;
    const type = look.evaluate(document, first);
    return assignability(type, receiver, false, of => look.basesOf(of));
  }
  // An extension's property says what it extends in its tail only.
  const end = `.${name}\`.`;
  if (!tail.endsWith(end)) return undefined;
  const type = tail.slice(tail.lastIndexOf('`', tail.length - end.length) + 1, -end.length).replace('?', '');
  const isKnown = receiver === undefined || namesOf(look, receiver, 0).has(type.slice(type.lastIndexOf('.') + 1));
  return isKnown ? 1 : undefined;
}

const maxAncestors = 8;

/** Names of a value's type and of those above it. */
function namesOf(look: Lookup, value: Value, level: number): ReadonlySet<string> {
  const type = value.kind === 'instance' ? value.of : value;
  const bare = type.kind === 'applied' ? type.of : type;
  if (bare.kind === 'external') return new Set([bare.name.slice(bare.name.lastIndexOf('.') + 1), 'Any']);
  if (bare.kind !== 'definition') return new Set();
  const own = bare.sites[0]!.document.facts.definitions[bare.sites[0]!.slot]!.name;
  if (level > maxAncestors) return new Set([own]);
  return new Set([own, ...[...look.basesOf(bare)].flatMap(one => [...namesOf(look, one, level + 1)])]);
}

/** What a class has without declaring it: its companion's members, an enum's own, those that every object has. */
export function implied(look: Lookup, of: DefinitionValue, name: string): Value | undefined {
  const { document, slot } = of.sites[0]!;
  const { kind, type } = document.facts.definitions[slot]!;
  const { language } = document.facts;
  if (language === 'kotlin' && type >= 0) {
    // A companion, and the function that copies an object of a data class.
    const beside = optionsOf(look.evaluate(document, type));
    if (name === 'copy' && beside.some(one => one.kind === 'function')) {
      return { kind: 'function', of: { kind: 'instance', of } };
    }
    const companion = beside.find(one => one.kind === 'definition');
    const inCompanion = then(companion, one => look.member(one, name));
    if (inCompanion !== undefined && inCompanion.kind !== 'method') return inCompanion;
  }
  if (kind === 'enum') {
    const value = ofEnum(of, name);
    if (value !== undefined) return value;
  }
  const root = language === 'java' ? 'java.lang.Object' : 'kotlin.Any';
  if (ofObject.has(name)) return { kind: 'external', manager: 'std', package: language, name: `${root}.${name}` };
  const outer = [...look.basesOf(of)].find(one => (one.kind === 'applied' ? one.of : one).kind === 'external');
  return outer === undefined ? undefined : { kind: 'method', receiver: { kind: 'instance', of: outer }, name };
}

const ofObject = new Set('toString equals hashCode getClass clone notify notifyAll wait finalize'.split(' '));

function ofEnum(of: DefinitionValue, name: string): Value | undefined {
  const self: Value = { kind: 'instance', of };
  const language = of.sites[0]!.document.facts.language;
  const array: Value = {
    kind: 'external',
    manager: 'std',
    package: language === 'java' ? 'java' : 'kotlin',
    name: '[]',
  };
  const all: Value = { kind: 'instance', of: { kind: 'applied', of: array, arguments: [of] } };
  if (name === 'values') return { kind: 'function', of: all };
  if (name === 'valueOf') return { kind: 'function', of: self };
  if (name === 'entries' && language === 'kotlin') return all;
  if (!/^(?:name|ordinal|compareTo|getDeclaringClass)$/.test(name)) return undefined;
  return {
    kind: 'external',
    manager: 'std',
    package: language,
    name: `${language === 'java' ? 'java.lang' : 'kotlin'}.Enum.${name}`,
  };
}
