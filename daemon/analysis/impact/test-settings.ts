import { type Configuration, configurationOf } from '../../model/configuration.ts';
import { either, fitsGlob } from '../../model/fits-glob.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import { record, said, text, texts } from '../modules/content.ts';

/** A file that may hold settings, with what it says: see `DocumentFacts.configuration`. */
export interface SettingsFile {
  readonly path: string;
  readonly language: string;
  readonly configuration: string;
}

/** What the settings of runners say of a file: one takes it, none does, or it is called as they look for by default. */
export type Verdict = 'taken' | 'left' | 'by name';

/** What all settings of runners of tests in a repository say. */
export interface TestSettings {
  verdictOn(path: string, language: string): Verdict;
  /** Files that runners load before any test, and the folders whose tests they do it for. */
  readonly setUps: ReadonlyMap<string, string>;
  /** Files that choose tests by a regular expression, which nobody runs. */
  readonly byExpression: readonly string[];
}

export function testSettings(files: Iterable<SettingsFile>): TestSettings {
  const all = [...files];
  const paths = new Set(all.map(({ path }) => path));
  const claims = new Map<string, Claim[]>();
  const users = new Map<string, ReadonlySet<Runner>>();
  const setUps = new Map<string, string>();
  for (const file of all) {
    if (!isSettings(file.path)) continue;
    const content = configurationOf(file);
    const folder = directoryOf(file.path);
    if (baseName(file.path) === 'package.json') users.set(folder, runnersOf(content));
    const claim = claimOf(file.path, content);
    if (claim !== undefined) claims.set(claim.folder, [...(claims.get(claim.folder) ?? []), claim]);
    for (const name of setUpNames(content)) {
      const path = codeAt(paths, claim?.folder ?? folder, name) ?? codeAt(paths, folder, name);
      const known = path === undefined ? undefined : setUps.get(path);
      if (path !== undefined && (known === undefined || folder.length < known.length)) setUps.set(path, folder);
    }
  }
  const byExpression = [...claims.values()].flatMap(some => some.flatMap(one => (one.isByExpression ? one.path : [])));
  const around = remembered(folder => runnersAround(folder, claims, users));
  return {
    verdictOn: (path, language) => {
      const runs = runnersFor[language];
      return runs === undefined ? 'by name' : verdict(path, around(directoryOf(path)), runs);
    },
    setUps,
    byExpression: byExpression.sort(),
  };
}

/** `other` has settings of its own that nobody reads. */
type Runner = 'jest' | 'vitest' | 'playwright' | 'pytest' | 'other';

const ofEcmascript: ReadonlySet<Runner> = new Set(['jest', 'vitest', 'playwright', 'other']);
const runnersFor: Readonly<Record<string, ReadonlySet<Runner>>> = {
  typescript: ofEcmascript,
  javascript: ofEcmascript,
  python: new Set(['pytest']),
};

/** What one file of settings says of those below its folder. */
interface Claim {
  readonly path: string;
  readonly folder: string;
  readonly runner: Runner;
  readonly isByExpression: boolean;
  /** Of a path below its folder, from there. */
  on(path: string): Verdict;
}

/** The runners that are used in a folder, each with the settings of the nearest folder above that has some of it. */
type Around = ReadonlyMap<Runner, readonly Claim[]>;

function runnersAround(
  folder: string,
  claims: ReadonlyMap<string, readonly Claim[]>,
  users: ReadonlyMap<string, ReadonlySet<Runner>>,
): Around {
  const found = new Map<Runner, readonly Claim[]>();
  const used = new Set<Runner>();
  for (let at = folder; ; at = directoryOf(at)) {
    const here = claims.get(at) ?? [];
    for (const runner of new Set(here.map(one => one.runner)))
      if (!found.has(runner))
        found.set(
          runner,
          here.filter(one => one.runner === runner),
        );
    for (const runner of users.get(at) ?? []) used.add(runner);
    if (at === '') break;
  }
  for (const runner of used) if (!found.has(runner)) found.set(runner, []);
  return found;
}

function verdict(path: string, around: Around, runs: ReadonlySet<Runner>): Verdict {
  const found = [...around].flatMap(([runner, claims]): readonly Verdict[] => {
    if (!runs.has(runner)) return [];
    if (claims.length === 0) return ['by name'];
    return claims.map(claim => claim.on(claim.folder === '' ? path : path.slice(claim.folder.length + 1)));
  });
  if (found.includes('taken')) return 'taken';
  return found.length === 0 || found.includes('by name') ? 'by name' : 'left';
}

