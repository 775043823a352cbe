import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type PythonFacts,
  pythonEnvironment,
  type SeenEnvironment,
} from '../../../daemon/analysis/python-environment.ts';

const nothing: PythonFacts = {
  ...{ sourceFiles: 3, environments: [], files: [], requirements: [], pyproject: '', requires: [], projects: [] },
  ...{ condaName: undefined, active: undefined, install: undefined },
  seen: { name: '/usr', kind: 'python', hasFolder: true, installed: new Set(), pip: '/usr/bin/pip' },
};

/** An environment with some packages. */
function seen(name: string, installed: readonly string[] = [], more: Partial<SeenEnvironment> = {}): SeenEnvironment {
  const rest = { kind: 'environment', hasFolder: true, pip: `${name}/bin/pip` } as const;
  return { ...rest, name, installed: new Set(installed), ...more };
}

test('who makes environments is told by lock files, then by settings', () => {
  const rows: readonly (readonly [Partial<PythonFacts>, string, string])[] = [
    [{ files: ['poetry.lock', 'pyproject.toml', 'uv.lock'] }, 'uv', 'uv sync'],
    [{ files: ['pyproject.toml'], pyproject: '[project]\n[tool.uv.sources]\n' }, 'uv', 'uv sync'],
    [
      { files: ['pyproject.toml'], pyproject: '[tool.poetry]\nname = "x"\n' },
      'poetry',
      'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install',
    ],
    [{ files: ['pdm.lock', 'pyproject.toml'] }, 'pdm', 'pdm venv create && pdm install'],
    [
      { files: ['Pipfile'], requirements: ['requirements.txt'] },
      'pipenv',
      'PIPENV_VENV_IN_PROJECT=1 pipenv install --dev',
    ],
    [
      { files: ['environment.yml'], condaName: 'lab' },
      'conda',
      'conda env create --file environment.yml && conda activate lab && svc daemon restart',
    ],
    [
      { files: ['pyproject.toml', 'requirements.txt'], requirements: ['requirements.txt', 'requirements-dev.txt'] },
      'pip',
      'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt -e .',
    ],
    [{ files: ['setup.py'] }, 'pip', 'python3 -m venv .venv && .venv/bin/pip install -e .'],
    // Settings of another tool of that beginning, and of a table further down.
    [
      { files: ['pyproject.toml'], pyproject: '[tool.uvicorn]\n[x.tool.poetry]\n' },
      'pip',
      'python3 -m venv .venv && .venv/bin/pip install -e .',
    ],
    [{ environments: ['env'] }, 'none', 'python3 -m venv .venv'],
  ];
  for (const [facts, manager, command] of rows) {
    const found = pythonEnvironment({ ...nothing, ...facts });
    assert.deepEqual([found.manager, found.command], [manager, command], JSON.stringify(facts));
    assert.ok(found.recommendation.endsWith(command));
  }
});

test('where the root says nothing of how an environment is made, folders in it do', () => {
  const backend = {
    ...{ folder: 'backend', files: ['pyproject.toml', 'uv.lock'], requirements: ['requirements.txt'], pyproject: '' },
    ...{ requires: ['django'], condaName: undefined },
  };
  const made = 'python3 -m venv .venv && .venv/bin/pip install -r backend/requirements.txt -e ./backend';
  const found = pythonEnvironment({ ...nothing, projects: [backend], environments: ['backend/.venv'] });
  assert.deepEqual([found.manager, found.command], ['uv', made]);
  const there = pythonEnvironment({ ...nothing, projects: [backend], seen: seen('.venv') });
  assert.equal(there.command, '.venv/bin/pip install -r backend/requirements.txt -e ./backend');
  const done = pythonEnvironment({ ...nothing, projects: [backend], seen: seen('.venv', ['django']) });
  assert.deepEqual([done.issue, done.command], [undefined, undefined]);
});

