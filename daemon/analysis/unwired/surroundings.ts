import type { GraphDocument, GraphSite } from '../../model/graph.ts';
import { directoryOf } from '../../model/paths.ts';
import type { WiredDocument } from '../../model/wiring.ts';
import { type Audience, audienceOf, isPublicHeader, type PackageModel, type PackageTraits } from './audience.ts';
import { cratesOf } from './crates.ts';
import type { Roots } from './reach.ts';

/** Where code begins to run, and who may use what a file exports besides the code of the repository. */
export interface Surroundings {
  readonly roots: Roots;
  audienceOf(document: GraphDocument): Audience;
}

export function surroundingsOf(
  documents: readonly WiredDocument[],
  model: PackageModel,
  nameOf: (site: GraphSite) => string,
): Surroundings {
  const packageOf = byDirectory(model);
  const packages = packagesOf(documents, model, packageOf);
  const crates = cratesOf(documents, model, nameOf);
  const audiences = new Map<GraphDocument, Audience>();
  const audience = (graph: GraphDocument): Audience => {
    const known = audiences.get(graph);
    if (known !== undefined) return known;
    const found = audienceOf(graph, packages.get(packageOf(graph.path))!, crates.open.has(graph.path));
    audiences.set(graph, found);
    return found;
  };
  const started = new Set<string>([...model.entrypoints, ...model.configuredFiles].map(({ path }) => path));
  const entries: number[] = [];
  const open: number[] = [];
  const loaded: number[] = [];
  documents.forEach(({ graph }, index) => {
    if (graph.isTest) return;
    if (started.has(graph.path)) entries.push(index);
    else if (audience(graph) === 'everybody') open.push(index);
    if (crates.compiled.has(graph.path)) loaded.push(index);
  });
  return { roots: { entries, open, loaded }, audienceOf: audience };
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

type MutableTraits = { -readonly [K in keyof Omit<PackageTraits, 'programFolders'>]: PackageTraits[K] } & {
  readonly programFolders: Set<string>;
};

function packagesOf(
  documents: readonly WiredDocument[],
  { entrypoints, moduleOf }: PackageModel,
  packageOf: (path: string) => string,
): ReadonlyMap<string, PackageTraits> {
  const found = new Map<string, MutableTraits>();
  const traitsAt = (path: string): MutableTraits => {
    const id = packageOf(path);
    const known = found.get(id);
    if (known !== undefined) return known;
    const hasManifest = moduleOf(path).ecosystem !== undefined;
    const made = {
      hasManifest,
      isProgram: false,
      isLibrary: false,
      hasPublicHeaders: false,
      programFolders: new Set<string>(),
    };
    found.set(id, made);
    return made;
  };
  for (const { path, kind } of entrypoints) {
    const traits = traitsAt(path);
    if (kind === 'library') traits.isLibrary = true;
    else {
      if (kind !== 'script') traits.isProgram = true;
      traits.programFolders.add(directoryOf(path));
    }
  }
  for (const { graph } of documents) {
    const traits = traitsAt(graph.path);
    traits.hasPublicHeaders ||= isPublicHeader(graph.path);
  }
  return found;
}
