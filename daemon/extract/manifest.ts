import type { Dialect } from '../model/document.ts';
import { type DocumentFacts, emptyTables } from '../model/facts.ts';
import { readCargo } from './manifests/cargo.ts';
import { classesInTexts, readAndroid, readClassNames, readServices, readSymfony } from './manifests/classes.ts';
import { readCmake } from './manifests/cmake.ts';
import { readCommands } from './manifests/commands.ts';
import { readCompilations } from './manifests/compilations.ts';
import { readComposer, readComposerLock } from './manifests/composer.ts';
import { readMelos, readPubspec } from './manifests/dart.ts';
import { readCsproj, readProps, readSolution } from './manifests/dotnet.ts';
import { readGoModule, readGoWorkspace } from './manifests/go.ts';
import { gradleScript, readGradle, readVersions } from './manifests/gradle.ts';
import { readPom } from './manifests/maven.ts';
import { readLerna, readPackage, readPnpmWorkspace, readProjects, readRush, readTsconfig } from './manifests/npm.ts';
import { readExtension, readPage } from './manifests/pages.ts';
import { phpLoads } from './manifests/php.ts';
import { pythonSettings, readPyproject, readPytest, readSetupCfg } from './manifests/python.ts';
import { gemProject } from './manifests/ruby.ts';
import { readSettings } from './manifests/settings.ts';
import { toolSettings } from './manifests/tool-settings.ts';
import { readDotnetSettings, readRazor, readXaml } from './manifests/type-names.ts';
import { type Content, canonicalJson, type Reading } from './manifests/values.ts';

/**
 * The facts of a configuration file, undefined where the dialect is a programming language. Broken files say `{}`. What
 * linking needs stands at the top of `configuration`, what the module model needs besides under `project`.
 */
export function configurationFacts(source: string, dialect: Dialect): DocumentFacts | undefined {
  const read = Object.hasOwn(readers, dialect) ? readers[dialect] : undefined;
  if (read === undefined) return undefined;
  let scope = '';
  let configuration = '{}';
  let parseErrors = 0;
  try {
    const reading = read(source);
    configuration = canonicalJson(withProject(reading.content, reading.project));
    scope = reading.scope;
  } catch {
    parseErrors = 1;
  }
  return {
    language: 'configuration',
    lineCount: source.split('\n').length - (source.endsWith('\n') ? 1 : 0),
    packageName: scope,
    standalone: false,
    ...emptyTables,
    configuration,
    parseErrors,
  };
}

/**
 * What source code says of the project that it configures or builds, as canonical JSON, laid out as that of configuration
 * files is and with what its tree tells of that under `project`; '' where it says nothing of that kind. The file's name is
 * not known here: whoever reads it asks of files that bear the right one.
 */
export function sourceConfiguration(source: string, language: string, told: Content = {}): string {
  const read = Object.hasOwn(sourceReaders, language) ? sourceReaders[language] : undefined;
  const { content = {}, project } = read?.(source) ?? {};
  const whole = withProject(content, { ...project, ...told });
  return Object.keys(whole).length === 0 ? '' : canonicalJson(whole);
}

function withProject(content: Content, project: Content | undefined): Content {
  return project === undefined || Object.keys(project).length === 0 ? content : { ...content, project };
}

const readers: Readonly<Record<string, (source: string) => Reading>> = {
  tsconfig: readTsconfig,
  'package.json': readPackage,
  'pnpm-workspace.yaml': readPnpmWorkspace,
  'lerna.json': readLerna,
  'rush.json': readRush,
  'project.json': readProjects,
  'go.mod': readGoModule,
  'go.work': readGoWorkspace,
  'pyproject.toml': readPyproject,
  'setup.cfg': readSetupCfg,
  'pytest.ini': readPytest,
  // That it lies there is all that is asked for.
  'requirements.txt': () => ({ scope: '', content: {} }),
  'Cargo.toml': readCargo,
  'pubspec.yaml': readPubspec,
  'melos.yaml': readMelos,
  '.csproj': readCsproj,
  '.props': readProps,
  '.sln': readSolution,
  'pom.xml': readPom,
  '.gradle': readGradle,
  'libs.versions.toml': readVersions,
  'composer.json': readComposer,
  'composer.lock': readComposerLock,
  'CMakeLists.txt': readCmake,
  'compile_commands.json': readCompilations,
  '.html': readPage,
  'manifest.json': readExtension,
  commands: readCommands,
  'META-INF': readServices,
  'AndroidManifest.xml': readAndroid,
  'services.yaml': readSymfony,
  // What an assembler, a linker or a generator of parsers reads, and lists that C includes: its text is there for the names in it.
  words: () => ({ scope: '', content: {} }),
  // What it says of a module is read off its text, by whoever asks.
  about: () => ({ scope: '', content: {} }),
  classes: readClassNames,
  settings: readSettings,
  razor: readRazor,
  xaml: readXaml,
  '.config': readDotnetSettings,
};

/** Of languages that build tools are told in what to do. */
const sourceReaders: Readonly<Record<string, (source: string) => Partial<Reading>>> = {
  typescript: source => projectAlone(toolSettings(source)),
  javascript: source => projectAlone(toolSettings(source)),
  python: pythonSettings,
  // Build scripts have no package clause, and nothing else has what is looked for without one.
  kotlin: source => (/^[ \t]*package\s/m.test(source) ? projectAlone(classesInTexts(source)) : gradleScript(source)),
  java: source => projectAlone(classesInTexts(source)),
  php: source => projectAlone(phpLoads(source)),
  ruby: source => (source.includes('Gem::Specification') ? projectAlone(gemProject(source)) : {}),
};

function projectAlone(project: Content | undefined): Partial<Reading> {
  return project === undefined ? {} : { project };
}
