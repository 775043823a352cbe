import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PythonFacts, pythonEnvironment } from '../../../daemon/analysis/python-environment.ts';

const nothing: PythonFacts = {
  sourceFiles: 3,
  environments: [],
  files: [],
  requirements: [],
  pyproject: '',
  active: undefined,
};

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
    [{ files: ['environment.yml'] }, 'conda', 'python3 -m venv .venv'],
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
    [{}, 'none', 'python3 -m venv .venv'],
  ];
  for (const [facts, manager, command] of rows) {
    const found = pythonEnvironment({ ...nothing, ...facts });
    assert.deepEqual([found.manager, found.command], [manager, command], JSON.stringify(facts));
    assert.ok(found.recommendation.endsWith(command));
  }
});

test('an environment counts that an indexer sees; another is told of', () => {
  const rows: readonly (readonly [Partial<PythonFacts>, string, boolean, RegExp])[] = [
    [{ environments: ['.venv', 'env'] }, '.venv', false, /^Nothing to do: scip-python sees the packages of \.venv;/],
    [{ environments: ['venv'], active: 'venv' }, 'venv', true, /^Nothing to do/],
    [{ environments: ['.venv', 'env'], active: 'env' }, 'env', true, /packages of \.venv;/],
    [{ environments: ['env'], active: 'elsewhere' }, 'env', false, /^scip-python sees .*, not env\. Make \.venv/],
    [{ environments: ['api/.venv'] }, 'api/.venv', false, /not api\/\.venv\./],
    [{ sourceFiles: 0 }, '', false, /^Nothing to do: no Python/],
  ];
  for (const [facts, activeVenv, isActive, recommendation] of rows) {
    const found = pythonEnvironment({ ...nothing, ...facts });
    assert.deepEqual([found.activeVenv, found.isActive], [activeVenv, isActive], JSON.stringify(facts));
    assert.match(found.recommendation, recommendation);
  }
});
