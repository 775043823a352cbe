import type { MountedDocument, ScopeKey } from '../../model/document.ts';
import type { ImportFact } from '../../model/facts.ts';
import { packageScope } from '../../model/mount.ts';
import { directoryOf } from '../../model/paths.ts';
import { extendedClass } from '../extended-class.ts';
import { either, first, optionsOf } from '../options.ts';
import type { Lookup, Questions, Resolver } from '../resolver.ts';
import { isType, roleOf } from '../roles.ts';
import { shared } from '../surface.ts';
import { type DefinitionValue, ofOtherUse, type Value } from '../values.ts';
import { outside } from './artifacts.ts';
import { directoryIn, fileClass, filesIn } from './files.ts';
import { implied, seenFromJava, seenFromKotlin } from './members.ts';
import { javaNames, kotlinNames, namesOfPackages } from './names.ts';
import { chosenFromJava, chosenFromKotlin, secondaryTaking } from './overloads.ts';

/**
 * Packages of Java and Kotlin, which share them: all files with the package's clause, in whichever source set or module
 * they lie; of several definitions of one name the nearest to the asking file.
 */
const packages: Resolver = { module, implied, importTarget };

export const javaResolver: Resolver = {
  ...packages,
  named: (look, from, name) => named(look, from, name, javaNames),
  extension: seenFromJava,
  constructors: 'its name',
  overload: chosenFromJava,
};

export const kotlinResolver: Resolver = {
  ...packages,
  named: (look, from, name) => named(look, from, name, kotlinNames),
  extension: seenFromKotlin,
  extended: extendedClass,
  constructors: 'constructor',
  constructed: secondaryTaking,
  overload: chosenFromKotlin,
};

/** The package or the class that an import takes something from. What a package of ours lacks is generated or a dependency's. */
function module(ask: Questions, from: MountedDocument, { specifier, wildcard }: ImportFact): Value | undefined {
  const parts = specifier.split('.');
  for (let count = parts.length; count > 0; count--) {
    const scopes = scopesOf(ask, from, parts.slice(0, count).join('.'));
    if (scopes.length === 0) continue;
    const options = scopes.map((scope): Value => ({ kind: 'scope', scope }));
    if (count === parts.length) return several(wildcard ? options : [...options, outside(ask, from.path, specifier)]);
    const rest = parts.slice(count);
    for (const scope of scopes) {
      const found = nested(ask, scope, rest);
      if (found !== undefined) return found;
    }
    const file = rest.length === 1 ? either(scopes.map(scope => fileClass(ask, scope, rest[0]!))) : undefined;
    if (file !== undefined) return file;
  }
  return outside(ask, from.path, specifier);
}

/** What a package of ours lacks is generated rather than a dependency's: two artifacts seldom share a package. */
function importTarget(look: Lookup, from: MountedDocument, index: number): Value | undefined {
  const one = from.facts.imports[index]!;
  const place = module(look, from, one);
  if (one.wildcard || place === undefined) return place;
  const found = look.imported(from, one);
  const isOurs = optionsOf(place).some(({ kind }) => kind !== 'external');
  return isOurs && found?.kind === 'external' ? undefined : found;
}

function several(options: readonly Value[]): Value {
  return options.length === 1 ? options[0]! : { kind: 'either', options };
}

function nested(ask: Questions, scope: ScopeKey, names: readonly string[]): DefinitionValue | undefined {
  let found: DefinitionValue | undefined;
  for (const name of names) {
    const inside = optionsOf(ask.definition(scope, found?.tail ?? '', name));
    found = inside.find((one): one is DefinitionValue => one.kind === 'definition' && isType(one));
    if (found === undefined) return undefined;
  }
  return found;
}

/** The scopes of a package, the nearest to a document first. */
function scopesOf(ask: Questions, from: MountedDocument, name: string): readonly ScopeKey[] {
  const nearness = (scope: ScopeKey): number => sharedFolders(directoryIn(scope), directoryOf(from.path));
  return [...allScopes(ask, name)].sort((a, b) => nearness(b) - nearness(a));
}

function allScopes(ask: Questions, name: string): readonly ScopeKey[] {
  const all = ask.once(`package\0${name}`, () => {
    const scopes = new Set<ScopeKey>();
    for (const path of ask.documentsOf(packageScope(name))) {
      const language = path.endsWith('.java') ? 'java' : 'kotlin';
      scopes.add(`${language}:${directoryOf(path)}#${name}` as ScopeKey);
    }
    return { kind: 'either', options: [...scopes].map((scope): Value => ({ kind: 'scope', scope })) };
  });
  return optionsOf(all).flatMap(one => (one.kind === 'scope' ? one.scope : []));
}

/** How many folders two places share. */
function sharedFolders(one: string, other: string): number {
  const [parts, others] = [one.split('/'), other.split('/')];
  const differing = parts.findIndex((part, index) => part !== others[index]);
  return differing < 0 ? parts.length : differing;
}

/** A name of the package, of what is imported wholesale, or of what the language brings along. */
function named(
  look: Lookup,
  from: MountedDocument,
  name: string,
  brought: ReadonlyMap<string, string>,
): Value | undefined {
  const known = brought.get(name);
  if (known === undefined && /[./]/.test(name)) return writtenInFull(look, from, name);
  const found = name.includes('.') ? undefined : (ofOwnPackage(look, from, name) ?? imported(look, from, name));
  // A function that bears the name of a type of the language doesn't stand for it.
  const isHidden = known !== undefined && /^[A-Z]/.test(name) && !optionsOf(found).some(isType);
  if (found !== undefined && !isHidden) return found;
  if (known === undefined) return fileOfOwnPackage(look, from, name) ?? wholesale(look, from, name) ?? root(name);
  return { kind: 'external', manager: 'std', package: known.startsWith('kotlin') ? 'kotlin' : 'java', name: known };
}

