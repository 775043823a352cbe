import type { Command as Program } from 'commander';
import { parseValue, UsageError } from './commands.ts';
import { shells } from './completion.ts';
import { addDocsCommands, type DocsCommands } from './docs/commands.ts';
import { baselineThresholds, measuresWords } from './gate/flags.ts';
import type { BaselineAsked } from './gate/gate.ts';
import type { GlobalFlags } from './program.ts';

/** Commands that no operation stands behind: they act on this machine, or on the daemon as a process. */
export interface LocalCommands extends DocsCommands {
  serve(options: ServeAsked, flags: GlobalFlags): Promise<void>;
  control(verb: 'start' | 'stop' | 'restart' | 'token' | 'env', flags: GlobalFlags): Promise<void>;
  logs(options: { readonly lines: number; readonly follow: boolean }, flags: GlobalFlags): Promise<void>;
  run(detached: boolean): Promise<void>;
  configExample(flags: GlobalFlags): Promise<void>;
  completion(shell: string, flags: GlobalFlags): Promise<void>;
  inspectDelta(file: string, flags: GlobalFlags): Promise<void>;
  baseline(asked: BaselineAsked & { readonly repo: string | undefined }, flags: GlobalFlags): Promise<void>;
}

export interface ServeAsked {
  readonly port: number;
  readonly host: string;
  readonly indexServer: boolean;
  /** As it was given. */
  readonly indexConfig: string | undefined;
}

export function addLocalCommands(
  program: Program,
  group: (name: string) => Program,
  local: LocalCommands,
  isHelpFull: boolean,
): void {
  const add = (parent: Program, usage: string, summary: string, examples: readonly string[]) => {
    const command = parent.command(usage).description(summary);
    if (isHelpFull) command.addHelpText('before', `Examples:\n${examples.map(line => `  ${line}\n`).join('')}`);
    return command;
  };
  addServe(add, program, local);
  addControl(add, group('daemon'), local);
  addDocsCommands(add, group('docs'), local);
  const example = add(group('config'), 'example', 'Every setting with its default, as a file to start from', [
    'svc config example > ~/.config/svc/config.toml',
  ]);
  example.action(() => local.configExample(example.optsWithGlobals()));
  const inspect = add(group('delta'), 'inspect', 'What a delta artifact says of itself; asks no daemon', [
    'svc delta inspect delta.json',
    'svc delta build --base HEAD~1 -o - | svc delta inspect -',
  ]).argument('<file>', 'The artifact’s file; -: standard input');
  inspect.action((file: string) => local.inspectDelta(file, inspect.optsWithGlobals()));
  const baseline = add(
    program,
    'baseline [path...]',
    'Write down what gates find now, so that they fail over what is new alone',
    ['svc baseline', 'svc baseline src -o .ci/svc-baseline.json --fail-over cognitive=25'],
  )
    .option('-o, --output <file>', 'where it is written; -: standard output', 'svc-baseline.json')
    .option(
      '--fail-over <text>',
      `which functions are written down: those with more ${measuresWords}`,
      baselineThresholds,
    )
    .option('--repo <id-or-path>', 'the repository asked about. Default: the one around this folder');
  baseline.action((paths: string[]) => {
    const { output, failOver: over, repo, ...flags } = baseline.optsWithGlobals();
    return local.baseline({ paths, output, failOver: over, repo }, flags as GlobalFlags);
  });
  const completion = add(program, 'completion <shell>', `Completion for a shell: ${shells.join(', ')}`, [
    'source <(svc completion bash)',
    'svc completion zsh > ~/.zfunc/_svc',
    'svc completion fish > ~/.config/fish/completions/svc.fish',
  ]);
  completion.action((shell: string) => local.completion(shell, completion.optsWithGlobals()));
}

type Add = (parent: Program, usage: string, summary: string, examples: readonly string[]) => Program;

function addServe(add: Add, program: Program, local: LocalCommands): void {
  const serve = add(program, 'serve', 'Serve the repository around this folder over HTTP, until interrupted', [
    'svc serve',
    'svc serve --port 3000 --host 127.0.0.1',
    'svc serve --index-server --index-config index.toml',
  ])
    .option('--port <number>', 'port to listen on', '8080')
    .option('--host <name>', 'host to bind', 'localhost')
    .option('--index-server', 'serve indexes of repositories under /index/repos as well')
    .option('--index-config <file>', 'TOML file for the index server; default: what config.toml says of it');
  serve.action(() => {
    const { port, host, indexServer, indexConfig, ...flags } = serve.optsWithGlobals();
    const number = wholeNumber('port', 65_535, port);
    if (host === '') throw new UsageError('--host: must name a host');
    if (indexConfig === '') throw new UsageError('--index-config: must name a file');
    return local.serve({ port: number, host, indexServer: indexServer === true, indexConfig }, flags as GlobalFlags);
  });
}

function addControl(add: Add, daemon: Program, local: LocalCommands): void {
  const verbs = {
    start: 'Start the daemon if none runs',
    stop: 'Let the daemon finish what is under way, and stop it',
    restart: 'Stop the daemon and start it again',
    token: 'Print the token that HTTP requests must show',
    env: 'Print where the daemon is reached, as shell variables',
  } as const;
  for (const verb of Object.keys(verbs) as (keyof typeof verbs)[]) {
    const example = verb === 'env' ? 'eval "$(svc daemon env)"' : `svc daemon ${verb}`;
    const command = add(daemon, verb, verbs[verb], [example]);
    command.action(() => local.control(verb, command.optsWithGlobals()));
  }
  const logs = add(daemon, 'logs', 'The end of the daemon’s log, one JSON object a line', [
    'svc daemon logs -n 20',
    'svc daemon logs -f',
  ])
    .option('-f, --follow', 'go on as lines are written')
    .option('-n, --lines <number>', 'how many lines', '100');
  logs.action(() => {
    const { follow, lines, ...flags } = logs.optsWithGlobals();
    const count = wholeNumber('lines', 1_000_000, lines);
    return local.logs({ lines: count, follow: follow === true }, flags as GlobalFlags);
  });
  const run = add(daemon, 'run', 'Run the daemon in this terminal', ['svc daemon run']).option(
    '--detached',
    'write to the log alone, as a daemon that was started for somebody',
  );
  run.action(() => {
    const { detached, json, plain } = run.optsWithGlobals();
    if (json === true || plain === true)
      throw new UsageError('daemon run answers nothing: it takes no --json or --plain');
    return local.run(detached === true);
  });
}

function wholeNumber(flag: string, maximum: number, text: string): number {
  const place = { shown: `--${flag}`, path: flag, schema: { type: 'integer', minimum: 0, maximum } };
  return parseValue(place, text) as number;
}
