import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { quote } from '../../../client/paths.ts';
import { type PythonEnvironment, pythonEnvironment, type SeenEnvironment } from '../../analysis/python-environment.ts';
import { pythonFolder } from '../../backends/python-environments.ts';
import type { SeenPackages, SeePackages } from '../../backends/python-packages.ts';
import { isVenv } from '../../backends/python-places.ts';
import type { KnownIndexer } from '../../jobs/scip/plan-precise.ts';
import type { PythonFolder } from '../../model/python-project.ts';
import { remedies } from '../doctor/indexer-checks.ts';
import type { ServedRepository } from '../served-repository.ts';

/** What lies in a work tree, and what that comes to. */
export interface ToldPython {
  readonly folder: PythonFolder;
  readonly found: PythonEnvironment;
}

export interface PythonLook {
  readonly see: SeePackages;
  /** What the daemon was started in. */
  readonly environment: NodeJS.ProcessEnv;
  readonly survey: () => readonly KnownIndexer[];
}

/** Looks at the disk: environments are no files of the snapshot. */
export async function toldPython(repository: ServedRepository, look: PythonLook): Promise<ToldPython> {
  const { root, id } = repository.record;
  const [folder, packages] = await Promise.all([pythonFolder(root), look.see(root)]);
  const found = pythonEnvironment({
    ...folder,
    sourceFiles: repository.snapshot?.counts.languages['python']?.files ?? 0,
    active: startedIn(look.environment, root),
    seen: packages && seenFrom(packages, root),
    install: installing(look.survey(), id),
  });
  return { folder, found };
}

function seenFrom({ prefix, ...packages }: SeenPackages, root: string): SeenEnvironment {
  const name = nameFrom(root, prefix);
  return { ...packages, name, pip: quote(`${name}/bin/pip`) };
}

/** Relative to a root where it lies in that. */
function nameFrom(root: string, folder: string): string {
  const inside = relative(root, folder);
  return inside === '' || inside === '..' || inside.startsWith('../') ? folder : inside;
}

/** The environment that is active. */
function startedIn({ VIRTUAL_ENV, CONDA_PREFIX }: NodeJS.ProcessEnv, root: string): string | undefined {
  const isThere = (folder: string): boolean => isVenv(folder) || existsSync(join(folder, 'conda-meta'));
  const active = [VIRTUAL_ENV, CONDA_PREFIX].find(folder => folder?.startsWith('/') === true && isThere(folder));
  return active === undefined ? undefined : nameFrom(root, active.replace(/\/+$/, ''));
}

/** The command that installs scip-python where it is missing. */
function installing(indexers: readonly KnownIndexer[], id: string): string | undefined {
  const python = indexers.find(({ indexer }) => indexer.name === 'scip-python');
  return python?.not === 'missing' ? remedies(python, id)[0]?.command : undefined;
}
