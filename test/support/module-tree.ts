import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ModuleInput,
  type ModuleOptions,
  moduleModel,
  repositoryParts,
} from '../../daemon/analysis/modules/module-model.ts';
import { fileOrSource } from '../../daemon/link/typescript/built-output.ts';
import { configurationOf } from '../../daemon/model/configuration.ts';
import { type ModuleModel, startNames } from '../../daemon/model/module.ts';
import { isTestPath } from '../../daemon/model/mount.ts';
import { directoryOf, type RepoPath } from '../../daemon/model/paths.ts';
import { mountFile } from './linked-tree.ts';
import { filesOf } from './tree-in-text.ts';

/** What the module model of a tree is made of; the tree is written as one text, see `tree-in-text.ts`. */
export async function moduleInput(tree: string): Promise<ModuleInput> {
  const files: ModuleInput['files'][number][] = [];
  const mains: ModuleInput['mains'][number][] = [];
  const scopes = new Map<string, string[]>();
  const configurations = new Map<string, ReturnType<typeof configurationOf>>();
  for (const [path, source] of filesOf(tree)) {
    const document = await mountFile(path, source);
    const { facts } = document ?? {};
    files.push({ path: path as RepoPath, language: facts?.language ?? '', isTest: isTestPath(path) });
    if (document === undefined || facts === undefined) continue;
    scopes.set(document.scope, [...(scopes.get(document.scope) ?? []), path]);
    if (facts.configuration !== '') configurations.set(path, configurationOf(facts));
    for (const { name, tail } of facts.definitions) {
      if (startNames.includes(name)) mains.push({ path, scope: document.scope, tail });
    }
  }
  const paths = files.map(file => file.path);
  const places = {
    exists: (path: string) => paths.includes(path as RepoPath),
    filesIn: (directory: string) => paths.filter(path => directoryOf(path) === directory),
    configuration: (path: string) => configurations.get(path),
    documentsOf: (scope: string) => scopes.get(scope) ?? [],
  };
  const sourceAt = (path: string): string | undefined => fileOrSource(places, path)?.path;
  return { files, mains, configuration: places.configuration, sourceAt };
}

const bySpecification = { inferModules: true, depth: 2, base: '' } as const;

/** The model of a tree, with the defaults of the architecture operation where nothing else is said. */
export async function modelOf(tree: string, options: Partial<ModuleOptions> = {}): Promise<ModuleModel> {
  return moduleModel(repositoryParts(await moduleInput(tree)), { ...bySpecification, ...options });
}

/** A tree, the lines of its modules, and those of its entrypoints. */
export interface ModuleCase {
  readonly of: string;
  readonly tree: string;
  readonly modules: readonly string[];
  readonly entrypoints: readonly string[];
}

export function testModules(cases: readonly ModuleCase[]): void {
  for (const { of, tree, modules, entrypoints } of cases) {
    test(`the modules of ${of}`, async () => {
      const model = await modelOf(tree);
      assert.deepEqual(moduleLines(model), modules);
      assert.deepEqual(entryLines(model), entrypoints);
    });
  }
}

/** `id name ecosystem`, and `test` where it is one. */
export function moduleLines({ modules }: ModuleModel): readonly string[] {
  return modules.map(({ id, name, ecosystem, isTest }) =>
    [id, name, ecosystem ?? 'inferred', ...(isTest ? ['test'] : [])].join(' '),
  );
}

/** `path kind name: because`. */
export function entryLines({ entrypoints }: ModuleModel): readonly string[] {
  return entrypoints.map(({ path, kind, name, because }) => `${path} ${kind} ${name}: ${because}`);
}