function ofOwnPackage(ask: Questions, from: MountedDocument, name: string): Value | undefined {
  const { packageName } = from.facts;
  return packageName === '' ? ask.definition(from.scope, '', name) : ofPackage(ask, from, packageName, name);
}

/** The class that a file of Kotlin is for Java. */
function fileOfOwnPackage(ask: Questions, from: MountedDocument, name: string): Value | undefined {
  const { packageName } = from.facts;
  return packageName === '' ? undefined : fileOf(ask, from, packageName, name);
}

function fileOf(ask: Questions, from: MountedDocument, packageName: string, name: string): Value | undefined {
  if (from.facts.language !== 'java' || !/^[A-Z_]\w*$/.test(name)) return undefined;
  const named = filesIn(ask.definition(packageScope(packageName), shared, name));
  if (named !== undefined || !name.endsWith('Kt')) return named;
  return either(scopesOf(ask, from, packageName).map(scope => fileClass(ask, scope, name)));
}

/**
 * A name behind its package's, `a.b.C`; or `a.b.C/2`, what the second of such names is; or `a/`, what it is for sure. What no package of ours has is a
 * dependency's where it looks like a type.
 */
function writtenInFull(look: Lookup, from: MountedDocument, name: string): Value | undefined {
  const slash = name.indexOf('/');
  if (slash === name.length - 1) return knownByItself(look, from, name.slice(0, slash));
  if (slash >= 0)
    return isPackage(look, from, name.slice(0, slash), Number(name.slice(slash + 1))) ? ofOtherUse : undefined;
  const dot = name.lastIndexOf('.');
  const [packageName, own] = [name.slice(0, dot), name.slice(dot + 1)];
  const found = ofPackage(look, from, packageName, own) ?? fileOf(look, from, packageName, own);
  if (found !== undefined) return hidesPackages(look, from, name) ? undefined : sureOf(found);
  return looksLikeType(name) ? outside(look, from.path, name) : undefined;
}

/** What is presumed of nothing but its name, and could be a package as well, is left out. */
function knownByItself(look: Lookup, from: MountedDocument, name: string): Value | undefined {
  return ofOwnPackage(look, from, name) ?? imported(look, from, name) ?? root(name);
}

function sureOf(found: Value): Value {
  const options = optionsOf(found).map(one => (one.kind === 'definition' ? { ...one, confidence: 0.95 } : one));
  return several(options);
}

/** Whether the first of some names is a variable or a type in sight, which hides a package of its name. */
function hidesPackages(look: Lookup, from: MountedDocument, path: string): boolean {
  const [first = ''] = path.split('.', 1);
  const inSight = optionsOf(ofOwnPackage(look, from, first) ?? imported(look, from, first));
  return inSight.some(one => one.kind === 'definition' && roleOf(one) !== 'callable');
}

/** Whether that name of a path, counted from 1, is a package's: nothing else has types behind names of small letters. */
function isPackage(look: Lookup, from: MountedDocument, path: string, place: number): boolean {
  const names = path.split('.').slice(0, -1);
  const isOurs = names.slice(place - 1).some((_, more) => {
    return look.documentsOf(packageScope(names.slice(0, place + more).join('.'))).length > 0;
  });
  return (isOurs || looksLikeType(path)) && !hidesPackages(look, from, path);
}

function looksLikeType(path: string): boolean {
  return /\..*\.\p{Lu}\w*\p{Ll}\w*$/u.test(path);
}

/** What something of ours has that is imported wholesale. */
function imported(look: Lookup, from: MountedDocument, name: string): Value | undefined {
  return first(from.facts.imports, one => {
    const all = one.wildcard ? module(look, from, one) : undefined;
    return all === undefined || all.kind === 'external' ? undefined : look.member(all, name);
  });
}

/** Functions of several source sets overload each other; of what is no function, and of twins, the nearest is meant. */
function ofPackage(ask: Questions, from: MountedDocument, packageName: string, name: string): Value | undefined {
  const options = optionsOf(ask.definition(packageScope(packageName), '', name)).filter(
    one => one.kind === 'definition',
  );
  if (options.length <= 1) return options[0];
  const nearness = ({ scope }: DefinitionValue): number => sharedFolders(directoryIn(scope), directoryOf(from.path));
  const nearest = [...options].sort((a, b) => nearness(b) - nearness(a));
  const tails = new Set<string>();
  const kept = nearest.filter(one => {
    const isKept = !tails.has(one.tail) && (one.scope === nearest[0]!.scope || roleOf(one) === 'callable');
    tails.add(one.tail);
    return isKept;
  });
  return several(kept);
}

/** What is found nowhere comes from where all is imported from, as far as that can be but one place. */
function wholesale(ask: Questions, from: MountedDocument, name: string): Value | undefined {
  const wildcards = from.facts.imports.filter(one => one.wildcard).map(one => one.specifier);
  const known = wildcards.find(one => namesOfPackages[one]?.has(name));
  const isTypeName = /^[A-Z]\w*[a-z]/.test(name);
  const others = wildcards.filter(one => namesOfPackages[one] === undefined && /\.[A-Z]\w*$/.test(one) === !isTypeName);
  const source = known ?? (others.length === 1 ? others[0] : undefined);
  if (source === undefined) return undefined;
  const module = outside(ask, from.path, source);
  return { ...module, name: module.name === '' ? name : `${module.name}.${name}` };
}

/** `java.util.List`, written out. */
function root(name: string): Value | undefined {
  if (name === 'java' || name === 'javax') return { kind: 'external', manager: 'std', package: 'java', name };
  return name === 'kotlin' ? { kind: 'external', manager: 'std', package: 'kotlin', name } : undefined;
}
