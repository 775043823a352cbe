import type { MountedDocument } from '../model/document.ts';
import type { DefinitionFact } from '../model/facts.ts';
import { isAmong } from '../model/rust-namespaces.ts';
import { either, optionsOf } from './options.ts';
import type { Lookup } from './resolver.ts';
import { roleOf } from './roles.ts';
import { crate, maxModules, parentOf, rootOf, scopeAt } from './rust-crates.ts';
import { isSame } from './same.ts';
import type { DefinitionValue, Value } from './values.ts';

/** A module: a file, or what is written out in one at the place of that tail. */
interface Module {
  readonly path: string;
  readonly place: string;
}

/** What modules have under a name, each namespace by itself. */
interface Found {
  readonly found: Value | undefined;
  /** Two globs have each another thing of the name, and none is meant. */
  readonly isClash: boolean;
  /** What a dependency has that a glob opens, if it has it. */
  readonly external: Value | undefined;
  /** Whether all that was looked through is known. */
  readonly isAll: boolean;
}

/**
 * What a module has under a name: its own, of which a `use` that binds one name is a part, and in a namespace where it
 * has none, what the globs of its `use` declarations give.
 */
export function inRustModule(look: Lookup, path: string, place: string, name: string): Value | undefined {
  return look.once(`rust in ${path}\0${place}\0${name}`, () => {
    if (name === 'super') return superOf(look, { path, place });
    const { found, isClash, external } = search(look, { path, place }, name, { isOwn: true, resolving: none });
    return isClash ? found : (found ?? external);
  });
}

export function lacksInRustModule(look: Lookup, path: string, place: string, name: string): boolean {
  const { found, isClash, external, isAll } = search(look, { path, place }, name, { isOwn: true, resolving: none });
  return found === undefined && external === undefined && !isClash && isAll;
}

/** What the globs of a module give; its own names are settled in its file. */
export function throughGlobs(look: Lookup, at: Module, name: string): Found {
  return search(look, at, name, { isOwn: false, resolving: none });
}

/**
 * What the first name of a path leads to that its file does not bind: `::name` to a crate, `use name`, with the module's
 * place in front of the name, also to what globs open. Before 2018 paths began at the root.
 */
export function firstOfPath(look: Lookup, from: MountedDocument, written: string): Value | undefined {
  return firstWhile(look, from, written, none);
}

/** What is being resolved, so that globs that hang on each other end: by what tells it from all else. */
type Resolving = ReadonlySet<string>;

const none: Resolving = new Set();
/** Globs that hang on names that other globs give are followed no further. */
const maxResolving = 3;

function firstWhile(look: Lookup, from: MountedDocument, written: string, resolving: Resolving): Value | undefined {
  const isAbsolute = written.startsWith('::');
  const text = written.slice(isAbsolute ? 2 : 4);
  const name = text.slice(text.lastIndexOf('/') + 1);
  const known = crate(look, from, name);
  if (known !== undefined) return known;
  const at: Module = { path: from.path, place: text.slice(0, text.length - name.length) };
  const opened = isAbsolute ? undefined : search(look, at, `${name}#`, { isOwn: false, resolving });
  if (opened?.found !== undefined || opened?.isClash) return opened.found;
  const root = rootOf(look, from.path);
  if (root.kind !== 'module' || (root.path === at.path && at.place === '' && !isAbsolute)) return opened?.external;
  return search(look, { path: root.path, place: '' }, `${name}#`, { isOwn: true, resolving }).found ?? opened?.external;
}

interface How {
  /** Whether what the module has itself counts, or what its globs open alone. */
  readonly isOwn: boolean;
  readonly resolving: Resolving;
}

interface Visit {
  readonly at: Module;
  /** Namespaces in which nothing nearer has the name. */
  readonly among: readonly string[];
  /** Modules that look into this one, and see no more than it lets them. */
  readonly viewers: readonly Module[];
}

