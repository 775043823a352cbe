import { lstatSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type GitRepository, readSmallFile } from './git-repository.ts';

/** git's configuration, read as data: git parses each file, nothing in it is in force. */

export interface ConfigRead {
  /** Key (its section and last part in lower case) and value of each line, in order. */
  readonly lines: readonly (readonly [key: string, value: string])[];
  readonly included: readonly string[];
}

/** All lines of a configuration file. */
export type ReadConfig = (file: string, includes: Includes, signal: AbortSignal | undefined) => Promise<ConfigRead>;

/** The user's own files count with what they include; the repository's may not include others. */
export type Includes = 'alone' | 'with includes';

/** The files outside the tree that decide what is ignored in it, whether they are there or not. */
export interface ExcludeFiles {
  /** Those with patterns, the weakest first: core.excludesFile, info/exclude. */
  readonly patterns: readonly string[];
  /** Configuration that says which they are, with what it includes. */
  readonly configuration: readonly string[];
}

export async function excludeFilesOf(
  read: ReadConfig,
  environment: NodeJS.ProcessEnv,
  repository: GitRepository | undefined,
  signal: AbortSignal | undefined,
): Promise<ExcludeFiles> {
  const { home, xdg } = homeOf(environment);
  const { lines, files } = await allLines(read, environment, repository, signal);
  const general = namedFile(lastOf(lines, 'core.excludesfile'), join(xdg, 'git/ignore'), home, repository);
  const own = repository === undefined ? [] : [join(repository.commonDir, 'info/exclude')];
  return { patterns: [...general, ...own], configuration: files };
}

/** What decides, beside a commit's own attributes, how git writes its files into a work tree. */
export interface CheckoutSettings {
  readonly autocrlf: 'true' | 'input' | 'false';
  readonly eol: 'lf' | 'crlf' | 'native';
  /** Filters that would run a program on checkout. */
  readonly programs: ReadonlySet<string>;
  /** Attributes from outside the repository, the weakest first. */
  readonly userAttributes: string;
  /** Those of the repository that are in no commit: they outweigh all others. */
  readonly ownAttributes: string;
}

export async function checkoutSettingsOf(
  read: ReadConfig,
  environment: NodeJS.ProcessEnv,
  repository: GitRepository,
  signal: AbortSignal | undefined,
): Promise<CheckoutSettings> {
  const { home, xdg } = homeOf(environment);
  const { lines } = await allLines(read, environment, repository, signal);
  const named = namedFile(lastOf(lines, 'core.attributesfile'), join(xdg, 'git/attributes'), home, repository);
  const autocrlf = lastOf(lines, 'core.autocrlf')?.toLowerCase();
  const eol = lastOf(lines, 'core.eol')?.toLowerCase();
  const values = new Map(lines);
  const programs = [...values].flatMap(([key, value]) => {
    const filter = /^filter\.(.+)\.(?:smudge|process)$/s.exec(key)?.[1];
    return filter === undefined || value === '' ? [] : [filter];
  });
  return {
    autocrlf: autocrlf === 'input' ? 'input' : isTrue(autocrlf) ? 'true' : 'false',
    eol: eol === 'lf' || eol === 'crlf' ? eol : 'native',
    programs: new Set(programs),
    userAttributes: ['/etc/gitattributes', ...named].map(attributesIn).join(''),
    ownAttributes: attributesIn(join(repository.commonDir, 'info/attributes')),
  };
}

/** A key without a value is true; it is told as an empty one. */
function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(|true|yes|on|[1-9]\d*)$/.test(value);
}

function attributesIn(file: string): string {
  try {
    const text = readSmallFile(realpathSync(file), largestConfig) ?? '';
    return text === '' || text.endsWith('\n') ? text : `${text}\n`;
  } catch {
    return ''; // mostly there is none
  }
}

