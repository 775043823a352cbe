import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { homeIn } from '../../client/this-user.ts';
import { type ConfigLines, isTrue, largestConfig, lastOf, type ReadConfig } from './git-config-file.ts';
import { addWithIncludes, fromFolder, type Taken } from './git-config-includes.ts';
import { type GitRepository, readSmallFile } from './git-repository.ts';

/** What decides outside the tree what is ignored in it. Its files are named whether they are there or not. */
export interface ExcludeFiles {
  /** Those with patterns, the weakest first: core.excludesFile, info/exclude. */
  readonly patterns: readonly string[];
  /** The case of letters makes no difference. */
  readonly ignoresCase: boolean;
  /** Configuration that says all that, with what it includes. */
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
  const ignoresCase = isTrue(lastOf(lines, 'core.ignorecase'));
  return { patterns: [...general, ...own], ignoresCase, configuration: files };
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
  const autocrlf = lastOf(lines, 'core.autocrlf');
  const eol = lastOf(lines, 'core.eol')?.toLowerCase();
  const values = new Map(lines);
  const programs = [...values].flatMap(([key, value]) => {
    const filter = /^filter\.(.+)\.(?:smudge|process)$/s.exec(key)?.[1];
    return filter === undefined || value === '' ? [] : [filter];
  });
  return {
    autocrlf: autocrlf?.toLowerCase() === 'input' ? 'input' : isTrue(autocrlf) ? 'true' : 'false',
    eol: eol === 'lf' || eol === 'crlf' ? eol : 'native',
    programs: new Set(programs),
    userAttributes: ['/etc/gitattributes', ...named].map(attributesIn).join(''),
    ownAttributes: attributesIn(join(repository.commonDir, 'info/attributes')),
  };
}

function attributesIn(file: string): string {
  try {
    const text = readSmallFile(realpathSync(file), largestConfig) ?? '';
    return text === '' || text.endsWith('\n') ? text : `${text}\n`;
  } catch {
    return ''; // mostly there is none
  }
}

/** The user's own files count with what they include for this repository; the repository's may not include others. */
async function allLines(
  read: ReadConfig,
  environment: NodeJS.ProcessEnv,
  repository: GitRepository | undefined,
  signal: AbortSignal | undefined,
): Promise<Taken> {
  const { home, xdg } = homeOf(environment);
  const taken: Taken = { lines: [], files: [] };
  const users = { read: (file: string) => read(file, 'follow', signal), home, repository };
  for (const file of ['/etc/gitconfig', join(xdg, 'git/config'), join(home, '.gitconfig')]) {
    await addWithIncludes(taken, file, users).catch(() => {}); // what it said before it broke counts
  }
  const addAlone = async (file: string): Promise<ConfigLines> => {
    const lines = await read(file, 'refuse links', signal).catch(() => []);
    taken.files.push(file);
    for (const line of lines) taken.lines.push(line);
    return lines;
  };
  if (repository === undefined) return taken;
  const own = await addAlone(join(repository.commonDir, 'config'));
  if (isTrue(lastOf(own, 'extensions.worktreeconfig'))) await addAlone(join(repository.gitDir, 'config.worktree'));
  return taken;
}

function homeOf(environment: NodeJS.ProcessEnv) {
  const home = homeIn(environment);
  return { home, xdg: environment['XDG_CONFIG_HOME'] || join(home, '.config') };
}

/** None where the value is empty. */
function namedFile(
  named: string | undefined,
  usual: string,
  home: string,
  repository: GitRepository | undefined,
): readonly string[] {
  if (named === '') return [];
  return [fromFolder(repository?.workTree ?? home, named ?? usual, home)];
}
