import { quote } from '../client/paths.ts';
import type { Fault } from '../client/protocol/faults.ts';
import { faultBody } from '../client/protocol/faults.ts';
import type { OperationName } from '../client/protocol/registry.ts';
import { type Paint, painter, type Style, safe, type Terminal } from './terminal.ts';
import { type Row, type View, viewOf } from './views.ts';

export type Format = 'human' | 'json' | 'plain';

/** Writes an answer to stdout and what is to be said beside it to stderr. `json` is the document as HTTP gives it, in one line. */
export function writeAnswer(terminal: Terminal, format: Format, name: OperationName, answer: unknown): void {
  if (format === 'json') {
    terminal.out(`${JSON.stringify(answer)}\n`);
    return;
  }
  const view = viewOf(name, answer);
  terminal.out(format === 'plain' ? plain(view) : human(view, painter(terminal.isColored), terminal.columns));
  if (view.kind === 'text' || format === 'plain') return;
  for (const note of view.notes) terminal.err(`${safe(note)}\n`);
}

/** Tab-separated, one line a row, no heads, for awk: tabs and newlines in the text itself are escaped. */
function plain(view: View): string {
  switch (view.kind) {
    case 'text':
      return ending(view.text);
    case 'pairs':
      return lines(view.pairs.map(pair => pair.map(safe).join('\t')));
    case 'rows':
      return lines(view.rows.map(row => row.map(safe).join('\t')));
  }
}

function human(view: View, paint: Paint, columns: number): string {
  switch (view.kind) {
    case 'text':
      return ending(view.text.split('\n').map(safe).join('\n'));
    case 'pairs':
      return lines(pairLines(view.pairs, paint));
    case 'rows':
      return lines(rowLines(view.head, view.rows, paint, columns));
  }
}

function pairLines(pairs: readonly (readonly [string, string])[], paint: Paint): string[] {
  const width = Math.max(0, ...pairs.map(([name]) => name.length));
  const indent = `\n${' '.repeat(width + 2)}`;
  return pairs.map(([name, value]) => {
    const text = value.split('\n').map(safe).join(indent);
    return `${paint('dim', safe(name).padEnd(width))}  ${text}`;
  });
}

/** Columns as wide as their widest text; the last one ends where the terminal does. */
function rowLines(head: readonly string[], rows: readonly Row[], paint: Paint, columns: number): string[] {
  const texts = rows.map(row => row.map(safe));
  const widths = head.map((_, column) => texts.reduce((most, row) => Math.max(most, row[column]!.length), 0));
  return texts.map(row => {
    const before = row.slice(0, -1).map((text, column) => paintCell(paint, head[column]!, text, widths[column]!));
    const used = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
    const last = paint(styleOf(head.at(-1)!, row.at(-1)!), cut(row.at(-1)!, Math.max(20, columns - used)));
    return [...before, last].join('  ').trimEnd();
  });
}

function paintCell(paint: Paint, head: string, text: string, width: number): string {
  return paint(styleOf(head, text), text) + ' '.repeat(Math.max(0, width - text.length));
}

function styleOf(head: string, text: string): Style {
  if (head === 'name' || head === 'id') return 'bold';
  if (head === 'where' || head === 'root') return 'cyan';
  if (head !== 'status') return 'dim';
  if (/^(pass|ready|completed)/.test(text)) return 'green';
  return /^(fail|missing)/.test(text) ? 'red' : 'yellow';
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function lines(all: readonly string[]): string {
  return all.map(line => `${line}\n`).join('');
}

function ending(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/**
 * A fault on stderr: message, every problem, remedies, and ways on as commands (`verb` is the one that was given). With
 * `--json` also the body that HTTP would give, on stdout.
 */
export function writeFault(terminal: Terminal, format: Format, fault: Fault, verb: string): void {
  const body = faultBody(fault);
  if (format === 'json') terminal.out(`${JSON.stringify(body)}\n`);
  terminal.err(`svc: ${fault.message.split('\n').map(safe).join('\n')}\n`);
  for (const problem of problemsOf(body.details)) terminal.err(`  ${safe(problem)}\n`);
  for (const fix of body.suggestedFixes) terminal.err(`  ${pasteable(fix.command, fix.description)}\n`);
  const told = new Set(body.suggestedFixes.map(({ command }) => command));
  for (const { label, query } of body.drilldowns) {
    const command = commandFor(query, verb);
    if (command === undefined) terminal.err(`  # ${safe(label)}: ${safe(query)}\n`);
    else if (!told.has(command)) terminal.err(`  ${pasteable(command, label)}\n`);
  }
}

/** A whole line for a shell: what it is for is a comment there. */
function pasteable(command: string, purpose: string): string {
  return `${safe(command)}  # ${safe(purpose).replaceAll('\n', ' ')}`;
}

/** What a ready path of the API is on the command line: a symbol is asked the same question again, by its id. */
function commandFor(query: string, verb: string): string | undefined {
  const [, place, text] = /^\/(symbol\/|search\?q=)([^&]*)$/.exec(query) ?? [];
  if (text === undefined) return undefined;
  const words = place === 'symbol/' ? [verb === 'refs' ? 'refs' : 'symbol'] : ['search'];
  return ['svc', ...words, quote(decodeURIComponent(text))].join(' ');
}

/** All problems but the first, which is the message already. */
function problemsOf(details: Readonly<Record<string, unknown>> | null): readonly string[] {
  const problems = details?.['problems'];
  if (!Array.isArray(problems)) return [];
  return problems
    .slice(1)
    .map((problem: { path?: unknown; message?: unknown }) => `${problem.path}: ${problem.message}`);
}
