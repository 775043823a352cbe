import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { parse } from 'smol-toml';
import { quote } from '../client/paths.ts';
import { linesOf, type TomlLines } from './model/toml-line.ts';
import { decodedText, tomlProblem } from './model/toml-problem.ts';
import { wayTo } from './model/way-to-file.ts';

/** A file of settings as it was read. */
export interface TomlFile {
  /** '' for none. */
  readonly path: string;
  readonly text: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A configuration that can't be used; its message names the place, the key and the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** With which the process ends: 77 for a file that others may write. */
  readonly exitCode: 77 | 78;

  constructor(message: string, exitCode: 77 | 78 = 78, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

/** People write such files by hand; a list of some ten thousand repositories fits in. */
const mostBytes = 4 * 1024 * 1024;

/** Reads a file; `absence` says whether there need be one. Throws `ConfigError`. */
export function readToml(path: string, absence: 'allowed' | 'refused'): TomlFile {
  const bytes = path === '' ? undefined : bytesOf(path, absence);
  if (bytes === undefined) return { path, text: '', values: {} };
  try {
    const text = decodedText(bytes);
    return { path, text, values: parse(text) };
  } catch (error) {
    const problem = tomlProblem(error);
    if (problem === undefined) throw error;
    const { line, column, reason } = problem;
    throw new ConfigError(
      `${path}:${line}:${column}: ${reason}. Correct this line; config.example.toml shows every key.`,
    );
  }
}

/** Undefined where there is none and none need be. Nothing that could make the reader wait is read. */
function bytesOf(path: string, absence: 'allowed' | 'refused'): Uint8Array | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isDangling = code === 'ENOENT' && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (code === 'ENOENT' && absence === 'allowed' && !isDangling) return undefined;
    if (isDangling) throw new ConfigError(`${path}: is a link that leads nowhere. Mend or remove it.`);
    throw new ConfigError(`${path}: can't be read (${code}). ${wayTo[code ?? ''] ?? wayTo['EACCES']}`, 78, error);
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new ConfigError(`${path}: is no regular file. Put a file in its place.`);
    assertOwn(path, stat);
    if (stat.size > mostBytes) throw new ConfigError(`${path}: is over ${mostBytes} bytes. Make it smaller.`);
    return readFileSync(descriptor);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${path}: can't be read (${(error as NodeJS.ErrnoException).code}). Look at its disk.`);
  } finally {
    closeSync(descriptor);
  }
}

/** It names programs to run and what they may do: whoever writes it is whoever runs them. The system's own may be root's. */
function assertOwn(path: string, { uid, mode }: Stats): void {
  const own = process.getuid?.() ?? uid;
  if (uid !== own && uid !== 0) {
    throw new ConfigError(
      `${path}: belongs to user ${uid}, not to you (${own}). Put a file of yours in its place.`,
      77,
    );
  }
  if ((mode & 0o002) !== 0) throw new ConfigError(`${path}: everybody may write it. Run chmod go-w ${quote(path)}`, 77);
}

const lines = new WeakMap<TomlFile, TomlLines>();

/** Where a key stands, as people look for it: file and line. */
export function placeIn(file: TomlFile, key: readonly (string | number)[]): string {
  const lineOf = lines.get(file) ?? linesOf(file.text);
  lines.set(file, lineOf);
  return `${file.path}:${lineOf(key)}`;
}

const mostTold = 20;

/** One error for all problems: the start of a daemon is told in one line. */
export function refusalOf(problems: readonly string[]): ConfigError {
  const more = problems.length > mostTold ? [`And ${problems.length - mostTold} more.`] : [];
  return new ConfigError([...problems.slice(0, mostTold), ...more].join(' '));
}

export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** `${NAME}` becomes the variable's value; `unset` names the first that is not set, or empty. */
export function expandVariables(
  text: string,
  environment: Environment,
): { readonly text: string; readonly unset: string | undefined } {
  let unset: string | undefined;
  const expanded = text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const value = environment[name] ?? '';
    if (value === '') unset ??= name;
    return value;
  });
  return { text: expanded, unset };
}
