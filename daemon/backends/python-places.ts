import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ProgramFailed, runProgram } from './bounded-program.ts';
import { absoluteFolders, findProgram } from './find-program.ts';
import { runMark } from './run-processes.ts';

/** Where the python of a project looks for what it imports. */
export interface PythonPlaces {
  /** Major and minor. */
  readonly version: readonly [number, number];
  readonly prefix: string;
  /** Whether that is an environment, and not where the python itself lies. */
  readonly isEnvironment: boolean;
  readonly paths: readonly string[];
}

export interface PythonQuestion {
  readonly root: string;
  /** Absolute: a folder of ours. */
  readonly scratch: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Folders that hold the environment of a project, by custom. */
export const venvs: readonly string[] = ['.venv', 'venv'];
const mostPathFileBytes = 64 * 1024;

/** Isolated, and without what site-packages have run at each start. */
const tells = `
import json, site, sys
json.dump(dict(
    version=sys.version_info[:2], prefix=sys.prefix, path=sys.path,
    site=[*site.getsitepackages(), site.getusersitepackages()],
), sys.stdout)`;

export interface Told {
  readonly version: readonly [number, number];
  readonly prefix: string;
  readonly path: readonly string[];
  readonly site: readonly string[];
}

/**
 * What `python3 -c 'print(sys.path)'` would tell in the project's environment, its own or else that of the user's PATH:
 * without code of the repository, or of any package, for folders are looked for and `.pth` files read instead. Undefined
 * where PATH has no python outside of the repository.
 */
export async function pythonPlaces(
  { root, environment }: Pick<PythonQuestion, 'root' | 'environment'>,
  ask: (program: string, path: string) => Promise<Told | undefined>,
): Promise<PythonPlaces | undefined> {
  const path = absoluteFolders(environment['PATH'] ?? '')
    .filter(folder => !isBelow(folder, root))
    .join(':');
  const python = findProgram({ configured: '', program: 'python3' }, { path, packageFolders: [] });
  const told = python && (await ask(python.program, path));
  if (told === undefined) return undefined;
  const { version, prefix } = told;
  const own = [...venvs.map(name => join(root, name)), dirname(dirname(python!.program))].find(isVenv);
  if (own === undefined) {
    return { version, prefix, isEnvironment: false, paths: existing([...told.path, ...withPathFiles(told.site)]) };
  }
  const settings = textOf(join(own, 'pyvenv.cfg'));
  const [, major, minor] = /^version(?:_info)?\s*=\s*(\d+)\.(\d+)/m.exec(settings) ?? [];
  const base = /^include-system-site-packages\s*=\s*true/im.test(settings) ? told.site : [];
  return {
    version: major === undefined ? version : [Number(major), Number(minor)],
    prefix: own,
    isEnvironment: true,
    paths: existing([...told.path, ...withPathFiles([...sitePackagesIn(own), ...base])]),
  };
}

/** Puts into a folder of PATH a `python3` that tells this, whatever it is asked; of pyright's questions there are two. */
export function writeToldPython({ version: [major, minor], prefix, paths }: PythonPlaces, folder: string): void {
  const says = (value: unknown): string => `printf %s '${JSON.stringify(value).replaceAll("'", `'\\''`)}'`;
  const script = `#!/bin/sh
case "$*" in
*version_info*) ${says({ major, minor })} ;;
*) ${says({ path: paths, prefix })} ;;
esac
`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'python3'), script, { mode: 0o700 });
}

/** What a python tells of itself, with that PATH; undefined where it does not. */
export async function askPython(program: string, path: string, question: PythonQuestion): Promise<Told | undefined> {
  const { scratch, environment, signal } = question;
  const cwd = join(scratch, 'nowhere');
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  try {
    const { stdout } = await runProgram({
      ...{ name: 'python3', program, arguments: ['-I', '-S', '-c', tells], cwd, signal },
      env: { PATH: path, HOME: environment['HOME'], LC_ALL: 'C.UTF-8', [runMark]: scratch },
      timeoutMs: 10_000,
      memoryBytes: 2 ** 29,
    });
    return JSON.parse(stdout) as Told;
  } catch (error) {
    if (error instanceof ProgramFailed && error.reason === 'cancelled') throw error;
    return undefined;
  }
}

function isBelow(folder: string, root: string): boolean {
  return [resolve(folder), real(folder)].some(one => one === root || one.startsWith(`${root}/`));
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Links are followed, as whoever looks for packages does. */
export function isVenv(folder: string): boolean {
  return existsSync(join(folder, 'pyvenv.cfg'));
}

function sitePackagesIn(venv: string): readonly string[] {
  return ['lib', 'lib64'].flatMap(lib =>
    entriesOf(join(venv, lib))
      .filter(name => name.startsWith('python3.'))
      .map(name => join(venv, lib, name, 'site-packages')),
  );
}

/** Each with the folders that its `.pth` files name, as python puts them; lines that are code are passed over. */
function withPathFiles(folders: readonly string[]): readonly string[] {
  return folders.flatMap(folder => {
    const files = entriesOf(folder).filter(name => name.endsWith('.pth'));
    const lines = files.sort().flatMap(name => textOf(join(folder, name)).split(/\r?\n/));
    const named = lines.map(line => line.trim()).filter(line => line !== '' && !/^(?:#|import\s)/.test(line));
    return [folder, ...named.map(line => resolve(folder, line))];
  });
}

/** Each once, by where it really is: `lib64` is mostly `lib`. */
function existing(folders: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const folder of folders) {
    const place = real(folder);
    if (!found.has(place) && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) found.set(place, folder);
  }
  return [...found.values()];
}

/** None of what can't be read. */
export function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** '' of what can't be read, and of what is longer than such files are. */
export function textOf(file: string): string {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= mostPathFileBytes ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}
