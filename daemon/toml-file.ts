import { readFileSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { lineOf } from './model/toml-line.ts';

/** A file of settings as it was read. */
export interface TomlFile {
  /** '' for none. */
  readonly path: string;
  readonly text: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A configuration that can't be used; its message names the place, the key and the remedy. The process exits 78. */
export class ConfigError extends Error {
  readonly exitCode = 78;
  override readonly name = 'ConfigError';
}

/** Reads a file; `absence` says whether there need be one. Throws `ConfigError`. */
export function readToml(path: string, absence: 'allowed' | 'refused'): TomlFile {
  if (path === '') return { path, text: '', values: {} };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && absence === 'allowed') return { path, text: '', values: {} };
    throw new ConfigError(`${path}: can't be read (${code}). Make it a file that you may read.`);
  }
  try {
    return { path, text, values: parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    throw new ConfigError(`${path}:${error.line}: ${reason}. Correct this line; config.example.toml shows every key.`);
  }
}

/** Where a key stands, as people look for it: file and line. */
export function placeIn({ path, text }: TomlFile, key: readonly (string | number)[]): string {
  return `${path}:${lineOf(text, key)}`;
}

/** One error for all problems: the start of a daemon is told in one line. */
export function refusalOf(problems: readonly string[]): ConfigError {
  const told = 20;
  const more = problems.length > told ? [`And ${problems.length - told} more.`] : [];
  return new ConfigError([...problems.slice(0, told), ...more].join(' '));
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

/** Levenshtein distance, for "did you mean". */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
