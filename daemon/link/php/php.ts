import type { MountedDocument, ScopeKey } from '../../model/document.ts';
import { directoryOf, join } from '../../model/paths.ts';
import { either, first, optionsOf } from '../options.ts';
import type { Questions, Resolver } from '../resolver.ts';
import { containerOf, shared } from '../surface.ts';
import type { Value } from '../values.ts';
import { foldedName, writtenName } from '../written-names.ts';
import { outside, packageParts } from './packages.ts';
import { isOfTests, memberOfUsers } from './traits.ts';

const scope = 'php:' as ScopeKey;

/**
 * PHP names everything by its namespace, and a file says in full what its short names stand for; which file has it, an
 * autoloader finds by the name alone. `A/B/Foo#` is a class, `A/B/foo()` a function, `A/B/FOO` a constant, `A/B/` a
 * namespace; what begins with `?` is nothing where nobody defines it. But for constants, case tells no names apart.
 */
export const phpResolver: Resolver = {
  module: () => undefined,
  named(look, from, name) {
    if (words.has(name)) return { kind: 'external', manager: 'std', package: 'php', name };
    const isAttempt = name.startsWith('?');
    const path = isAttempt ? name.slice(1) : name;
    const found = seenFrom(from, path, look.definition(scope, shared, foldedName(path)));
    if (found === undefined) return isAttempt || path.endsWith('/') ? undefined : outside(look, from.path, path);
    return asWritten(found, path);
  },
  importTarget(look, from, index) {
    const { specifier, name } = from.facts.imports[index]!;
    if (name === '') return includedFile(look, from, specifier);
    const path = [...(specifier === '' ? [] : specifier.split('\\')), name].join('/');
    const found = first(['#', '()', '', '/'], sign => {
      const those = seenFrom(from, path, look.definition(scope, shared, foldedName(path + sign)));
      return those && asWritten(those, path + sign);
    });
    if (found !== undefined) return found;
    // What a namespace of ours lacks is generated or gone, but no dependency's.
    const within = packageParts(path).join('/');
    return look.definition(scope, shared, foldedName(`${within}/`)) === undefined
      ? outside(look, from.path, path)
      : undefined;
  },
  extension: (look, _from, of, name) => memberOfUsers(look, of, name),
};

/** Beside the file, or where a program begins that is run from the root. */
function includedFile(ask: Questions, from: MountedDocument, specifier: string): Value | undefined {
  const places = specifier.startsWith('.') ? [directoryOf(from.path)] : [directoryOf(from.path), ''];
  return first(places, place => {
    const path = join(place, specifier);
    return path !== undefined && ask.exists(path) ? { kind: 'module', path } : undefined;
  });
}

/**
 * What tests alone define stands in for something else there (a function of the language, a class of an extension), and the
 * program doesn't load it; but for what a file says by its whole name that it uses.
 */
function seenFrom(from: MountedDocument, path: string, found: Value | undefined): Value | undefined {
  if (from.isTest || found === undefined) return found;
  const seen = either(optionsOf(found).filter(one => one.kind !== 'definition' || !isOfTests(one)));
  return seen ?? (isImported(from, path) ? found : undefined);
}

function isImported({ facts }: MountedDocument, path: string): boolean {
  const bare = path.replace(/(?:#|\(\)|\/)$/, '');
  return facts.imports.some(
    ({ specifier, name }) => specifier !== '' && `${specifier.replaceAll('\\', '/')}/${name}` === bare,
  );
}

/** Of what differs in case alone, one is meant by its own; or by any, where there is but one. */
function asWritten(found: Value, path: string): Value | undefined {
  if (found.kind !== 'either') return found;
  const isExact = (one: Value): boolean => {
    if (one.kind !== 'definition') return false;
    const { document, slot } = one.sites[0]!;
    return containerOf(one.tail) + writtenName(document.facts, slot) === path;
  };
  return either(optionsOf(found).filter(isExact));
}

/** Types of the language itself. */
const words: ReadonlySet<string> = new Set(
  'array bool boolean double float int integer list numeric resource'.split(' '),
);
