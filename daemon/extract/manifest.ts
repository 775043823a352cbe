import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import type { Dialect } from '../model/document.ts';
import type { DocumentFacts } from '../model/facts.ts';
import { readMsbuild } from './msbuild.ts';

/** What linking needs of one kind of configuration file. */
interface Reading {
  /** The scope under which resolvers find the file: `npm:<name>`; '' for its path. */
  readonly scope: string;
  readonly content: Record<string, unknown>;
}

/** The facts of a configuration file, undefined where the dialect is a programming language. Broken files say `{}`. */
export function configurationFacts(source: string, dialect: Dialect): DocumentFacts | undefined {
  const read = Object.hasOwn(readers, dialect) ? readers[dialect] : undefined;
  if (read === undefined) return undefined;
  let reading: Reading = { scope: '', content: {} };
  let parseErrors = 0;
  try {
    reading = read(source);
  } catch {
    parseErrors = 1;
  }
  return {
    language: 'configuration',
    lineCount: source.split('\n').length - (source.endsWith('\n') ? 1 : 0),
    packageName: reading.scope,
    standalone: false,
    definitions: [],
    imports: [],
    exports: [],
    expressions: [],
    references: [],
    complexity: [],
    configuration: canonicalJson(reading.content),
    parseErrors,
  };
}

const readers: Readonly<Record<string, (source: string) => Reading>> = {
  tsconfig: readTsconfig,
  'package.json': readPackage,
  'pnpm-workspace.yaml': source => ({ scope: '', content: { packages: yamlList(source, 'packages') } }),
  'go.mod': readGoModule,
  'go.work': source => ({ scope: '', content: { use: goDirectives(source, 'use') } }),
  'pyproject.toml': readPyproject,
  'setup.cfg': readSetup,
  'Cargo.toml': readCargo,
  'pubspec.yaml': readPubspec,
  '.csproj': source => ({ scope: 'dotnet:project', content: { ...readMsbuild(source) } }),
  '.props': source => ({ scope: '', content: { ...readMsbuild(source) } }),
};

function readTsconfig(source: string): Reading {
  const file = object(jsonc(source));
  const options = object(file['compilerOptions']);
  const references = Array.isArray(file['references']) ? file['references'].map(one => object(one)['path']) : undefined;
  const { include, files } = file;
  const { baseUrl, rootDirs, rootDir, outDir, declarationDir, paths } = options;
  const built = { include, files, rootDir, outDir, declarationDir };
  const content = defined({
    extends: file['extends'],
    references,
    baseUrl,
    rootDirs,
    paths: textLists(paths),
    ...built,
  });
  return { scope: '', content };
}

/** `paths` with all that is no list of texts left out: resolvers need not look again. */
function textLists(value: unknown): Record<string, string[]> | undefined {
  if (value === undefined) return undefined;
  const lists = Object.entries(object(value)).filter(([, targets]) => Array.isArray(targets));
  return Object.fromEntries(lists.map(([key, targets]) => [key, (targets as unknown[]).map(String)]));
}

function readPackage(source: string): Reading {
  const file = object(jsonc(source));
  const keys = ['name', 'main', 'module', 'types', 'typings', 'source', 'exports', 'imports', 'workspaces'];
  const content = defined(Object.fromEntries(keys.map(key => [key, file[key]])));
  const { name } = content;
  return { scope: typeof name === 'string' && name !== '' ? `npm:${name}` : '', content };
}

function readGoModule(source: string): Reading {
  const module = /^module\s+"?([^\s"]+)"?/m.exec(source)?.[1] ?? '';
  const replace = goDirectives(source, 'replace').flatMap(line => {
    const [, from, to] = /^(\S+)(?:\s+\S+)?\s+=>\s+(\.\S*)/.exec(line) ?? [];
    return from === undefined ? [] : [[from, to]];
  });
  const content = { module, replace: Object.fromEntries(replace), require: goDirectives(source, 'require') };
  return { scope: module === '' ? '' : `go:module:${module}`, content };
}

