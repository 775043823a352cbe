import type { ScopeKey } from '../../model/document.ts';
import { fitsGlob } from '../../model/fits-glob.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import type { Questions } from '../resolver.ts';

/** A `<Using>` of a project: a namespace, a type's static members, or a type under another name. */
export interface ProjectUsing {
  readonly path: string;
  readonly isStatic: boolean;
  readonly alias: string;
}

/** What a project compiles and uses besides what its sources say. */
export interface Project {
  readonly path: string;
  /** What others call it: as an assembly, and as a package. */
  readonly names: readonly string[];
  readonly usings: readonly ProjectUsing[];
  /** In its order: the last that fits a path decides. */
  readonly sources: readonly Sources[];
  /** Paths of projects that it refers to; `?` for one, or sources, that it names by what is not known. */
  readonly references: readonly string[];
  /** Names of packages and assemblies that it refers to. */
  readonly packages: readonly string[];
}

/** Sources by their paths in the repository, those below `folder` that fit: taken, or left out. */
export interface Sources {
  readonly isTaken: boolean;
  readonly folder: string;
  fits(path: string): boolean;
}

/** Whether a project compiles a file, which it may do `byItself`. */
export function compiles({ sources }: Project, path: string, byItself: boolean): boolean {
  return sources.findLast(one => one.fits(path))?.isTaken ?? byItself;
}

/** The folder of the project that takes a file by itself: of the nearest above it; undefined where there is none. */
export function projectFolderOf(ask: Questions, path: string): string | undefined {
  const folders = projectsByFolder(ask);
  for (let at = directoryOf(path); ; at = directoryOf(at)) {
    if (folders.has(at)) return at;
    if (at === '') return undefined;
  }
}

/** Whether what a project makes lies there, and not what it is made of. */
export function isOutput(folder: string, path: string): boolean {
  const below = folder === '' ? path : path.slice(folder.length + 1);
  return /^(?:bin|obj)\//.test(below);
}

/** Projects directly in a folder. */
export function projectsIn(ask: Questions, folder: string): readonly Project[] {
  return (projectsByFolder(ask).get(folder) ?? []).map(path => projectAt(ask, path));
}

function foldersOfProjects(ask: Questions): readonly string[] {
  return [...projectsByFolder(ask).keys()];
}

/** All projects, by their paths. */
export function allProjects(ask: Questions): readonly Project[] {
  return foldersOfProjects(ask).flatMap(folder => projectsIn(ask, folder));
}

function projectsByFolder(ask: Questions): ReadonlyMap<string, readonly string[]> {
  const found = ask.shared('dotnet projects', () => {
    const folders = new Map<string, string[]>();
    for (const path of ask.documentsOf('dotnet:project' as ScopeKey)) {
      const folder = directoryOf(path);
      folders.set(folder, [...(folders.get(folder) ?? []), path]);
    }
    return folders;
  });
  return found ?? new Map();
}

function projectAt(ask: Questions, path: string): Project {
  return ask.shared(`dotnet project ${path}`, () => readProject(ask, path)) ?? nothing;
}

const nothing: Project = { path: '', names: [], usings: [], sources: [], references: [], packages: [] };

/** In the order in which MSBuild reads: what stands above a project before it and after it, and in between what its kind brings. */
function readProject(ask: Questions, path: string): Project {
  const folder = directoryOf(path);
  const read = new Set<string>();
  const before = saidAbove(ask, folder, 'Directory.Build.props', read);
  const own = saidBy(ask, path, read);
  const said = [...before, ...own, ...saidAbove(ask, folder, 'Directory.Build.targets', read)];
  const isImplicit = said.findLast(({ says }) => says.implicit !== undefined)?.says.implicit === true;
  const sdk = ask.configuration(path)?.['sdk'];
  const brought = isImplicit ? broughtBy(typeof sdk === 'string' ? sdk : '') : [];
  const implicit = brought.map((use): Said => ({ file: path, says: { use } }));
  const properties = propertiesOf(said, path);
  return {
    path,
    names: [...new Set([properties.get('AssemblyName') ?? '', properties.get('PackageId') ?? ''])].filter(Boolean),
    usings: usingsOf([...before, ...implicit, ...said.slice(before.length)], properties),
    sources: said.flatMap(one => sourcesOf(one, folder)).slice(-maxSources),
    references: [...new Set(said.flatMap(one => referenceOf(one, folder, properties)))],
    packages: [...new Set(said.flatMap(({ says }) => expanded(says.package ?? '', properties) || []))],
  };
}

function referenceOf({ file, says }: Said, folder: string, properties: Properties): readonly string[] {
  if (says.compile?.includes('$(') === true) return ['?'];
  if (says.refer === undefined) return [];
  const path = expanded(says.refer, properties);
  return [path === '' ? '?' : (join(says.ofFile === true ? directoryOf(file) : folder, path) ?? '?')];
}

/** More statements about sources are nothing that projects write. */
const maxSources = 300;

