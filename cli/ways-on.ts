import { operand, quote } from '../client/paths.ts';
import { type Command, commandsOf, type Flag } from './commands.ts';
import type { TableEntry } from './table.ts';

type Texts = Readonly<Record<string, string>>;

/** The command that asks what a ready path of the API does; undefined where none does. `verb`: the one that was given. */
export function commandFor(table: readonly TableEntry[], query: string, verb: string): string | undefined {
  const { pathname, searchParams } = new URL(query, 'http://svc');
  const commands = commandsOf(table);
  for (const command of commands) {
    const named = fieldsIn(command.entry, pathname);
    if (named === undefined) continue;
    const fields = { ...named, ...Object.fromEntries(searchParams) };
    // Who asked for the uses of a name that several symbols bear is not content with a symbol.
    const isAgain = command.operation === 'symbols.get' && verb === 'refs';
    const again = commands.find(({ operation }) => isAgain && operation === 'symbols.refs');
    return (again && lineOf(again, fields)) ?? lineOf(command, fields);
  }
  return undefined;
}

/** What a path says of the fields of a question's template; undefined where it is another's. */
function fieldsIn({ http }: TableEntry, pathname: string): Texts | undefined {
  if (http?.method !== 'GET') return undefined;
  const template = http.path.split('/');
  const said = pathname.split('/').map(decodeURIComponent);
  if (said.length < template.length || (said.length > template.length && !http.path.endsWith('*'))) return undefined;
  const fields: Record<string, string> = {};
  for (const [at, part] of template.entries()) {
    if (part.startsWith(':'))
      fields[part.replace(/^:|\*$/g, '')] = said.slice(at, part.endsWith('*') ? undefined : at + 1).join('/');
    else if (part !== said[at]) return undefined;
  }
  return fields;
}

/** A command line that says all of some fields; undefined where the command has no word for one. */
function lineOf({ words, operands, flags }: Command, { repo, ...fields }: Texts): string | undefined {
  const named = operands.filter(({ field }) => field in fields);
  const flagged = flags.filter(({ field }) => field in fields);
  if (named.length + flagged.length < Object.keys(fields).length) return undefined;
  return [
    ...['svc', ...words],
    ...(repo === undefined ? [] : ['--repo', quote(repo)]),
    ...flagged.flatMap(flag => flagWords(flag, fields[flag.field]!)),
    ...named.map(({ field }) => operand(fields[field]!)),
  ].join(' ');
}

function flagWords({ name, kind }: Flag, text: string): readonly string[] {
  switch (kind) {
    case 'value':
      return [`--${name}`, quote(text)];
    case 'switch':
      return text === 'true' ? [`--${name}`] : [];
    case 'off':
      return text === 'false' ? [`--no-${name}`] : [];
  }
}
