import { CommanderError, Option, Command as Program } from 'commander';
import type { Asked } from './asked-fields.ts';
import {
  type Command,
  commandsOf,
  type Flag,
  flagHelp,
  flagUsage,
  parseItem,
  parseValue,
  parseWords,
  UsageError,
} from './commands.ts';
import type { LocalCommands } from './local.ts';
import type { TableEntry } from './table.ts';

/** The flags that every command takes, as they were given. */
export interface GlobalFlags {
  readonly json?: true;
  readonly plain?: true;
  readonly color: 'auto' | 'always' | 'never';
  readonly timeout?: number;
  readonly autostart: boolean;
}

export interface ProgramOptions {
  readonly table: readonly TableEntry[];
  /** The command line's first word. */
  readonly firstWord: string;
  /** `--help` shows examples and exit codes; `-h` does not. */
  readonly isHelpFull: boolean;
  readonly ask: (command: Command, asked: Asked, flags: GlobalFlags) => Promise<void>;
  readonly local: LocalCommands;
}

/**
 * The command line, read off the table; parse with `runProgram`. When the first word is a command's, the rest of them is
 * left out: making them all takes as long as asking the daemon.
 */
export async function buildProgram(options: ProgramOptions): Promise<Program> {
  const program = new Program('svc')
    .description('Answers what code is: symbols, references, structure; from an index that follows every change.')
    .option('--json', 'one JSON document, as HTTP gives it')
    .option('--plain', 'tab-separated lines for scripts')
    .addOption(
      new Option('--color <when>', 'colours in the answer').choices(['auto', 'always', 'never']).default('auto'),
    )
    .option('--timeout <seconds>', 'give up after this long', parseSeconds)
    .option('--no-autostart', 'do not start the daemon when none runs')
    .option('-V, --version', 'versions of this command, the protocol and the running daemon')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: true, visibleGlobalOptions: globalOptionsOf })
    .configureOutput({ outputError: () => {} }) // it is told with all other errors
    .showSuggestionAfterError()
    .exitOverride();
  if (options.isHelpFull) program.addHelpText('after', exitCodes);
  const parents = new Map<string, Program>([['', program]]);
  const commands = commandsOf(options.table);
  const chosen = commands.filter(({ words }) => words[0] === options.firstWord);
  for (const command of chosen.length > 0 ? chosen : commands) addOperation(parents, command, options);
  tellOfSubcommands(parents);
  if (chosen.length === 0 || sharedWords.has(options.firstWord)) {
    const { addLocalCommands } = await import('./local.ts');
    addLocalCommands(program, name => groupOf(parents, [name]), options.local, options.isHelpFull);
  }
  refuseRepetition(program);
  return program;
}

/** Groups that hold operations and commands of this machine alike. */
const sharedWords = new Set(['daemon', 'config', 'delta', 'docs']);

