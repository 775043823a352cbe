import { isModulePage, readmeMarkup } from '../../model/about-files.ts';
import { familyOf } from '../../model/families.ts';
import type { CodeModule, Entrypoint } from '../../model/module.ts';
import { baseName } from '../../model/paths.ts';
import type { SourceTree } from '../modules/source-tree.ts';

type Tree = Pick<SourceTree, 'has' | 'filesIn' | 'codeDirectoriesIn'>;
type DescribedModule = Pick<CodeModule, 'path' | 'name' | 'language' | 'ecosystem'>;

/** The READMEs of a module's folder, that which people are shown first in front; of the root as GitHub looks for it. */
export function readmesOf({ path }: Pick<CodeModule, 'path'>, tree: Tree): readonly string[] {
  const folders = path === '' ? ['.github', '', 'docs'] : [path];
  return folders.flatMap(folder =>
    tree
      .filesIn(folder)
      .map(file => file.path)
      .filter(file => readmeMarkup(file) !== undefined)
      .sort((a, b) => preference(a) - preference(b) || (a < b ? -1 : 1)),
  );
}

const markups = ['markdown', 'restructured', 'asciidoc', 'rdoc', 'plain'];

function preference(path: string): number {
  return markups.indexOf(readmeMarkup(path)!);
}

/** No more files are read in search of one that documents a package. */
const mostFiles = 12;

/** Files that may document a module's package, by the customs of its language, the likeliest first. None of them need do so. */
export function packageDocFiles(
  module: DescribedModule,
  tree: Tree,
  entrypoints: readonly Pick<Entrypoint, 'path' | 'kind'>[],
): readonly string[] {
  const entries = entrypoints.filter(({ kind }) => kind !== 'script').map(({ path }) => path);
  const pages = tree.filesIn(module.path).flatMap(({ path }) => (isModulePage(path) ? [path] : []));
  // A package whose code lies in folders that are modules has none of its own.
  const find = finders[familyOf(module.language) || (familyIn[module.ecosystem ?? ''] ?? '')];
  const found = find === undefined ? [] : find({ module, tree, entries });
  return [...new Set([...pages, ...found])].filter(path => tree.has(path)).slice(0, mostFiles);
}

const familyIn: Readonly<Record<string, string>> = {
  ...{ npm: 'ecmascript', go: 'go', cargo: 'rust', pypi: 'python', maven: 'jvm', gradle: 'jvm', pub: 'dart' },
  ...{ gem: 'ruby', nuget: 'csharp', composer: 'php', cmake: 'c' },
};

interface Search {
  readonly module: DescribedModule;
  readonly tree: Tree;
  /** Files that the module's programs and libraries begin at. */
  readonly entries: readonly string[];
}

const finders: Readonly<Record<string, (search: Search) => readonly string[]>> = {
  go: ({ module: { path }, tree }) => {
    const files = codeIn(tree, path, 'go');
    return [
      ...files.filter(file => /\/?doc\.go$/.test(file)),
      ...files.filter(file => isNamedLike(file, path)),
      ...files,
    ];
  },
  rust: ({ module: { path }, entries }) => [
    ...['src/lib.rs', 'src/main.rs', 'lib.rs', 'mod.rs', 'main.rs'].map(file => under(path, file)),
    ...(path === '' ? [] : [`${path}.rs`]),
    ...entries,
  ],
  python: ({ module: { path, name }, tree, entries }) => {
    const own = name.replaceAll('-', '_').toLowerCase();
    const folders = ['src', ''].flatMap(folder => packagesIn(tree, under(path, folder)));
    return [
      ...['', own, `src/${own}`, `lib/${own}`].map(folder => under(path, under(folder, '__init__.py'))),
      ...folders.map(folder => `${folder}/__init__.py`),
      ...[`${own}.py`, `src/${own}.py`, '__main__.py'].map(file => under(path, file)),
      ...entries,
    ];
  },
  jvm: ({ module: { path }, tree }) => shallowest(tree, path, file => baseName(file) === 'package-info.java'),
  csharp: ({ module: { path }, tree }) =>
    shallowest(tree, path, file => /NamespaceDoc\.cs$|(?:^|\/)AssemblyInfo\.cs$/.test(file)),
  dart: ({ module: { path, name }, tree, entries }) => [
    under(path, `lib/${name}.dart`),
    ...codeIn(tree, under(path, 'lib'), 'dart'),
    ...entries,
  ],
  ecmascript: ({ module: { path }, entries }) => [
    ...['ts', 'tsx', 'mts', 'js', 'mjs', 'cjs', 'jsx'].flatMap(extension =>
      ['src/index', 'index', 'lib/index', 'src/main', 'mod', 'main'].map(stem => under(path, `${stem}.${extension}`)),
    ),
    ...entries,
  ],
  ruby: ({ module: { path, name } }) => {
    const own = name.toLowerCase();
    const spellings = [own, own.replaceAll('-', '_'), own.replaceAll('-', '/')];
    return [...spellings.map(one => under(path, `lib/${one}.rb`)), ...(path === '' ? [] : [`${path}.rb`])];
  },
  php: ({ entries }) => entries,
  c: ({ module: { path, name }, tree }) => {
    const own = name.toLowerCase();
    const headers = codeIn(tree, path, 'c').filter(file => /\.h(?:h|pp|xx)?$/.test(file));
    const folders = ['', `${own}/`].map(folder => `include/${folder}${own}`);
    return [
      ...headers.filter(file => isNamedLike(file, path)),
      ...folders.flatMap(stem => ['h', 'hpp', 'hh'].map(extension => under(path, `${stem}.${extension}`))),
    ];
  },
};

function under(folder: string, path: string): string {
  return folder === '' ? path : path === '' ? folder : `${folder}/${path}`;
}

/** Files of a language in a folder that are no tests. */
function codeIn(tree: Tree, folder: string, family: string): readonly string[] {
  return tree
    .filesIn(folder)
    .flatMap(({ path, language, isTest }) => (familyOf(language) === family && !isTest ? [path] : []));
}

/** `table/table.go` */
function isNamedLike(file: string, folder: string): boolean {
  return baseName(file).replace(/\..*$/, '') === baseName(folder);
}

/** Packages of Python right below a folder. */
function packagesIn(tree: Tree, folder: string): readonly string[] {
  return tree
    .codeDirectoriesIn(folder)
    .filter(one => tree.has(`${one}/__init__.py`) && !/^(?:tests?|docs|examples?)$/.test(baseName(one)));
}

/** Of many folders no more are looked into. */
const mostFolders = 200;

/** The files of the first folders, going down, that have some which will do. */
function shallowest(tree: Tree, top: string, isMeant: (path: string) => boolean): readonly string[] {
  let level: readonly string[] = [top];
  for (let looked = 0; level.length > 0 && looked < mostFolders; looked += level.length) {
    const found = level.flatMap(folder =>
      tree.filesIn(folder).flatMap(({ path, isTest }) => (isMeant(path) && !isTest ? [path] : [])),
    );
    if (found.length > 0) return found;
    level = level.flatMap(folder => tree.codeDirectoriesIn(folder)).slice(0, mostFolders);
  }
  return [];
}
