import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { pythonEnvironment } from '../../analysis/python-environment.ts';
import { pythonFolder } from '../../backends/python-environments.ts';
import type { SnapshotCounts } from '../../store/publication.ts';
import type { Issue } from './language-issues.ts';

/** By language, what indexers look for among the packages of a work tree and don't find. Looks at the disk: packages are no files of the snapshot. */
export async function missingPackages(
  root: string,
  { languages }: Pick<SnapshotCounts, 'languages'>,
): Promise<ReadonlyMap<string, Issue>> {
  const found = new Map<string, Issue>();
  const scripts = ['typescript', 'javascript'].filter(language => languages[language] !== undefined);
  const issue = scripts.length === 0 ? undefined : await npmMissing(root);
  if (issue !== undefined) for (const language of scripts) found.set(language, issue);
  const python = languages['python'];
  const ofPython = python === undefined ? undefined : await pythonMissing(root, python.files);
  if (ofPython !== undefined) found.set('python', ofPython);
  return found;
}

async function npmMissing(root: string): Promise<Issue | undefined> {
  const names = ['package.json', 'node_modules', 'pnpm-lock.yaml', 'yarn.lock'];
  const [manifest, folder, pnpm, yarn] = await Promise.all(names.map(name => isThere(join(root, name))));
  if (!manifest || folder) return undefined;
  return {
    issue: 'packages are not installed: there is no node_modules, so that indexers resolve nothing of them',
    remedy: pnpm ? 'pnpm install' : yarn ? 'yarn install' : 'npm install',
  };
}

async function pythonMissing(root: string, sourceFiles: number): Promise<Issue | undefined> {
  const { manager, command } = pythonEnvironment({ ...(await pythonFolder(root)), sourceFiles, active: undefined });
  if (manager === 'none' || command === undefined) return undefined;
  return { issue: 'the repository has no environment whose packages indexers see', remedy: command };
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
