import { jestSettings } from './test-settings.ts';
import {
  type Content,
  defined,
  jsonc,
  maxItems,
  object,
  type Reading,
  said,
  text,
  texts,
  textsByKey,
} from './values.ts';
import { readYaml } from './yaml.ts';

/** tsconfig.json, jsconfig.json and their like. */
export function readTsconfig(source: string): Reading {
  const file = object(jsonc(source));
  const options = object(file['compilerOptions']);
  const references = Array.isArray(file['references']) ? file['references'].map(one => object(one)['path']) : undefined;
  const { include, files } = file;
  const { baseUrl, rootDirs, rootDir, outDir, declarationDir, paths } = options;
  const built = { include, files, rootDir, outDir, declarationDir };
  const content = defined({
    extends: file['extends'],
    references,
    baseUrl,
    rootDirs,
    paths: textLists(paths),
    ...built,
  });
  return { scope: '', content };
}

/** `paths` with all that is no list of texts left out: resolvers need not look again. */
function textLists(value: unknown): Record<string, string[]> | undefined {
  if (value === undefined) return undefined;
  const lists = Object.entries(object(value)).filter(([, targets]) => Array.isArray(targets));
  return Object.fromEntries(lists.map(([key, targets]) => [key, (targets as unknown[]).map(String)]));
}

/**
 * package.json. Of the project: `bin` (name → file; the package's own name for one text), `browser`, `scripts`, the names
 * of what it depends on, `tests` what settings of Jest in it say, and `names`, the relative paths that settings of tools in it name, by the key that does.
 */
export function readPackage(source: string): Reading {
  const file = object(jsonc(source));
  const keys = ['name', 'main', 'module', 'types', 'typings', 'source', 'exports', 'imports', 'workspaces', 'tsconfig'];
  const content = defined(Object.fromEntries(keys.map(key => [key, file[key]])));
  const { name } = content;
  const project = said({
    bin: commandsOf(file['bin'], text(name)),
    browser: text(file['browser']),
    private: file['private'] === true ? true : undefined,
    scripts: textsByKey(file['scripts']),
    requires: requiredBy(file),
    tests: jestSettings(file['jest']),
    names: { ...namedPaths(file), ...said({ browser: Object.values(textsByKey(file['browser'])) }) },
  });
  return { scope: typeof name === 'string' && name !== '' ? `npm:${name}` : '', content, project };
}

function commandsOf(bin: unknown, name: string | undefined): Record<string, string> {
  const own = name?.replace(/^@[^/]*\//, '') ?? 'bin';
  return typeof bin === 'string' ? { [own]: bin } : textsByKey(bin);
}

function requiredBy(file: Content): readonly string[] {
  const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  return [...new Set(lists.flatMap(list => Object.keys(object(file[list])).slice(0, maxItems)))].sort();
}

/** What npm itself reads of a package.json, or what names no module: everything else is some tool's. */
const notOfTools: ReadonlySet<string> = new Set(
  `name version description keywords homepage bugs license author contributors funding files exports main module types
  typings typesVersions browser bin man directories repository scripts config dependencies devDependencies
  peerDependencies peerDependenciesMeta bundleDependencies bundledDependencies optionalDependencies overrides resolutions
  engines os cpu devEngines private publishConfig workspaces imports type source packageManager sideEffects pnpm volta
  lint-staged browserslist unpkg jsdelivr`.split(/\s+/),
);

function namedPaths(file: Content): Record<string, readonly string[]> {
  const tools = Object.entries(file).filter(([key]) => !notOfTools.has(key));
  return said(Object.fromEntries(tools.map(([key, value]) => [key, pathsIn(value)]))) as Record<
    string,
    readonly string[]
  >;
}

/** Relative paths, `<rootDir>` among them, among the texts of a setting, and files of code that a text has among other words. */
function pathsIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let at = waiting.pop(); at !== undefined && found.size < maxPaths; at = waiting.pop()) {
    const { value: one, depth } = at;
    if (typeof one === 'string') {
      const path = /^(?:<rootDir>|\.)\/([^*{}[\]]+)$/.exec(one)?.[1];
      if (path !== undefined && path.length < 500) found.add(`./${path}`);
      else for (const [word] of one.slice(0, 2_000).matchAll(/(?<!\S)[\w@./-]+\.[cm]?[jt]sx?(?!\S)/g)) found.add(word);
    } else if (typeof one === 'object' && one !== null && depth < 8) {
      for (const inner of Object.values(one)) waiting.push({ value: inner, depth: depth + 1 });
    }
  }
  return [...found].sort();
}

const maxPaths = 200;

/** pnpm-workspace.yaml. */
export function readPnpmWorkspace(source: string): Reading {
  return { scope: '', content: { packages: texts(object(readYaml(source))['packages']) } };
}

/** lerna.json: packages that no workspace declares. */
export function readLerna(source: string): Reading {
  const file = object(jsonc(source));
  return { scope: '', content: {}, project: said({ packages: texts(file['packages'] ?? []) }) };
}

/** rush.json: the folders of its projects. */
export function readRush(source: string): Reading {
  const { projects } = object(jsonc(source));
  const folders = (Array.isArray(projects) ? projects.slice(0, maxItems) : []).flatMap(
    one => text(object(one)['projectFolder']) ?? [],
  );
  return { scope: '', content: {}, project: said({ packages: folders }) };
}

/**
 * project.json of Nx, angular.json: per project its name, its folder, and the files that its targets name as where they
 * begin. `main`, `browser` and `server` are Angular's and esbuild's. Of all of them `names`: the code that any option names.
 * `isProject` where the file is one of Nx's, which needs no name.
 */
export function readProjects(source: string): Reading {
  const file = object(jsonc(source));
  const listed = Object.entries(object(file['projects'])).slice(0, maxItems);
  const projects = listed.length > 0 ? listed : [[text(file['name']) ?? '', file] as const];
  const read = projects.map(([name, value]) => {
    const one = object(value);
    const targets = Object.values(object(one['targets'] ?? one['architect'])).map(target =>
      object(object(target)['options']),
    );
    const mains = targets.flatMap(options =>
      ['main', 'browser', 'server', 'entryFile'].flatMap(key => texts(options[key] ?? [])),
    );
    const kind = text(one['projectType']);
    return said({ name: text(name), root: text(one['root']), kind, mains: [...new Set(mains)].sort() });
  });
  const isProject = ['targets', 'projectType', 'sourceRoot'].some(key => file[key] !== undefined) ? true : undefined;
  const told = read.filter(one => Object.keys(one).length > 0);
  const paths = [...source.slice(0, 1_000_000).matchAll(/"((?:\.{0,2}\/)?[\w@./-]{1,500}\.[cm]?[jt]sx?)"/g)].map(
    ([, path]) => path!,
  );
  const names = said({ options: [...new Set(paths)].sort().slice(0, maxItems) });
  return { scope: '', content: {}, project: said({ projects: told, isProject, names }) };
}
