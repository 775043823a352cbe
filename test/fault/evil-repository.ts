import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace } from '../support/repository.ts';

/**
 * A repository in which everything that git can be told to run is told to: each command leaves a file named after
 * itself in a folder that must stay empty.
 */
export interface EvilRepository {
  readonly tree: Workspace;
  /** Names of what ran. */
  pwned(): readonly string[];
}

export function evilRepository(test: Cleanup): EvilRepository {
  const traces = temporaryFolder(test);
  const tree = gitRepository(
    test,
    `
    -- a.ts --
    export const a = 1;
    -- src/b.ts --
    export const b = 2;
    -- image.bin --
    binary
    -- .gitignore --
    ignored/`,
  );
  const command = (name: string) => `touch '${traces.path(name)}'; cat`;
  configure(tree, command);
  hook(tree, traces);
  tree.write('.gitattributes', '* filter=evil diff=evil merge=evil text\n*.bin filter=process\n');
  tree.write('.git/info/attributes', '* filter=evil diff=evil\n');
  tree.write('.mailmap', 'x');
  bareRepositoryInside(tree, command);
  submoduleInside(tree, command);
  tree.write('.git/info/exclude', 'excluded\n');
  tree.write('.git/objects/info/alternates', '/etc\n../../../elsewhere\n');
  symlinkSync('/etc', tree.path('etc'));
  // A change of content without a change of size or, to git's eyes, of time: whoever compares must run the filter.
  tree.write('a.ts', 'export const a = 3;\n');
  return { tree, pwned: () => readdirSync(traces.root).sort() };
}

function configure(tree: Workspace, command: (name: string) => string): void {
  const settings: Readonly<Record<string, string>> = {
    'core.fsmonitor': command('fsmonitor'),
    'core.sshCommand': command('ssh'),
    'core.pager': command('pager'),
    'core.editor': command('editor'),
    'core.askPass': command('askpass'),
    'core.gitProxy': command('proxy'),
    'core.alternateRefsCommand': command('alternate-refs'),
    'core.hooksPath': '.git/evil-hooks',
    'core.untrackedCache': 'true',
    'sequence.editor': command('sequence-editor'),
    'pager.ls-files': command('pager-ls-files'),
    'diff.external': command('diff-external'),
    'diff.evil.textconv': command('textconv'),
    'diff.evil.command': command('diff-command'),
    'merge.evil.driver': command('merge-driver'),
    'filter.evil.clean': command('clean'),
    'filter.evil.smudge': command('smudge'),
    'filter.process.process': command('process'),
    'filter.process.required': 'true',
    'gpg.program': command('gpg'),
    'credential.helper': `!${command('credential')}`,
    'alias.ls-files': `!${command('alias-ls-files')}`,
    'alias.config': `!${command('alias-config')}`,
    'alias.version': `!${command('alias-version')}`,
    'blame.ignoreRevsFile': '/etc/passwd',
    'uploadpack.packObjectsHook': command('pack-objects'),
    'remote.origin.url': `ext::sh -c ${command('ext')}`,
    'remote.origin.promisor': 'true',
    'remote.origin.partialclonefilter': 'blob:none',
    'remote.origin.uploadpack': command('uploadpack'),
    'protocol.ext.allow': 'always',
    'extensions.partialClone': 'origin',
    'trailer.x.command': command('trailer'),
    'interactive.diffFilter': command('diff-filter'),
  };
  const lines = Object.entries(settings).map(([key, value]) => {
    const [section, ...rest] = key.split('.');
    const name = rest.pop();
    const head = rest.length === 0 ? `[${section}]` : `[${section} "${rest.join('.')}"]`;
    return `${head}\n\t${name} = ${JSON.stringify(value)}\n`;
  });
  tree.write(
    '.git/included',
    `[core]\n\tfsmonitor = ${JSON.stringify(command('included-fsmonitor'))}\n\tworktree = /etc\n`,
  );
  tree.write(
    '.git/config',
    `[core]\n\trepositoryformatversion = 1\n\tbare = false\n${lines.join('')}[include]\n\tpath = included\n[includeIf "gitdir:/"]\n\tpath = included\n`,
  );
}

function hook(tree: Workspace, traces: Workspace): void {
  const names = ['post-index-change', 'pre-commit', 'post-checkout', 'fsmonitor-watchman', 'reference-transaction'];
  for (const folder of ['.git/evil-hooks', '.git/hooks']) {
    mkdirSync(tree.path(folder), { recursive: true });
    for (const name of names) {
      tree.write(`${folder}/${name}`, `#!/bin/sh\ntouch '${traces.path(`hook-${name}`)}'\n`);
      chmodSync(tree.path(`${folder}/${name}`), 0o755);
    }
  }
}

/** A bare repository as plain files: whoever stands in it takes its configuration for their own. */
function bareRepositoryInside(tree: Workspace, command: (name: string) => string): void {
  execFileSync('git', ['init', '--quiet', '--bare', tree.path('src/bare')]);
  tree.write(
    'src/bare/config',
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${JSON.stringify(command('bare-fsmonitor'))}\n`,
  );
}

function submoduleInside(tree: Workspace, command: (name: string) => string): void {
  execFileSync('git', ['init', '--quiet', tree.path('module')]);
  tree.write(
    'module/.git/config',
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = ${JSON.stringify(command('module-fsmonitor'))}\n`,
  );
  tree.write('module/m.ts', '');
  tree.write('.gitmodules', '[submodule "module"]\n\tpath = module\n\turl = ./module\n\tupdate = !touch pwned\n');
}
