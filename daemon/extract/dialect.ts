import { isAbout } from '../model/about-files.ts';
import type { Dialect } from '../model/document.ts';
import { factsFormat } from '../model/facts-format.ts';
import { baseName } from '../model/paths.ts';

/**
 * How a file is read: decided by its path and, where the path says nothing, by its first line. '' where nothing reads it,
 * as far as these tell.
 *
 * Dialects of source code are named by their language; those of configuration by their file, or by what it ends in.
 */
export function dialectOf(path: string, firstLine = ''): Dialect | '' {
  const name = baseName(path);
  const dialect =
    byName(name) ?? byPlace(path) ?? (isAbout(name) ? 'about' : undefined) ?? byExtension(name) ?? byShebang(firstLine);
  return (dialect ?? '') as Dialect | '';
}

/** As `dialectOf`, of a file whose bytes are known: what a tsconfig may extend is one whatever it is called. */
export function dialectOfFile(path: string, bytes: Uint8Array): Dialect | '' {
  const dialect = dialectOf(path, firstLineOf(bytes));
  return dialect === '' && isTsconfig(path, bytes) ? ('tsconfig' as Dialect) : dialect;
}

/** Longer JSON is data. */
const longestTsconfig = 32 * 1024;

function isTsconfig(path: string, bytes: Uint8Array): boolean {
  if (!path.endsWith('.json') || bytes.length > longestTsconfig) return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('"compilerOptions"');
}

/** Enough of a first line for a `#!`. */
function firstLineOf(bytes: Uint8Array): string {
  if (bytes[0] !== 0x23 || bytes[1] !== 0x21) return '';
  const newline = bytes.indexOf(10);
  return new TextDecoder().decode(bytes.subarray(0, Math.min(newline < 0 ? bytes.length : newline, 256)));
}

/**
 * Facts are stored under this number: it rises whenever the same bytes would give other facts, and differs where more or
 * less of a broken file may be read (`ExtractLimits.parseSteps`).
 */
export function extractorVersion(dialect: Dialect, parseSteps: number): number {
  return parseSteps * 1_000_000 + factsFormat * 1000 + (Object.hasOwn(versions, dialect) ? versions[dialect]! : 1);
}

const versions: Readonly<Record<string, number>> = {
  typescript: 33,
  tsx: 33,
  javascript: 31,
  python: 16,
  go: 13,
  rust: 16,
  java: 16,
  kotlin: 26,
  c: 16,
  header: 34,
  cpp: 30,
  dart: 20,
  ruby: 14,
  csharp: 18,
  php: 12,
  'cpp-header': 29,
  'package.json': 5,
  'pnpm-workspace.yaml': 2,
  'pyproject.toml': 4,
  'setup.cfg': 4,
  'Cargo.toml': 5,
  'pubspec.yaml': 3,
  '.csproj': 4,
  'pom.xml': 2,
  '.gradle': 4,
  'composer.json': 2,
  'CMakeLists.txt': 4,
  'compile_commands.json': 2,
  commands: 3,
  '.props': 4,
  'project.json': 3,
  tsconfig: 2,
  '.html': 2,
};

const extensions: Readonly<Record<string, string>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  vue: 'vue',
  svelte: 'svelte',
  astro: 'astro',
  mdx: 'mdx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  py: 'python',
  pyi: 'python',
  pyw: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  kt: 'kotlin',
  kts: 'kotlin',
  c: 'c',
  h: 'header',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  'c++': 'cpp',
  hh: 'cpp-header',
  hpp: 'cpp-header',
  hxx: 'cpp-header',
  ipp: 'cpp-header',
  dart: 'dart',
  rb: 'ruby',
  rake: 'ruby',
  gemspec: 'ruby',
  cs: 'csharp',
  csproj: '.csproj',
  props: '.props',
  targets: '.props',
  projitems: '.props',
  php: 'php',
  gradle: '.gradle',
  sln: '.sln',
  slnx: '.sln',
  phtml: 'php',
  html: '.html',
  htm: '.html',
  razor: 'razor',
  cshtml: 'razor',
  aspx: 'razor',
  ascx: 'razor',
  asmx: 'razor',
  ashx: 'razor',
  master: 'razor',
  xaml: 'xaml',
  axaml: 'xaml',
  jsp: 'classes',
  jspx: 'classes',
  jspf: 'classes',
  tag: 'classes',
  fxml: 'classes',
  sh: 'commands',
  bash: 'commands',
  ...{
    s: 'words',
    asm: 'words',
    y: 'words',
    yy: 'words',
    ypp: 'words',
    l: 'words',
    ll: 'words',
    lpp: 'words',
    def: 'words',
  },
};

