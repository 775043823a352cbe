import type { MountedDocument } from '../../model/document.ts';
import type { ImportFact } from '../../model/facts.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import type { Questions } from '../resolver.ts';
import type { Value } from '../values.ts';
import { foldersAround, includeFolders } from './include-folders.ts';

/** A file sees no more. */
const maxFiles = 4000;

/** The files that a file sees by its includes, and theirs, itself among them. */
export function sightOf(ask: Questions, from: MountedDocument): ReadonlySet<string> {
  const found = ask.once(`c sight ${from.path}`, () => {
    const seen = new Set<string>([from.path]);
    for (const path of seen) {
      if (seen.size > maxFiles) break;
      for (const one of pathsIn(includedBy(ask, path))) seen.add(one);
    }
    return modules([...seen]);
  });
  return found === undefined ? new Set([from.path]) : asSet(found);
}

/**
 * The file that `#include` names: beside the file, in a folder that the build says is looked through, in one that is so by
 * custom, else the only one that may be meant of those whose paths end so.
 */
export function includedFile(ask: Questions, from: string, { specifier }: ImportFact): string | undefined {
  const directory = directoryOf(from);
  const found = ask.once(`c include ${directory}\0${specifier}`, () => {
    const path = fileNamed(ask, directory, specifier);
    return path === undefined ? undefined : { kind: 'module', path };
  });
  return found?.kind === 'module' ? found.path : undefined;
}

function fileNamed(ask: Questions, directory: string, specifier: string): string | undefined {
  const isLibrary = specifier.startsWith('<');
  const written = isLibrary ? specifier.slice(1, -1) : specifier;
  const beside = isLibrary ? undefined : join(directory, written);
  if (beside !== undefined && ask.exists(beside)) return beside;
  const plain = join('', written.replace(/^(?:\.\.?\/)+/, ''));
  if (plain === undefined) return undefined;
  const named = ask.filesNamed(baseName(plain));
  if (named.length === 0) return undefined;
  const known = new Set<string>(named);
  const at = (folder: string): readonly string[] =>
    [join(folder, written) ?? []].flat().filter(path => known.has(path));
  const folders = includeFolders(ask, directory);
  const [said] = folders.said.flatMap(at);
  if (said !== undefined || standard.test(written)) return said;
  const [usual] = foldersAround(directory).flatMap(around => [
    ...at(around),
    ...at(around === '' ? 'include' : `${around}/include`),
  ]);
  if (usual !== undefined) return usual;
  const others = folders.others.flatMap(at);
  if (others.length > 0) return only(others, directory);
  const ending = named.filter(path => path.endsWith(`/${plain}`) && !isNamedOtherwise(path, plain));
  const installed = plain.includes('/') && !(isLibrary && common.test(plain)) ? installable(named) : [];
  return only(ending.length === 0 ? installed : ending, directory);
}

/** What lies below a folder for headers is named from there. */
function isNamedOtherwise(path: string, written: string): boolean {
  const [, below] = /(?:^|\/)include\/(.+)$/.exec(path) ?? [];
  return below !== undefined && below !== written;
}

/** The one that shares most folders with what includes it; undefined where several do. */
function only(paths: readonly string[], directory: string): string | undefined {
  const most = Math.max(...paths.map(path => shared(path, directory)));
  const [nearest, another] = paths.filter(path => shared(path, directory) === most);
  return another === undefined ? nearest : undefined;
}

/**
 * The only header of its name, where it may be installed into another folder than it lies in: at the top of a project or of its
 * sources. What lies in a folder that says what it is about is named with that folder.
 */
function installable(named: readonly string[]): readonly string[] {
  return named.length === 1 && topFolder.test(directoryOf(named[0]!)) ? named : [];
}

const topFolder = /^(?:.*\/)?(?:include|inc|src|source|lib|api|public|headers)$|^$/i;

/**
 * The library that a header is of which no file of the repository is: by custom it names the folder. In quotes it may be one of
 * the language's own.
 */
export function libraryOf(language: string, { specifier }: ImportFact): Value | undefined {
  const isLibrary = specifier.startsWith('<');
  const written = isLibrary ? specifier.slice(1, -1) : specifier;
  if (!isLibrary && !/\.h$/.test(written)) return undefined;
  if (standard.test(written)) return { kind: 'external', manager: 'std', package: language, name: written };
  if (!isLibrary) return undefined;
  const [folder = ''] = written.split('/', 1);
  return { kind: 'external', manager: 'system', package: folder.replace(/\.\w+$/, ''), name: written };
}

/** Headers of the languages themselves and of the system. */
const standard =
  /^(?:sys|netinet|arpa|net|linux|bits|asm|mach|ext)\/|^(?:[a-z_]+|(?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|threads|time|uchar|wchar|wctype|unistd|fcntl|pthread|poll|dirent|dlfcn|netdb|pwd|grp|syslog|termios|strings|sched|semaphore|malloc|memory|windows|winsock2|ucontext|execinfo|features|utime|glob|regex|getopt|libgen|endian|byteswap|alloca)\.h)$/;

/** Folders of libraries that are installed nearly everywhere: what lies elsewhere under such a name is none of them. */
const common =
  /^(?:openssl|curl|boost|glib|gtk|gdk|gio|X11|GL|libxml|libxml2|event2|systemd|valgrind|google|gtest|gmock|benchmark|absl|Qt\w*|CoreFoundation|CoreServices|Security|IOKit|mach-o|libkern|rpc|security|selinux|dbus|zstd|lzma|brotli|ncurses|readline|python\w*|ruby|lua\w*|jemalloc)\//;

function includedBy(ask: Questions, path: string): Value | undefined {
  return ask.once(`c includes ${path}`, () =>
    modules(ask.wholesale(path).flatMap(one => includedFile(ask, path, one) ?? [])),
  );
}

/** Several files as one value, however many. */
function modules(paths: readonly string[]): Value {
  return { kind: 'either', options: paths.map(path => ({ kind: 'module', path })) };
}

function pathsIn(value: Value | undefined): readonly string[] {
  return value?.kind === 'either' ? value.options.flatMap(one => (one.kind === 'module' ? [one.path] : [])) : [];
}

const sets = new WeakMap<Value, ReadonlySet<string>>();

function asSet(value: Value): ReadonlySet<string> {
  const known = sets.get(value);
  if (known !== undefined) return known;
  const made = new Set(pathsIn(value));
  sets.set(value, made);
  return made;
}

/** How many directories a path shares with one. */
function shared(path: string, directory: string): number {
  const [a, b] = [path.split('/').slice(0, -1), directory === '' ? [] : directory.split('/')];
  const differing = a.findIndex((part, index) => part !== b[index]);
  return differing < 0 ? a.length : differing;
}
