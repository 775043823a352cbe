import type { Command as Program } from 'commander';
import type { Caller } from '../client/protocol/caller.ts';
import { UsageError } from './commands.ts';

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

/**
 * What may stand where the last of these words is being written: commands and flags of the program, and repository or job
 * ids of a daemon that runs already (`caller` undefined: none does). Never fails.
 */
export async function complete(
  program: Program,
  words: readonly string[],
  caller: Caller | undefined,
): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const { command, rest } = descend(program, words.slice(0, -1));
  const all = current.startsWith('-')
    ? flagsOf(command)
    : [
        ...command.commands.map(one => one.name()).filter(name => !name.startsWith('_')),
        ...(await ids(command, rest, caller)),
      ];
  return all.filter(word => word.startsWith(current)).toSorted();
}

function descend(program: Program, words: readonly string[]): { command: Program; rest: readonly string[] } {
  let command = program;
  for (const [index, word] of words.entries()) {
    const next = command.commands.find(one => one.name() === word);
    if (next !== undefined) command = next;
    else if (!word.startsWith('-')) return { command, rest: words.slice(index) };
  }
  return { command, rest: words.slice(-1).filter(word => word.startsWith('-')) };
}

function flagsOf(command: Program): string[] {
  const own = command.options.map(option => option.long ?? '');
  const above = command.parent === null ? [] : flagsOf(command.parent);
  return [...new Set([...own, ...above, '--help'])].filter(flag => flag !== '');
}

/** Ids for the operand or flag that comes next, where it is one. */
async function ids(command: Program, rest: readonly string[], caller: Caller | undefined): Promise<readonly string[]> {
  if (caller === undefined) return shellNames(command);
  const path = `${command.parent?.name()} ${command.name()}`;
  try {
    if (['repo remove', 'repo default', 'repo trust'].includes(path) || rest.at(-1) === '--repo') {
      return (await caller.call('daemon.listRepos', {})).repos.map(({ id }) => id);
    }
    if (['svc job', 'job cancel'].includes(path)) return (await caller.call('jobs.list', {})).jobs.map(({ id }) => id);
  } catch {
    // A completion has no place for an error.
  }
  return shellNames(command);
}

function shellNames(command: Program): readonly string[] {
  return command.name() === 'completion' ? shells : [];
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
compdef _svc svc
`;

const fish = `# fish completion of svc: svc completion fish > ~/.config/fish/completions/svc.fish
function __svc_complete
    set -l words (commandline -opc) (commandline -ct)
    svc __complete -- $words[2..-1] 2>/dev/null
end
complete -c svc -a '(__svc_complete)'
`;

const pwsh = `# PowerShell completion of svc: svc completion pwsh | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  svc __complete -- @words 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
