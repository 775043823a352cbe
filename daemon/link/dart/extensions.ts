import type { MountedDocument } from '../../model/document.ts';
import { lastDescriptorAt } from '../../model/identity.ts';
import { substituted } from '../environments.ts';
import { foreignResult } from '../foreign.ts';
import { instance } from '../instances.ts';
import { optionsOf, pick } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { roleOf } from '../roles.ts';
import { containerOf } from '../surface.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { libraryFiles, mainOf, memberOfFile, seenBy } from './libraries.ts';
import { aboveInSdk, memberOfPackage } from './library.ts';

/** So many types above one are looked at. */
const maxAncestors = 40;

/** A member that an extension gives to a value, of those that the library sees. */
export function extensionOf(look: Lookup, from: MountedDocument, of: Value, name: string): Value | undefined {
  const types = typesOf(look, of);
  if (types.length === 0) return undefined;
  for (const one of addedMembers(look, from, name)) {
    if (extendsOneOf(look, one, types)) return { ...one, confidence: 0.88 };
  }
  return undefined;
}

/** Members of that name of all extensions that the library sees. */
function* addedMembers(look: Lookup, from: MountedDocument, name: string): Generator<DefinitionValue> {
  const listedAs = (path: string, member: string): readonly DefinitionValue[] =>
    optionsOf(memberOfFile(look, path, member)).flatMap(one => (one.kind === 'definition' ? [one] : []));
  const membersIn = (path: string): readonly DefinitionValue[] => listedAs(path, `extension ${name}`);
  const library = libraryFiles(look, from.path);
  for (const path of library) yield* listedAs(path, `own extension ${name}`);
  const { files, extensions } = seenBy(look, mainOf(look, from.path));
  for (const path of [...library, ...files]) yield* membersIn(path);
  const isShown = ({ scope, tail }: DefinitionValue): boolean =>
    extensions.some(one => one.scope === scope && one.tail === containerOf(tail));
  for (const path of new Set(extensions.map(one => one.sites[0]!.document.path)))
    yield* membersIn(path).filter(isShown);
}

/** Whether the extension that a member stands in is on one of the types. */
function extendsOneOf(look: Lookup, member: DefinitionValue, types: readonly Value[]): boolean {
  const tail = containerOf(member.tail);
  const extension = pick(look.definition(member.scope, containerOf(tail), nameOfType(tail)), tail);
  if (extension?.kind !== 'definition') return false;
  return extension.sites.some(({ document, slot }) =>
    document.facts.definitions[slot]!.supers.some(index => {
      const on = bare(look.evaluate(document, index));
      return on === undefined || on.kind === 'variable' || types.some(one => isSame(one, on));
    }),
  );
}

/** The name of the type whose tail that is; an extension without name is called by what it is, of its twins in the file too. */
export function nameOfType(tail: string): string {
  const segment = tail.slice(lastDescriptorAt(tail), -1);
  if (!segment.startsWith('`')) return segment;
  return segment
    .slice(1, -1)
    .replaceAll('``', '`')
    .replace(/ \+\d+$/, '');
}

/** What a dependency gives to a type that is built from its own: every object has what `Object` has. */
export function outsideMember(look: Lookup, of: Value, name: string): Value | undefined {
  if (name === 'values' && of.kind === 'definition' && isEnum(of)) return ofLibrary(`Enum.${name}`);
  const [value] = optionsOf(of.kind === 'method' ? foreignResult(of, '') : of);
  const applied = value?.kind === 'instance' ? appliedTypesOf(look, value) : [];
  const types = applied.map(bareOf);
  const [own] = types;
  if (own?.kind !== 'definition' || types.includes(unknown) || roleOf(own) !== 'type') return undefined;
  const bases = applied.filter(one => bareOf(one).kind === 'external');
  const base = bases.find(one => memberOfPackage(one, name) !== undefined) ?? bases[0];
  if (ofObject.has(name)) return ofLibrary(`Object.${name}`);
  if (isEnum(own) && ofEnum.has(name)) return ofLibrary(`Enum.${name}`);
  // What it is of may be one of its class's type arguments.
  if (base?.kind === 'applied') return { kind: 'method', receiver: instance(base), name };
  return base?.kind === 'external' ? { ...base, name: `${base.name}.${name}` } : undefined;
}

function isEnum(of: DefinitionValue): boolean {
  const { document, slot } = of.sites[0]!;
  return document.facts.definitions[slot]!.kind === 'enum';
}

function ofLibrary(name: string): Value {
  return { kind: 'external', manager: 'std', package: 'dart', name: `core.${name}` };
}

const ofObject = new Set(['toString', 'hashCode', 'runtimeType', 'noSuchMethod']);
const ofEnum = new Set(['index', 'name']);
const unknown: Value = { kind: 'function', of: undefined };

/** The type of a value and those above it, without their arguments. */
function typesOf(look: Lookup, of: Value): readonly Value[] {
  return appliedTypesOf(look, of).map(bareOf);
}

function appliedTypesOf(look: Lookup, of: Value): readonly Value[] {
  const found: Value[] = [];
  const pending: (Value | undefined)[] = optionsOf(of).map(typeBehind(look));
  for (let at = 0; at < pending.length && found.length < maxAncestors; at++) {
    const [whole = unknown] = optionsOf(pending[at]);
    const type = bareOf(whole);
    if (found.some(one => isSame(bareOf(one), type))) continue;
    found.push(whole);
    const above = type.kind === 'external' ? aboveInSdk(type) : undefined;
    if (above !== undefined) pending.push(above);
    if (type.kind !== 'definition') continue;
    const given = (base: Value | undefined) => (whole.kind === 'applied' ? substituted(base, whole) : base);
    for (const { document, slot } of type.sites) {
      for (const index of document.facts.definitions[slot]!.supers) pending.push(given(look.evaluate(document, index)));
    }
  }
  return found;
}

/** A variable is of the type that it is declared with. */
function typeBehind(look: Lookup): (value: Value) => Value | undefined {
  const behind = (value: Value, steps: number): Value | undefined => {
    if (value.kind === 'instance') return value.of;
    const [given] = value.kind === 'method' ? optionsOf(foreignResult(value, '')) : [];
    if (given !== undefined) return behind(given, steps + 1);
    if (value.kind !== 'definition' || roleOf(value) !== 'value' || steps > 4) return undefined;
    const { document, slot } = value.sites[0]!;
    const { type } = document.facts.definitions[slot]!;
    const [inner] = type < 0 ? [] : optionsOf(look.evaluate(document, type));
    return inner && behind(inner, steps + 1);
  };
  return value => behind(value, 0);
}

function bare(value: Value | undefined): Value | undefined {
  const [one] = optionsOf(value);
  return one && bareOf(one);
}

function bareOf(type: Value): Value {
  return type.kind === 'applied' ? type.of : type;
}

function isSame(a: Value, b: Value): boolean {
  if (a.kind === 'definition' && b.kind === 'definition') return a.scope === b.scope && a.tail === b.tail;
  if (a.kind === 'external' && b.kind === 'external') return a.package === b.package && a.name === b.name;
  return a === b;
}