/** Runs a command line. Throws `UsageError` for a wrong one; resolves after help was asked for and shown. */
export async function runProgram(
  program: Program,
  argv: readonly string[],
  showVersions: (flags: GlobalFlags) => Promise<void>,
): Promise<void> {
  try {
    if (isVersionAsked(argv)) await showVersions(flagsAlone(program, argv));
    else await program.parseAsync(withoutHelpWord(program, argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    // Commander has shown what commands there are.
    const isHelp = error.code === 'commander.help';
    throw new UsageError(isHelp ? '' : error.message.replace(/^error: /, ''));
  }
}

/** Behind `--` no word is a flag; and whoever asks for help as well is helped. */
function isVersionAsked(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const flags = new Set(end < 0 ? argv : argv.slice(0, end));
  const isHelp = argv[0] === 'help' || flags.has('-h') || flags.has('--help');
  return (flags.has('-V') || flags.has('--version')) && !isHelp;
}

function flagsAlone(program: Program, argv: readonly string[]): GlobalFlags {
  const { operands, unknown } = program.parseOptions([...argv]);
  if (operands.length > 0) throw new UsageError('--version goes without a command');
  if (unknown.length > 0) throw new UsageError(`unknown option '${unknown[0]}'`);
  return program.opts<GlobalFlags & Record<string, unknown>>();
}

/**
 * The words as Commander is to read them: `help` in front of a command asks what `--help` behind it does, and where the
 * first words are no command's there is no help, for Commander would show another's.
 */
function withoutHelpWord(program: Program, argv: readonly string[]): string[] {
  const led: string[] = [];
  let command = program;
  let isHelp = false;
  for (const word of argv) {
    if (word.startsWith('-')) break;
    const next = command.commands.find(one => one.name() === word);
    if (next !== undefined) command = next;
    else if (isGroup(command) && word === 'help') {
      isHelp = true;
      continue;
    } else if (isGroup(command)) return [...led, word];
    else if (isHelp) throw new UsageError(`'${led.join(' ')}' has no command '${word}'`);
    else break;
    led.push(word);
  }
  return isHelp ? [...led, '--help'] : [...argv];
}

/** A word that is no command of its own, and the program itself. */
function isGroup(command: Program): boolean {
  return command.parent === null || command.name() in groupSummaries;
}

function addOperation(parents: Map<string, Program>, command: Command, { ask, isHelpFull }: ProgramOptions): void {
  const program = groupOf(parents, command.words).description(command.summary);
  for (const { field, isRequired, isVariadic, schema } of command.operands) {
    const name = isVariadic ? `${field}...` : field;
    program.argument(isRequired ? `<${name}>` : `[${name}]`, schema.description ?? '');
  }
  for (const flag of [...command.flags, ...command.gates]) program.addOption(optionOf(flag));
  if (command.entry.scope === 'repository') addRepositoryOptions(program, command);
  if (isHelpFull) addExamples(program, command.examples);
  const operands = command.operands.length;
  program.action(async (...given: unknown[]) => {
    refuseOptionsAbove(program);
    const flags = program.optsWithGlobals<GlobalFlags & Record<string, unknown>>();
    await ask(command, askedOf(command, given.slice(0, operands), flags), flags);
  });
}

/** Commander gives `index` what `svc index status --force` says, as if it were `svc index --force`. */
function refuseOptionsAbove(command: Program): void {
  const own = new Set(command.options.map(({ long }) => long));
  for (let above = command.parent; above?.parent != null; above = above.parent) {
    const given = above.options.filter(option => above?.getOptionValueSource(option.attributeName()) === 'cli');
    const stray = given.find(({ long }) => !own.has(long));
    if (stray !== undefined) throw new UsageError(`unknown option '${stray.long}'`);
  }
}

/** The command of these words, made on the way; the last one may later become a command of its own. */
function groupOf(parents: Map<string, Program>, words: readonly string[]): Program {
  const path = words.join(' ');
  const known = parents.get(path);
  if (known !== undefined) return known;
  const program = groupOf(parents, words.slice(0, -1)).command(words.at(-1)!);
  program.summary(groupSummaries[path] ?? '').description(groupSummaries[path] ?? '');
  parents.set(path, program);
  return program;
}

/** The list of commands has a line for `job`, and none for `job cancel`: that line tells of it. */
function tellOfSubcommands(parents: ReadonlyMap<string, Program>): void {
  for (const [words, program] of parents) {
    if (words === '' || words in groupSummaries || program.commands.length === 0) continue;
    const below = program.commands.map(one => `${words} ${one.name()}`);
    program.summary(`${program.description()}; also: ${below.join(', ')}`);
  }
}

/** The options that every command takes beside its own; a command whose name leads to others (`index`, `index status`) keeps its own. */
export function globalOptionsOf(command: Program): Option[] {
  return command.parent === null ? [] : rootOf(command).options.filter(({ long }) => long !== '--version');
}

function rootOf(command: Program): Program {
  return command.parent === null ? command : rootOf(command.parent);
}

/** Words that are no command of their own. */
const groupSummaries: Readonly<Record<string, string>> = {
  repo: 'Registered repositories: add, remove, list, default, trust',
  daemon: 'The background process: start, stop, restart, status, logs, run, token, env',
  token: 'Keys of the index server: create, list, revoke, rotate',
  remote: 'Mirrors of what other machines’ index servers serve: add, sync, list, remove',
  federation:
    'Repositories that are asked about together: create, add, sync, status, modules, ownership, hotspots, decisions',
  docs: 'What Markdown documents mention of the code: index, file, symbol, module, stale, coverage, check, fix',
  telemetry: 'What production tells of calls: status, usage, unmapped, ingest; see also svc dead-code',
  contracts: 'API contracts of a federation: list, deps, impact, diff, edges, stats, suppress, verify, graph',
  meta: 'What answers rest on: languages, python-env, typescript-monorepo',
  cache: 'What was derived for speed: warm, clear',
  config: 'The configuration in force, and an example',
};

function optionOf(flag: Flag): Option {
  const option = new Option(flagUsage(flag), flagHelp(flag));
  if (flag.isRequired) option.makeOptionMandatory();
  if (flag.kind === 'value') {
    const place = { shown: `--${flag.name}`, path: flag.field, schema: flag.schema };
    if (flag.isRepeated === true) {
      repeated.add(option);
      option.argParser((text, before: readonly unknown[] = []) => parseItem(place, text, before));
    } else option.argParser(text => parseValue(place, text));
  }
  return option;
}

/** Those that may be given more than once. */
const repeated = new WeakSet<Option>();

function addRepositoryOptions(program: Program, { entry }: Command): void {
  program.option('--repo <id-or-path>', 'the repository asked about. Default: the one around this folder');
  if (!entry.faults.includes('indexStale')) return;
  program.option('--no-sync', 'answer at once, from what has been seen so far');
}

function addExamples(program: Program, examples: readonly string[]): void {
  program.addHelpText('before', `Examples:\n${examples.map(example => `  ${example}\n`).join('')}`);
}

/** A flag given twice is a slip, not a choice of the last. */
function refuseRepetition(command: Program): void {
  for (const option of command.options.filter(option => option.required && !repeated.has(option))) {
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) throw new UsageError(`${option.long}: is given twice`);
      isGiven = true;
    });
  }
  command.commands.forEach(refuseRepetition);
}

