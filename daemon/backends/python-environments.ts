import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PythonFolder, PythonProject } from '../model/python-project.ts';
import { isVenv, venvs } from './python-places.ts';
import { condaName, requiredPackages } from './python-requirements.ts';

/** What a project's environment is called, the first two by pip's and uv's custom. */
const customary: readonly string[] = ['.venv', 'venv', 'env', '.env'];
const mostEntries = 10_000;
/** Folders right below the root that are looked into for environments and projects of their own. */
const mostFolders = 200;
const mostBytes = 256 * 1024;
const isRequirements = (name: string): boolean => /^requirements[\w.-]{0,80}\.(?:txt|in)$/.test(name);
const tellsHow = /^(?:pyproject\.toml|setup\.py|setup\.cfg|Pipfile|environment\.ya?ml)$/;

/**
 * Looks at the root and the folders right below it: at regular files and real folders alone, for what a link leads to is
 * somebody else's; but for the environment, which scip-python follows a link to. What can't be read is not there.
 */
export async function pythonFolder(root: string): Promise<PythonFolder> {
  const { files, folders } = await entriesOf(root);
  const below = folders.filter(name => !passedOver.has(name)).slice(0, mostFolders);
  const inRoot = await those(below, name => isEnvironment(join(root, name)));
  const others = below.filter(name => !inRoot.includes(name));
  const linked = venvs.filter(name => !inRoot.includes(name) && isVenv(join(root, name)));
  const nested = await Promise.all(
    others.filter(name => !linked.includes(name)).map(folder => nestedEnvironments(root, folder)),
  );
  return {
    environments: [...byCustom([...inRoot, ...linked]), ...nested.flat()],
    projects: tells(files) ? [] : await projectsIn(root, others),
    ...(await projectFiles(root, files, folders)),
  };
}

function tells(files: readonly string[]): boolean {
  return files.some(name => tellsHow.test(name) || isRequirements(name));
}

/** In folders that a command may name as they are. */
async function projectsIn(root: string, folders: readonly string[]): Promise<PythonFolder['projects']> {
  const plain = folders.filter(name => /^\w[\w.-]{0,80}$/.test(name));
  const found = await Promise.all(
    plain.map(async folder => {
      const inside = await entriesOf(join(root, folder));
      if (!tells(inside.files)) return [];
      return [{ folder, ...(await projectFiles(join(root, folder), inside.files, inside.folders)) }];
    }),
  );
  return found.flat();
}

async function projectFiles(
  folder: string,
  files: readonly string[],
  folders: readonly string[],
): Promise<PythonProject> {
  const listed = folders.includes('requirements') ? (await entriesOf(join(folder, 'requirements'))).files : [];
  const requirements = [
    ...files.filter(isRequirements),
    ...listed.filter(name => /^[\w.-]{1,80}\.txt$/.test(name)).map(name => `requirements/${name}`),
  ].sort((a, b) => Number(b === usual) - Number(a === usual) || (a < b ? -1 : 1));
  const read = async (name: string | undefined): Promise<string> =>
    name === undefined ? '' : textOf(join(folder, name));
  const has = (...names: readonly string[]): string | undefined => names.find(name => files.includes(name));
  const [pyproject, required, pipfile, conda] = await Promise.all([
    read(has('pyproject.toml')),
    read(requirements[0]),
    read(has('Pipfile')),
    read(has('environment.yml', 'environment.yaml')),
  ]);
  const requires = requiredPackages({ pyproject, requirements: required, pipfile, conda });
  return { files, requirements, pyproject, requires, condaName: condaName(conda) };
}

const usual = 'requirements.txt';
const passedOver: ReadonlySet<string> = new Set(['.git', 'node_modules', '__pycache__']);

async function nestedEnvironments(root: string, folder: string): Promise<readonly string[]> {
  const names = await those(customary, name => isEnvironment(join(root, folder, name)));
  return names.map(name => `${folder}/${name}`);
}

function byCustom(names: readonly string[]): readonly string[] {
  const rank = (name: string): number => (customary.indexOf(name) + customary.length + 1) % (customary.length + 1);
  return [...names].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** By what `venv`, virtualenv and uv leave in one, or conda. */
async function isEnvironment(folder: string): Promise<boolean> {
  if (!(await isA('folder', folder))) return false;
  return (await isA('file', join(folder, 'pyvenv.cfg'))) || (await isA('folder', join(folder, 'conda-meta')));
}

async function isA(kind: 'file' | 'folder', path: string): Promise<boolean> {
  try {
    const stats = await lstat(path);
    return kind === 'file' ? stats.isFile() : stats.isDirectory();
  } catch {
    return false;
  }
}

async function entriesOf(folder: string): Promise<{ readonly files: string[]; readonly folders: string[] }> {
  if (!(await isA('folder', folder))) return { files: [], folders: [] };
  try {
    const entries = (await readdir(folder, { withFileTypes: true })).slice(0, mostEntries);
    const names = (all: typeof entries): string[] => all.map(({ name }) => name).sort();
    return {
      files: names(entries.filter(one => one.isFile())),
      folders: names(entries.filter(one => one.isDirectory())),
    };
  } catch {
    return { files: [], folders: [] };
  }
}

/** The text of a regular file; '' of any other, and of one that is too large. */
async function textOf(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (handle === undefined) return '';
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= mostBytes ? await handle.readFile('utf8') : '';
  } catch {
    return '';
  } finally {
    await handle.close();
  }
}

async function those(names: readonly string[], holds: (name: string) => Promise<boolean>): Promise<readonly string[]> {
  const kept = await Promise.all(names.map(holds));
  return names.filter((_, at) => kept[at]);
}
