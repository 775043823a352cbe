import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { baseName, directoryOf } from '../model/paths.ts';

/** Files that are read together, by the options of one configuration file of the repository; '' where they have none. */
export interface TypescriptProject {
  readonly config: string;
  readonly files: readonly string[];
}

/** What assigning files takes of a configuration file. */
export interface TypescriptConfig {
  /** Whether it takes in no file itself, as the first of a project with references does. */
  readonly isBare: boolean;
  /** How the paths begin that it takes in, as far as they are literal, relative to the root. */
  readonly beginnings: readonly string[];
  /** Paths of the configurations that it refers to. */
  readonly references: readonly string[];
}

/**
 * Every source file in the project that its editor would take it for: the `tsconfig.json` or `jsconfig.json` of the
 * innermost folder, and where that only refers to others beside it (`tsconfig.app.json`), the one of them that says most of
 * the file's path. What a configuration leaves out (tests, scripts, JavaScript) is read by its options all the same.
 */
export function typescriptProjects(
  files: readonly string[],
  configs: ReadonlyMap<string, TypescriptConfig>,
): readonly TypescriptProject[] {
  const nearest = new Map<string, string | undefined>();
  const projects = new Map<string, string[]>();
  for (const file of files) {
    const first = nearestConfig(directoryOf(file), configs, nearest);
    const config = first === undefined ? '' : bestOf(first, file, configs);
    const project = projects.get(config);
    if (project === undefined) projects.set(config, [file]);
    else project.push(file);
  }
  return [...projects].map(([config, members]) => ({ config, files: members }));
}

