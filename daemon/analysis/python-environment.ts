import type { PythonFolder, PythonProject } from '../model/python-project.ts';

/** What is known of the environments of a repository's Python. */
export interface PythonFacts extends PythonFolder {
  /** Files of Python in the index. */
  readonly sourceFiles: number;
  /** What VIRTUAL_ENV or CONDA_PREFIX of the daemon names: relative to the root where it lies in that, else absolute. */
  readonly active: string | undefined;
  /** Where scip-python looks for packages; undefined where it finds no python to be told by. */
  readonly seen: SeenEnvironment | undefined;
  /** The command that installs scip-python; undefined where it is installed. */
  readonly install: string | undefined;
}

export interface SeenEnvironment {
  /** Its folder, relative to the root where it lies in that, else absolute. */
  readonly name: string;
  /** A virtual environment, one of conda's, or a python that has none. */
  readonly kind: 'environment' | 'conda' | 'python';
  /** Whether it has a folder for packages. */
  readonly hasFolder: boolean;
  readonly installed: ReadonlySet<string>;
  /** Its pip, as a shell takes it. */
  readonly pip: string;
}

export interface PythonEnvironment {
  /** The one that counts for the repository: that which the daemon was started in, else what is seen, else the first found; '' without any. */
  readonly activeVenv: string;
  readonly isActive: boolean;
  /** What makes environments and installs packages, as files of the repository tell. */
  readonly manager: PythonManager;
  /** What to do next. */
  readonly recommendation: string;
  /** What is wrong with the packages that indexers see; undefined where nothing is known to be. */
  readonly issue: string | undefined;
  /** The command that mends it. */
  readonly command: string | undefined;
}

export type PythonManager = 'uv' | 'poetry' | 'pdm' | 'pipenv' | 'conda' | 'pip' | 'none';

export function pythonEnvironment(facts: PythonFacts): PythonEnvironment {
  const { active, environments, projects, seen } = facts;
  const isActive = active !== undefined && (environments.includes(active) || active === seen?.name);
  const known = seen?.kind === 'environment' ? seen.name : (environments[0] ?? '');
  const manager = [facts, ...projects].map(managerOf).find(one => one !== 'none') ?? 'none';
  return { activeVenv: isActive ? active : known, isActive, manager, ...advice(facts, manager) };
}

/** Lock files say more than project files, for these several tools can read. */
function managerOf({ files, requirements, pyproject }: PythonProject): PythonManager {
  const has = (name: string): boolean => files.includes(name);
  const tables = pyproject.split('\n').filter(line => line.startsWith('[tool.'));
  const sets = (tool: string): boolean =>
    tables.some(line => line.startsWith(`[tool.${tool}.`) || line.startsWith(`[tool.${tool}]`));
  if (has('uv.lock') || sets('uv')) return 'uv';
  if (has('poetry.lock') || sets('poetry')) return 'poetry';
  if (has('pdm.lock') || sets('pdm')) return 'pdm';
  if (has('Pipfile')) return 'pipenv';
  if (condaFile(files) !== undefined) return 'conda';
  return has('pyproject.toml') || has('setup.py') || has('setup.cfg') || requirements.length > 0 ? 'pip' : 'none';
}

function condaFile(files: readonly string[]): string | undefined {
  return ['environment.yml', 'environment.yaml'].find(name => files.includes(name));
}

type Advice = Pick<PythonEnvironment, 'recommendation' | 'issue' | 'command'>;

function advice(facts: PythonFacts, manager: PythonManager): Advice {
  const { environments, install, seen, sourceFiles } = facts;
  if (sourceFiles === 0 && manager === 'none') return nothingToDo('Nothing to do: no Python is indexed here');
  if (seen === undefined) {
    const issue = 'there is no python3 on the PATH that the daemon was started with, by which indexers find packages';
    return { recommendation: `Install Python: ${issue}`, issue, command: undefined };
  }
  const required = [...new Set([facts, ...facts.projects].flatMap(({ requires }) => requires))];
  const lacking = required.filter(name => !seen.installed.has(name));
  if (isTheProjects(seen, facts, manager, required.length > 0 && lacking.length === 0)) {
    if (!seen.hasFolder) return broken(seen, facts, manager);
    if (lacking.length > 0) return incomplete(seen, lacking, required.length, facts, manager);
    const later = 'what is installed later it sees after svc index --force';
    const name = seen.kind === 'python' ? `the python3 on the PATH (${seen.name})` : seen.name;
    return nothingToDo(
      install === undefined
        ? `Nothing to do: scip-python sees the packages of ${name}; ${later}`
        : `Install scip-python, which sees the packages of ${name}: ${install}`,
    );
  }
  const [first] = environments;
  if (manager === 'none' && first === undefined) {
    const those = `scip-python sees those of the python3 on the PATH (${seen.name})`;
    return nothingToDo(`Nothing to do: no file says which packages are needed, and ${those}`);
  }
  const command = creating(facts, manager);
  const why =
    first === undefined ? '' : `scip-python sees .venv, venv and what is active outside alone, not ${first}. `;
  const what = manager === 'conda' ? 'Make the environment, and start the daemon in it' : 'Make .venv';
  const issue = 'the repository has no environment whose packages indexers see';
  return {
    recommendation: `${why}${what}, whose packages scip-python sees: ${command}`,
    issue: manager === 'none' ? undefined : issue,
    command,
  };
}