/** Lines of a directive of go.mod or go.work, in either form: `use ./a` or `use ( … )`. */
function goDirectives(source: string, directive: string): string[] {
  const found: string[] = [];
  let isInside = false;
  for (const raw of source.split('\n')) {
    const line = raw.replace(/\/\/.*$/, '').trim();
    if (isInside && line === ')') isInside = false;
    else if (isInside && line !== '') found.push(line);
    else if (line.startsWith(`${directive} (`) || line === `${directive}(`) isInside = true;
    else if (line.startsWith(`${directive} `)) found.push(line.slice(directive.length).trim());
  }
  return found;
}

function readPyproject(source: string): Reading {
  const file = object(parseToml(source));
  const project = object(file['project']);
  const tool = object(file['tool']);
  const poetry = object(tool['poetry']);
  const setuptools = object(tool['setuptools']);
  const name = project['name'] ?? poetry['name'];
  const content = defined({
    name,
    packages: poetry['packages'],
    packageDir: setuptools['package-dir'],
    packagesFind: setuptools['packages'],
  });
  return { scope: typeof name === 'string' ? `pypi:${name}` : '', content };
}

function readSetup(source: string): Reading {
  const name = iniValue(source, 'metadata', 'name');
  const packageDir = iniValue(source, 'options', 'package_dir');
  const where = iniValue(source, 'options.packages.find', 'where');
  return { scope: name === undefined ? '' : `pypi:${name}`, content: defined({ name, packageDir, where }) };
}

function iniValue(source: string, section: string, key: string): string | undefined {
  let isInside = false;
  const lines = source.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('[')) isInside = line.trim() === `[${section}]`;
    const equals = line.indexOf('=');
    if (!isInside || equals < 0 || line.slice(0, equals).trim() !== key) continue;
    const inline = line.slice(equals + 1).trim();
    return inline === '' ? (lines[index + 1] ?? '').trim() : inline;
  }
  return undefined;
}

function readCargo(source: string): Reading {
  const file = object(parseToml(source));
  const { name } = object(file['package']);
  const library = object(file['lib']);
  const workspace = object(file['workspace']);
  const { members } = workspace;
  const lists = [file, workspace, ...Object.values(object(file['target'])).map(object)].flatMap(one =>
    ['dependencies', 'dev-dependencies', 'build-dependencies'].map(key => object(one[key])),
  );
  const entries = lists.flatMap(list => Object.entries(list));
  const dependencies = Object.fromEntries(
    entries.flatMap(([key, value]) => {
      const { path } = object(value);
      return typeof path === 'string' ? [[key, path]] : [];
    }),
  );
  const requires = [...new Set(entries.map(([key]) => key))].sort();
  const binaries = Array.isArray(file['bin']) ? file['bin'].map(one => object(one)['path']) : undefined;
  const content = defined({
    name,
    libraryName: library['name'],
    libraryPath: library['path'],
    binaries,
    members,
    dependencies,
    requires,
  });
  return { scope: typeof name === 'string' ? `cargo:${name}` : '', content };
}

function readPubspec(source: string): Reading {
  const name = /^name:\s*['"]?([\w.-]+)/m.exec(source)?.[1];
  return { scope: name === undefined ? '' : `pub:${name}`, content: defined({ name }) };
}

/** The items of a top-level list in YAML, one a line: all that a workspace file needs. */
function yamlList(source: string, key: string): string[] {
  const found: string[] = [];
  let isInside = false;
  for (const line of source.split('\n')) {
    if (/^\S/.test(line) && !line.startsWith('-') && !line.startsWith('#')) isInside = line.startsWith(`${key}:`);
    const item = /^\s*-\s+(['"]?)([^'"#]+)\1/.exec(line)?.[2];
    if (isInside && item !== undefined) found.push(item.trim());
  }
  return found;
}

function jsonc(source: string): unknown {
  const errors: ParseError[] = [];
  return parseJsonc(source, errors, { allowTrailingComma: true, disallowComments: false });
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function defined(content: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
}

/** Sorted keys where order says nothing. In `exports` and `paths` order matters little to us, since every condition is tried. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}
