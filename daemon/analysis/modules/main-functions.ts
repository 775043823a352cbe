import { baseName, directoryOf, join } from '../../model/paths.ts';
import { record, said, text, textEntries, texts } from './content.ts';
import { codeAt, type EntryContext, type Found, packageAround, stemOf } from './entry-context.ts';

import type { TreeFile } from './source-tree.ts';
/** A definition that is called `main`, `Main`, or as Windows wants what it starts: `WinMain`, `wWinMain`, `DllMain`. */
export interface MainFunction {
  readonly path: string;
  /** Of its document, as links have it: tells Go's package. */
  readonly scope: string;
  /** SCIP's descriptors: `main().`, `Program#Main().`. */
  readonly tail: string;
}

/** Functions that the runtime of their language starts a program with; those of tests are none. */
export function* programStarts(context: EntryContext, mains: readonly MainFunction[]): Iterable<Found> {
  const targets = cmakeTargets(context);
  for (const main of mains) {
    const file = context.tree.file(main.path);
    if (file === undefined || file.isTest) continue;
    const found = startOf(context, main, file.language, targets);
    if (found !== undefined) yield { ...found, path: file.path };
  }
}

type Start = Omit<Found, 'path'>;

function startOf(
  context: EntryContext,
  { path, scope, tail }: MainFunction,
  language: string,
  targets: ReadonlyMap<string, string>,
): Start | undefined {
  const [, owner = '', name, parameters = ''] = /^(.*[#/.])?([Mm]ain|w?WinMain|DllMain)\((.*)\)\.$/.exec(tail) ?? [];
  const isAtTop = owner === '' && name === 'main';
  const type = /([^/#.]+)#$/.exec(owner)?.[1];
  switch (language) {
    case 'go':
      return isAtTop && scope.endsWith('#main') ? goStart(context, path) : undefined;
    case 'java':
      if (type === undefined || name !== 'main' || !parameters.startsWith('String')) return undefined;
      return { name: type, kind: 'main', because: 'main method' };
    case 'kotlin':
      if (name !== 'main' || !/^(?:(?:Array|String).*)?$/.test(parameters)) return undefined;
      return {
        name: type ?? stemOf(path),
        kind: 'main',
        because: type === undefined ? 'main function' : 'main method',
      };
    case 'csharp':
      if (type === undefined || name !== 'Main' || !/^(?:string\[\])?$/.test(parameters)) return undefined;
      return { name: type, kind: 'main', because: 'Main method' };
    case 'c':
    case 'cpp': {
      if ((owner !== '' && owner !== 'static/') || name === 'Main') return undefined;
      if (name === 'DllMain') return { name: stemOf(path), kind: 'library', because: 'DllMain function' };
      const target = targets.get(path);
      const because = target === undefined ? `${name} function` : 'CMake add_executable';
      return { name: target ?? stemOf(path), kind: 'main', because };
    }
    case 'dart':
      return isAtTop ? dartStart(context, path) : undefined;
    default:
      return undefined;
  }
}

function goStart(context: EntryContext, path: string): Start {
  const directory = directoryOf(path);
  const module = packageAround(context, 'go', path);
  const own = directory === (module?.directory ?? '') ? module?.name?.replace(/\/v\d+$/, '') : directory;
  const kind = /(?:^|\/)cmd\//.test(path) ? 'cli' : 'main';
  return { name: baseName(own ?? stemOf(path)), kind, because: 'func main' };
}

function dartStart(context: EntryContext, path: string): Start {
  const directory = packageAround(context, 'pub', path)?.directory ?? '';
  const folder = path.slice(directory === '' ? 0 : directory.length + 1).split('/', 1)[0]!;
  const kind = folder === 'bin' ? 'cli' : folder === 'lib' || folder === 'web' ? 'main' : 'script';
  return { name: stemOf(path), kind, because: 'main function' };
}

/** Source file → the program of CMake that it is part of. */
function cmakeTargets(context: EntryContext): ReadonlyMap<string, string> {
  const { packages, configuration } = context;
  const found = new Map<string, string>();
  for (const { ecosystem, directory, manifest } of packages) {
    const targets = ecosystem === 'cmake' ? said(configuration(manifest), 'targets') : undefined;
    for (const target of (Array.isArray(targets) ? targets : []).map(record)) {
      if (target['kind'] !== 'executable') continue;
      for (const source of texts(target['sources'] ?? [])) {
        const path = join(directory, source);
        const name = text(target['name'])?.replace(/\$\{PROJECT_NAME\}/, () => projectAround(context, directory));
        if (path !== undefined && !found.has(path)) found.set(path, name ?? stemOf(path));
      }
    }
  }
  return found;
}

/** What the innermost project of CMake is called that a folder is in; '' where none is. */
function projectAround({ packages, configuration }: EntryContext, directory: string): string {
  const named = packages.flatMap(one => {
    const isAround = one.directory === '' || `${directory}/`.startsWith(`${one.directory}/`);
    const name = one.ecosystem === 'cmake' && isAround ? text(said(configuration(one.manifest), 'name')) : undefined;
    return name === undefined ? [] : [{ name, depth: one.directory.length }];
  });
  return named.sort((a, b) => b.depth - a.depth)[0]?.name ?? '';
}

/** Classes that build files of the JVM start: by their names, with or without Kotlin's `Kt`. */
export function* jvmEntries({ tree, configuration, packages }: EntryContext): Iterable<Found> {
  for (const { ecosystem, manifest } of packages) {
    if (ecosystem !== 'maven' && ecosystem !== 'gradle') continue;
    for (const name of texts(said(configuration(manifest), 'mainClasses') ?? [])) {
      const places = [name, name.replace(/Kt$/, '')].map(one => one.replaceAll('.', '/'));
      const files = places.flatMap(place =>
        ['java', 'kt'].flatMap(extension =>
          tree
            .filesNamed(`${baseName(place)}.${extension}`)
            .filter(({ path }) => `/${path}`.endsWith(`/${place}.${extension}`)),
        ),
      );
      const [file] = files;
      if (file !== undefined) yield { path: file.path, name, kind: 'main', because: `${baseName(manifest)} mainClass` };
    }
  }
}

/** Where programs of C# begin that say so nowhere else: as the framework of their windows wants it. */
const programsOfDotnet = ['MauiProgram.cs', 'App.xaml.cs', 'App.axaml.cs'];

/** Projects of C# that build a program whose code stands at the top of a file, `Program.cs` or another, or in one of such a name. */
export function* dotnetEntries(context: EntryContext): Iterable<Found> {
  const { tree, configuration, packages } = context;
  for (const { ecosystem, directory, manifest, name = '' } of packages) {
    if (ecosystem !== 'nuget') continue;
    const content = configuration(manifest);
    const isServer = /^Microsoft\.NET\.Sdk\.(?:Web|Worker|BlazorWebAssembly)/.test(text(content?.['sdk']) ?? '');
    const isProgram = isServer || /^(?:Win)?Exe$/i.test(text(said(content, 'output')) ?? '');
    if (!isProgram || said(content, 'isTest') === 'true') continue;
    const at = (name: string): string | undefined => codeAt(tree, directory, name);
    const path = at('Program.cs') ?? runFrom(context, directory) ?? programsOfDotnet.map(at).find(one => one);
    if (path === undefined) continue;
    const command = text(said(content, 'command'));
    const isTool = said(content, 'isTool') === 'true';
    const kind = isServer ? 'server' : isTool ? 'cli' : 'main';
    yield { path, name: command ?? name, kind, because: `${baseName(manifest)} ${isServer ? 'Sdk' : 'OutputType'}` };
  }
}

/** The file of a project, outside of projects inside it, whose code at the top is a program. */
function runFrom(context: EntryContext, directory: string): string | undefined {
  for (const { path, language, isTest } of context.tree.below(directory)) {
    if (language !== 'csharp' || isTest || said(context.configuration(path), 'runs') !== true) continue;
    if (packageAround(context, 'nuget', path)?.directory === directory) return path;
  }
  return undefined;
}

/** What a library of C or C++ offers: the headers that it installs, and those below `include`. */
export function* headerEntries({ tree, packages, configuration }: EntryContext): Iterable<Found> {
  for (const { ecosystem, directory, manifest, name } of packages) {
    if (ecosystem !== 'cmake') continue;
    const installed = texts(said(configuration(manifest), 'installed') ?? []);
    for (const one of installed) {
      const path = join(directory, one.replace(/\/$/, ''));
      const files = path === undefined ? [] : one.endsWith('/') ? tree.below(path) : [tree.file(path) ?? []].flat();
      yield* headersAmong(files, name, `${baseName(manifest)} install`);
    }
    yield* headersAmong(tree.below(directory === '' ? 'include' : `${directory}/include`), name, 'include convention');
  }
}

function* headersAmong(files: Iterable<TreeFile>, name: string | undefined, because: string): Iterable<Found> {
  for (const { path, isTest } of files) {
    if (!isTest && /\.(?:h|hh|hpp|hxx)$/.test(path))
      yield { path, name: name ?? stemOf(path), kind: 'library', because };
  }
}

/**
 * Commands and libraries of a package of Dart: what the manifest calls a command, and what others may import of `lib`; nobody
 * imports a program that is published nowhere.
 */
export function* dartEntries({ tree, packages, configuration }: EntryContext): Iterable<Found> {
  for (const { ecosystem, directory, manifest, name = '' } of packages) {
    if (ecosystem !== 'pub') continue;
    for (const [command, file] of textEntries(said(configuration(manifest), 'executables'))) {
      const path = codeAt(tree, directory, `bin/${file}.dart`);
      if (path !== undefined)
        yield { path, name: command, kind: 'cli', because: `pubspec.yaml executables.${command}` };
    }
    const lib = directory === '' ? 'lib' : `${directory}/lib`;
    const isMain = ({ path }: TreeFile): boolean => /^main(?:_\w+)?\.dart$/.test(baseName(path));
    const isOffered = ({ path, isTest }: TreeFile): boolean =>
      !isTest && path.endsWith('.dart') && said(configuration(path), 'isPart') !== true;
    const files = tree.filesIn(lib).filter(isOffered);
    if (said(configuration(manifest), 'isPrivate') === true && files.some(isMain)) continue;
    for (const file of files) {
      if (isMain(file)) continue;
      const own = stemOf(file.path);
      yield {
        path: file.path,
        name: own === name ? name : `${name}/${own}`,
        kind: 'library',
        because: 'lib convention',
      };
    }
  }
}
