import type { Command as Program } from 'commander';
import type { Caller } from '../client/protocol/caller.ts';
import { type Command, commandsOf, UsageError } from './commands.ts';
import { globalOptionsOf } from './program.ts';
import type { TableEntry } from './table.ts';

export const shells = ['bash', 'zsh', 'fish', 'pwsh'] as const;

/** The script for a shell. It asks `svc __complete <words…>` for each completion, so that ids are those of now. */
export function completionScript(shell: string): string {
  switch (shell) {
    case 'bash':
      return bash;
    case 'zsh':
      return zsh;
    case 'fish':
      return fish;
    case 'pwsh':
      return pwsh;
    default:
      throw new UsageError(`completion: ${JSON.stringify(shell)} is not one of ${shells.join(', ')}`);
  }
}

/** A daemon that runs already, and which repository is meant where no word says so. */
export interface Completing {
  readonly caller: Caller;
  readonly place: { readonly repo?: string; readonly directory?: string };
}

/**
 * What may stand where the last of these words is being written: commands and flags of the program, values of flags, and ids
 * of repositories, jobs, modules and decisions that the daemon tells. Never fails.
 */
export async function complete(
  program: Program,
  table: readonly TableEntry[],
  words: readonly string[],
  asking: Completing,
): Promise<readonly string[]> {
  const whole = unsplit(words);
  const current = whole.at(-1) ?? '';
  const { command, flag: flagBefore } = descend(program, whole.slice(0, -1));
  const described = commandsOf(table).find(({ words }) => words.join(' ') === pathOf(command));
  const joined = /^(--[^=]+)=/.exec(current);
  const flag = flagBefore ?? joined?.[1];
  const found =
    flag !== undefined
      ? listed(current, joined?.[0] ?? '', await valuesOf(command, described, flag, repositoryIn(whole, asking)))
      : current.startsWith('-')
        ? flagsOf(command)
        : [
            ...command.commands.map(one => one.name()).filter(name => !name.startsWith('_')),
            ...(await operandsOf(command, described, repositoryIn(whole, asking))),
          ];
  return found.filter(word => word.startsWith(current)).toSorted();
}

/** The same, about the repository that the words name, if they do. */
function repositoryIn(words: readonly string[], { caller, place }: Completing): Completing {
  const at = words.findIndex(word => /^--repo(?:=|$)/.test(word));
  const named = at < 0 ? undefined : words[at] === '--repo' ? words[at + 1] : words[at]!.slice('--repo='.length);
  return { caller, place: named === undefined || named === '' ? place : { repo: named } };
}

/** Bash takes `--flag=value` apart at the sign, and wants the value alone. */
function unsplit(words: readonly string[]): readonly string[] {
  const isSign = (word: string | undefined, at: number) => word === '=' && words[at - 1]?.startsWith('--') === true;
  const whole = words.filter((word, at) => !isSign(word, at));
  return isSign(words.at(-1), words.length - 1) ? [...whole, ''] : whole;
}

/** The command that the words lead to, and the flag whose value comes next, if one does. */
function descend(program: Program, words: readonly string[]): { command: Program; flag: string | undefined } {
  let command = program;
  let flag: string | undefined;
  for (const word of words) {
    if (flag !== undefined) flag = undefined;
    else if (word.startsWith('-')) flag = takesValue(command, word) ? word : undefined;
    else command = command.commands.find(one => one.name() === word) ?? command;
  }
  return { command, flag };
}

function takesValue(command: Program, flag: string): boolean {
  return optionsOf(command).some(({ long, short, required }) => required && (long === flag || short === flag));
}

/** Its own options and those that every command takes. */
function optionsOf(command: Program): Program['options'] {
  return [...command.options, ...globalOptionsOf(command)];
}

function pathOf(command: Program): string {
  const above = command.parent?.parent == null ? '' : `${pathOf(command.parent)} `;
  return `${above}${command.name()}`;
}

function flagsOf(command: Program): string[] {
  const all = optionsOf(command).map(({ long }) => long ?? '');
  return [...new Set([...all, '--help'])].filter(flag => flag !== '');
}

interface Values {
  readonly choices: readonly string[];
  /** Several may stand there, with commas between them. */
  readonly isList: boolean;
}