test('an environment counts that an indexer sees; another is told of', () => {
  const outside = seen('/opt/env');
  const rows: readonly (readonly [Partial<PythonFacts>, string, boolean, RegExp])[] = [
    [
      { environments: ['.venv', 'env'], seen: seen('.venv') },
      '.venv',
      false,
      /^Nothing to do: scip-python sees the packages of \.venv;/,
    ],
    [{ environments: ['venv'], active: 'venv', seen: seen('venv') }, 'venv', true, /^Nothing to do/],
    [{ environments: ['.venv', 'env'], active: 'env', seen: seen('.venv') }, 'env', true, /packages of \.venv;/],
    [{ seen: outside, active: '/opt/env' }, '/opt/env', true, /^Nothing to do: .* packages of \/opt\/env;/],
    [{ seen: outside }, '/opt/env', false, /^Nothing to do: .* packages of \/opt\/env;/],
    [{ environments: ['env'], active: '/elsewhere' }, 'env', false, /alone, not env\. Make \.venv/],
    [{ environments: ['api/.venv'] }, 'api/.venv', false, /not api\/\.venv\./],
    [{ sourceFiles: 0 }, '', false, /^Nothing to do: no Python/],
    [{}, '', false, /^Nothing to do: no file says which packages are needed, .* python3 on the PATH \(\/usr\)$/],
    [{ seen: undefined }, '', false, /^Install Python: there is no python3 on the PATH/],
    [{ seen: seen('.venv'), install: 'npm i' }, '.venv', false, /^Install scip-python, which sees .* \.venv: npm i$/],
  ];
  for (const [facts, activeVenv, isActive, recommendation] of rows) {
    const found = pythonEnvironment({ ...nothing, ...facts });
    assert.deepEqual([found.activeVenv, found.isActive], [activeVenv, isActive], JSON.stringify(facts));
    assert.match(found.recommendation, recommendation);
  }
});

test('what is required and not installed is named, with the command that installs it where it is seen', () => {
  const pip = { files: ['requirements.txt'], requirements: ['requirements.txt'], requires: ['a', 'b', 'c', 'd', 'e'] };
  const conda = { files: ['environment.yml'], requires: ['a'], condaName: 'lab' };
  const uv = { files: ['uv.lock', 'pyproject.toml'], requires: ['a'] };
  const python = nothing.seen!;
  const rows: readonly (readonly [Partial<PythonFacts>, issue: RegExp | undefined, command: string | undefined])[] = [
    [
      { ...pip, seen: seen('.venv', ['b']) },
      /^\.venv, whose packages indexers see, lacks 4 of the 5 that are required \(a, c, d, …\)$/,
      '.venv/bin/pip install -r requirements.txt',
    ],
    [{ ...pip, seen: seen('/opt/env') }, /lacks 5 of the 5/, '/opt/env/bin/pip install -r requirements.txt'],
    [{ ...pip, seen: seen('.venv', pip.requires) }, undefined, undefined],
    [{ ...uv, seen: seen('.venv') }, /lacks 1 of the 1 that are required \(a\)/, 'uv sync'],
    [
      { ...pip, seen: seen('.venv', [], { hasFolder: false }) },
      /^\.venv, where indexers look for packages, has no folder for any$/,
      'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt',
    ],
    // One python for everything is the project's where it has all that this needs.
    [{ ...pip, seen: { ...python, installed: new Set(pip.requires) } }, undefined, undefined],
    [
      { ...pip, seen: { ...python, installed: new Set(['a']) } },
      /has no environment/,
      'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt',
    ],
    [{ ...conda, seen: seen('/conda/envs/lab', ['a'], { kind: 'conda' }) }, undefined, undefined],
    [
      { ...conda, seen: seen('/conda', ['a', 'b'], { kind: 'conda' }) },
      /has no environment/,
      'conda env create --file environment.yml && conda activate lab && svc daemon restart',
    ],
    [
      { ...conda, seen: seen('.venv') },
      /\.venv, .* lacks 1 of the 1/,
      'conda env create --file environment.yml && conda activate lab && svc daemon restart',
    ],
  ];
  for (const [facts, issue, command] of rows) {
    const found = pythonEnvironment({ ...nothing, ...facts });
    assert.match(found.issue ?? 'none', issue ?? /^none$/, JSON.stringify(facts));
    assert.equal(found.command, command, JSON.stringify(facts));
    assert.match(found.recommendation, command === undefined ? /^Nothing to do/ : /\S/);
  }
});
