import { baseName, directoryOf, join } from '../../model/paths.ts';
import { record, said, textEntries, texts } from './content.ts';
import { codeAt, codeIn, type EntryContext, type Found, stemOf } from './entry-context.ts';
import type { Package } from './packages.ts';

const manifests = ['pyproject.toml', 'setup.cfg', 'setup.py'];

/**
 * What a project of Python offers and starts: its commands and plugins (`module:function`), its scripts, the packages that
 * it installs (those that are listed, else the one of its name, else those that lie where its packages do), and by
 * convention `main` and `app` at its root.
 */
export function* pythonEntries(context: EntryContext, one: Package): Iterable<Found> {
  const roots = importRoots(context, one.directory);
  const offered: Found[] = [];
  let findsPackages = false;
  for (const manifest of manifests) {
    const content = context.configuration(one.directory === '' ? manifest : `${one.directory}/${manifest}`);
    const project = manifest === 'setup.py' ? record(said(content, 'setup')) : record(content?.['project']);
    yield* commandsOf(context, roots, project, manifest);
    for (const script of texts(project['scripts'] ?? [])) {
      const path = codeAt(context.tree, one.directory, script);
      if (path !== undefined) yield { path, name: stemOf(path), kind: 'cli', because: `${manifest} scripts` };
    }
    offered.push(...listedPackages(context, roots, project, manifest, one.name));
    findsPackages ||= project['findsPackages'] === true;
  }
  yield* offered;
  if (findsPackages || (offered.length === 0 && isInstalled(context, one))) yield* ownPackages(context, roots, one);
  for (const root of roots) {
    for (const path of codeIn(context.tree, root)) {
      const kind = kindByName[baseName(path)];
      if (kind !== undefined) yield { path, name: stemOf(path), kind, because: `${baseName(path)} convention` };
    }
  }
}

/** Whether somebody may install it: a list of what is required says no more than that something runs there, and so does what is read beside the start of a site. */
function isInstalled({ tree, configuration }: EntryContext, { directory, manifest }: Package): boolean {
  const name = baseName(manifest);
  if (name === 'requirements.txt' || name === 'Pipfile') return false;
  const isSite = codeAt(tree, directory, 'manage.py') !== undefined;
  return !isSite || name !== 'pyproject.toml' || said(configuration(manifest), 'builds') === true;
}

const kindByName: Readonly<Record<string, Found['kind']>> = {
  'main.py': 'main',
  'app.py': 'server',
  'server.py': 'server',
  'run.py': 'main',
  'cli.py': 'cli',
};

/** Folders below which a project's modules are found by their names. */
function importRoots({ configuration, tree }: EntryContext, directory: string): readonly string[] {
  const contents = manifests.map(name => configuration(directory === '' ? name : `${directory}/${name}`) ?? {});
  const written = [
    ...contents.flatMap(({ packageDir, packagesFind, where }) => [
      ...(typeof packageDir === 'string' ? [packageDir.replace(/^=\s*/, '')] : texts(record(packageDir)[''] ?? [])),
      ...texts(record(record(packagesFind)['find'])['where'] ?? []),
      ...texts(where ?? []),
    ]),
    'src',
    'lib',
    '',
  ];
  const folders = written.flatMap(folder => join(directory, folder) ?? []);
  return [...new Set(folders)].filter(folder => folder === directory || tree.hasCodeBelow(folder));
}

function* commandsOf(
  context: EntryContext,
  roots: readonly string[],
  project: Readonly<Record<string, unknown>>,
  manifest: string,
): Iterable<Found> {
  for (const [name, target] of textEntries(project['commands'])) {
    const path = moduleAt(context, roots, target.split(':', 1)[0]!);
    if (path !== undefined) yield { path, name, kind: 'cli', because: `${manifest} scripts.${name}` };
  }
  for (const [group, plugins] of Object.entries(record(project['plugins']))) {
    for (const [name, target] of textEntries(plugins)) {
      const path = moduleAt(context, roots, target.split(':', 1)[0]!);
      if (path !== undefined) yield { path, name, kind: 'library', because: `${manifest} entry-points ${group}` };
    }
  }
}

