import { join } from 'node:path';
import { amount } from '../../../client/protocol/amount.ts';
import type { PythonEnvironment } from '../../analysis/python-environment.ts';
import type { TypescriptWorkspace } from '../../analysis/typescript-workspace.ts';
import type { SnapshotCounts } from '../../store/publication.ts';
import type { Issue } from './language-issues.ts';
import { isThere, named, notBuilt } from './workspace.ts';

/** By language, what indexers look for among the packages of a work tree and don't find. Looks at the disk: packages are no files of the snapshot. */
export async function missingPackages(
  root: string,
  { languages }: Pick<SnapshotCounts, 'languages'>,
  workspace: () => Promise<TypescriptWorkspace | undefined>,
  python: () => Promise<PythonEnvironment>,
): Promise<ReadonlyMap<string, readonly Issue[]>> {
  const found = new Map<string, readonly Issue[]>();
  const scripts = ['typescript', 'javascript'].filter(language => languages[language] !== undefined);
  if (scripts.length > 0) {
    const issues = [...(await npmMissing(root)), ...(await typesMissing(root, await workspace()))];
    for (const language of scripts) found.set(language, issues);
  }
  if (languages['python'] !== undefined) found.set('python', pythonMissing(await python()));
  return found;
}

async function typesMissing(root: string, workspace: TypescriptWorkspace | undefined): Promise<readonly Issue[]> {
  const names = workspace === undefined ? [] : await notBuilt(root, workspace);
  if (workspace === undefined || names.length === 0) return [];
  const issue = `types of ${amount(names.length, 'package')} of the workspace are not built (${named(names)}): what is imported from there indexers resolve only where tsconfig.json leads to its source`;
  return [{ issue, ...(workspace.build === undefined ? {} : { remedy: workspace.build }) }];
}

async function npmMissing(root: string): Promise<readonly Issue[]> {
  const names = ['package.json', 'node_modules', 'pnpm-lock.yaml', 'yarn.lock'];
  const [manifest, folder, pnpm, yarn] = await Promise.all(names.map(name => isThere(join(root, name))));
  if (!manifest || folder) return [];
  const issue = 'packages are not installed: there is no node_modules, so that indexers resolve nothing of them';
  return [{ issue, remedy: pnpm ? 'pnpm install' : yarn ? 'yarn install' : 'npm install' }];
}

function pythonMissing({ issue, command }: PythonEnvironment): readonly Issue[] {
  return issue === undefined ? [] : [{ issue, ...(command === undefined ? {} : { remedy: command }) }];
}
