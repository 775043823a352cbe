import {
  type ModuleInput,
  type ModuleOptions,
  moduleModel,
  type RepositoryParts,
  repositoryParts,
} from '../../analysis/modules/module-model.ts';
import { fileOrSource } from '../../link/typescript/built-output.ts';
import { type Configuration, configurationOf } from '../../model/configuration.ts';
import type { ScopeKey } from '../../model/document.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import type { ModuleModel } from '../../model/module.ts';
import { directoryOf } from '../../model/paths.ts';
import type { ToldDocuments } from '../../store/told-documents.ts';

/** As the architecture is asked for where nothing else is said. */
const defaultModules: ModuleOptions = { inferModules: true, depth: 2, base: '' };

/** What models of one repository are made of, and what was: kept while its documents tell the same of its parts. */
interface KeptModels extends Pick<ModuleInput, 'configuration'> {
  readonly parts: RepositoryParts;
  readonly models: Map<string, ModuleModel>;
}

const modelsKept = 16;
const keptModels = new WeakMap<ToldDocuments, KeptModels>();

/** The modules of the snapshot whose documents tell that: made once for as long as they do. */
export function modulesTold(documents: ToldDocuments, options: ModuleOptions = defaultModules): ModuleModel {
  const kept = partsTold(documents);
  const key = JSON.stringify([options.inferModules, options.depth, options.base]);
  const model = kept.models.get(key) ?? moduleModel(kept.parts, options);
  keepNewest(kept.models, key, model, modelsKept);
  return model;
}

/** The parts of the repository, and what its files of configuration say. */
export function partsTold(documents: ToldDocuments): KeptModels {
  const known = keptModels.get(documents);
  if (known !== undefined) return known;
  const input = inputOf(documents);
  const kept = { configuration: input.configuration, parts: repositoryParts(input), models: new Map() };
  keptModels.set(documents, kept);
  return kept;
}

function inputOf(documents: ToldDocuments): ModuleInput {
  const files = [...documents.values()];
  const byPath = new Map(files.map(file => [file.path, file]));
  const folders = new Map<string, string[]>();
  const scopes = new Map<string, string[]>();
  for (const { path, scope } of files) {
    add(folders, directoryOf(path), path);
    if (scope !== path) add(scopes, scope, path);
  }
  for (const folder of folders.values()) folder.sort();
  const parsed = new Map<string, Configuration | undefined>();
  const configuration = (path: string): Configuration | undefined => {
    const file = byPath.get(path);
    if (file === undefined || file.configuration === '') return undefined;
    const content = parsed.get(path) ?? configurationOf(file);
    parsed.set(path, content);
    return content;
  };
  const places = {
    exists: (path: string) => byPath.has(path),
    filesIn: (directory: string) => folders.get(directory) ?? [],
    configuration,
    documentsOf: (scope: ScopeKey) => scopes.get(scope) ?? [],
  };
  return {
    files,
    configuration,
    mains: files.flatMap(({ path, scope, mains }) => mains.map(tail => ({ path, scope, tail }))),
    sourceAt: path => fileOrSource(places, path)?.path,
  };
}

function add(lists: Map<string, string[]>, key: string, path: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [path]);
  else list.push(path);
}