/** What TypeScript reads: by their names, for it takes no others. */
export function isTypescriptFile(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

export function isTypescriptConfig(path: string): boolean {
  return /^[tj]sconfig(?:\.[^/]*)?\.json$/.test(baseName(path));
}

/** Reads the configuration files of a tree; what is broken or large says nothing. */
export function readTypescriptConfigs(root: string, paths: readonly string[]): Map<string, TypescriptConfig> {
  return new Map(
    paths.slice(0, mostConfigs).flatMap(path => {
      const found = readConfig(join(root, path));
      return found === undefined ? [] : [[path, configOf(path, found)] as const];
    }),
  );
}

/** Those of a project's configuration (`extends`); or, where this TypeScript refuses them, ours and its `paths`. */
export type ProjectOptions = 'of the repository' | 'ours';

/** Writes a project file of ours for each project, outside the work tree; `name` begins their names. */
export function writeProjectFiles(
  root: string,
  projects: readonly (TypescriptProject & { readonly options: ProjectOptions })[],
  folder: string,
  name: string,
): readonly string[] {
  return projects.map(({ config, files, options }, number) => {
    const project = join(folder, `${name}-${number}.json`);
    const isOurs = config === '' || options === 'ours';
    const content = {
      ...(isOurs ? {} : { extends: join(root, config) }),
      compilerOptions: {
        ...(isOurs ? plainOptions : {}),
        ...(isOurs && config !== '' ? pathOptions(join(root, config)) : {}),
        ...forcedOptions,
      },
      files: files.map(file => join(root, file)),
      include: [],
      exclude: [],
      references: [],
    };
    writeFileSync(project, JSON.stringify(content), { mode: 0o600 });
    return project;
  });
}

const mostConfigs = 2000;
const mostConfigBytes = 1024 * 1024;

/** Whatever a configuration says: JavaScript is read too, nothing is written, and libraries’ JavaScript is left alone. */
const forcedOptions = {
  allowJs: true,
  noEmit: true,
  composite: false,
  incremental: false,
  skipLibCheck: true,
  maxNodeModuleJsDepth: 0,
} as const;

const plainOptions = {
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  jsx: 'preserve',
  strict: true,
  allowSyntheticDefaultImports: true,
  allowImportingTsExtensions: true,
  experimentalDecorators: true,
} as const;

interface PathOptions {
  readonly baseUrl?: string;
  readonly paths?: Readonly<Record<string, readonly string[]>>;
}

/** Where a configuration, or what it extends, says that modules lie; absolute. */
function pathOptions(file: string, depth = 0): PathOptions {
  const config = readConfig(file);
  if (config === undefined || depth > mostExtended) return {};
  const folder = dirname(file);
  let found: PathOptions = {};
  for (const name of [config['extends']].flat()) {
    const extended = typeof name === 'string' ? extendedBy(folder, name) : undefined;
    if (extended !== undefined) found = { ...found, ...pathOptions(extended, depth + 1) };
  }
  const { baseUrl, paths } = record(config['compilerOptions']);
  if (typeof baseUrl === 'string') found = { ...found, baseUrl: resolve(folder, baseUrl) };
  if (typeof paths !== 'object' || paths === null) return found;
  const from = found.baseUrl ?? folder;
  const absolute = Object.entries(paths).map(([pattern, targets]) => [
    pattern,
    texts(targets).map(target => resolve(from, target)),
  ]);
  return { ...found, paths: Object.fromEntries(absolute) };
}

const mostExtended = 8;

/** The file that `extends` names: beside the configuration, or in a package that is installed in a folder around it. */
function extendedBy(folder: string, name: string): string | undefined {
  if (/^\.{0,2}\//.test(name)) return fileAt(resolve(folder, name));
  for (let at = folder; ; at = dirname(at)) {
    const found = fileAt(join(at, 'node_modules', name));
    if (found !== undefined || at === dirname(at)) return found;
  }
}

function fileAt(path: string): string | undefined {
  const candidates = path.endsWith('.json') ? [path] : [`${path}.json`, join(path, 'tsconfig.json')];
  return candidates.find(file => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function nearestConfig(
  folder: string,
  configs: ReadonlyMap<string, TypescriptConfig>,
  known: Map<string, string | undefined>,
): string | undefined {
  if (known.has(folder)) return known.get(folder);
  const beside = ['tsconfig.json', 'jsconfig.json'].map(name => inFolder(folder, name)).find(path => configs.has(path));
  const found = beside ?? (folder === '' ? undefined : nearestConfig(directoryOf(folder), configs, known));
  known.set(folder, found);
  return found;
}

function bestOf(first: string, file: string, configs: ReadonlyMap<string, TypescriptConfig>): string {
  const { isBare, references } = configs.get(first)!;
  if (references.length === 0) return first;
  const beside = references.filter(path => directoryOf(path) === directoryOf(first) && configs.has(path));
  let best = isBare ? (beside[0] ?? first) : first;
  let most = -1;
  for (const path of isBare ? beside : [first, ...beside]) {
    for (const beginning of configs.get(path)!.beginnings) {
      if (beginning.length <= most || !file.startsWith(beginning)) continue;
      best = path;
      most = beginning.length;
    }
  }
  return best;
}

function readConfig(file: string): Record<string, unknown> | undefined {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > mostConfigBytes) return undefined;
    const value: unknown = parseJsonc(readFileSync(file, 'utf8'), [], { allowTrailingComma: true });
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function configOf(path: string, { files, include, references }: Record<string, unknown>): TypescriptConfig {
  const folder = directoryOf(path);
  const named = [...texts(files), ...texts(include)];
  const isBare = (Array.isArray(files) || Array.isArray(include)) && named.length === 0;
  return {
    isBare,
    beginnings: isBare ? [] : named.length === 0 ? [inFolder(folder, '')] : named.map(one => beginningOf(folder, one)),
    references: objects(references).flatMap(({ path: target }) =>
      typeof target === 'string' ? [referenced(folder, target)] : [],
    ),
  };
}

/** A pattern up to its first wildcard, from the root. */
function beginningOf(folder: string, pattern: string): string {
  const wild = pattern.search(/[*?]/);
  return normal(inFolder(folder, wild < 0 ? pattern : pattern.slice(0, wild)));
}

function referenced(folder: string, target: string): string {
  const path = normal(inFolder(folder, target));
  return path.endsWith('.json') ? path : inFolder(path, 'tsconfig.json');
}

function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder.replace(/\/$/, '')}/${name}`;
}

/** Without `.` and `..`; a slash at the end stays. */
function normal(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '.') kept.push(part);
  }
  return kept.join('/');
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
}

function objects(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'object' && one !== null) : [];
}
