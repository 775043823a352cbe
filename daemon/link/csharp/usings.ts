import type { MountedDocument, ScopeKey } from '../../model/document.ts';
import { first, optionsOf } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { containerOf } from '../surface.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { globalUsings, tailOf } from './global-usings.ts';

/** All of C#. */
export const csharpScope = 'csharp:' as ScopeKey;

/** What `using` gives. */
export interface Used {
  /** Tails: `A/B/`. */
  readonly namespaces: ReadonlySet<string>;
  /** Of which static members are named without them, by their whole names. */
  readonly types: ReadonlySet<string>;
}

/** What a file itself uses in a namespace that it opens, there alone; '' is what it uses in all of it. */
export function usedIn(look: Lookup, { facts }: MountedDocument, place: string): Used {
  const written = writtenBy(facts).get(place);
  if (written === undefined) return nothing;
  if (place === '') return { namespaces: written.namespaces, types: written.types };
  const [namespaces, types] = [[...written.namespaces], [...written.types]];
  const key = `csharp usings in ${place} ${namespaces.join(' ')} static ${types.join(' ')}`;
  const found = look.shared(key, () => ({
    namespaces: new Set(namespaces.map(path => namespaceFrom(look, place, path))),
    types: new Set(types.map(path => typeFrom(look, place, path))),
  }));
  return found ?? nothing;
}

/** Namespaces that a file itself uses anywhere. */
export function namespacesUsed(look: Lookup, from: MountedDocument): readonly string[] {
  return [...writtenBy(from.facts).keys()].flatMap(place => [...usedIn(look, from, place).namespaces]);
}

/** Whether a file uses a namespace, or its project does. */
export function isUsed(look: Lookup, from: MountedDocument, namespace: string): boolean {
  const places = [...writtenBy(from.facts).keys()];
  return (
    places.some(place => usedIn(look, from, place).namespaces.has(namespace)) ||
    globalUsings(look, from).namespaces.has(namespace)
  );
}

/** A type of a namespace, by its whole name. */
export function typeAt(look: Lookup, path: string): Value | undefined {
  const at = path.lastIndexOf('.');
  const owners = typesNamed(look, path.slice(at + 1));
  return owners.find(one => containerOf(one.tail) === tailOf(path.slice(0, Math.max(at, 0))));
}

/** Types of a name in all namespaces. */
export function typesNamed(look: Lookup, name: string): readonly DefinitionValue[] {
  return definitionsOf(look.definition(csharpScope, 'export', `${name}#`));
}

/** Namespaces of a name, and those that stand in them. */
export function namespacesNamed(look: Lookup, name: string): readonly DefinitionValue[] {
  return definitionsOf(look.definition(csharpScope, 'export', `${name}/`));
}

export function definitionsOf(value: Value | undefined): readonly DefinitionValue[] {
  return optionsOf(value).filter((one): one is DefinitionValue => one.kind === 'definition');
}

/** `A/B/`, `A/` and ''. */
export function outwards(inside: string): readonly string[] {
  const names = inside.split('/').slice(0, -1);
  return [...names, ''].map((_, count) => tailOf(names.slice(0, names.length - count).join('.')));
}

/** The first name of a path is looked for outwards; where nothing here bears it, the path is a library's. */
function namespaceFrom(look: Lookup, place: string, path: string): string {
  const below = tailOf(path);
  const top = below.slice(0, below.indexOf('/') + 1);
  const places = namespacesNamed(look, top.slice(0, -1));
  return (outwards(place).find(around => places.some(({ tail }) => tail.startsWith(around + top))) ?? '') + below;
}

function typeFrom(look: Lookup, place: string, path: string): string {
  const whole = outwards(place).map(around => around.replaceAll('/', '.') + path);
  return first(whole, one => (typeAt(look, one) === undefined ? undefined : one)) ?? path;
}

const nothing: Used = { namespaces: new Set(), types: new Set() };
const written = new WeakMap<object, ReadonlyMap<string, Used>>();

/** By the namespaces that they stand in; paths of namespaces as they are written but for those outside of all. */
function writtenBy(facts: MountedDocument['facts']): ReadonlyMap<string, Used> {
  const known = written.get(facts);
  if (known !== undefined) return known;
  const made = new Map<string, { namespaces: Set<string>; types: Set<string> }>();
  for (const { wildcard, name, specifier } of facts.imports) {
    if (!wildcard) continue;
    const bar = specifier.indexOf('|');
    const [place, path] = [specifier.slice(0, Math.max(bar, 0)), specifier.slice(bar + 1)];
    const used = made.get(place) ?? { namespaces: new Set(), types: new Set() };
    if (name === 'static') used.types.add(path);
    else used.namespaces.add(place === '' ? tailOf(path) : path);
    made.set(place, used);
  }
  written.set(facts, made);
  return made;
}
