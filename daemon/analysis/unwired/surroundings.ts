import { familyOf } from '../../model/families.ts';
import type { GraphDocument, GraphSite } from '../../model/graph.ts';
import type { Entrypoint } from '../../model/module.ts';
import { directoryOf } from '../../model/paths.ts';
import type { WiredDocument } from '../../model/wiring.ts';
import { isShowing } from '../beside.ts';
import {
  type Audience,
  audienceOf,
  isHeader,
  isPublicHeader,
  type PackageModel,
  type PackageTraits,
} from './audience.ts';
import { cratesOf } from './crates.ts';
import { isOfC } from './doubts.ts';
import type { Roots } from './reach.ts';

/** Where code begins to run, and who may use what a file exports besides the code of the repository. */
export interface Surroundings {
  readonly roots: Roots;
  audienceOf(document: GraphDocument): Audience;
  /** Whether tests load a document, one of theirs, by a pattern, and so all that it exports. */
  isTakenByTests(document: GraphDocument): boolean;
}

export function surroundingsOf(
  documents: readonly WiredDocument[],
  model: PackageModel,
  nameOf: (site: GraphSite) => string,
): Surroundings {
  const packageOf = byDirectory(model);
  const packages = packagesOf(documents, model, packageOf);
  const isInternal = (graph: GraphDocument): boolean => model.internalPackages.has(partOf(graph, packageOf));
  const crates = cratesOf(documents, model, nameOf);
  const audiences = new Map<GraphDocument, Audience>();
  const audience = (graph: GraphDocument): Audience => {
    const known = audiences.get(graph);
    if (known !== undefined) return known;
    const traits = packages.get(partOf(graph, packageOf))!;
    const isLibrary = traits.isLibrary || (isOfC(graph) && isBuiltInto(model.libraryFolders, graph.path));
    const found = isInternal(graph)
      ? 'nobody'
      : audienceOf(graph, { ...traits, isLibrary }, crates.open.has(graph.path));
    audiences.set(graph, found);
    return found;
  };
  const started = startedFiles(model);
  const startsOf = (graph: GraphDocument): ReadonlySet<Start> | undefined => {
    const known = started.get(graph.path);
    if (known === undefined || !known.has('library') || !isInternal(graph)) return known;
    // A library that the repository alone uses offers nothing; what of it is compiled, crates tell.
    const others = new Set([...known].filter(start => start !== 'library'));
    return others.size === 0 ? undefined : others;
  };
  const entries: number[] = [];
  const modules: number[] = [];
  const programs: number[] = [];
  const open: number[] = [];
  const offered: number[] = [];
  const loaded: number[] = [];
  documents.forEach(({ graph }, index) => {
    if (graph.isTest) return;
    const start = startsOf(graph);
    if (start !== undefined)
      ({ entry: entries, module: modules, program: programs })[startOf(graph, start)].push(index);
    else if (audience(graph) === 'everybody') open.push(index);
    else if (audience(graph) !== 'nobody') offered.push(index);
    if (crates.compiled.has(graph.path)) loaded.push(index);
  });
  return {
    roots: { entries, modules, programs, open, offered, loaded },
    audienceOf: audience,
    isTakenByTests: graph => graph.isTest && startsOf(graph) !== undefined,
  };
}

/** What starts or loads a file by its name: the kinds of its entrypoints, and tools. */
type Start = Entrypoint['kind'] | 'tool';

function startedFiles(model: PackageModel): ReadonlyMap<string, ReadonlySet<Start>> {
  const found = new Map<string, Set<Start>>();
  const add = (path: string, start: Start): void => {
    const known = found.get(path);
    if (known === undefined) found.set(path, new Set([start]));
    else known.add(start);
  };
  for (const { path, kind } of model.entrypoints) add(path, kind);
  for (const { path } of model.configuredFiles) add(path, 'tool');
  return found;
}

function isInstaller(manifest: string | undefined): boolean {
  return manifest !== undefined && !/(?:^|\/)(?:requirements\.txt|Pipfile)$/.test(manifest);
}

/**
 * What a program's file defines is for whoever loads it by its name, in languages that have that: a server's in Python, a
 * page's in TypeScript. A library is for others as a whole, and so is what tools load by the names of classes.
 */
function startOf({ language }: GraphDocument, by: ReadonlySet<Start>): 'entry' | 'module' | 'program' {
  if (by.has('library')) return 'entry';
  if (language === 'python') return by.has('script') && by.size === 1 ? 'program' : 'module';
  const isToolsAlone = by.size === 1 && by.has('tool');
  return isCompiled.has(language) || (isOfClasses.has(language) && !by.has('tool'))
    ? isToolsAlone
      ? 'entry'
      : 'program'
    : 'entry';
}

/** Languages whose programs begin with a function, … */
const isCompiled: ReadonlySet<string> = new Set(['go', 'rust', 'csharp', 'c', 'cpp', 'dart']);
/** … and that have others load classes by their names. */
const isOfClasses: ReadonlySet<string> = new Set(['java', 'kotlin']);

function isBuiltInto(folders: readonly string[], path: string): boolean {
  return folders.some(folder => folder === '' || path.startsWith(`${folder}/`));
}

/** The package of a path, asked once for each directory. */
function byDirectory({ moduleOf }: PackageModel): (path: string) => string {
  const known = new Map<string, string>();
  return path => {
    const directory = directoryOf(path);
    const found = known.get(directory) ?? moduleOf(path).packageId;
    known.set(directory, found);
    return found;
  };
}

/** A package of Rust starts no script that lies in it: of each family of languages what it has of that. */
function partOf({ path, language }: GraphDocument, packageOf: (path: string) => string): string {
  return `${packageOf(path)} ${familyOf(language)}`;
}

type MutableTraits = { -readonly [K in keyof Omit<PackageTraits, 'programFolders'>]: PackageTraits[K] } & {
  readonly programFolders: Set<string>;
};

function packagesOf(
  documents: readonly WiredDocument[],
  model: PackageModel,
  packageOf: (path: string) => string,
): ReadonlyMap<string, PackageTraits> {
  const found = new Map<string, MutableTraits>();
  const traitsAt = (graph: GraphDocument): MutableTraits => {
    const id = partOf(graph, packageOf);
    const known = found.get(id);
    if (known !== undefined) return known;
    const { ecosystem, manifest } = model.moduleOf(graph.path);
    const made = {
      hasManifest: ecosystem !== undefined,
      isInstalled: isInstaller(manifest),
      isProgram: false,
      isLibrary: false,
      hasPublicHeaders: false,
      programFolders: new Set<string>(),
    };
    found.set(id, made);
    return made;
  };
  const byPath = new Map(documents.map(({ graph }) => [graph.path, graph]));
  for (const { path, kind } of model.entrypoints) {
    const graph = byPath.get(path);
    if (graph === undefined) continue;
    const traits = traitsAt(graph);
    if (kind === 'library') {
      traits.isLibrary = true;
      traits.hasPublicHeaders ||= isHeader(path);
    } else {
      // Examples and benchmarks make no program of the library that they show.
      if (kind !== 'script' && !isShowing(path)) traits.isProgram = true;
      traits.programFolders.add(directoryOf(path));
    }
  }
  for (const { graph } of documents) {
    const traits = traitsAt(graph);
    traits.hasPublicHeaders ||= isPublicHeader(graph.path);
  }
  return found;
}
