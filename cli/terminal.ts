import { writeSync } from 'node:fs';

export type ColorChoice = 'auto' | 'always' | 'never';

/** Where answers go, where words about them go, and how they may look. */
export interface Terminal {
  readonly isColored: boolean;
  readonly columns: number;
  out(text: string): void;
  err(text: string): void;
}

/** One on which people may watch what goes on. */
export interface LiveTerminal extends Terminal {
  /** Answers are seen as they are written, by people. */
  readonly isTty: boolean;
  /** Progress may rewrite its line. */
  readonly isLive: boolean;
  /** How wide that line may be now: the window may have another size a moment later. */
  liveColumns(): number;
}

export interface TerminalOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly color: ColorChoice;
}

export function openTerminal({ env, color }: TerminalOptions): LiveTerminal {
  return {
    isColored: wantsColor(color, env, process.stdout.isTTY === true),
    isTty: process.stdout.isTTY === true,
    isLive: process.stderr.isTTY === true && env['TERM'] !== 'dumb' && (env['CI'] ?? '') === '',
    liveColumns: () => process.stderr.columns || Number.POSITIVE_INFINITY,
    columns: process.stdout.columns || Number.POSITIVE_INFINITY, // 0: a terminal that does not know
    out: text => void process.stdout.write(text),
    err: text => void process.stderr.write(text),
  };
}

/** `--color` decides, then `NO_COLOR` (non-empty), then `FORCE_COLOR`, then whether people watch and the terminal can. */
function wantsColor(choice: ColorChoice, env: TerminalOptions['env'], isTty: boolean): boolean {
  if (choice !== 'auto') return choice === 'always';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTty && env['TERM'] !== 'dumb';
}

/** Text from a repository as a terminal may see it: control characters (ESC and C1 included) and those that turn the direction of writing become visible escapes. */
export function safe(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    character => shortEscapes[character] ?? `\\u{${character.charCodeAt(0).toString(16)}}`,
  );
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Whatever a library prints goes to stderr: stdout holds the answer and nothing else. */
export function rebindConsole(): void {
  const toStderr = (...words: unknown[]) => {
    writeSync(2, `${words.map(String).join(' ')}\n`);
  };
  for (const method of ['log', 'info', 'debug', 'dir', 'table'] as const) globalThis.console[method] = toStderr;
}

/** A reader that goes away (`svc … | head -1`) is no error of ours to talk about. */
export function leaveQuietlyOnBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(141);
      if (stream === process.stdout) process.stderr.write(`svc: the answer can’t be written: ${error.message}\n`);
      process.exit(1);
    });
  }
}

const styles = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
export type Style = keyof typeof styles;

/** Wraps text in a style, where colours are wanted. */
export type Paint = (style: Style, text: string) => string;

export function painter(isColored: boolean): Paint {
  return (style, text) => {
    const [on, off] = styles[style];
    return isColored && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  };
}
