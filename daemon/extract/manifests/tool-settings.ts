import { type Content, said } from './values.ts';

/**
 * The paths that a configuration of a tool, written as a module of JavaScript or TypeScript, names as files to load: `names`,
 * by the key that they are the value of. Undefined of a file that is no configuration, and of one that names none.
 */
export function toolSettings(source: string): Content | undefined {
  if (source.length > longest || !isConfiguration.test(source)) return undefined;
  const found = new Map<string, Set<string>>();
  for (const { 0: whole, 1: key, index } of source.matchAll(keys)) {
    const paths = pathsFrom(source, index + whole.length);
    const known = found.get(key!) ?? new Set<string>();
    for (const path of paths) known.add(path);
    found.set(key!, known);
  }
  const names = said(Object.fromEntries([...found].map(([key, paths]) => [key, [...paths].sort()])));
  return Object.keys(names).length === 0 ? undefined : { names };
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
