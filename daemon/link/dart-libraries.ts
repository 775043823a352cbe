import type { Lookup } from './resolver.ts';
import type { Value } from './values.ts';

/** A library has at most so many imports or parts that are looked at. */
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
