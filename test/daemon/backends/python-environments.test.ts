import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { pythonFolder } from '../../../daemon/backends/python-environments.ts';
import { packagesSeen } from '../../../daemon/backends/python-packages.ts';
import { condaName, type RequirementFiles, requiredPackages } from '../../../daemon/backends/python-requirements.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { whileWithoutRights } from '../../support/without-rights.ts';

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

test('only regular files and real folders of the work tree are looked at, and the environment that indexers follow a link to', async t => {
  const folder = temporaryFolder(t);
  const elsewhere = temporaryFolder(t, '-- pyvenv.cfg --\n-- pyproject.toml --\n[tool.poetry]\n');
  symlinkSync(elsewhere.root, folder.path('.venv'));
  symlinkSync(elsewhere.path('pyproject.toml'), folder.path('pyproject.toml'));
  mkdirSync(folder.path('venv'));
  symlinkSync(elsewhere.path('pyvenv.cfg'), folder.path('venv/pyvenv.cfg'));
  execFileSync('mkfifo', [folder.path('Pipfile')]);
  mkdirSync(folder.path('requirements.txt'));
  // Who else may look into all of it is to be kept out of that alone.
  for (const place of [folder.root, elsewhere.root]) chmodSync(place, 0o755);
  folder.write('closed/pyproject.toml', '[project]\ndependencies = ["django"]\n');
  folder.write('closed/.venv/pyvenv.cfg', '');
  chmodSync(folder.path('closed'), 0);
  symlinkSync(elsewhere.root, folder.path('env'));
  const nothing = { files: [], requirements: [], pyproject: '', requires: [], condaName: undefined, projects: [] };
  const found = await whileWithoutRights(() => pythonFolder(folder.root));
  assert.deepEqual(found, { ...nothing, environments: ['.venv', 'venv'] });
  assert.deepEqual(await pythonFolder(folder.path('absent')), { ...nothing, environments: [] });
});

test('projects one folder below are told where the root says nothing', async t => {
  const text = `-- backend/pyproject.toml --
[project]
dependencies = ["Django>=4"]
-- odd name/setup.py --
-- docs/notes.txt --
`;
  const { projects, environments } = await pythonFolder(temporaryFolder(t, text).root);
  assert.deepEqual(
    projects.map(({ folder, files, requires }) => [folder, files, requires]),
    [['backend', ['pyproject.toml'], ['django']]],
  );
  assert.deepEqual(environments, []);
  const { projects: none } = await pythonFolder(temporaryFolder(t, `${text}-- setup.cfg --\n`).root);
  assert.deepEqual(none, []);
});

test('what a project needs is read from the files in which it says so', () => {
  const none: RequirementFiles = { pyproject: '', requirements: '', pipfile: '', conda: '' };
  const rows: readonly (readonly [Partial<RequirementFiles>, readonly string[]])[] = [
    [
      {
        requirements:
          '# c\nFlask==2.0  # web\n\nruamel.yaml[x] >= 1\n-r other.txt\n-e .\n./local\ngit+https://x/y\na_b; python_version < "3"\nzope.interface\n',
      },
      ['flask', 'ruamel-yaml', 'zope-interface'],
    ],
    [
      {
        pyproject:
          '[project]\ndependencies = ["requests[socks]>=2", "tomli; python_version < \'3.11\'", "x @ file:///x"]\n',
      },
      ['requests', 'x'],
    ],
    [
      {
        pyproject:
          '[tool.poetry.dependencies]\npython = "^3"\nDjango = "^4"\nold = { version = "1", optional = true }\nnew = { version = "1" }\n',
      },
      ['django', 'new'],
    ],
    [
      {
        pipfile:
          '[packages]\nrequests = "*"\nwin = { version = "*", sys_platform = "== \'win32\'" }\n[dev-packages]\npytest = "*"\n',
      },
      ['requests'],
    ],
    [
      {
        conda:
          'name: lab\nchannels:\n  - forge\ndependencies:\n  - python=3.11\n  - numpy>=1\n  - forge::pandas\n  - pip:\n      - black==1\nprefix: /x\n',
      },
      ['black', 'numpy', 'pandas'],
    ],
    [{ pyproject: '[project\n', pipfile: '=' }, []],
  ];
  for (const [files, expected] of rows) {
    assert.deepEqual(requiredPackages({ ...none, ...files }), expected, JSON.stringify(files));
  }
  assert.deepEqual([condaName('name: lab\n'), condaName('channels: []\n')], ['lab', undefined]);
});

test('packages are seen where scip-python looks for them', async t => {
  const outside = temporaryFolder(
    t,
    '-- pyvenv.cfg --\nversion = 3.11\n-- lib/python3.11/site-packages/PyYAML-6.0.dist-info/RECORD --\n',
  );
  const path = process.env['PATH'] ?? '';
  const look = (root: string, PATH = path) => {
    return packagesSeen({ PATH })(root);
  };
  const folder = temporaryFolder(t, '-- a.py --\n');
  const system = await look(folder.root);
  assert.ok(system !== undefined && system.kind !== 'environment', 'python itself');
  symlinkSync(outside.root, folder.path('.venv'));
  const linked = (await look(folder.root))!;
  assert.deepEqual([linked.prefix, linked.kind, linked.hasFolder], [folder.path('.venv'), 'environment', true]);
  assert.ok(linked.installed.has('pyyaml'));
  const bare = temporaryFolder(t, '-- venv/pyvenv.cfg --\n');
  assert.equal((await look(bare.root))!.hasFolder, false);
  assert.equal(await look(bare.root, bare.path('venv/bin')), undefined, 'no python outside of the root');
  mkdirSync(outside.path('bin'));
  symlinkSync(execFileSync('which', ['python3'], { encoding: 'utf8' }).trim(), outside.path('bin/python3'));
  const shims = temporaryFolder(
    t,
    `-- shims/python3 --
#!/bin/sh
-- version --
3.12.1
-- versions/3.12.1/lib/python3.12/site-packages/six.py --
`,
  );
  chmodSync(shims.path('shims/python3'), 0o700);
  const shimmed = (await look(folder.path('nowhere'), shims.path('shims')))!;
  assert.deepEqual(
    [shimmed.prefix, shimmed.kind, shimmed.installed.has('six')],
    [shims.path('versions/3.12.1'), 'python', true],
  );
  const active = (await look(temporaryFolder(t, '-- a.py --\n').root, `${outside.path('bin')}:${path}`))!;
  assert.deepEqual([active.prefix, active.kind], [outside.root, 'environment']);
});

test('a project file of any size is no trouble', async t => {
  const folder = temporaryFolder(t);
  writeFileSync(folder.path('pyproject.toml'), '#'.repeat(1024 * 1024));
  const { files, pyproject } = await pythonFolder(folder.root);
  assert.deepEqual([files, pyproject], [['pyproject.toml'], '']);
});