function nothingToDo(recommendation: string): Advice {
  return { recommendation, issue: undefined, command: undefined };
}

/** Whether what is seen is meant for the project: a python for everything is where it has what that needs. */
function isTheProjects(seen: SeenEnvironment, facts: PythonFacts, manager: PythonManager, hasAll: boolean): boolean {
  switch (seen.kind) {
    case 'environment':
      return true;
    case 'conda':
      return manager === 'conda' ? seen.name.endsWith(`/${facts.condaName}`) : facts.active === seen.name;
    case 'python':
      return hasAll;
  }
}

function broken(seen: SeenEnvironment, facts: PythonFacts, manager: PythonManager): Advice {
  const command = creating(facts, manager);
  const issue = `${seen.name}, where indexers look for packages, has no folder for any`;
  return { recommendation: `${sentence(issue)}. Make it anew: ${command}`, issue, command };
}

function incomplete(
  seen: SeenEnvironment,
  lacking: readonly string[],
  required: number,
  facts: PythonFacts,
  manager: PythonManager,
): Advice {
  const command = installing(seen, facts, manager);
  const some = lacking.slice(0, mostNamed).join(', ') + (lacking.length > mostNamed ? ', …' : '');
  const issue = `${seen.name}, whose packages indexers see, lacks ${lacking.length} of the ${required} that are required (${some})`;
  // What goes before all others has to go.
  const first = manager === 'conda' && seen.kind === 'environment' ? `, and remove ${seen.name}` : '';
  return { recommendation: `${sentence(issue)}. Install them${first}: ${command}`, issue, command };
}

const mostNamed = 3;

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The command that makes `.venv` at the root with the repository's packages. */
function creating(facts: PythonFacts, manager: PythonManager): string {
  if (facts.projects.length > 0) return byPip('.venv/bin/pip', facts, 'new');
  switch (manager) {
    case 'uv':
      return 'uv sync';
    case 'poetry':
      return 'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install';
    case 'pdm':
      return 'pdm venv create && pdm install';
    case 'pipenv':
      return 'PIPENV_VENV_IN_PROJECT=1 pipenv install --dev';
    case 'conda': {
      const { condaName = 'app', files } = facts;
      const name = facts.condaName === undefined ? ` --name ${condaName}` : '';
      return `conda env create --file ${condaFile(files)}${name} && conda activate ${condaName} && svc daemon restart`;
    }
    case 'pip':
    case 'none':
      return byPip('.venv/bin/pip', facts, 'new');
  }
}

/** The command that installs the repository's packages into what is there. */
function installing(seen: SeenEnvironment, facts: PythonFacts, manager: PythonManager): string {
  if (manager === 'pdm' && facts.projects.length === 0) return 'pdm install';
  if (facts.projects.length > 0 || manager === 'pip' || manager === 'none') return byPip(seen.pip, facts, 'there');
  return creating(facts, manager);
}

function byPip(pip: string, { files, requirements, projects }: PythonFacts, environment: 'new' | 'there'): string {
  const whats = [
    ...listed(requirements[0], files, ''),
    ...projects.slice(0, mostProjects).flatMap(one => listed(one.requirements[0], one.files, `${one.folder}/`)),
  ];
  const install = whats.length === 0 ? [] : [`${pip} install ${whats.join(' ')}`];
  return [...(environment === 'new' ? ['python3 -m venv .venv'] : []), ...install].join(' && ');
}

const mostProjects = 5;

function listed(requirements: string | undefined, files: readonly string[], folder: string): readonly string[] {
  const isPackage = ['pyproject.toml', 'setup.py', 'setup.cfg'].some(name => files.includes(name));
  return [
    ...(requirements === undefined ? [] : [`-r ${folder}${requirements}`]),
    ...(isPackage ? [`-e ${folder === '' ? '.' : `./${folder.slice(0, -1)}`}`] : []),
  ];
}