const names: Readonly<Record<string, string>> = {
  'package.json': 'package.json',
  'pnpm-workspace.yaml': 'pnpm-workspace.yaml',
  'go.mod': 'go.mod',
  'go.work': 'go.work',
  'pyproject.toml': 'pyproject.toml',
  'setup.cfg': 'setup.cfg',
  'pytest.ini': 'pytest.ini',
  '.pytest.ini': 'pytest.ini',
  'tox.ini': 'pytest.ini',
  'requirements.txt': 'requirements.txt',
  Pipfile: 'requirements.txt',
  'Cargo.toml': 'Cargo.toml',
  'pubspec.yaml': 'pubspec.yaml',
  'lerna.json': 'lerna.json',
  'rush.json': 'rush.json',
  'project.json': 'project.json',
  'angular.json': 'project.json',
  'melos.yaml': 'melos.yaml',
  'pom.xml': 'pom.xml',
  'libs.versions.toml': 'libs.versions.toml',
  'composer.json': 'composer.json',
  'composer.lock': 'composer.lock',
  'CMakeLists.txt': 'CMakeLists.txt',
  'compile_commands.json': 'compile_commands.json',
  'manifest.json': 'manifest.json',
  'AndroidManifest.xml': 'AndroidManifest.xml',
  Makefile: 'commands',
  makefile: 'commands',
  GNUmakefile: 'commands',
  Procfile: 'commands',
  justfile: 'commands',
  Justfile: 'commands',
  '.gitlab-ci.yml': 'commands',
  '.travis.yml': 'commands',
  'bitbucket-pipelines.yml': 'commands',
  'azure-pipelines.yml': 'commands',
  'cloudbuild.yaml': 'commands',
  'appveyor.yml': 'commands',
  '.pre-commit-config.yaml': 'commands',
  'lefthook.yml': 'commands',
  'fly.toml': 'commands',
  'render.yaml': 'commands',
  'Taskfile.yml': 'commands',
  'nodemon.json': 'settings',
  'ecosystem.config.json': 'settings',
  'ecosystem.json': 'settings',
  'pm2.json': 'settings',
  'cdk.json': 'settings',
  'wrangler.toml': 'settings',
  'wrangler.json': 'settings',
  'wrangler.jsonc': 'settings',
  'vercel.json': 'settings',
  'netlify.toml': 'settings',
  'firebase.json': 'settings',
  'template.yaml': 'settings',
  'template.yml': 'settings',
  '.mocharc.json': 'settings',
  '.mocharc.jsonc': 'settings',
  '.mocharc.yml': 'settings',
  '.mocharc.yaml': 'settings',
  'nest-cli.json': 'settings',
  'jest.config.json': 'settings',
  'babel.config.json': 'settings',
  '.babelrc': 'settings',
  '.babelrc.json': 'settings',
  '.swcrc': 'settings',
  '.postcssrc': 'settings',
  '.postcssrc.json': 'settings',
  '.stylelintrc': 'settings',
  '.stylelintrc.json': 'settings',
  '.eslintrc': 'settings',
  '.eslintrc.json': 'settings',
  '.eslintrc.yml': 'settings',
  '.eslintrc.yaml': 'settings',
  '.releaserc': 'settings',
  '.releaserc.json': 'settings',
  'typedoc.json': 'settings',
  'api-extractor.json': 'settings',
  'knip.json': 'settings',
  'knip.jsonc': 'settings',
  'deno.json': 'settings',
  'deno.jsonc': 'settings',
  'bunfig.toml': 'settings',
  'app.json': 'settings',
  'electron-builder.json': 'settings',
  'electron-builder.yml': 'settings',
  'codegen.yml': 'settings',
  '.graphqlrc.yml': 'settings',
  'web.config': '.config',
  'Web.config': '.config',
  'app.config': '.config',
  'App.config': '.config',
  'nlog.config': '.config',
  Rakefile: 'ruby',
  Gemfile: 'ruby',
};

