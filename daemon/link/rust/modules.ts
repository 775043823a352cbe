import type { MountedDocument } from '../../model/document.ts';
import type { DefinitionFact } from '../../model/facts.ts';
import { isAmong } from '../../model/rust-namespaces.ts';
import { either, first, optionsOf } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { roleOf } from '../roles.ts';
import { isSame } from '../same.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { isTaking, takenInRust } from './associated.ts';
import { crate, exportedMacro, fileThatMacroDeclares, parentOf, rootOf, scopeAt } from './crates.ts';
import {
  isVisible,
  type Module,
  type Nearness,
  nearnessOf,
  outerPlace,
  type Viewer,
  viewersAt,
  visibleUses,
} from './visibility.ts';

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
  return inModule(look, { path, place }, name, 'inside');
}

function inModule(look: Lookup, at: Module, name: string, nearness: Nearness): Value | undefined {
  return look.once(`rust in ${nearness} ${at.path}\0${at.place}\0${name}`, () => {
    if (name === 'super') return superOf(look, at);
    const viewers = viewersAt(look, nearness, at);
    const { found, isClash, external } = search(look, at, name, { isOwn: true, resolving: none, viewers });
    return isClash ? found : (found ?? external);
  });
}

/** What a value has under a name for a file, which may not see all that modules have. */
export function seenInRust(look: Lookup, from: MountedDocument, of: Value, name: string): Value | undefined {
  if (isTaking(name)) return takenInRust(look, of, name);
  const options = optionsOf(of).filter(one => modulesOf(look, one).length > 0);
  if (options.length === 0) return look.member(of, of.kind === 'external' ? name.replace(/!$/, '') : name);
  return first(options, one =>
    first(modulesOf(look, one), at => inModule(look, at, name, nearnessOf(look, from.path, at))),
  );
}

export function lacksInRustModule(look: Lookup, path: string, place: string, name: string): boolean {
  const { found, isClash, external, isAll } = search(look, { path, place }, name, {
    isOwn: true,
    resolving: none,
    viewers: [],
  });
  return found === undefined && external === undefined && !isClash && isAll;
}

/** What the globs of a module give; its own names are settled in its file. */
export function throughGlobs(look: Lookup, at: Module, name: string): Found {
  return search(look, at, name, { isOwn: false, resolving: none, viewers: [] });
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
  const opened = isAbsolute ? undefined : search(look, at, `${name}#`, { isOwn: false, resolving, viewers: [] });
  if (opened?.found !== undefined || opened?.isClash) return opened.found;
  const root = rootOf(look, from.path);
  if (root.kind !== 'module' || (root.path === at.path && at.place === '' && !isAbsolute)) return opened?.external;
  const atRoot = search(look, { path: root.path, place: '' }, `${name}#`, { isOwn: true, resolving, viewers: [] });
  return atRoot.found ?? opened?.external;
}

interface How {
  /** Whether what the module has itself counts, or what its globs open alone. */
  readonly isOwn: boolean;
  readonly resolving: Resolving;
  /** Who looks, where the module does not show them all that it has. */
  readonly viewers: readonly Viewer[];
}

interface Visit {
  readonly at: Module;
  /** Namespaces in which nothing nearer has the name. */
  readonly among: readonly string[];
  /** Modules that look into this one, and see no more than it lets them. */
  readonly viewers: readonly Viewer[];
  /** It is the one that is asked, not one that a glob opens. */
  readonly isStart: boolean;
}

