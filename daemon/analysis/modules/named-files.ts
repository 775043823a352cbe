import { isCode } from '../../model/families.ts';
import { either, fitsGlob } from '../../model/fits-glob.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import { record, said, texts } from './content.ts';
import { codeAt, type EntryContext, packageAround } from './entry-context.ts';

/** A file of code that a file of settings, a page or a script names, and the key or the way in which it does. */
export interface NamedFile {
  readonly path: string;
  readonly key: string;
}

/** What a file names by paths, by patterns, by classes, and by modules of Python. */
export function* filesNamedIn(context: EntryContext, naming: string): Iterable<NamedFile> {
  const content = context.configuration(naming);
  if (content === undefined) return;
  yield* byPath(context, naming, record(said(content, 'names')));
  for (const path of fitting(context, naming, storiesIn(texts(said(content, 'stories') ?? []))))
    yield { path, key: 'stories' };
  for (const path of fitting(context, naming, fromAnyRoot(texts(said(content, 'patterns') ?? []))))
    yield { path, key: 'patterns' };
  yield* byClass(context, naming, texts(said(content, 'loadedClasses') ?? []));
  yield* byType(context, naming, texts(said(content, 'typeNames') ?? []));
  for (const folder of texts(said(content, 'loadedFolders') ?? [])) {
    for (const path of fitting(context, naming, [folder.includes('*') ? folder : `${folder.replace(/\/$/, '')}/**`]))
      yield { path, key: 'resource' };
  }
  for (const namespace of texts(said(content, 'loadedNamespaces') ?? [])) {
    for (const path of filesOfNamespace(context, namespace)) yield { path, key: 'namespace' };
  }
  for (const name of texts(said(content, 'dotted') ?? [])) {
    const path = fileOfModule(context, naming, name);
    if (path !== undefined && path !== naming) yield { path, key: 'text' };
  }
  if (baseName(naming) === 'conf.py')
    yield* sphinxExtensions(context, naming, texts(said(content, 'extensions') ?? []));
}

/** What code loads itself by patterns (each call's those with `!` left out), names by paths, or has built. */
export function* filesLoadedIn(context: EntryContext, naming: string): Iterable<NamedFile> {
  const content = context.configuration(naming);
  if (content === undefined) return;
  const calls = said(content, 'globs');
  for (const patterns of Array.isArray(calls) ? calls : []) {
    for (const path of fitting(context, naming, texts(patterns))) yield { path, key: 'loads by a pattern' };
  }
  for (const path of fitting(context, naming, fromAnyRoot(texts(said(content, 'builds') ?? []))))
    yield { path, key: 'builds' };
  yield* byPath(context, naming, { loads: said(content, 'loads') ?? [] });
}

/** Paths as they are written from the file's folder, its package's, or the repository's root. */
function* byPath(context: EntryContext, naming: string, names: Readonly<Record<string, unknown>>): Iterable<NamedFile> {
  const { tree, sourceAt } = context;
  for (const [key, paths] of Object.entries(names)) {
    for (const name of texts(paths)) {
      for (const base of basesOf(context, naming)) {
        const at = join(base, name.replace(/^\/+/, ''));
        const path = at === undefined || tree.has(at) ? at : sourceAt(at);
        if (path === undefined || !isCode(tree.file(path)?.language ?? '')) continue;
        yield { path, key };
        break;
      }
    }
  }
}

function basesOf(context: EntryContext, naming: string): ReadonlySet<string> {
  const around = packageAround(context, 'npm', naming)?.directory ?? '';
  return new Set([directoryOf(naming), around, '']);
}

/** Patterns without a folder to begin at may begin at the package's, and at the repository's. */
function fromAnyRoot(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap(one => (/^(?:!|\.{0,2}\/)/.test(one) ? [one] : [one, `/${one}`]));
}

/** A folder of stories is all stories in it. */
function storiesIn(patterns: readonly string[]): readonly string[] {
  return patterns.map(one => (/[*]|\.\w+$/.test(one) ? one : `${one.replace(/\/$/, '')}/**/*.stories.*`));
}

/** Files of code that patterns written in a file mean: from its folder, with a slash first from its package's. */
function* fitting(context: EntryContext, naming: string, patterns: readonly string[]): Iterable<string> {
  const root = packageAround(context, naming.endsWith('.php') ? 'composer' : 'npm', naming)?.directory ?? '';
  const globs = (written: readonly string[]): readonly string[] =>
    written
      .flatMap(one =>
        either(one.replace(/[@+?]\(([^()]*)\)/g, (_, inside: string) => `{${inside.replaceAll('|', ',')}}`)),
      )
      .flatMap(one => (one.startsWith('/') ? join(root, one.slice(1)) : join(directoryOf(naming), one)) ?? []);
  const wanted = globs(patterns.filter(one => !one.startsWith('!')));
  const unwanted = globs(patterns.filter(one => one.startsWith('!')).map(one => one.slice(1)));
  for (const glob of wanted) {
    for (const path of codeFitting(context.tree, glob)) {
      if (path !== naming && !unwanted.some(one => fitsGlob(one, path))) yield path;
    }
  }
}

