import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { operand } from '../../../client/paths.ts';
import { type TypescriptWorkspace, typescriptWorkspace, workspaceMarks } from '../../analysis/typescript-workspace.ts';
import { first } from '../../link/options.ts';
import type { Places } from '../../link/resolver.ts';
import { moduleFile } from '../../link/typescript/module-file.ts';
import { pathMappings } from '../../link/typescript/tsconfig.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { partsTold } from '../analysis/repository-modules.ts';
import { type Asked, snapshotFor } from '../symbols/answers.ts';

/** The workspace of the snapshot that is asked about; undefined where that is gone. */
export function workspaceTold(reader: IndexReader, asked: Asked): TypescriptWorkspace | undefined {
  const { key } = asked.repo;
  const { seq } = snapshotFor(reader, asked);
  const told = reader.told(key, seq);
  if (told === undefined) return undefined;
  const { parts, configuration } = partsTold(told);
  const { tree, packages } = parts;
  const places: Places = {
    exists: path => tree.has(path),
    filesIn: directory => tree.filesIn(directory).map(({ path }) => path),
    configuration,
    documentsOf: scope => [...told.values()].flatMap(one => (one.scope === scope ? [one.path] : [])).sort(),
  };
  return typescriptWorkspace({
    ...{ tree, packages, configuration, marks: reader.standing(key, seq, workspaceMarks) },
    mapped: name => first(pathMappings(places, '', name), path => moduleFile(places, path)),
  });
}

/** Names of the packages that offer types which nobody has built, sorted by path: what is built is no file of the snapshot. */
export async function notBuilt(root: string, { packages }: TypescriptWorkspace): Promise<readonly string[]> {
  const offering = packages.filter(({ built }) => built.length > 0).slice(0, mostLooked);
  const isBuilt = await Promise.all(
    offering.map(async ({ built }) => (await Promise.all(built.map(path => isThere(join(root, path))))).some(Boolean)),
  );
  return offering.filter((_, at) => !isBuilt[at]).map(({ name }) => name);
}

/** What to do next: what is missing first, each with the command. */
export function workspaceAdvice({ type, packages, build }: TypescriptWorkspace, unbuilt: readonly string[]): string {
  if (type === 'none') return 'Nothing to do: no workspace lists packages here';
  if (unbuilt.length > 0) {
    return `Build the types of the packages, which indexers look for (${named(unbuilt)})${build === undefined ? '' : `: ${build}`}`;
  }
  const without = packages.filter(({ hasTsconfig, hasTypescript }) => hasTypescript && !hasTsconfig);
  const [first] = without;
  if (first === undefined) return 'Nothing to do';
  const paths = named(without.map(({ path }) => path));
  const command = `(cd ${operand(first.path)} && npx -p typescript tsc --init)`;
  return `Give each package of TypeScript a tsconfig.json, or indexers read it by options of ours (${paths}): ${command}`;
}

/** The first few. */
export function named(all: readonly string[]): string {
  return all.slice(0, mostNamed).join(', ') + (all.length > mostNamed ? ', …' : '');
}

const mostNamed = 3;

/** A workspace of more packages is told by the first of them. */
const mostLooked = 1_000;

export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