function parseSeconds(text: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= 86_400) return seconds;
  throw new UsageError(`--timeout: ${JSON.stringify(text)} is not a number of seconds above 0, a day at most`);
}

function askedOf(
  { operands, flags, gates, entry }: Command,
  given: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
): Asked {
  const fields: Record<string, unknown> = {};
  const extra: Record<string, string> = {};
  let several: readonly string[] = [];
  for (const [index, { field, isVariadic, schema }] of operands.entries()) {
    const place = { shown: field, path: field, schema };
    const words = isVariadic && Array.isArray(given[index]) ? (given[index] as readonly string[]) : [];
    if (schema.type === 'array') {
      if (words.length > 0) fields[field] = parseWords(place, words);
      continue;
    }
    if (isVariadic) several = words;
    const text = isVariadic ? several[0] : given[index];
    if (typeof text !== 'string') continue;
    if (Object.hasOwn(entry.input.properties, field)) fields[field] = parseValue(place, text);
    else extra[field] = text;
  }
  for (const { field, name, kind } of flags) {
    const value = options[new Option(`--${name}`).attributeName()];
    // What is not said is left to the operation's own default.
    if (value === undefined || (kind === 'switch' && value === false) || (kind === 'off' && value === true)) continue;
    fields[field] = value;
  }
  const gate = Object.fromEntries(gates.flatMap(({ field }) => (field in options ? [[field, options[field]]] : [])));
  const isGate = several.length > 1 || Object.keys(gate).length > 0;
  const { repo, sync } = options;
  return {
    ...(isGate ? { gate: { ...gate, several } } : {}),
    fields,
    extra,
    repo: typeof repo === 'string' ? repo : undefined,
    sync: sync !== false,
  };
}

const exitCodes = `
Exit codes:
  0  answered                       6  not allowed                 78  configuration, version or schema
  1  findings, or it failed        69  a needed tool is missing   124  time is over
  2  wrong command line or input   75  busy, try again            130  interrupted
  3  no daemon, and none starts    77  unsafe owner or mode       141  the reader has gone
  4  not found, or ambiguous        5  index behind the tree, or a precondition`;
