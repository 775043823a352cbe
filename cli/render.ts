import type { Fault } from '../client/protocol/faults.ts';
import { faultBody } from '../client/protocol/faults.ts';
import type { OperationName } from '../client/protocol/registry.ts';
import { fitColumns, gap, isPlace } from './columns.ts';
import { type Paint, painter, type Style, safe, type Terminal } from './terminal.ts';
import type { View } from './views/view.ts';
import { viewOf, viewOfFields } from './views/views.ts';

/** `verbatim`: the answer is a text in another language, which goes to stdout byte for byte. */
export type Format = 'human' | 'json' | 'plain' | 'verbatim';

/** Writes an answer to stdout and what is to be said beside it to stderr. `json` is the document as HTTP gives it, in one line. */
export function writeAnswer(terminal: Terminal, format: Format, name: OperationName, answer: unknown): void {
  if (format === 'json') {
    terminal.out(`${JSON.stringify(answer)}\n`);
    return;
  }
  if (format === 'verbatim' && typeof answer === 'string') {
    terminal.out(answer);
    return;
  }
  const view = viewOf(name, answer);
  if (format === 'plain') terminal.out(plain(view));
  else writeForPeople(terminal, view);
  const { notes = [] } = view;
  const verdict = view.kind === 'rows' ? (view.verdict ?? []) : [];
  for (const note of format === 'plain' ? verdict : [...verdict, ...notes]) terminal.err(`${safe(note)}\n`);
}

function writeForPeople(terminal: Terminal, view: View): void {
  const { text, dropped } = human(view, painter(terminal.isColored), terminal.columns);
  terminal.out(text);
  if (dropped.length > 0) {
    terminal.err(`not shown, for want of room: ${dropped.join(', ')} (--plain and --json have all)\n`);
  }
}

/** Writes what no operation stands behind: the document for programs, its fields one a line for scripts, words for people. */
export function writeTold({ terminal, format }: Told, told: object, words: string): void {
  if (format === 'json') terminal.out(`${JSON.stringify(told)}\n`);
  else terminal.out(format === 'plain' ? plain(viewOfFields(told)) : ending(words));
}

/** The same of a text that is for other programs, whatever the format: in a document it is the one field. */
export function writeText({ terminal, format }: Told, field: string, text: string): void {
  terminal.out(format === 'json' ? `${JSON.stringify({ [field]: text })}\n` : ending(text));
}

interface Told {
  readonly terminal: Terminal;
  readonly format: Format;
}

/** Tab-separated, one line a row, no heads, for awk: tabs and newlines in the text itself are escaped. */
function plain(view: View): string {
  switch (view.kind) {
    case 'text':
      return ending(view.text);
    case 'pairs':
      return lines(view.pairs.map(([name, value]) => [name, value.join('\n')].map(safe).join('\t')));
    case 'rows':
      return lines(view.rows.map(row => row.map(safe).join('\t')));
  }
}

/** What people are shown, and the heads of columns that they are not. */
interface Shown {
  readonly text: string;
  readonly dropped: readonly string[];
}

function human(view: View, paint: Paint, columns: number): Shown {
  switch (view.kind) {
    case 'text':
      return { text: ending(view.text.split('\n').map(safe).join('\n')), dropped: [] };
    case 'pairs':
      return { text: lines(pairLines(view.pairs, paint)), dropped: [] };
    case 'rows':
      return rowLines(view, paint, columns);
  }
}

function pairLines(pairs: readonly (readonly [string, readonly string[]])[], paint: Paint): string[] {
  const width = Math.max(0, ...pairs.map(([name]) => name.length));
  const indent = `\n${' '.repeat(width + 2)}`;
  return pairs.map(([name, value]) => {
    return `${paint('dim', safe(name).padEnd(width))}  ${value.map(safe).join(indent)}`;
  });
}

/** Columns as wide as their widest text, or as the terminal lets them be. */
function rowLines({ head, isHeaded, rows, drops = [] }: ViewOfRows, paint: Paint, columns: number): Shown {
  const isShown = isHeaded === true && rows.length > 0;
  const texts = (isShown ? [head, ...rows] : rows).map(row => row.map(safe));
  const widest = head.map((_, column) => texts.reduce((most, row) => Math.max(most, row[column]!.length), 0));
  const { shown, widths } = fitColumns({ head, widest, drops, columns });
  const written = texts.map((row, index) =>
    shown
      .map((column, at) => paintCell(paint, isShown && index === 0 ? '' : head[column]!, row[column]!, widths[at]!))
      .join(gap)
      .trimEnd(),
  );
  return { text: lines(written), dropped: head.filter((_, column) => !shown.includes(column)) };
}

type ViewOfRows = Extract<View, { readonly kind: 'rows' }>;

function paintCell(paint: Paint, head: string, text: string, width: number): string {
  const shown = isPlace(head) ? cutFront(text, width) : cut(text, width);
  return paint(styleOf(head, text), shown) + ' '.repeat(width - shown.length);
}

function styleOf(head: string, text: string): Style {
  if (head === 'name' || head === 'id') return 'bold';
  if (isPlace(head)) return 'cyan';
  if (head !== 'status') return 'dim';
  if (/^(pass|ready|completed)/.test(text)) return 'green';
  return /^(fail|missing)/.test(text) ? 'red' : 'yellow';
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function cutFront(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(text.length - width + 1)}`;
}

function lines(all: readonly string[]): string {
  return all.map(line => `${line}\n`).join('');
}

function ending(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/**
 * A fault on stderr: message, every problem, remedies, and ways on (`commandFor`: the command that a ready path of the API is).
 * With `--json` also the body that HTTP would give, on stdout.
 */
export function writeFault(
  terminal: Terminal,
  format: Format,
  fault: Fault,
  commandFor: (query: string) => string | undefined,
): void {
  const body = faultBody(fault);
  if (format === 'json') terminal.out(`${JSON.stringify(body)}\n`);
  terminal.err(`svc: ${fault.message.split('\n').map(safe).join('\n')}\n`);
  for (const problem of problemsBeside(fault.message, body.details)) terminal.err(`  ${safe(problem)}\n`);
  for (const fix of body.suggestedFixes) terminal.err(`  ${pasteable(fix.command, fix.description)}\n`);
  const told = new Set(body.suggestedFixes.map(({ command }) => command));
  for (const { label, query } of body.drilldowns) {
    const command = commandFor(query);
    if (command === undefined) terminal.err(`  # ${safe(label)}: ${safe(query)}\n`);
    else if (!told.has(command)) terminal.err(`  ${pasteable(command, label)}\n`);
  }
}

/** A whole line for a shell: what it is for is a comment there. */
function pasteable(command: string, purpose: string): string {
  return `${safe(command)}  # ${safe(purpose).replaceAll('\n', ' ')}`;
}

/** The problems of a fault but for the one that is its message: that need not be the first. */
function problemsBeside(message: string, details: Readonly<Record<string, unknown>> | null): readonly string[] {
  const problems = details?.['problems'];
  if (!Array.isArray(problems)) return [];
  const told = problems.map((problem: { path?: unknown; message?: unknown }) => `${problem.path}: ${problem.message}`);
  const headline = told.indexOf(message);
  return told.filter((_, at) => at !== headline);
}