function moduleAt({ tree }: EntryContext, roots: readonly string[], module: string): string | undefined {
  const relative = module.trim().replaceAll('.', '/');
  for (const root of roots) {
    const found = codeAt(tree, root, `${relative}.py`) ?? codeAt(tree, root, `${relative}/__init__.py`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function* listedPackages(
  context: EntryContext,
  roots: readonly string[],
  project: Readonly<Record<string, unknown>>,
  manifest: string,
  name: string | undefined,
): Iterable<Found> {
  const because = `${manifest} packages`;
  for (const written of texts(project['folders'] ?? [])) {
    const folders = roots.flatMap(root => join(root, written) ?? []);
    const found = folders.map(folder => packagesAt(context, folder)).find(paths => paths.length > 0) ?? [];
    for (const path of found) yield { path, name: name ?? stemOf(path), kind: 'library', because };
  }
  for (const module of texts(project['modules'] ?? [])) {
    const file = `${module.replaceAll('.', '/')}.py`;
    const path = roots.map(root => codeAt(context.tree, root, file)).find(one => one !== undefined);
    if (path !== undefined) yield { path, name: name ?? stemOf(path), kind: 'library', because };
  }
}

/** The package of a folder, by its `__init__.py`; of a namespace package, those inside. */
function packagesAt(context: EntryContext, folder: string, levels = deepestNamespace): readonly string[] {
  const init = codeAt(context.tree, folder, '__init__.py');
  if (init !== undefined && said(context.configuration(init), 'isNamespace') !== true) return [init];
  if (levels === 0 || beside.test(`${folder}/`)) return [];
  const inside = context.tree.codeDirectoriesIn(folder);
  return inside.flatMap(one => (isPartOfName(one) ? packagesAt(context, one, levels - 1) : []));
}

/** `google.cloud.storage` is three levels. */
const deepestNamespace = 6;

function isPartOfName(folder: string): boolean {
  return /^[a-z_]\w*$/i.test(baseName(folder));
}

/**
 * The package that is called as the project is (`acme.core` of `acme-core`), else all that lie where its packages do, tests
 * and documents aside; inside namespace packages where a folder is there for nothing else.
 */
function* ownPackages(context: EntryContext, roots: readonly string[], one: Package): Iterable<Found> {
  const { tree } = context;
  const wanted = one.name?.toLowerCase().replace(/[-.]/g, '_');
  const isNamed = (root: string, path: string): boolean => {
    const whole = path.slice(root === '' ? 0 : root.length + 1).replace(/(?:\/__init__)?\.py$/, '');
    return whole.toLowerCase().replaceAll('/', '_') === wanted;
  };
  const named: string[] = [];
  const all: string[] = [];
  for (const root of roots) {
    const packages = tree.codeDirectoriesIn(root).flatMap(folder => packagesAt(context, folder));
    named.push(...[...packages, ...codeIn(tree, root)].filter(path => isNamed(root, path)));
    const isOwn = (path: string): boolean => directoryOf(directoryOf(path)) === root || isDeclared(context, root, path);
    all.push(...(root === one.directory ? packages.filter(isOwn) : packages));
  }
  const chosen = named.length > 0 ? named : all.filter(path => !tree.file(path)!.isTest && !beside.test(path));
  for (const path of chosen) {
    const name = one.name ?? baseName(directoryOf(path));
    yield { path, name, kind: 'library', because: `${baseName(one.manifest)} name` };
  }
}

/** Whether every folder above a package says that it is a namespace. */
function isDeclared({ tree }: EntryContext, root: string, path: string): boolean {
  for (let at = directoryOf(directoryOf(path)); at !== root; at = directoryOf(at))
    if (codeAt(tree, at, '__init__.py') === undefined) return false;
  return true;
}

const beside = /(?:^|\/)(?:docs?|examples?|samples?|scripts|tools|benchmarks?|tests?|testing)\/(?:__init__\.py)?$/;

/** What runs wherever it lies: scripts of JavaScript with a first line for that, `__main__.py`, code for being run by name, Django's and the gateway interfaces' files. */
export function* runnableModules({ tree, configuration }: EntryContext): Iterable<Found> {
  for (const { path, language, isTest } of tree.files) {
    if (isTest) continue;
    if (language === 'php' && said(configuration(path), 'runs') === true)
      yield { path, name: stemOf(path), kind: 'server', because: 'WordPress header' };
    if ((language === 'typescript' || language === 'javascript') && said(configuration(path), 'runs') === true)
      yield { path, name: stemOf(path), kind: 'script', because: '#! line' };
    if (language !== 'python') continue;
    const name = baseName(path);
    if (name === '__main__.py') {
      yield { path, name: baseName(directoryOf(path)), kind: 'cli', because: '__main__.py convention' };
    } else if (name === 'manage.py') yield { path, name: 'manage', kind: 'cli', because: 'manage.py convention' };
    else if (name === 'wsgi.py' || name === 'asgi.py') {
      yield { path, name: stemOf(path), kind: 'server', because: `${name} convention` };
    } else if (said(configuration(path), 'runs') === true) {
      yield { path, name: stemOf(path), kind: 'script', because: "if __name__ == '__main__'" };
    }
  }
}
