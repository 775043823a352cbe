import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { openPeer, placesIn, temporaryHome } from '../client/peer.ts';
import { eachRow, svc, svcOnPath } from './command.ts';

test('commands, flags, their values, and shells are completed', async t => {
  const home = temporaryHome(t);
  const table: readonly (readonly [readonly string[], readonly string[]])[] = [
    [['sea'], ['search']],
    [
      ['repo', ''],
      ['add', 'default', 'list', 'remove', 'trust'],
    ],
    [['search', 'x', '--ki'], ['--kinds']],
    [['completion', 'z'], ['zsh']],
    [['daemon', 're'], ['restart']],
    [
      ['doctor', '--tier', 'f'],
      ['fast', 'full'],
    ],
    [['doctor', '--tier=s'], ['--tier=standard']],
    [
      ['doctor', '--tier', '=', 'f'], // as Bash takes it apart
      ['fast', 'full'],
    ],
    [
      ['search', 'x', '--repo-state-mode', '='],
      ['full', 'head'],
    ],
    [['search', 'x', '--kinds', 'fun'], ['function']],
    [['search', 'x', '--kinds', 'function,fun'], []],
    [['search', 'x', '--kinds=function,me'], ['--kinds=function,method']],
    [['jobs', '--status', 'r'], ['running']],
    [['--color', 'al'], ['always']],
    [['--color', 'always', 'sea'], ['search']],
    [['index', '--language', 'sta'], []],
    [['index', '--f'], ['--force']],
    [['index', 'status', '--f'], []],
    [['search', '--limit', ''], []],
    [['--ver'], ['--version']],
    [['search', '--ver'], []],
  ];
  await eachRow(table, async ([words, expected]) => {
    const { stdout } = await svc(['__complete', '--', ...words], { home });
    assert.deepEqual(linesOf(stdout), expected, words.join(' '));
  });
});

test('the repositories and jobs of the running daemon are completed', async t => {
  const { home } = await withRepositories(t);
  const complete = async (...words: string[]) => (await svc(['__complete', '--', ...words], { home })).stdout;
  assert.equal(await complete('repo', 'remove', ''), 'alpha\nbeta\n');
  assert.equal(await complete('search', 'x', '--repo', 'a'), 'alpha\n');
  assert.equal(await complete('search', 'x', '--repo=a'), '--repo=alpha\n');
  assert.equal(await complete('job', 'cancel', ''), 'job-2\n', 'one that has ended can’t be');
  assert.equal(await complete('job', ''), 'cancel\njob-1\njob-2\n');
  assert.equal(await complete('unwired', '--scope', 'pack'), 'packages/a\npackages/b\n');
  assert.equal(await complete('unwired', '--repo', 'beta', '--scope', ''), 'src\n');
  assert.equal(await complete('search', 'x', '--repo=beta', '--scope=s'), '--scope=src\n');
  assert.equal(await complete('arch', 'packages/b'), 'packages/b\n');
  assert.equal(await complete('decisions', 'create', '--modules', 'packages/b'), 'packages/b\n');
  assert.equal(await complete('decisions', 'show', ''), 'ADR-001\nADR-002\n');
  assert.equal(await complete('decisions', ''), 'create\nshow\n');
  assert.equal(await complete('responsibilities', '@'), '@root\n');
});

/** What is typed, and what becomes of it. */
const typed: readonly (readonly [string, string])[] = [
  ['svc sea', 'svc search'],
  ['svc search x --kinds function,me', 'svc search x --kinds function,method'],
  ['svc search x --kinds=fun', 'svc search x --kinds=function'],
  ['svc repo remove al', 'svc repo remove alpha'],
  ['svc search x --repo=be', 'svc search x --repo=beta'],
  ['svc search x --repo fol', 'svc search x --repo folder/'],
];

test('in Bash', async t => {
  const { home, env } = await withRepositories(t);
  const script = `source <(svc completion bash)
    COMP_WORDS=($1); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`;
  // Readline, which is not asked here, adds file names where nothing is found, and takes words apart at the sign.
  await eachRow(typed.slice(0, -1), async ([line, whole]) => {
    const words = line.replace('=', ' = ');
    const { stdout } = await run('bash', ['--norc', '-c', script, 'bash', words], { cwd: home, env });
    assert.deepEqual(linesOf(stdout), [whole.replace('=', ' = ').split(' ').at(-1)], line);
  });
});

test('in fish', { skip: isMissing('fish') }, async t => {
  const { home, env } = await withRepositories(t);
  const script = 'svc completion fish | source; complete -C "$argv[1]"';
  await eachRow(typed, async ([line, whole]) => {
    const { stdout } = await run('fish', ['--no-config', '-c', script, line], { cwd: home, env });
    assert.deepEqual(linesOf(stdout), [whole.split(' ').at(-1)], line);
  });
});

for (const [how, setUp] of [
  ['sourced', 'autoload -Uz compinit; compinit -u -D; source <(svc completion zsh)'],
  ['from a folder of $fpath', 'fpath=($HOME $fpath); autoload -Uz compinit; compinit -u -D'],
] as const) {
  test(`in zsh, ${how}`, { skip: isMissing('zsh') }, async t => {
    const { home, env } = await withRepositories(t);
    writeFileSync(join(home, '_svc'), (await svc(['completion', 'zsh'], { home })).stdout);
    const leave = 'leave() { print -r -- "$BUFFER" > $RESULT; exit }; zle -N leave; bindkey "^X" leave';
    writeFileSync(join(home, '.zshrc'), `${setUp}\n${leave}\n`);
    // A terminal of its own, on which the line, a tab and ^X are typed.
    const script = `zmodload zsh/zpty; zpty z zsh -i; zpty -w -n z "$1"$'\\t\\x18'; while zpty -r z; do :; done; cat $RESULT`;
    await eachRow(typed, async ([line, whole]) => {
      const result = join(home, `typed-${typed.findIndex(([one]) => one === line)}`);
      const { stdout } = await run('zsh', ['-f', '-c', script, 'zsh', line], {
        cwd: home,
        env: { ...env, ZDOTDIR: home, RESULT: result, TERM: 'dumb' },
      });
      assert.equal(linesOf(stdout).at(-1)?.trimEnd(), whole, line);
    });
  });
}

test('the script for PowerShell asks in the same way', async t => {
  const { stdout } = await svc(['completion', 'pwsh'], { home: temporaryHome(t) });
  assert.match(stdout, /svc __complete -- @words/);
});

/** A daemon with two repositories and a job, a folder, and `svc` on the path. */
async function withRepositories(t: TestContext) {
  const home = temporaryHome(t);
  const answers: Readonly<Record<string, unknown>> = {
    'daemon.listRepos': { repos: [{ id: 'alpha' }, { id: 'beta' }] },
    'jobs.list': {
      jobs: [
        { id: 'job-2', status: 'running' },
        { id: 'job-1', status: 'failed' },
      ],
    },
    'decisions.list': { decisions: [{ id: 'ADR-002' }, { id: 'ADR-001' }] },
  };
  const architecture = (repo: unknown) => ({
    granularity: 'module',
    modules: (repo === 'beta' ? ['src'] : ['packages/a', 'packages/b', '@root']).map(id => ({ id })),
  });
  await openPeer(t, {
    places: placesIn(home),
    script: (method, params) =>
      method === 'analysis.architecture' ? architecture((params as { readonly repo?: unknown }).repo) : answers[method],
  });
  mkdirSync(join(home, 'folder'));
  return { home, env: svcOnPath(home) };
}

const run = promisify(execFile);

function isMissing(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).status !== 0;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(line => line !== '');
}
