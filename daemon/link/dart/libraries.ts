import { optionsOf, pick } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import type { DefinitionValue, Value } from '../values.ts';

/** A library has at most so many imports, parts or shown names that are looked at. */
const maxDirectives = 200;

/** What a file exports, also under the names that extraction gives to its directives: see its `bindDirectives`. */
export function memberOfFile(look: Lookup, path: string, name: string): Value | undefined {
  return look.member({ kind: 'module', path }, name);
}

/** The file that begins the library of which a file is part. */
export function mainOf(look: Lookup, path: string): string {
  const library = look.once(`library ${path}`, () => memberOfFile(look, path, 'library') ?? { kind: 'module', path });
  return library?.kind === 'module' ? library.path : path;
}

/** The files of a library, the asking one first. */
export function libraryFiles(look: Lookup, path: string): readonly string[] {
  const main = mainOf(look, path);
  const all = listed(look, main, 'part').flatMap(one => (one.kind === 'module' ? [one.path] : []));
  return [...new Set([path, main, ...all])];
}

/** What a library imports wholesale and without prefix. */
export function importsOf(look: Lookup, main: string): readonly Value[] {
  return listed(look, main, 'import');
}

/** Files that a library imports but for this name; most hide none, which is one question. */
export function hidingFrom(look: Lookup, main: string, name: string): ReadonlySet<string> {
  const hides = (what: string): Value | undefined => memberOfFile(look, main, what);
  if (look.once(`hides ${main}`, () => hides('hides')) === undefined) return new Set();
  return new Set(optionsOf(hides(`hides ${name}`)).flatMap(one => (one.kind === 'module' ? [one.path] : [])));
}

/** Where a library sees extensions: in files that it imports wholesale, and those that are shown to it by name. */
export interface Seen {
  readonly files: readonly string[];
  readonly extensions: readonly DefinitionValue[];
}

/** Behind a prefix, too; and those that the files which it imports wholesale show of others. */
export function seenBy(look: Lookup, main: string): Seen {
  const find = (): Seen => {
    const modules = [...importsOf(look, main), ...listed(look, main, 'prefixed')];
    const files = modules.flatMap(one => (one.kind === 'module' ? [one.path] : []));
    const named = [...listed(look, main, 'named'), ...files.flatMap(path => listed(look, path, 'handed'))];
    return { files, extensions: named.flatMap(optionsOf).flatMap(one => extensionAt(look, one)) };
  };
  return look.shared(`seen by ${main}`, find)!;
}

function extensionAt(look: Lookup, one: Value): readonly DefinitionValue[] {
  if (one.kind !== 'definition') return [];
  const { document, slot } = one.sites[0]!;
  const { name } = document.facts.definitions[slot]!;
  return pick(memberOfFile(look, document.path, `extends ${name}`), one.tail) === undefined ? [] : [one];
}

/** What can't be found leaves a gap in the count. */
function listed(look: Lookup, path: string, directive: string): readonly Value[] {
  const found = look.once(`${directive}s ${path}`, () => {
    const options: Value[] = [];
    let misses = 0;
    for (let index = 0; index < maxDirectives && misses < 3; index++) {
      const one = memberOfFile(look, path, `${directive} ${index}`);
      if (one === undefined) misses++;
      else {
        misses = 0;
        options.push(one);
      }
    }
    return { kind: 'either', options };
  });
  return found?.kind === 'either' ? found.options : [];
}