const settingsNames =
  /^(?:package\.json|pyproject\.toml|setup\.cfg|\.?pytest\.ini|tox\.ini|(?:jest|vitest|vite|playwright)(?:[.-][\w-]+)*\.(?:config|conf|workspace|projects)(?:[.-][\w-]+)*\.[cm]?[jt]s)$/;

function isSettings(path: string): boolean {
  return settingsNames.test(baseName(path));
}

/** What a package depends on or runs that runs tests. */
function runnersOf(content: Configuration | undefined): ReadonlySet<Runner> {
  const scripts = Object.values(record(said(content, 'scripts'))).join('\n');
  const found = texts(said(content, 'requires') ?? []).flatMap(one => runnersByPackage[one] ?? []);
  return new Set([
    ...found,
    ...(/\b(?:node\s[^\n]*--test\b|(?:bun|deno)\s+test\b)/.test(scripts) ? ['other' as const] : []),
  ]);
}

const runnersByPackage: Readonly<Record<string, Runner>> = {
  jest: 'jest',
  'ts-jest': 'jest',
  vitest: 'vitest',
  '@playwright/test': 'playwright',
  ...Object.fromEntries(
    'mocha ava tap tape jasmine karma cypress uvu qunit testcafe @wdio/cli @web/test-runner @japa/runner'
      .split(' ')
      .map(name => [name, 'other' as const]),
  ),
};

function claimOf(path: string, content: Configuration | undefined): Claim | undefined {
  const tests = record(said(content, 'tests'));
  const runner = text(tests['runner']) ?? /^(?:jest|vitest|vite|playwright)/.exec(baseName(path))?.[0];
  const about = { path, folder: directoryOf(path), isByExpression: tests['testRegex'] === true };
  switch (runner) {
    case 'jest':
      return jestClaim(about, tests);
    case 'vite':
    case 'vitest':
      // What only builds says nothing of tests.
      if (runner === 'vite' && Object.keys(tests).length === 0) return undefined;
      return { ...about, runner: 'vitest', on: vitestOn(tests) };
    case 'playwright':
      return { ...about, runner, on: playwrightOn(tests) };
    case 'pytest':
      return { ...about, runner, on: pytestOn(tests) };
    default:
      return undefined;
  }
}

type About = Pick<Claim, 'path' | 'folder' | 'isByExpression'>;
type Tests = Configuration;