function search(look: Lookup, start: Module, written: string, { isOwn, resolving, viewers: from }: How): Found {
  const [, name = '', namespace] = /^(.*?)(#|\(\)|!)?$/.exec(written)!;
  const all = namespace === undefined ? namespaces : [namespace];
  const found = new Map<string, Value[]>();
  let external: Value | undefined;
  let isAll = true;
  const take = (values: readonly Value[], among: readonly string[]): readonly string[] => {
    const taken = new Set<string>();
    for (const one of among) {
      const value = either(distinct(values.filter(other => isIn(other, one))));
      if (value === undefined) continue;
      taken.add(one);
      const known = found.get(one) ?? [];
      if (!known.some(other => isSame(other, value))) found.set(one, [...known, value]);
    }
    return among.filter(one => !taken.has(one));
  };
  const seen = new Set<string>();
  const pending: Visit[] = [{ at: start, among: all, viewers: from, isStart: true }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { at, viewers, isStart } = visit;
    const key = [at.path, at.place, ...visit.among].join('\0');
    if (seen.has(key)) continue;
    seen.add(key);
    let among = visit.among;
    if (isOwn || !isStart) {
      const own = ownOf(look, visit, name, resolving);
      isAll &&= own.isAll;
      const missing = take(own.values, among);
      // A name for all that bear it is that of what stands nearest: to look on may lead back to the `use` that asks.
      among = namespace === undefined && missing.length < among.length ? [] : missing;
      among = take(exportedMacros(look, at, name, among), among);
    }
    among = take(optionsOf(fileOfMacro(look, at, name, among)), among);
    if (among.length === 0) continue;
    for (const target of globsOf(look, visit, resolving)) {
      isAll &&= target !== undefined;
      for (const one of optionsOf(target)) {
        if (one.kind === 'external') external ??= { ...one, name: [one.name, name].filter(Boolean).join('.') };
        else if (isEnum(one)) take(variantsOf(look, one, name), among);
        else
          for (const module of modulesOf(look, one))
            pending.push({ at: module, among, viewers: [...viewers, at], isStart: false });
      }
    }
  }
  const isClash = [...found.values()].some(values => values.length > 1);
  const meant = [...found.values()].flatMap(values => (values.length > 1 ? [] : values));
  return { found: either(distinct(meant.flatMap(optionsOf))), isClash, external, isAll };
}

function distinct(values: readonly Value[]): readonly Value[] {
  return values.filter((one, at) => values.findIndex(other => isSame(one, other)) === at);
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
  { at, viewers, among, isStart }: Visit,
  name: string,
  resolving: Resolving,
): { readonly values: readonly Value[]; readonly isAll: boolean } {
  const items = optionsOf(look.definition(scopeAt(at.path), at.place, name)).filter(one => sitesAt(one, at).length > 0);
  const isSeen = ({ visibility }: DefinitionFact): boolean => isVisible(look, at, visibility, viewers);
  const used = usesOf(look, { at, viewers }, name).map(({ document, of, key }) =>
    resolving.size === 0 ? look.evaluate(document, of) : pathValue(look, document, of, resolving, key),
  );
  const values = [...items.filter(one => sitesAt(one, at).some(isSeen)), ...used.flatMap(optionsOf)];
  const isNothing = !values.some(one => among.some(namespace => isIn(one, namespace)));
  // An item that its module hides is meant where there is no other: modules that a macro declares are not known.
  return { values: isStart && isNothing ? items : values, isAll: !used.includes(undefined) };
}

/** A module of which there is a file, where a macro may declare it. */
function fileOfMacro(look: Lookup, { path, place }: Module, name: string, among: readonly string[]): Value | undefined {
  return place === '' && among.includes('#') ? fileThatMacroDeclares(look, path, name) : undefined;
}

/** A macro that a crate exports is its root's, whatever module it stands in. */
function exportedMacros(
  look: Lookup,
  { path, place }: Module,
  name: string,
  among: readonly string[],
): readonly Value[] {
  return place === '' && among.includes('!') ? optionsOf(exportedMacro(look, path, name)) : [];
}

/** What a value's definitions in a module are. */
function sitesAt(value: Value, { path }: Module): readonly DefinitionFact[] {
  if (value.kind !== 'definition') return [];
  return value.sites.flatMap(({ document, slot }) =>
    document.path === path ? [document.facts.definitions[slot]!] : [],
  );
}

type Viewed = Pick<Visit, 'at' | 'viewers'>;

/** What the globs open that those may use who look into a module; undefined for what is not known. */
function* globsOf(look: Lookup, viewed: Viewed, resolving: Resolving): Iterable<Value | undefined> {
  for (const { document, of, key } of usesOf(look, viewed, '::*')) {
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

function usesOf(look: Lookup, { at, viewers }: Viewed, name: string): readonly Use[] {
  return visibleUses(look, at, viewers).flatMap(visibility => {
    const written = visibility + at.place + name;
    const one = look.exportsNamed(at.path, written);
    return one === undefined
      ? []
      : one.of.map((of, index) => ({ document: one.document, of, key: `${at.path}\0${written}\0${index}` }));
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
        return either(optionsOf(valueAt(one.of)).map(of => memberOf(look, of, one.name, { document, resolving })));
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

interface Asked {
  readonly document: MountedDocument;
  readonly resolving: Resolving;
}

function memberOf(look: Lookup, of: Value, name: string, { document, resolving }: Asked): Value | undefined {
  if (of.kind === 'external') return { ...of, name: [of.name, name].filter(Boolean).join('.') };
  const members = modulesOf(look, of).map(module => {
    if (name === 'super') return superOf(look, module);
    const viewers = viewersAt(look, nearnessOf(look, document.path, module), module);
    const { found, external } = search(look, module, `${name}#`, { isOwn: true, resolving, viewers });
    return found ?? external;
  });
  return either(members);
}

/** The modules that a value is: the file that `mod name;` leads to, or what is written out. */
export function modulesOf(look: Lookup, value: Value): readonly Module[] {
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

export function superOf(look: Lookup, { path, place }: Module): Value | undefined {
  if (place === '') return parentOf(look, path);
  const outer = outerPlace(place);
  if (outer === '') return { kind: 'module', path };
  const above = outerPlace(outer);
  return look.definition(scopeAt(path), above, outer.slice(above.length, -1));
}
