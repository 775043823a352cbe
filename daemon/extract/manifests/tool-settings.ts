import { type Content, said } from './values.ts';

/**
 * What JavaScript or TypeScript names as files to load: of a tool's configuration `names`, paths by the key that they are
 * the value of, and `stories`, patterns of Storybook; of any file `globs`, the patterns that `import.meta.glob` is given, each
 * call's by itself; `runs` where its first line is for being run. Undefined of a file that has nothing of that.
 */
export function toolSettings(source: string): Content | undefined {
  if (source.length > longest) return undefined;
  const isSettings = isConfiguration.test(source);
  const found = said({
    runs: source.startsWith('#!') ? true : undefined,
    names: isSettings ? namesIn(source) : undefined,
    stories: isSettings ? storiesIn(source) : undefined,
    globs: source.includes('import.meta.glob') ? globsIn(source) : undefined,
  });
  return Object.keys(found).length === 0 ? undefined : found;
}

function storiesIn(source: string): readonly string[] {
  const lists = source.matchAll(/\bstories["']?\s*:\s*\[([^\]]{0,4000})/g);
  return [...lists].flatMap(([, list]) => textsIn(list!));
}

/** The patterns of each call that are literals. */
function globsIn(source: string): readonly (readonly string[])[] {
  const calls = source.matchAll(
    /\bimport\.meta\.glob(?:Eager)?\s*(?:<[^()]{0,200}>)?\(\s*(\[[^\]]{0,4000}|["'`][^"'`\n]{1,500}["'`])/g,
  );
  const found = [...calls].map(([, written]) => textsIn(written!)).filter(patterns => patterns.length > 0);
  return found.slice(0, mostCalls);
}

const mostCalls = 200;

function textsIn(written: string): readonly string[] {
  return [...written.matchAll(/(["'`])([^"'`\n$]{1,500})\1/g)].map(([, , one]) => one!);
}

function namesIn(source: string): Content {
  const found = new Map<string, Set<string>>();
  for (const { 0: whole, 1: key, index } of source.matchAll(keys)) {
    const paths = pathsFrom(source, index + whole.length);
    const known = found.get(key!) ?? new Set<string>();
    for (const path of paths) known.add(path);
    found.set(key!, known);
  }
  return said(Object.fromEntries([...found].map(([key, paths]) => [key, [...paths].sort()])));
}

/** Configurations are written by hand. */
const longest = 100_000;
const isConfiguration = /\bdefine(?:Config|Project|Workspace)\b|\bmodule\.exports\s*=|^export default\b/m;

/** What Vite, Vitest, Jest, Playwright, webpack, Rollup, tsup, esbuild and their like load. */
const keys =
  /\b(entry|entries|entryPoints|input|setupFiles|setupFilesAfterEnv|globalSetup|globalTeardown|snapshotSerializers|testEnvironment|testRunner|runner|reporters|supportFile|setupNodeEvents|preload|require)["']?\s*:\s*/g;

const longestValue = 2_000;

/** The relative paths among the literals of a value: up to the comma or bracket that ends it. */
function pathsFrom(source: string, start: number): readonly string[] {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(["'`])([^"'`\n]{0,500})\1|[([{]|[)\]},;]/g;
  token.lastIndex = start;
  const paths: string[] = [];
  let depth = 0;
  for (
    let found = token.exec(source);
    found !== null && found.index < start + longestValue;
    found = token.exec(source)
  ) {
    const [whole, , written] = found;
    if (written !== undefined) {
      if (isPath(written)) paths.push(written.replace(/^<rootDir>\//, './'));
    } else if (/^[([{]$/.test(whole)) depth++;
    else if (/^[)\]}]$/.test(whole) && depth-- === 0) break;
    else if (depth === 0 && /^[,;]$/.test(whole)) break;
  }
  return paths;
}

/** Packages, patterns and texts with something to fill in are none. */
function isPath(written: string): boolean {
  if (/[*{}$\s]/.test(written)) return false;
  return /^(?:<rootDir>|\.{1,2})\//.test(written) || /^[\w@.][\w@./-]*\.[cm]?[jt]sx?$/.test(written);
}