const interpreters: readonly (readonly [RegExp, string])[] = [
  [/^#!.{0,200}\bpython[\d.]{0,8}\b/, 'python'],
  [/^#!.{0,200}\b(?:node|bun)\b/, 'javascript'],
  [/^#!.{0,200}\b(?:deno|tsx|ts-node)\b/, 'typescript'],
  [/^#!.{0,200}\bruby\b/, 'ruby'],
  [/^#!.{0,200}\bphp\b/, 'php'],
];

function byName(name: string): string | undefined {
  if (Object.hasOwn(names, name)) return names[name];
  return /^[tj]sconfig(?:[.-][\w.-]{1,80})?\.json$/.test(name) ? 'tsconfig' : undefined;
}

/** Files that are read by where they lie, or by the start of their names. */
const places: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[\w-]{1,80})?$|\.[Dd]ockerfile$/, 'commands'],
  [/(?:^|\/)\.github\/(?:workflows\/[^/]{1,200}|actions\/(?:[^/]{1,200}\/){1,5}action)\.ya?ml$/, 'commands'],
  [/(?:^|\/)META-INF\/(?:services\/[^/]{1,300}|spring\.factories|spring\/[^/]{1,300}\.imports)$/, 'META-INF'],
  [/(?:^|\/)serverless(?:\.[\w-]{1,80})?\.(?:ya?ml|json)$|(?:^|\/)\.circleci\/config\.yml$/, 'settings'],
  [/(?:^|\/)(?:docker-)?compose(?:\.[\w-]{1,80})?\.ya?ml$|(?:^|\/)\.husky\/[\w-]{1,80}$/, 'commands'],
  // Of the JVM: what is packed with the code, descriptors of servers, what Android shows, and what of it must keep its name.
  [
    /(?:^|\/)(?:src\/\w{1,80}\/(?:resources|webapp)|WEB-INF|META-INF)\/(?:[^/]{1,300}\/){0,20}[^/]{1,300}\.(?:xml|properties|ya?ml|xhtml|conf)$/,
    'classes',
  ],
  [/(?:^|\/)res\/(?:layout|navigation|xml|menu)(?:-[\w-]{1,80})?\/[^/]{1,300}\.xml$/, 'classes'],
  [/(?:^|\/)(?:[\w-]{1,80}-)?(?:proguard|consumer)[\w-]{0,80}\.(?:pro|txt)$/, 'classes'],
  [/(?:^|\/)config\/services(?:\/[^/]{1,200}|_\w{1,80})?\.ya?ml$/, 'services.yaml'],
];

function byPlace(path: string): string | undefined {
  return places.find(([pattern]) => pattern.test(path))?.[1];
}

/** Whether a dialect tells of files of code that something else loads, or of no code at all: of nothing that code is read with. */
export function namesFilesAlone(dialect: Dialect | ''): boolean {
  return namingFiles.has(dialect);
}

const namingFiles: ReadonlySet<string> = new Set([
  'about',
  '.html',
  'manifest.json',
  'AndroidManifest.xml',
  'commands',
  'META-INF',
  'services.yaml',
  'words',
  'settings',
  'classes',
  'razor',
  'xaml',
  '.config',
]);

function byExtension(name: string): string | undefined {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return undefined;
  const extension = name.slice(dot + 1).toLowerCase();
  return Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
}

function byShebang(firstLine: string): string | undefined {
  if (!firstLine.startsWith('#!')) return undefined;
  return interpreters.find(([pattern]) => pattern.test(firstLine))?.[1];
}
