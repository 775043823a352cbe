import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { pythonFolder } from '../../../daemon/backends/python-environments.ts';
import { temporaryFolder } from '../../support/repository.ts';

test('environments are found at the root, by custom first, and one folder below', async t => {
  const { root } = temporaryFolder(
    t,
    `-- py311/pyvenv.cfg --
-- venv/pyvenv.cfg --
-- .venv/pyvenv.cfg --
-- conda/conda-meta/history --
-- api/.venv/pyvenv.cfg --
-- api/deep/.venv/pyvenv.cfg --
-- node_modules/.venv/pyvenv.cfg --
-- src/main.py --
`,
  );
  const { environments } = await pythonFolder(root);
  assert.deepEqual(environments, ['.venv', 'venv', 'conda', 'py311', 'api/.venv']);
});

test('files that tell how environments are made', async t => {
  const { root } = temporaryFolder(
    t,
    `-- requirements-dev.txt --
-- requirements.txt --
-- requirements/test.txt --
-- requirements/a b;rm.txt --
-- requirements/notes.md --
-- Pipfile --
-- pyproject.toml --
[tool.uv]
`,
  );
  const { files, requirements, pyproject } = await pythonFolder(root);
  assert.deepEqual(files, ['Pipfile', 'pyproject.toml', 'requirements-dev.txt', 'requirements.txt']);
  assert.deepEqual(requirements, ['requirements.txt', 'requirements-dev.txt', 'requirements/test.txt']);
  assert.match(pyproject, /^\[tool\.uv\]$/m);
});

test('only regular files and real folders of the work tree are looked at', async t => {
  const folder = temporaryFolder(t);
  const elsewhere = temporaryFolder(t, '-- pyvenv.cfg --\n-- pyproject.toml --\n[tool.poetry]\n');
  symlinkSync(elsewhere.root, folder.path('.venv'));
  symlinkSync(elsewhere.path('pyproject.toml'), folder.path('pyproject.toml'));
  mkdirSync(folder.path('venv'));
  symlinkSync(elsewhere.path('pyvenv.cfg'), folder.path('venv/pyvenv.cfg'));
  execFileSync('mkfifo', [folder.path('Pipfile')]);
  mkdirSync(folder.path('requirements.txt'));
  mkdirSync(folder.path('closed'));
  chmodSync(folder.path('closed'), 0);
  const nothing = { environments: [], files: [], requirements: [], pyproject: '' };
  const found = await pythonFolder(folder.root);
  chmodSync(folder.path('closed'), 0o700);
  assert.deepEqual(found, nothing);
  assert.deepEqual(await pythonFolder(folder.path('absent')), nothing);
});

test('a project file of any size is no trouble', async t => {
  const folder = temporaryFolder(t);
  writeFileSync(folder.path('pyproject.toml'), '#'.repeat(1024 * 1024));
  const { files, pyproject } = await pythonFolder(folder.root);
  assert.deepEqual([files, pyproject], [['pyproject.toml'], '']);
});