function jestClaim(about: About, tests: Tests): Claim | undefined {
  const isOpen = isOpenAt(tests, ['rootDir']) || tests['projects'] === true;
  const folder = isOpen ? about.folder : join(about.folder, text(tests['rootDir'])?.replace('<rootDir>', '.') ?? '');
  if (folder === undefined) return undefined;
  const relative = (one: string): string => one.replace(/^(!?)(?:<rootDir>\/|\.\/)/, '$1');
  const match = patternsOf(texts(tests['testMatch'] ?? []).map(relative));
  const roots = texts(tests['roots'] ?? []).map(one => relative(`${one}/`).replace(/\/+$/, ''));
  const ignored = texts(tests['testPathIgnorePatterns'] ?? []).flatMap(one => {
    const literal = relative(one.replace(/^<rootDir>\//, '<rootDir>//'));
    return /^[\w/.@-]+$/.test(literal) ? [literal] : [];
  });
  const isWhole = match.isWhole && !isOpenAt(tests, ['testMatch']) && !about.isByExpression;
  const on = (path: string): Verdict => {
    if (isOpen) return 'by name';
    const isIgnored = ignored.some(one => `/${path}`.includes(one));
    const isRoot = isOpenAt(tests, ['roots']) || roots.length === 0 || roots.some(root => isBelow(path, root));
    if (isIgnored || !isRoot) return 'left';
    return match.fits(path) ? 'taken' : isWhole && match.isSome ? 'left' : 'by name';
  };
  return { ...about, folder, runner: 'jest', on };
}

function vitestOn(tests: Tests): Claim['on'] {
  const include = patternsOf(texts(tests['include'] ?? []).map(one => one.replace(/^\.\//, '')));
  const isWhole =
    include.isWhole && include.isSome && tests['projects'] !== true && !isOpenAt(tests, ['include', 'root']);
  return path => {
    if (isOpenAt(tests, ['root'])) return 'by name';
    if (include.fits(path)) return 'taken';
    // What checks types is chosen by another setting.
    return isWhole && !/\.test-d\.[cm]?ts$/.test(path) ? 'left' : 'by name';
  };
}

function playwrightOn(tests: Tests): Claim['on'] {
  const folder = text(tests['testDir'])?.replace(/^\.\//, '').replace(/\/+$/, '');
  const match = patternsOf(texts(tests['testMatch'] ?? []));
  const isKnown = folder !== undefined && !isOpenAt(tests, ['testDir']);
  return path => {
    if (!isKnown) return 'by name';
    if (!isBelow(path, folder)) return 'left';
    return match.fits(path.slice(folder === '' || folder === '.' ? 0 : folder.length + 1)) ? 'taken' : 'by name';
  };
}

function pytestOn(tests: Tests): Claim['on'] {
  const folders = patternsOf(texts(tests['testpaths'] ?? []).map(one => one.replace(/^\.\//, '').replace(/\/+$/, '')));
  const written = texts(tests['python_files'] ?? []);
  const names = patternsOf(written.map(one => (one.includes('/') ? `**/${one}` : one)));
  return path => {
    const isAmong = !folders.isSome || !folders.isWhole || foldersOf(path).some(folders.fits) || folders.fits('.');
    if (!isAmong) return 'left';
    if (!names.isSome) return 'by name';
    return names.fits(path) || names.fits(baseName(path)) ? 'taken' : names.isWhole ? 'left' : 'by name';
  };
}

/** The path itself, and all folders that it lies in. */
function foldersOf(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path; at !== ''; at = directoryOf(at)) found.push(at);
  return found;
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || folder === '.' || path.startsWith(`${folder}/`);
}

function isOpenAt(tests: Tests, keys: readonly string[]): boolean {
  const open = texts(tests['open'] ?? []);
  return keys.some(key => open.includes(key));
}

interface Patterns {
  readonly isSome: boolean;
  /** All of them are understood. */
  readonly isWhole: boolean;
  readonly fits: (path: string) => boolean;
}

/** Patterns, of which those with `!` take back what others take. */
function patternsOf(written: readonly string[]): Patterns {
  const read = written
    .slice(0, mostPatterns)
    .map(one => ({ isBack: one.startsWith('!'), globs: globsOf(one.replace(/^!/, '')) }));
  const [taking, back] = [false, true].map(isBack =>
    read.flatMap(one => (one.isBack === isBack ? (one.globs ?? []) : [])),
  ) as [string[], string[]];
  return {
    isSome: written.length > 0,
    isWhole: written.length <= mostPatterns && read.every(one => one.globs !== undefined),
    fits: path => taking.some(one => fitsGlob(one, path)) && !back.some(one => fitsGlob(one, path)),
  };
}

/** More are nobody's handwriting, and each is held against every file. */
const mostPatterns = 100;

/** A pattern's alternatives; undefined where it says more than can be told. */
function globsOf(written: string): readonly string[] | undefined {
  const found = either(written.replace(/\[(\w{1,8})\]/g, (_, ones: string) => `{${[...ones].join(',')}}`));
  return found.some(one => /[[\]{}()|!\\]/.test(one)) ? undefined : found;
}

function setUpNames(content: Configuration | undefined): readonly string[] {
  const names = record(said(content, 'names'));
  const inCode = ['setupFiles', 'setupFilesAfterEnv', 'globalSetup', 'globalTeardown'].flatMap(key =>
    texts(names[key] ?? []),
  );
  return [...inCode, ...texts(record(said(content, 'tests'))['setup'] ?? [])];
}

const codeEndings = ['', '.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '/index.ts', '/index.js'];

function codeAt(paths: ReadonlySet<string>, folder: string, name: string): string | undefined {
  const at = join(folder, name.replace('<rootDir>', '.'));
  return at === undefined ? undefined : codeEndings.map(ending => at + ending).find(path => paths.has(path));
}

function remembered<Value>(of: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return key => {
    const found = known.get(key) ?? of(key);
    known.set(key, found);
    return found;
  };
}