function usingsOf(said: readonly Said[], properties: Properties): readonly ProjectUsing[] {
  const usings = new Map<string, ProjectUsing>();
  for (const { says } of said) {
    const path = expanded(says.use ?? '', properties);
    const alias = says.alias ?? '';
    if (path !== '') usings.set(`${path} ${alias}`, { path, isStatic: says.static === true, alias });
    const without = expanded(says.unuse ?? '', properties);
    if (without !== '') for (const [key, one] of usings) if (one.path === without) usings.delete(key);
  }
  return [...usings.values()];
}

function sourcesOf({ file, says }: Said, folder: string): readonly Sources[] {
  const written = says.compile ?? says.leave;
  if (written === undefined) return [];
  const pattern = patternOf(says.ofFile === true ? directoryOf(file) : folder, written);
  return pattern === undefined ? [] : [{ isTaken: says.compile !== undefined, ...pattern }];
}

type Properties = ReadonlyMap<string, string>;

function propertiesOf(said: readonly Said[], project: string): Properties {
  const name = baseName(project).replace(/\.\w+$/, '');
  const properties = new Map([
    ['MSBuildProjectName', name],
    ['AssemblyName', name],
    ['RootNamespace', name],
  ]);
  for (const { says } of said) {
    const value = expanded(says.value ?? '', properties);
    if (says.property !== undefined && value !== '') properties.set(says.property, value);
  }
  return properties;
}

/** With properties of the project put in; '' where others stand there. */
function expanded(text: string, properties: Properties): string {
  const whole = text.replace(/\$\((\w+)\)/g, (written, name: string) => properties.get(name) ?? written);
  return /[$@%]\(/.test(whole) || whole.length > longestName ? '' : whole;
}

const longestName = 500;

interface Statement {
  readonly use?: string;
  readonly static?: boolean;
  readonly alias?: string;
  readonly unuse?: string;
  readonly compile?: string;
  readonly leave?: string;
  readonly ofFile?: boolean;
  readonly import?: string;
  readonly above?: string;
  readonly implicit?: boolean;
  readonly refer?: string;
  readonly package?: string;
  readonly property?: string;
  readonly value?: string;
}

interface Said {
  readonly file: string;
  readonly says: Statement;
}

/** Longest chain of imports that is followed. */
const maxImports = 8;

/** What a file and those that it imports say; each is read once. */
function saidBy(ask: Questions, file: string, read: Set<string>, depth = 0): readonly Said[] {
  if (read.has(file) || depth > maxImports) return [];
  read.add(file);
  const says = ask.configuration(file)?.['says'];
  if (!Array.isArray(says)) return [];
  const folder = directoryOf(file);
  return (says as readonly Statement[]).flatMap(one => {
    if (one.above !== undefined) {
      return folder === '' ? [] : saidAbove(ask, directoryOf(folder), one.above, read, depth + 1);
    }
    if (one.import === undefined) return [{ file, says: one }];
    const imported = join(folder, one.import);
    return imported === undefined ? [] : saidBy(ask, imported, read, depth + 1);
  });
}

/** Of the nearest file of a name in a folder or above it. */
function saidAbove(ask: Questions, folder: string, name: string, read: Set<string>, depth = 0): readonly Said[] {
  for (let at = folder; ; at = directoryOf(at)) {
    const path = at === '' ? name : `${at}/${name}`;
    if (ask.exists(path)) return saidBy(ask, path, read, depth);
    if (at === '') return [];
  }
}

/** Longer ones are nothing that projects write. */
const maxPattern = 300;

function patternOf(folder: string, written: string): Pick<Sources, 'folder' | 'fits'> | undefined {
  if (written.length > maxPattern || written.includes('$(')) return undefined;
  const first = written.search(/[*?]/);
  const fixed = first < 0 ? written : written.slice(0, written.lastIndexOf('/', first) + 1);
  const base = join(folder, fixed);
  if (base === undefined) return undefined;
  if (first < 0) return { folder: directoryOf(base), fits: path => path === base };
  const rest = written.slice(fixed.length);
  const start = base === '' ? '' : `${base}/`;
  return { folder: base, fits: path => path.startsWith(start) && fitsGlob(rest, path.slice(start.length)) };
}

/** What `ImplicitUsings` stands for, by the kind of project. */
function broughtBy(sdk: string): readonly string[] {
  const kind = /^Microsoft\.NET\.Sdk\.(Web|Worker)\b/.exec(sdk)?.[1];
  return [...bySdk.plain!, ...(kind === undefined ? [] : bySdk[kind]!)];
}

const bySdk: Readonly<Record<string, readonly string[]>> = {
  plain: [
    'System',
    'System.Collections.Generic',
    'System.IO',
    'System.Linq',
    'System.Net.Http',
    'System.Threading',
    'System.Threading.Tasks',
  ],
  Web: [
    'System.Net.Http.Json',
    'Microsoft.AspNetCore.Builder',
    'Microsoft.AspNetCore.Hosting',
    'Microsoft.AspNetCore.Http',
    'Microsoft.AspNetCore.Routing',
    'Microsoft.Extensions.Configuration',
    'Microsoft.Extensions.DependencyInjection',
    'Microsoft.Extensions.Hosting',
    'Microsoft.Extensions.Logging',
  ],
  Worker: [
    'Microsoft.Extensions.Configuration',
    'Microsoft.Extensions.DependencyInjection',
    'Microsoft.Extensions.Hosting',
    'Microsoft.Extensions.Logging',
  ],
};
