import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command as Program } from 'commander';
import { commandsOf, flagUsage } from '../../cli/commands.ts';
import type { LocalCommands } from '../../cli/local.ts';
import { buildProgram, runProgram } from '../../cli/program.ts';
import { tableOfRegistry } from '../../cli/table.ts';
import { type Fault, faultBody } from '../../client/protocol/faults.ts';
import type { Operation } from '../../client/protocol/operation.ts';
import { operations } from '../../client/protocol/registry.ts';
import { validateInput } from '../../client/protocol/validate.ts';
import { protocolNumber } from '../../client/socket.ts';
import { temporaryHome } from '../client/peer.ts';
import { eachRow, svc } from './command.ts';

test('a command is one file: beside it a question loads the faults, which other parts share, and no more', () => {
  const program = readFileSync(fileURLToPath(new URL('../../cli/main.js', import.meta.url)), 'utf8');
  const named = [...program.matchAll(/^import [^'"]*['"]([^'"]+)['"]/gm)].map(([, name]) => name!);
  const files = new Set(named.filter(name => !name.startsWith('node:')));
  assert.deepEqual([...files], ['../client/protocol/faults.js']);
});

test('a wrong command line exits 2, says what is wrong, and starts nothing', async t => {
  const home = temporaryHome(t);
  const table: readonly (readonly [string, RegExp])[] = [
    ['serch x', /unknown command 'serch'[\s\S]*Did you mean search/],
    ['repo ad', /unknown command 'ad'[\s\S]*Did you mean add/],
    ['search x --limt 3', /unknown option '--limt'[\s\S]*Did you mean --limit/],
    ['search', /missing required argument 'q'/],
    ['search a b', /too many arguments/],
    ['search x --limit -5', /"-5" is not a whole number from 1 to 10000/],
    ['search x --limit 1e3', /"1e3" is not a whole number/],
    ['search x --limit 0x10', /"0x10" is not a whole number/],
    ['search x --limit 1 --limit 2', /^svc: --limit: is given twice/],
    ['search x --limit=0', /^svc: --limit: "0" is not a whole number from 1 to 10000/],
    ['search x jobs', /too many arguments/],
    ['search x --since yesterday', /^svc: unknown option '--since'/],
    ['search x --format json5', /unknown option '--format'/],
    ['search x --json --format=xml', /unknown option '--format=xml'/],
    ['refs --', /missing required argument 'id'/],
    ['frobnicate', /^svc: unknown command 'frobnicate'/],
    ['frobnicate --help', /^svc: unknown command 'frobnicate'/],
    ['help frobnicate', /^svc: unknown command 'frobnicate'/],
    ['help repo ad', /^svc: unknown command 'ad'[\s\S]*Did you mean add/],
    ['help search help', /^svc: 'search' has no command 'help'/],
    ['help job cance', /^svc: 'job' has no command 'cance'/],
    ['help help frobnicate', /^svc: unknown command 'frobnicate'/],
    ['repo help ad', /^svc: unknown command 'ad'[\s\S]*Did you mean add/],
    ['repo help frobnicate --json', /^svc: unknown command 'frobnicate'/],
    ['repo ad -h', /^svc: unknown command 'ad'[\s\S]*Did you mean add/],
    ['search x --limit 0 --json', /^svc: limit: must be an integer from 1 to 10000/],
    ['repo --json', /Usage: svc repo/],
    ['search x --kinds function,foo', /"foo" is not one of function, method/],
    ['search x --repo-state-mode dirty', /"dirty" is not one of head, full/],
    ['search x --repo a --repo b', /^svc: --repo: is given twice/],
    ['health --timeout 5 --timeout 6', /^svc: --timeout: is given twice/],
    ['--color never health --color always', /^svc: --color: is given twice/],
    ['serve --port 1 --port 2', /^svc: --port: is given twice/],
    ['daemon logs -n 1 --lines 2', /^svc: --lines: is given twice/],
    ['search x --json --plain', /exclude each other/],
    ['--version --json --plain', /exclude each other/],
    ['--version --bogus', /^svc: unknown option '--bogus'/],
    ['--version --color maybe', /Allowed choices are auto, always, never/],
    ['status --version', /^svc: --version goes without a command/],
    ['-V status', /^svc: --version goes without a command/],
    ['index status --force', /^svc: unknown option '--force'/],
    ['doctor fix --tier full', /^svc: unknown option '--tier'/],
    ['search x --color maybe', /Allowed choices are auto, always, never/],
    ['search x --timeout 0', /number of seconds above 0/],
    ['search x --timeout 1e9', /number of seconds above 0, a day at most/],
    ['symbol -x', /unknown option '-x'/],
    ['jobs --status done', /"done" is not one of queued, running/],
    ['doctor --tier ultra', /"ultra" is not one of fast, standard, full/],
    ['serve --port abc', /"abc" is not a whole number from 0 to 65535/],
    ['serve --port 0x50', /is not a whole number/],
    ['serve --port -1', /is not a whole number/],
    ['serve --port 65536', /is not a whole number/],
    ['serve --index-config x.toml', /^svc: --index-config: x\.toml can't be read \(ENOENT\)/],
    ['serve --index-server yes', /too many arguments/],
    ['serve --index-config a --index-config b', /^svc: --index-config: is given twice/],
    ['serve --token secret', /unknown option '--token'/],
    ['daemon logs -n many', /"many" is not a whole number/],
    ['completion tcsh', /"tcsh" is not one of bash, zsh, fish, pwsh/],
  ];
  await eachRow(table, async ([line, expected]) => {
    const { code, stdout, stderr } = await svc(line.split(' '), { home });
    assert.equal(code, 2, `svc ${line}: ${stderr}`);
    assert.match(stderr, expected, line);
    if (line.includes('--json')) assert.equal(JSON.parse(stdout).code, 'INVALID_PARAMETER', line);
    else assert.equal(stdout, '', line);
  });
  const broken = await svc(['search'], { home, shell: `exec "$0" "$@" $'a\\xff'` });
  assert.deepEqual([broken.code, broken.stderr], [2, 'svc: "a\ufffd" is not UTF-8\n']);
  const empty = await svc(['serve', '--host', ''], { home });
  assert.equal(empty.code, 2);
  assert.match(empty.stderr, /--host: must name a host/);
  assert.ok(!existsSync(join(home, 'runtime')), 'no folder was made');
});

test('a program is told of a wrong value what HTTP tells', async t => {
  const home = temporaryHome(t);
  const { 'symbols.search': search, 'symbols.refs': refs } = operations;
  const table: readonly (readonly [string, Operation, Record<string, unknown>])[] = [
    ['search x --limit 0', search, { q: 'x', limit: 0 }],
    ['search x --repo-state-mode hed', search, { q: 'x', repoStateMode: 'hed' }],
    ['search x --kinds function,clas', search, { q: 'x', kinds: 'function,clas' }],
    ['refs x --limit 1e3', refs, { id: 'x', limit: '1e3' }],
  ];
  await eachRow(table, async ([line, operation, input]) => {
    const { stdout } = await svc([...line.split(' '), '--json'], { home });
    const told = (fault: Fault) => {
      assert.deepEqual(JSON.parse(stdout), JSON.parse(JSON.stringify(faultBody(fault))), line);
      return true;
    };
    assert.throws(() => validateInput(operation, { input, invalidAs: () => 'invalidParameter' }), told);
  });
});

/** What help says of a command, by the program that the command line makes: a process for each would take a quarter of a second. */
async function helpOf(words: readonly string[]): Promise<string> {
  const table = await tableOfRegistry();
  const unasked = () => assert.fail('nothing is asked');
  const program = await buildProgram({
    ...{ table, firstWord: words[0]!, isHelpFull: true, ask: unasked },
    local: new Proxy({} as LocalCommands, { get: () => unasked }),
  });
  let shown = '';
  const writeOut = (text: string): void => {
    shown += text;
  };
  const hear = (command: Program): void => command.configureOutput({ writeOut }).commands.forEach(hear);
  hear(program);
  await runProgram(program, [...words, '--help'], unasked);
  return shown;
}

test('every operation with a command has help with its examples, operands and flags', async t => {
  const home = temporaryHome(t);
  const commands = commandsOf(await tableOfRegistry());
  assert.ok(commands.length > 15);
  const processed = await svc([...commands[0]!.words, '--help'], { home });
  assert.deepEqual(processed, { code: 0, stdout: await helpOf(commands[0]!.words), stderr: '' });
  for (const command of commands) {
    const help = await helpOf(command.words);
    assert.match(help, /^Examples:\n {2}svc /, command.words.join(' '));
    assert.ok(help.replace(/\s+/g, ' ').includes(command.summary), command.summary);
    for (const flag of [...command.flags, ...command.gates]) assert.ok(help.includes(flagUsage(flag)), flagUsage(flag));
    for (const { field } of command.operands) assert.ok(help.includes(field), field);
    if (command.entry.scope === 'repository') assert.ok(help.includes('--repo <'), command.words.join(' '));
  }
});

test('help tells the exit codes in full and is short with -h; defaults and choices are listed', async t => {
  const home = temporaryHome(t);
  const [long, short, search, refs, below] = await Promise.all([
    svc(['--help'], { home }),
    svc(['search', '-h'], { home }),
    svc(['search', '--help'], { home }),
    svc(['refs', '--help'], { home }),
    svc(['index', 'status', '--help'], { home }),
  ]);
  assert.match(long!.stdout.replace(/\s+/g, ' '), /One background job; also: job cancel/);
  const described = /^ {2}remote (?:\[[^\]]*\] )? *Mirrors of what other machines’ index servers serve: add,/m;
  assert.match(long!.stdout, described);
  assert.doesNotMatch(long!.stdout, /^ {2}\S.* {2}; also:/m, 'a group of which nothing is said');
  assert.match(long!.stdout, /Exit codes:\n[\s\S]*77 {2}unsafe owner/);
  assert.doesNotMatch(short!.stdout, /Examples/);
  assert.match(search!.stdout, /Default: 50/);
  assert.deepEqual(
    [long, search].map(help => help!.stdout.includes('--version')),
    [true, false],
    'it goes alone',
  );
  assert.match(search!.stdout.replace(/\s+/g, ' '), /One of: head, full\. Default: full/);
  assert.doesNotMatch(below!.stdout, /--force|--repo[\s\S]*--repo/, 'options of the command above');
  assert.match(refs!.stdout, /--no-include-tests[\s\S]*--include-definition/);
});

test('help is the same in front of a command and behind it, whatever else is said, and nothing is done', async t => {
  const home = temporaryHome(t);
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['--help', ['help', 'help help', 'help --help']],
    ['repo --help', ['help repo', 'repo help', 'help repo --json']],
    ['repo add --help', ['help repo add', 'repo help add', 'repo add --help x y']],
    ['index --help', ['help index', 'index . --help', 'help index --language go']],
    ['job cancel --help', ['help job cancel']],
    ['job --help', ['help job', 'job x --help']],
  ];
  await eachRow(rows, async ([line, others]) => {
    const { code, stdout } = await svc(line.split(' '), { home });
    assert.equal(code, 0, line);
    for (const other of others) {
      assert.deepEqual(await svc(other.split(' '), { home }), { code: 0, stdout, stderr: '' }, other);
    }
  });
  assert.ok(!existsSync(join(home, 'runtime')), 'no daemon was started');
});

test('examples of the registry are command lines that parse', async () => {
  const commands = commandsOf(await tableOfRegistry());
  for (const { examples, words, flags, gates, entry } of commands) {
    for (const example of examples) {
      const [program, ...rest] = example.split(' ');
      assert.equal(program, 'svc');
      assert.deepEqual(rest.slice(0, words.length), words, example);
      const known = [
        ...[...flags, ...gates].map(flag => flagUsage(flag).split(' ')[0]!),
        '--repo',
        '--no-sync',
        '--json',
      ];
      for (const word of rest.filter(one => one.startsWith('--')))
        assert.ok(known.includes(word), `${example} (${entry.name})`);
    }
  }
});

test('--version tells three versions and starts no daemon', async t => {
  const home = temporaryHome(t);
  const { code, stdout } = await svc(['--version'], { home, env: { SVC_FAKE_VERSION: '3.2.1' } });
  assert.equal(code, 0);
  assert.equal(stdout, `svc 3.2.1\nprotocol ${protocolNumber}\ndaemon none is running\n`);
  const json = await svc(['--version', '--json'], { home });
  assert.equal(JSON.parse(json.stdout).daemon, null);
  const among = await svc(['--color', 'never', '-V', '--timeout', '5', '--plain'], { home });
  assert.deepEqual([among.code, among.stdout.split('\n')[1]], [0, `protocol\t${protocolNumber}`]);
  assert.match((await svc(['--version', '-h'], { home })).stdout, /^Usage: svc/);
});

test('without a daemon: asking fails with 3, stopping is done already', async t => {
  const home = temporaryHome(t);
  await eachRow(
    [
      { line: 'status --no-autostart', code: 3, stderr: /No daemon is running/ },
      { line: 'status --no-autostart --timeout 60.0005', code: 3, stderr: /No daemon is running/ },
      { line: 'daemon status', code: 3, stderr: /^svc: No daemon is running\n {2}svc daemon start {2}# Start it\n$/ },
      { line: 'daemon env', code: 3, stderr: /No daemon is running/ },
      { line: 'daemon stop', code: 0, stderr: /^$/ },
      { line: 'daemon logs', code: 4, stderr: /There is no log yet/ },
    ],
    async ({ line, code, stderr }) => {
      const ended = await svc(line.split(' '), { home });
      assert.equal(ended.code, code, line);
      assert.match(ended.stderr, stderr, line);
    },
  );
});

test('a folder that is not ours alone ends everything with 77 and its remedy', async t => {
  const home = temporaryHome(t);
  mkdirSync(join(home, 'runtime'), { mode: 0o777 });
  execFileSync('chmod', ['777', join(home, 'runtime')]);
  const { code, stderr } = await svc(['status'], { home });
  assert.equal(code, 77, stderr);
  assert.match(stderr, /chmod 700/);
});
