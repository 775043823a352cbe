/** What is known of the environments of a repository's Python. */
export interface PythonFacts {
  /** Files of Python in the index. */
  readonly sourceFiles: number;
  /** Folders that hold an environment, relative to the root. */
  readonly environments: readonly string[];
  /** Regular files at the root, by name. */
  readonly files: readonly string[];
  readonly requirements: readonly string[];
  /** The text of pyproject.toml. */
  readonly pyproject: string;
  /** What VIRTUAL_ENV or CONDA_PREFIX of the daemon names, relative to the root; undefined where it names nothing in there. */
  readonly active: string | undefined;
}

export interface PythonEnvironment {
  /** The one that counts for the repository: that which the daemon was started in, else the first found; '' without any. */
  readonly activeVenv: string;
  readonly isActive: boolean;
  /** What makes environments and installs packages, as files of the repository tell. */
  readonly manager: PythonManager;
  /** What to do next. */
  readonly recommendation: string;
  /** The command that does it; undefined where there is nothing to do. */
  readonly command: string | undefined;
}

export type PythonManager = 'uv' | 'poetry' | 'pdm' | 'pipenv' | 'conda' | 'pip' | 'none';

/** Where scip-python looks for packages: see `python-places.ts`. */
const seenByIndexer: readonly string[] = ['.venv', 'venv'];

export function pythonEnvironment(facts: PythonFacts): PythonEnvironment {
  const { active, environments } = facts;
  const isActive = active !== undefined && environments.includes(active);
  const activeVenv = isActive ? active : (environments[0] ?? '');
  const manager = managerOf(facts);
  return { activeVenv, isActive, manager, ...advice(facts, manager) };
}

/** Lock files say more than project files, for these several tools can read. */
function managerOf({ files, requirements, pyproject }: PythonFacts): PythonManager {
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

function advice(facts: PythonFacts, manager: PythonManager): Pick<PythonEnvironment, 'recommendation' | 'command'> {
  const { environments, sourceFiles } = facts;
  if (sourceFiles === 0 && manager === 'none') {
    return { recommendation: 'Nothing to do: no Python is indexed here', command: undefined };
  }
  const seen = environments.find(name => seenByIndexer.includes(name));
  if (seen !== undefined) {
    const later = 'what is installed later it sees after svc index --force';
    return {
      recommendation: `Nothing to do: scip-python sees the packages of ${seen}; ${later}`,
      command: undefined,
    };
  }
  const command = creating(facts, manager);
  const [first] = environments;
  const why = first === undefined ? '' : `scip-python sees .venv and venv at the root alone, not ${first}. `;
  return { recommendation: `${why}Make .venv, whose packages scip-python sees: ${command}`, command };
}

/** The command that makes `.venv` at the root with the repository's packages. */
function creating({ files, requirements }: PythonFacts, manager: PythonManager): string {
  switch (manager) {
    case 'uv':
      return 'uv sync';
    case 'poetry':
      return 'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install';
    case 'pdm':
      return 'pdm venv create && pdm install';
    case 'pipenv':
      return 'PIPENV_VENV_IN_PROJECT=1 pipenv install --dev';
    case 'conda':
    case 'pip':
    case 'none': {
      const isPackage = ['pyproject.toml', 'setup.py', 'setup.cfg'].some(name => files.includes(name));
      const listed = requirements[0] === undefined ? '' : ` -r ${requirements[0]}`;
      const what = isPackage ? `${listed} -e .` : listed;
      return `python3 -m venv .venv${what === '' ? '' : ` && .venv/bin/pip install${what}`}`;
    }
  }
}
