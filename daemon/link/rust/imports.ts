import type { MountedDocument } from '../../model/document.ts';
import type { DefinitionFact, DocumentFacts } from '../../model/facts.ts';
import { first, optionsOf } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import type { Value } from '../values.ts';
import { crate, declaredFile, isNameable, moduleAt, packageOf, rootOf, scopeAt } from './crates.ts';
import { firstOfPath, inRustModule, modulesOf, superOf, throughGlobs } from './modules.ts';
import type { Module } from './visibility.ts';

/**
 * The file of the module that `mod name;` declares, or in which a `use` names something: the last one of its path that is a
 * module of the package that the path names first, whatever that takes from others in turn. Of a path in code the crate
 * that it names.
 */
export function importedInRust(look: Lookup, from: MountedDocument, index: number): Value | undefined {
  const { specifier, name, line } = from.facts.imports[index]!;
  if (specifier.startsWith('mod ')) return declaredFile(look, from.path, specifier.slice(4));
  const here: Module = { path: from.path, place: placeAt(from, line) };
  if (name === '') return crateNamed(look, from, here, specifier);
  const [head = '', ...rest] = [...specifier.split('::'), name].map(plain).filter(one => one !== '' && one !== '*');
  let found = specifier.startsWith('::') ? firstOfPath(look, from, `::${head}`) : firstOf(look, from, here, head);
  const [start] = modulesIn(look, found);
  // A name that another crate hands on, of one that this package has nothing to do with.
  if (start !== undefined && !isNameable(look, from.path, start.path)) return moduleAt(from.path);
  for (const one of rest) {
    const inside = first(modulesIn(look, found), at => below(look, at, one));
    const [next] = modulesIn(look, inside);
    if (next === undefined || packageOf(look, next.path) !== packageOf(look, start!.path)) break;
    found = inside;
  }
  const [at] = modulesIn(look, found);
  if (at !== undefined) return moduleAt(at.path);
  return found?.kind === 'external' ? found : undefined;
}

/** The crate that a path of code begins with; the file itself where its first name is something else, or nothing known. */
function crateNamed(look: Lookup, from: MountedDocument, { path, place }: Module, written: string): Value {
  const name = plain(written.replace(/^::/, ''));
  const opened = written.startsWith('::') ? undefined : throughGlobs(look, { path, place }, `${name}#`);
  const isOpened = opened?.found !== undefined || opened?.isClash === true;
  return (isOpened ? undefined : crate(look, from, name)) ?? moduleAt(from.path);
}

function plain(name: string): string {
  return name.trim().replace(/^r#/, '');
}

/** The innermost module that is written out around a line: the last one that begins before it, or one around that. */
function placeAt({ facts }: MountedDocument, line: number): string {
  const modules = modulesWrittenIn(facts);
  let low = 0;
  let high = modules.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (modules[middle]!.range.startLine <= line) low = middle + 1;
    else high = middle;
  }
  let at = modules[low - 1];
  while (at !== undefined && at.range.endLine < line) at = facts.definitions[at.container];
  return at?.tail ?? '';
}

const written = new WeakMap<DocumentFacts, readonly DefinitionFact[]>();

function modulesWrittenIn(facts: DocumentFacts): readonly DefinitionFact[] {
  const known = written.get(facts);
  if (known !== undefined) return known;
  const made = facts.definitions.filter(({ kind, type }) => kind === 'module' && type < 0);
  made.sort((a, b) => a.range.startLine - b.range.startLine);
  written.set(facts, made);
  return made;
}

/** A module is meant before anything else of its name; what is no module, a type whose variants are named, is here. */
function firstOf(look: Lookup, from: MountedDocument, here: Module, name: string): Value | undefined {
  switch (name) {
    case 'crate':
    case '$crate':
      return rootOf(look, from.path);
    case 'self':
      return asValue(look, here);
    case 'super':
      return superOf(look, here);
    default: {
      const items = optionsOf(look.definition(scopeAt(here.path), here.place, name));
      const own = items.find(one => modulesIn(look, one).length > 0);
      const found = own ?? crate(look, from, name) ?? inRustModule(look, here.path, here.place, `${name}#`);
      return ofModules(look, found ?? firstOfPath(look, from, `use ${here.place}${name}`), here);
    }
  }
}

function ofModules(look: Lookup, found: Value | undefined, here: Module): Value | undefined {
  const isItem = found !== undefined && found.kind !== 'external' && modulesIn(look, found).length === 0;
  return isItem ? moduleAt(here.path) : found;
}

function asValue(look: Lookup, { path, place }: Module): Value | undefined {
  if (place === '') return moduleAt(path);
  const names = place.split('/').slice(0, -1);
  return look.definition(
    scopeAt(path),
    names
      .slice(0, -1)
      .map(one => `${one}/`)
      .join(''),
    names.at(-1)!,
  );
}

function below(look: Lookup, at: Module, name: string): Value | undefined {
  if (name === 'self') return asValue(look, at);
  return name === 'super' ? superOf(look, at) : inRustModule(look, at.path, at.place, `${name}#`);
}

function modulesIn(look: Lookup, value: Value | undefined): readonly Module[] {
  return optionsOf(value).flatMap(one => modulesOf(look, one));
}