/** Many files write the same patterns. */
const fittingIn = new WeakMap<EntryContext['tree'], Map<string, readonly string[]>>();

function codeFitting(tree: EntryContext['tree'], glob: string): readonly string[] {
  const known = fittingIn.get(tree) ?? new Map<string, readonly string[]>();
  fittingIn.set(tree, known);
  const before = known.get(glob);
  if (before !== undefined) return before;
  const fixed = directoryOf(glob.slice(0, glob.search(/[*?]|$/)).concat('x'));
  const found: string[] = [];
  for (const { path, language } of tree.below(fixed)) if (isCode(language) && fitsGlob(glob, path)) found.push(path);
  known.set(glob, found);
  return found;
}

function* byClass(context: EntryContext, naming: string, classes: readonly string[]): Iterable<NamedFile> {
  const key = baseName(naming).startsWith('services') ? 'services' : 'class';
  for (const name of classes) {
    for (const path of name.includes('\\') ? filesOfPhp(context, name) : filesOfJvm(context, name))
      if (path !== naming) yield { path, key };
  }
}

/** Files of C# that are called as a type, a component of views or a page is, and what is behind the page itself. */
function* byType({ tree }: EntryContext, naming: string, types: readonly string[]): Iterable<NamedFile> {
  const behind = tree.file(`${naming}.cs`);
  if (behind !== undefined) yield { path: behind.path, key: 'code-behind' };
  for (const name of types) {
    for (const ending of ['', 'ViewComponent', '.xaml', '.razor']) {
      for (const { path } of tree.filesNamed(`${name}${ending}.cs`)) yield { path, key: 'type' };
    }
  }
}

/** Files of a class of the JVM: where its package says. */
export function filesOfJvm({ tree }: Pick<EntryContext, 'tree'>, name: string): readonly string[] {
  const place = name.replace(/\$.*/, '').replaceAll('.', '/');
  return ['java', 'kt'].flatMap(extension =>
    tree
      .filesNamed(`${baseName(place)}.${extension}`)
      .flatMap(({ path }) => (`/${path}`.endsWith(`/${place}.${extension}`) ? [path] : [])),
  );
}

/** Where Composer looks for it. */
function* filesOfPhp({ tree, packages, configuration }: EntryContext, name: string): Iterable<string> {
  for (const { ecosystem, directory, manifest } of packages) {
    if (ecosystem !== 'composer') continue;
    for (const [prefix, folder] of rootsIn(said(configuration(manifest), 'roots'))) {
      if (!name.startsWith(prefix)) continue;
      const at = join(folder, `${name.slice(prefix.length).replaceAll('\\', '/')}.php`);
      const path = at === undefined ? undefined : codeAt(tree, directory, at);
      if (path !== undefined) yield path;
    }
  }
}

/** What lies right where Composer looks for the classes of a namespace; of one that has all of a root's, nothing is known. */
function* filesOfNamespace({ tree, packages, configuration }: EntryContext, namespace: string): Iterable<string> {
  for (const { ecosystem, directory, manifest } of packages) {
    if (ecosystem !== 'composer') continue;
    for (const [prefix, folder] of rootsIn(said(configuration(manifest), 'roots'))) {
      if (!namespace.startsWith(prefix) || namespace === prefix) continue;
      const place = join(directory, `${folder}/${namespace.slice(prefix.length).replaceAll('\\', '/')}`);
      for (const { path } of place === undefined ? [] : tree.filesIn(place)) if (path.endsWith('.php')) yield path;
    }
  }
}

function rootsIn(roots: unknown): readonly (readonly [prefix: string, folder: string])[] {
  return Object.entries(record(roots)).flatMap(([prefix, folders]) =>
    texts(folders).map(folder => [prefix, folder.replace(/\/$/, '')] as const),
  );
}

/** The file of a module of Python, or of that which has what a dotted name ends with: looked for from the file's folder upwards. */
function fileOfModule({ tree }: EntryContext, naming: string, name: string): string | undefined {
  const place = name.replaceAll('.', '/');
  for (let at = directoryOf(naming); ; at = directoryOf(at)) {
    for (const one of [place, directoryOf(place)]) {
      const found = codeAt(tree, at, `${one}.py`) ?? codeAt(tree, at, `${one}/__init__.py`);
      if (found !== undefined) return found;
    }
    if (at === '') return undefined;
  }
}

/** Modules are looked for in the folder of `conf.py` and those in it, which it adds to the path, then at the root. */
function* sphinxExtensions({ tree }: EntryContext, naming: string, modules: readonly string[]): Iterable<NamedFile> {
  const directory = directoryOf(naming);
  for (const module of modules) {
    const place = module.replaceAll('.', '/');
    const folders = [directory, ...tree.codeDirectoriesIn(directory), directoryOf(directory), ''];
    const found = folders.flatMap(
      folder => codeAt(tree, folder, `${place}.py`) ?? codeAt(tree, folder, `${place}/__init__.py`) ?? [],
    );
    if (found[0] !== undefined) yield { path: found[0], key: 'extensions' };
  }
}