async function allLines(
  read: ReadConfig,
  environment: NodeJS.ProcessEnv,
  repository: GitRepository | undefined,
  signal: AbortSignal | undefined,
) {
  const { home, xdg } = homeOf(environment);
  const users = ['/etc/gitconfig', join(xdg, 'git/config'), join(home, '.gitconfig')];
  const own = repository === undefined ? [] : [join(repository.commonDir, 'config')];
  const lines: (readonly [key: string, value: string])[] = [];
  const files: string[] = [];
  for (const file of [...users, ...own]) {
    const found = await read(file, own.includes(file) ? 'alone' : 'with includes', signal).catch(() => undefined);
    lines.push(...(found?.lines ?? []));
    files.push(file, ...(found?.included ?? []));
  }
  return { lines, files };
}

function homeOf(environment: NodeJS.ProcessEnv) {
  const home = environment['HOME'] ?? homedir();
  return { home, xdg: environment['XDG_CONFIG_HOME'] || join(home, '.config') };
}

export function lastOf(lines: ConfigRead['lines'], key: string): string | undefined {
  return lines.findLast(line => line[0] === key)?.[1];
}

/** None where the value is empty. */
function namedFile(
  named: string | undefined,
  usual: string,
  home: string,
  repository: GitRepository | undefined,
): readonly string[] {
  const path = named === undefined ? usual : named.replace(/^~(?=\/|$)/, home);
  if (path === '') return [];
  return [isAbsolute(path) ? path : join(repository?.workTree ?? home, path)];
}

const largestConfig = 1024 * 1024;
const mostRemembered = 1000;
/** A file may include one that is not there yet. */
const includesTrustedMs = 10_000;

/** Remembers what a file says for as long as it and what it includes stay the same. `ask` runs git without a repository. */
export function rememberConfig(
  ask: (args: readonly string[], signal: AbortSignal | undefined) => Promise<string>,
): ReadConfig {
  const known = new Map<
    string,
    { readonly print: string; readonly readMs: number; readonly mayGrow: boolean; readonly read: ConfigRead }
  >();
  return async (file, includes, signal) => {
    const last = known.get(file);
    const printNow = [file, ...(last?.read.included ?? [])].map(one => printOf(one, includes)).join();
    const trusted = last?.mayGrow === false || performance.now() - (last?.readMs ?? 0) < includesTrustedMs;
    if (last?.print === printNow && trusted) return last.read;
    const readMs = performance.now();
    const own = printOf(file, includes);
    const flag = includes === 'alone' ? '--no-includes' : '--includes';
    const asking = ['config', '--file', file, flag, '--show-origin', '-z', '--list'];
    const read = own !== '' && mayTell(file) ? parseConfig(await ask(asking, signal), file) : nothingRead;
    if (known.size >= mostRemembered) known.clear();
    const print = [own, ...read.included.map(one => printOf(one, includes))].join();
    // What names no others in any case can't come to name more while it stays the same.
    const mayGrow = includes !== 'alone' && read.lines.some(([key]) => /^include(if)?\./.test(key));
    known.set(file, { print, readMs, mayGrow, read });
    return read;
  };
}

/** Most files say nothing that is ever asked here, and name no others: for these no process is started. */
function mayTell(file: string): boolean {
  const text = readSmallFile(file);
  return (
    text === undefined ||
    /excludesfile|objectformat|include|autocrlf|eol|attributesfile|smudge|process|promisor|partialclone/i.test(text)
  );
}

const nothingRead: ConfigRead = { lines: [], included: [] };

/** NUL ends the file that a line stands in, a newline its key, NUL its value. */
function parseConfig(listed: string, file: string): ConfigRead {
  const parts = listed.split('\0');
  const lines: [string, string][] = [];
  const included = new Set<string>();
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const origin = parts[index]!.replace(/^file:/, '');
    const [key = '', ...value] = parts[index + 1]!.split('\n');
    lines.push([key, value.join('\n')]);
    if (origin !== file) included.add(origin);
  }
  return { lines, included: [...included] };
}

/** '' for what is no file to read. */
export function printOf(file: string, includes: Includes): string {
  const stat = includes === 'alone' ? lstatSync(file, quietly) : statSync(file, quietly);
  if (stat?.isFile() !== true || stat.size > largestConfig) return '';
  return `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

const quietly = { bigint: true, throwIfNoEntry: false } as const;
