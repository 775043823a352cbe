import type { MountedDocument, ScopeKey } from '../../model/document.ts';
import { instantiated } from '../inferred.ts';
import { either, first, optionsOf, pick, sure } from '../options.ts';
import type { Lookup, Resolver } from '../resolver.ts';
import { containerOf } from '../surface.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { extensionOf, nameOfType, outsideMember } from './extensions.ts';
import { hidingFrom, importsOf, libraryFiles, mainOf, memberOfFile } from './libraries.ts';
import { libraryWith } from './library.ts';
import { packageFile, relativeFile } from './packages.ts';

/**
 * Dart's libraries: a file and its parts, which see what the file imports. A name is looked for in the class around (its
 * tail follows the name), in the library, in what it imports, and last in what the class is built from.
 */
export const dartResolver: Resolver = {
  module(ask, from, { specifier }) {
    if (specifier.startsWith('dart:'))
      return { kind: 'external', manager: 'std', package: 'dart', name: specifier.slice(5) };
    return specifier.startsWith('package:') ? packageFile(ask, from, specifier) : relativeFile(ask, from, specifier);
  },
  named(look, from, asked) {
    const [, name = '', tail = ''] = /^(\S*) ?(.*)$/s.exec(asked)!;
    return (
      sure(ownMember(look, from, tail, name), 0.97) ??
      look.once(
        `seen ${from.path} ${name}`,
        () => sure(ofLibrary(look, from, name), 0.97) ?? imported(look, from, name),
      ) ??
      inherited(look, from, tail, name) ??
      outside(look, from, tail, name)
    );
  },
  extension(look, from, of, name) {
    if (of === undefined || !/^\w+$/.test(name)) return undefined;
    return extensionOf(look, from, of, name) ?? outsideMember(look, of, name);
  },
  overload: instantiated,
};

function scopeOf(from: MountedDocument): ScopeKey {
  return from.path as string as ScopeKey;
}

function ownMember(look: Lookup, from: MountedDocument, tail: string, name: string): Value | undefined {
  return tail === '' ? undefined : withoutConstructors(look.definition(scopeOf(from), tail, name));
}

/** A constructor bears its class's name; the bare name means the class. */
function withoutConstructors(found: Value | undefined): Value | undefined {
  const isConstructor = (one: Value): boolean =>
    one.kind === 'definition' && one.sites[0]!.document.facts.definitions[one.sites[0]!.slot]!.kind === 'constructor';
  return either(optionsOf(found).filter(one => !isConstructor(one)));
}

function ofLibrary(look: Lookup, from: MountedDocument, name: string): Value | undefined {
  return first(libraryFiles(look, from.path), path => look.definition(path as ScopeKey, '', name));
}

/** What imports show by name, then what they give wholesale; names that begin with `_` stay in their library. */
function imported(look: Lookup, from: MountedDocument, name: string): Value | undefined {
  const main = mainOf(look, from.path);
  const prefix = memberOfFile(look, main, `prefix ${name}`);
  if (prefix !== undefined) return prefix;
  if (name.startsWith('_')) return undefined;
  const shown = memberOfFile(look, main, `shown ${name}`);
  if (shown !== undefined) return shown;
  const hiding = hidingFrom(look, main, name);
  const found = first(importsOf(look, main), one =>
    one.kind === 'module' && !hiding.has(one.path) ? memberOfFile(look, one.path, name) : undefined,
  );
  return sure(found, 0.96);
}

function classAt(look: Lookup, from: MountedDocument, tail: string): DefinitionValue | undefined {
  const found = pick(look.definition(scopeOf(from), containerOf(tail), nameOfType(tail)), tail);
  return found?.kind === 'definition' ? found : undefined;
}

function inherited(look: Lookup, from: MountedDocument, tail: string, name: string): Value | undefined {
  const around = tail === '' ? undefined : classAt(look, from, tail);
  const found = around && look.member({ kind: 'instance', of: around }, name);
  return found?.kind === 'definition' ? sure(found, 0.93) : undefined;
}

/** A name that no file of the repository gives is of a library that is imported, or of what the class is built from. */
function outside(look: Lookup, from: MountedDocument, tail: string, name: string): Value | undefined {
  const imports = importsOf(look, mainOf(look, from.path)).flatMap(one => (one.kind === 'external' ? [one] : []));
  const known = libraryWith(name, imports);
  if (known !== undefined) return known;
  const around = tail === '' ? undefined : classAt(look, from, tail);
  const ofBase =
    around && /^[a-z]/.test(name) ? outsideMember(look, { kind: 'instance', of: around }, name) : undefined;
  if (ofBase !== undefined) return ofBase;
  const packages = imports.filter(one => one.manager !== 'std');
  // Of two packages either may have it, but nobody else.
  return packages.length === 0 || name.startsWith('_') ? undefined : { ...packages[0]!, name };
}
