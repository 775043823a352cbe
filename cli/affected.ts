import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { gitRoot } from '../client/paths.ts';
import { amount } from '../client/protocol/amount.ts';
import type { Caller } from '../client/protocol/caller.ts';
import { UsageError } from './commands.ts';
import { folderHere, pathArgument, registeredAround } from './repository.ts';
import type { Session } from './session.ts';
import { standardInput } from './standard-input.ts';

type Fields = Readonly<Record<string, unknown>>;

/** In place of files: standard input. */
const standard = '-';
/** Ten thousand of the longest paths. */
const mostBytes = 64 * 1024 * 1024;

/**
 * The fields of `affected` as the daemon takes them: files and folders by their paths from the root of the indexed
 * repository. Operands are paths from where the caller stands; lines of standard input are such as git prints, from the root
 * of the work tree, or from where the caller stands where they begin with `./`, `../` or `/`. One alone that names nothing
 * there is may be a range of commits.
 */
export async function affectedFields(
  session: Session,
  caller: Caller,
  fields: Fields,
  repo: string | undefined,
): Promise<Fields> {
  const { files, ...rest } = fields;
  if (!Array.isArray(files)) return fields;
  const given = files as readonly string[];
  if (given.includes(standard) && given.length > 1) throw new UsageError('-: stands alone, in place of files');
  const ground = await groundOf(session, caller, repo);
  const isStandard = given[0] === standard;
  const names = isStandard
    ? namesIn((await standardInput(session.signal, 'files', mostBytes)).toString('utf8'))
    : given;
  const range = names.length === 1 ? rangeIn(names[0]!, ground) : undefined;
  if (range !== undefined) {
    if ('base' in rest || 'head' in rest) throw new UsageError('--base: goes without a range of commits');
    return { ...rest, ...range };
  }
  if (!isStandard) return { ...rest, files: given.map(file => operandPath(file, ground)) };
  const paths = names.map(name => linePath(name, ground));
  const outside = paths.filter(path => path === undefined).length;
  if (outside > 0) session.terminal.err(`${amount(outside, 'file')} outside of the repository left out\n`);
  return { ...rest, files: paths.filter(path => path !== undefined) };
}

/** Where paths begin. */
interface Ground {
  /** The root of the indexed repository; undefined where it is not known here, so that paths are taken as they stand. */
  readonly root: string | undefined;
  readonly here: string;
  readonly workTree: string;
}

async function groundOf({ directory }: Session, caller: Caller, repo: string | undefined): Promise<Ground> {
  const here = folderHere(directory);
  const { repos } = await caller.call('daemon.listRepos', {});
  const around =
    repo === undefined ? here : repo.startsWith('.') || repo.startsWith('/') ? pathArgument(here, repo) : '';
  const named = repos.find(one => one.id === repo)?.root ?? registeredAround(repos, around)?.root;
  // Of one without a work tree the daemon says so.
  const root = named === '' ? undefined : named;
  const isInside = root !== undefined && (here === root || here.startsWith(`${root}/`));
  const workTree = gitRoot(root ?? here) ?? root ?? here;
  return { root, here: isInside || root === undefined ? here : root, workTree };
}

function operandPath(file: string, { root, here }: Ground): string {
  if (file === '') throw new UsageError('a path must not be empty');
  if (root === undefined) return file;
  const path = pathFrom(root, resolve(here, file));
  if (path === undefined) throw new UsageError(`${file}: lies outside of ${root}`);
  return path;
}

/** Undefined where it lies outside of what is indexed. */
function linePath(line: string, { root, here, workTree }: Ground): string | undefined {
  if (root === undefined) return line;
  return pathFrom(root, resolve(/^(?:\.{0,2}\/)/.test(line) ? here : workTree, line));
}

/** A path from a root, `.` for that itself. The folder may be named through links; what is in it may be one itself. */
function pathFrom(root: string, place: string): string | undefined {
  const real = join(realFolder(dirname(place)), basename(place));
  if (real === root || realFolder(place) === root) return '.';
  return real.startsWith(`${root}/`) ? real.slice(root.length + 1) : undefined;
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Names that end in NUL, or one a line, quoted as git does where one has signs that need it. */
function namesIn(text: string): readonly string[] {
  if (text.includes('\0')) return text.split('\0').filter(name => name !== '');
  return text
    .split('\n')
    .map(line => line.replace(/\r$/, ''))
    .filter(line => line !== '')
    .map(line => (/^".*"$/s.test(line) ? unquoted(line.slice(1, -1)) : line));
}

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/** As C writes strings: bytes of UTF-8 in octal digits. */
function unquoted(text: string): string {
  const parts = text.split(/(\\(?:[0-7]{3}|.))/s).map(part => {
    if (!part.startsWith('\\')) return Buffer.from(part);
    const said = part.slice(1);
    return /^[0-7]{3}$/.test(said) ? Buffer.from([Number.parseInt(said, 8) & 255]) : Buffer.from(escapes[said] ?? said);
  });
  return Buffer.concat(parts).toString('utf8');
}

/** `a..b` or `a...b`, blanks around it, where nothing is called so; what is left out on either side is HEAD. */
function rangeIn(line: string, { here, workTree }: Ground): Fields | undefined {
  const [, base, dots, head] = /^\s*([^\s.](?:\S*?[^\s./])?)?(\.{2,3})([^\s./]\S*)?\s*$/.exec(line) ?? [];
  if (base === undefined && head === undefined) return undefined;
  if (existsSync(resolve(here, line)) || existsSync(resolve(workTree, line))) return undefined;
  return { base: base ?? 'HEAD', head: head ?? 'HEAD', compare: dots === '...' ? 'merge-base' : 'base' };
}