function search(look: Lookup, start: Module, written: string, { isOwn, resolving }: How): Found {
  const [, name = '', namespace] = /^(.*?)(#|\(\)|!)?$/.exec(written)!;
  const all = namespace === undefined ? namespaces : [namespace];
  const found = new Map<string, Value[]>();
  let external: Value | undefined;
  let isAll = true;
  const take = (values: Iterable<Value>, among: readonly string[]): readonly string[] => {
    const taken = new Set<string>();
    for (const value of values) {
      for (const one of among.filter(one => isIn(value, one))) {
        taken.add(one);
        const known = found.get(one) ?? [];
        if (!known.some(other => isSame(other, value))) found.set(one, [...known, value]);
      }
    }
    return among.filter(one => !taken.has(one));
  };
  const seen = new Set<string>();
  const pending: Visit[] = [{ at: start, among: all, viewers: [] }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { at, viewers } = visit;
    const key = [at.path, at.place, ...visit.among].join('\0');
    if (seen.has(key)) continue;
    seen.add(key);
    let among = visit.among;
    if (isOwn || viewers.length > 0) {
      const own = ownOf(look, visit, name, resolving);
      isAll &&= own.isAll;
      const missing = take(own.values, among);
      // A name for all that bear it is that of what stands nearest: to look on may lead back to the `use` that asks.
      among = namespace === undefined && missing.length < among.length ? [] : missing;
    }
    if (among.length === 0) continue;
    for (const target of globsOf(look, visit, resolving)) {
      isAll &&= target !== undefined;
      for (const one of optionsOf(target)) {
        if (one.kind === 'external') external ??= { ...one, name: [one.name, name].filter(Boolean).join('.') };
        else if (isEnum(one)) take(variantsOf(look, one, name), among);
        else for (const module of modulesOf(look, one)) pending.push({ at: module, among, viewers: [...viewers, at] });
      }
    }
  }
  const isClash = [...found.values()].some(values => values.length > 1);
  const meant = [...found.values()].flatMap(values => (values.length > 1 ? [] : values));
  return { found: either(meant.filter((one, at) => meant.indexOf(one) === at)), isClash, external, isAll };
}

const namespaces = ['#', '()', '!'];

/** What is not written in the repository may be anything. */
function isIn(value: Value, namespace: string): boolean {
  if (value.kind === 'module') return namespace === '#';
  if (value.kind !== 'definition') return true;
  return value.sites.some(({ document, slot }) => isAmong(document.facts.definitions[slot]!, namespace));
}

/** What a module itself has under a name, as far as those who look into it may see it. */
function ownOf(
  look: Lookup,
  { at, viewers }: Visit,
  name: string,
  resolving: Resolving,
): { readonly values: readonly Value[]; readonly isAll: boolean } {
  const isInside = viewers.every(one => isWithin(look, one, at));
  const isVisible = ({ visibility }: DefinitionFact): boolean =>
    isInside || visibility === 'public' || (visibility === 'internal' && areOneCrate(look, at, viewers));
  const items = optionsOf(look.definition(scopeAt(at.path), at.place, name)).filter(
    one =>
      one.kind === 'definition' &&
      one.sites.some(({ document, slot }) => document.path === at.path && isVisible(document.facts.definitions[slot]!)),
  );
  const used = usesOf(look, at, name, isInside).map(({ document, of, key }) =>
    resolving.size === 0 ? look.evaluate(document, of) : pathValue(look, document, of, resolving, key),
  );
  return { values: [...items, ...used.flatMap(one => optionsOf(one))], isAll: !used.includes(undefined) };
}

/** What the globs open that those may use who look into a module; undefined for what is not known. */
function* globsOf(look: Lookup, { at, viewers }: Visit, resolving: Resolving): Iterable<Value | undefined> {
  const isInside = viewers.every(one => isWithin(look, one, at));
  for (const { document, of, key } of usesOf(look, at, '::*', isInside)) {
    yield resolving.size === 0
      ? look.once(`rust glob ${key}`, () => pathValue(look, document, of, resolving, key))
      : pathValue(look, document, of, resolving, key);
  }
}

interface Use {
  readonly document: MountedDocument;
  readonly of: number;
  readonly key: string;
}

function usesOf(look: Lookup, { path, place }: Module, name: string, isInside: boolean): readonly Use[] {
  const exported = place + name;
  return (isInside ? [exported, `use ${exported}`] : [exported]).flatMap(written => {
    const one = look.exportsNamed(path, written);
    return one === undefined
      ? []
      : one.of.map((of, at) => ({ document: one.document, of, key: `${path}\0${written}\0${at}` }));
  });
}

/**
 * What a path of modules leads to, by names alone: what globs open hangs on no result that hangs on globs. `key` is whose
 * path it is.
 */
function pathValue(
  look: Lookup,
  document: MountedDocument,
  index: number,
  before: Resolving,
  key: string,
): Value | undefined {
  if (before.has(key) || before.size >= maxResolving) return undefined;
  const resolving = new Set([...before, key]);
  const valueAt = (at: number): Value | undefined => {
    const one = document.facts.expressions[at]!;
    switch (one.op) {
      case 'slot':
        return look.evaluate(document, at);
      case 'free':
        return /^(?:use |::)/.test(one.name)
          ? firstWhile(look, document, one.name, resolving)
          : look.evaluate(document, at);
      case 'member':
        return either(optionsOf(valueAt(one.of)).map(of => memberOf(look, of, one.name, resolving)));
      case 'otherwise':
        return valueAt(one.of) ?? valueAt(one.other);
      case 'either':
        return either([valueAt(one.of), valueAt(one.other)]);
      default:
        return undefined;
    }
  };
  return valueAt(index);
}

function memberOf(look: Lookup, of: Value, name: string, resolving: Resolving): Value | undefined {
  if (of.kind === 'external') return { ...of, name: [of.name, name].filter(Boolean).join('.') };
  const members = modulesOf(look, of).map(module => {
    if (name === 'super') return superOf(look, module);
    const { found, external } = search(look, module, `${name}#`, { isOwn: true, resolving });
    return found ?? external;
  });
  return either(members);
}

/** The modules that a value is: the file that `mod name;` leads to, or what is written out. */
function modulesOf(look: Lookup, value: Value): readonly Module[] {
  if (value.kind === 'module') return [{ path: value.path, place: '' }];
  if (value.kind !== 'definition' || roleOf(value) !== 'place') return [];
  return value.sites.flatMap(({ document, slot }) => {
    const { type } = document.facts.definitions[slot]!;
    if (type < 0) return [{ path: document.path, place: value.tail }];
    const file = look.evaluate(document, type);
    return file?.kind === 'module' ? [{ path: file.path, place: '' }] : [];
  });
}

function isEnum(value: Value): value is DefinitionValue {
  return value.kind === 'definition' && hasKind(value, 'enum');
}

function variantsOf(look: Lookup, { scope, tail }: DefinitionValue, name: string): readonly Value[] {
  return optionsOf(look.definition(scope, tail, name)).filter(
    one => one.kind === 'definition' && hasKind(one, 'enum-member'),
  );
}

function hasKind({ sites }: DefinitionValue, kind: DefinitionFact['kind']): boolean {
  return sites.some(({ document, slot }) => document.facts.definitions[slot]!.kind === kind);
}

function superOf(look: Lookup, { path, place }: Module): Value | undefined {
  if (place === '') return parentOf(look, path);
  const outer = place.slice(0, place.lastIndexOf('/', place.length - 2) + 1);
  if (outer === '') return { kind: 'module', path };
  const above = outer.lastIndexOf('/', outer.length - 2) + 1;
  return look.definition(scopeAt(path), outer.slice(0, above), outer.slice(above, -1));
}

/** Whether a module stands in another, which hides nothing from it. */
function isWithin(look: Lookup, { path, place }: Module, outer: Module): boolean {
  if (path === outer.path) return place.startsWith(outer.place);
  let at = parentOf(look, path);
  for (let steps = 0; at?.kind === 'module' && steps < maxModules; steps++) {
    if (at.path === outer.path) return outer.place === '';
    at = parentOf(look, at.path);
  }
  return false;
}

function areOneCrate(look: Lookup, { path }: Module, viewers: readonly Module[]): boolean {
  const rootPath = (of: string): string => {
    const root = rootOf(look, of);
    return root.kind === 'module' ? root.path : of;
  };
  return viewers.every(one => one.path === path || rootPath(one.path) === rootPath(path));
}