async function valuesOf(
  command: Program,
  described: Command | undefined,
  flag: string,
  asking: Completing,
): Promise<Values> {
  if (flag === '--repo') return { choices: await repositoryIds(asking.caller), isList: false };
  if (modulePlaces.has(flag)) return { choices: await moduleIds(asking), isList: false };
  const schema = [...(described?.flags ?? []), ...(described?.gates ?? [])].find(
    ({ name }) => `--${name}` === flag,
  )?.schema;
  const own = optionsOf(command).find(({ long }) => long === flag)?.argChoices;
  return { choices: own ?? schema?.enum ?? schema?.items?.enum ?? [], isList: schema?.type === 'array' };
}

/** Flags and operands that take a module, or a path. */
const modulePlaces: ReadonlySet<string> = new Set(['--scope', '--module', '--modules', 'targetPath', 'moduleId']);

/** The whole words that values make of the one being written: what stands before the value, and the list so far. */
function listed(current: string, before: string, { choices, isList }: Values): string[] {
  const earlier = isList ? current.slice(before.length, current.lastIndexOf(',') + 1) : '';
  const taken = new Set(earlier.split(','));
  return choices.filter(choice => !taken.has(choice)).map(choice => `${before}${earlier}${choice}`);
}

async function operandsOf(
  command: Program,
  described: Command | undefined,
  asking: Completing,
): Promise<readonly string[]> {
  const { caller } = asking;
  const path = pathOf(command);
  if (path === 'completion') return shells;
  if (['repo remove', 'repo default', 'repo trust'].includes(path)) return repositoryIds(caller);
  if (path === 'job') return jobIds(caller, () => true);
  if (path === 'job cancel') return jobIds(caller, ({ status }) => status === 'queued' || status === 'running');
  if (path === 'decisions show') return decisionIds(asking);
  if (described?.operands.some(({ field }) => modulePlaces.has(field))) return moduleIds(asking);
  return described?.operands.flatMap(({ schema }) => schema.enum ?? []) ?? [];
}

// A completion has no place for an error.

/** Whoever waits for a completion does so for as long as this. */
const soon = { timeoutMs: 2_000 };

async function moduleIds({ caller, place }: Completing): Promise<readonly string[]> {
  const answer = await caller.call('analysis.architecture', place, soon).catch(() => undefined);
  return typeof answer === 'object' && answer.granularity === 'module' ? answer.modules.map(({ id }) => id) : [];
}

async function decisionIds({ caller, place }: Completing): Promise<readonly string[]> {
  const answer = await caller.call('decisions.list', place, soon).catch(() => undefined);
  return answer?.decisions.map(({ id }) => id) ?? [];
}

async function repositoryIds(caller: Caller): Promise<readonly string[]> {
  const answer = await caller.call('daemon.listRepos', {}, soon).catch(() => undefined);
  return answer?.repos.map(({ id }) => id) ?? [];
}

async function jobIds(
  caller: Caller,
  isMeant: (job: { readonly status: string }) => boolean,
): Promise<readonly string[]> {
  const answer = await caller.call('jobs.list', {}, soon).catch(() => undefined);
  return answer?.jobs.filter(isMeant).map(({ id }) => id) ?? [];
}

const bash = `# bash completion of svc: source <(svc completion bash)
_svc() {
  local IFS=$'\\n'
  COMPREPLY=($(svc __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _svc svc
`;

const zsh = `#compdef svc
_svc() {
  local -a found
  found=("\${(@f)$(svc __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "\${found[1]}" ]] && compadd -a found || _files
}
# A file named _svc in $fpath is run as the function at its first use; sourced, it registers the function.
if [[ "\${funcstack[1]}" == _svc ]]; then _svc; else compdef _svc svc; fi
`;

const fish = `# fish completion of svc: svc completion fish > ~/.config/fish/completions/svc.fish
function __svc_find
    set -l words (commandline -opc) (commandline -ct)
    set -g __svc_found (svc __complete -- $words[2..-1] 2>/dev/null)
    test -n "$__svc_found"
end
complete -c svc -n __svc_find -f -a '$__svc_found'
`;

const pwsh = `# PowerShell (7.3 or later) completion of svc: svc completion pwsh | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $before = $commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition }
  $words = @($before | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  svc __complete -- @words 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
