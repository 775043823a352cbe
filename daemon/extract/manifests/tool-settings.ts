import { loadedPaths, textsIn, withJoinedPaths } from './loaded-paths.ts';
import { codeTestSettings } from './test-settings.ts';
import { type Content, said } from './values.ts';

/**
 * What JavaScript or TypeScript names as files to load: of a tool's configuration `names`, paths by the key that they are
 * the value of, or under `paths`, `patterns` of what it begins with, `tests`, which files a runner of tests takes, and
 * `stories`, those of Storybook; of any file what `loadedPaths` tells, with what it has a builder begin with; `runs` where its
 * first line is for being run. Undefined of a file that has nothing of that.
 */
export function toolSettings(source: string): Content | undefined {
  if (source.length > longest) return undefined;
  const isSettings = isConfiguration.test(source);
  const loaded = loadedPaths(source);
  const found = said({
    runs: source.startsWith('#!') ? true : undefined,
    ...(isSettings ? { ...settingsIn(withJoinedPaths(source)), tests: codeTestSettings(source) } : undefined),
    ...loaded,
    ...(!isSettings && builders.test(source) ? builtBy(withJoinedPaths(source), loaded) : undefined),
  });
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Configurations are written by hand. */
const longest = 100_000;
const isConfiguration = /\bdefine(?:Config|Project|Workspace)\b|\bmodule\.exports\s*=|^export default\b/m;
/** Tools that scripts call with what they are to build. */
const builders = /["'](?:esbuild|rollup|webpack|vite|tsup|tsdown|rolldown|parcel|@rspack\/core)["']|\bBun\.build\(/;

function builtBy(source: string, loaded: Content): Content {
  const { names, patterns } = settingsIn(source);
  const paths = Object.entries(names as Record<string, readonly string[]>).flatMap(([key, values]) =>
    key === 'paths' ? [] : values,
  );
  const before = (loaded['loads'] ?? []) as readonly string[];
  return said({ loads: [...new Set([...before, ...paths])].sort(), builds: patterns });
}

function settingsIn(source: string): Content {
  const names = new Map<string, Set<string>>();
  const patterns = new Set<string>();
  const known = new Set<number>();
  const put = (key: string, path: string): void => {
    names.set(key, (names.get(key) ?? new Set()).add(path));
  };
  const folders = [...source.matchAll(/\bcontext["']?\s*:\s*(["'`])([^"'`\n$]{1,300})\1/g)].map(([, , one]) => one!);
  for (const { 0: whole, 1: key, index } of source.matchAll(keys)) {
    for (const { text, at } of literalsFrom(source, index + whole.length)) {
      known.add(at);
      const path = key === 'handler' ? text.replace(/\.\w+$/, '') : withoutRoot(text);
      // What Vite has as `entries` is looked through for packages, and built by nobody.
      if (text.includes('*')) {
        if (key !== 'entries') patterns.add(path);
      } else if (isPath(text))
        for (const folder of ['', ...folders]) put(key!, folder === '' ? path : `${folder}/${path}`);
    }
  }
  for (const { 0: whole, index } of source.matchAll(leftOut)) {
    for (const { at } of literalsFrom(source, index + whole.length, longestList)) known.add(at);
  }
  for (const { text, at } of literalsIn(source, 0)) {
    if (isOwnCode(text) && !known.has(at) && !isImported(source, at)) put('paths', withoutRoot(text));
  }
  return {
    names: said(Object.fromEntries([...names].map(([key, paths]) => [key, [...paths].sort()]))),
    patterns: [...patterns].sort(),
    stories: storiesIn(source),
  };
}

/** What Vite, Vitest, Jest, Playwright, webpack, Rollup, tsup, esbuild, Drizzle, PM2 and their like load. */
const keys =
  /\b(entry|entries|entryPoints|entrypoints|input|setupFiles|setupFilesAfterEnv|globalSetup|globalTeardown|snapshotSerializers|testEnvironment|environment|testRunner|runner|reporters|supportFile|setupNodeEvents|preload|require|transform|moduleNameMapper|resolver|sequencer|testSequencer|schema|script|handler)["']?\s*:\s*/g;

/** What tools are told to leave alone. */
const leftOut =
  /\b(?:exclude|excludes|ignores|ignorePatterns|coveragePathIgnorePatterns|testPathIgnorePatterns)["']?\s*:\s*/g;

/** Folders with what their files are called, and patterns. A folder without is all stories in it. */
function storiesIn(source: string): readonly string[] {
  const lists = [...source.matchAll(/\bstories["']?\s*:\s*\[([^\]]{0,4000})/g)].map(([, list]) => list!);
  return lists.flatMap(list => {
    const objects = [...list.matchAll(/\{([^{}]{0,1000})\}/g)].map(([, inside]) => {
      const [, , folder = ''] = /\bdirectory["']?\s*:\s*(["'`])([^"'`\n$]{1,300})\1/.exec(inside!) ?? [];
      const [, , files] = /\bfiles["']?\s*:\s*(["'`])([^"'`\n$]{1,300})\1/.exec(inside!) ?? [];
      return files === undefined ? folder : `${folder.replace(/\/$/, '')}/${files.includes('/') ? '' : '**/'}${files}`;
    });
    return [...objects.filter(one => one !== ''), ...textsIn(list.replace(/\{[^{}]{0,1000}\}/g, ''))];
  });
}

interface Literal {
  readonly text: string;
  readonly at: number;
}

const longestValue = 2_000;
const longestList = 20_000;

/** The literals of a value: up to the comma or bracket that ends it. */
function* literalsFrom(source: string, start: number, longest = longestValue): Iterable<Literal> {
  let depth = 0;
  for (const { literal, sign, at } of tokensFrom(source, start, start + longest)) {
    if (literal !== undefined) yield { text: literal, at };
    else if (/^[([{]$/.test(sign)) depth++;
    else if (/^[)\]}]$/.test(sign) && depth-- === 0) return;
    else if (depth === 0 && /^[,;]$/.test(sign)) return;
  }
}

function* literalsIn(source: string, start: number): Iterable<Literal> {
  for (const { literal, at } of tokensFrom(source, start, source.length))
    if (literal !== undefined) yield { text: literal, at };
}

function* tokensFrom(source: string, start: number, end: number) {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(["'`])([^"'`\n]{0,500})\1|[([{]|[)\]},;]/g;
  token.lastIndex = start;
  for (let found = token.exec(source); found !== null && found.index < end; found = token.exec(source))
    yield { literal: found[2], sign: found[0], at: found.index };
}

/** Packages, patterns and texts with something to fill in are none. */
function isPath(written: string): boolean {
  if (/[*{}$\s]/.test(written)) return false;
  return /^(?:<rootDir>|\.{1,2})\//.test(written) || isOwnCode(written) || /^[\w-]+(?:\/[\w-]+)+\.\w+$/.test(written);
}

function isOwnCode(written: string): boolean {
  return /^(?:<rootDir>\/|\.{0,2}\/)?[\w@.][\w@./[\]()-]*\.[cm]?[jt]sx?$/.test(written);
}

function withoutRoot(path: string): string {
  return path.replace(/^<rootDir>\//, './');
}

/** Whether a text is the module of an import. */
function isImported(source: string, at: number): boolean {
  return /(?:\bfrom|\bimport|\brequire)\s*\(?\s*$/.test(source.slice(Math.max(0, at - 20), at));
}
