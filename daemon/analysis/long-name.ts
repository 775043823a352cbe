import { directoryOf } from '../model/paths.ts';

/** A name with what narrows it. */
export interface LongName {
  readonly name: string;
  /** What stands before the name, outermost first, as any language writes it: `gin.Context`, `fmt::format`, `Gson#fromJson`. */
  readonly qualifier: readonly string[];
  /** As `path#Container.name` and `path.ts:name` have it: a path or the end of one, in whole segments, and what follows. */
  readonly inFile: { readonly path: string; readonly containers: readonly string[] } | undefined;
}

/** Of C++'s `operator->` and `operator/` the sign is part of the name. */
const separator = /(?<!\boperator)(?:::|->|[.#\\/])/;

/** Go writes a method of a pointer so: `(*Context).JSON`. */
const receiver = /\(\*(\w+)\)/;

/** Takes a name apart; a plain one has no qualifier. */
export function longName(written: string): LongName {
  const text = written.replace(receiver, '$1');
  const [, path, rest = text] = /^(.+)#(.*)$/s.exec(text) ?? /^(.+\.\w+):(?!:)(.*)$/s.exec(text) ?? [];
  const words = rest.split(separator);
  const name = words.pop() ?? '';
  const before = path === undefined ? [] : path.split(separator);
  return {
    name,
    qualifier: [...before, ...words].filter(word => word !== ''),
    inFile: path === undefined ? undefined : { path, containers: words },
  };
}

/** Where a definition stands. */
export interface Enclosed {
  readonly path: string;
  /** Names of the enclosing definitions, outermost first. */
  readonly containers: readonly string[];
  /** The file's package clause; '' where it has none. */
  readonly packageName: string;
}

/** By folder: the package whose manifest lies there. */
export type PackageNames = ReadonlyMap<string, PackageName>;

export interface PackageName {
  /** As code writes it. */
  readonly name: string;
  /** Its folders have names of their own, as in Go: the package's alone never leads to what they hold. */
  readonly isByFolder: boolean;
}

/** How the words before a name may fit definitions of one tree, the narrowest first. */
export interface Fitting {
  /** By the name right around it alone, undefined for none: false of what fits in none of these ways. */
  mayFit(innermost: string | undefined): boolean;
  /** It is in the file that they name. */
  isInFile(one: Enclosed): boolean;
  /** They are the innermost definitions around it. */
  isInside(one: Enclosed): boolean;
  /** They end what leads there: a package or a module, and definitions in it. */
  isUnder(one: Enclosed, packages: PackageNames): boolean;
}

/** Containers are compared by `isSame`, packages and modules to the letter. */
export function fittingOf({ qualifier, inFile }: LongName, isSame: (a: string, b: string) => boolean): Fitting {
  let isPackageNamed: boolean | undefined;
  /** Most hold the last word nowhere, and to take a path apart costs ten times as much. */
  const isSpokenOf = ({ path, packageName }: Enclosed, packages: PackageNames): boolean => {
    isPackageNamed ??= [...packages.values()].some(({ name }) => name.includes(last));
    return isPackageNamed || path.includes(last) || packageName.includes(last);
  };
  // Thousands are asked about, of few files.
  const known = new Map<string, readonly (readonly string[])[]>();
  const placesAround = (one: Enclosed, packages: PackageNames): readonly (readonly string[])[] => {
    const places = known.get(one.path) ?? placesOf(one, packages);
    known.set(one.path, places);
    return places;
  };
  const last = qualifier.at(-1) ?? '';
  return {
    mayFit: innermost =>
      innermost === undefined || inFile !== undefined || innermost.endsWith(last) || isSame(innermost, last),
    isInFile: one =>
      inFile !== undefined && isAt(one.path, inFile.path) && endsIn(one.containers, inFile.containers, isSame),
    isInside: one => endsIn(one.containers, qualifier, isSame),
    isUnder: (one, packages) => {
      const inner = one.containers.flatMap(wordsOf);
      if (inner.length > 0 ? inner.at(-1) !== last : !isSpokenOf(one, packages)) return false;
      return placesAround(one, packages).some(place => endsIn([...place, ...inner], qualifier, isEqual));
    },
  };
}

function isAt(file: string, path: string): boolean {
  return file === path || file.endsWith(`/${path}`);
}

function isEqual(a: string, b: string): boolean {
  return a === b;
}

function endsIn(all: readonly string[], last: readonly string[], isSame: (a: string, b: string) => boolean): boolean {
  return all.length >= last.length && last.every((word, at) => isSame(all[all.length - last.length + at]!, word));
}

/** `namespace A.B` is one container, and `github.com/gin-gonic/gin` one package. */
export function wordsOf(name: string): readonly string[] {
  return name.split(separator);
}

/** Folders that hold a package's sources and are no part of its name. */
const ofSources = new Set(['src', 'lib', 'source', 'include']);

/** What leads from the root to a file, where files are modules, where folders are packages, and as packages call themselves. */
function placesOf({ path, packageName }: Enclosed, packages: PackageNames): readonly (readonly string[])[] {
  const folders = directoryOf(path).split('/').filter(Boolean);
  const module = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  const isNamed = (folder: string): boolean => !ofSources.has(folder);
  const plain = folders.filter(isNamed);
  const places: (readonly string[])[] = [[...folders, module], folders, [...plain, module], plain];
  if (packageName !== '') places.push(wordsOf(packageName));
  for (let count = folders.length; count >= 0; count--) {
    const found = packages.get(folders.slice(0, count).join('/'));
    if (found === undefined) continue;
    const root = wordsOf(found.name);
    const inner = folders.slice(count);
    if (found.isByFolder) places.push([...root, ...inner]);
    else places.push([...root, ...inner.filter(isNamed), module], [...root, ...inner.filter(isNamed)], root);
    break;
  }
  return places;
}
