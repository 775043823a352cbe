import type { Reader } from '../reader.ts';
import {
  javascriptLexis,
  kotlinLexis,
  type Lexis,
  plainLexis,
  pythonLexis,
  rustLexis,
  xmlLexis,
} from '../text/lexis.ts';
import { type Literals, literals } from '../text/literals.ts';
import { callingCommands, generatorCommands } from './commands.ts';
import {
  gradleGenerators,
  mavenGenerators,
  msbuildGenerators,
  msbuildUsings,
  namedProtos,
  openApiGeneratorSettings,
  openApiSettings,
  registryModules,
  scalaGenerators,
} from './configurations.ts';
import { oapiCodegenServers } from './openapi-sides.ts';

const commands = literals([
  'protoc',
  'grpc_tools',
  'grpc-tools',
  'openapi',
  'swagger',
  'orval',
  'oapi-codegen',
  'nswag',
  'NSwag',
  'kiota',
  'datamodel-codegen',
  'ogen ',
  'pbjs',
  'buf.build/',
  'grpcurl',
  'grpc_cli',
  'grpc-client-cli',
  'ghz ',
  'evans ',
]);

const scripts = reader(plainLexis, commands, generatorCommands, callingCommands);
const manifests = reader(
  plainLexis,
  literals([
    'buf.build',
    '@buf/',
    '-python',
    '-pyi',
    '_neoeinstein',
    'proto',
    'openapi',
    'swagger',
    'orval',
    'oapi',
    'kiota',
  ]),
  registryModules,
  generatorCommands,
);
const settings = reader(
  javascriptLexis,
  literals(['input', 'target', 'url', 'Path', 'schemaFile', 'descriptionLocation']),
  openApiSettings,
);

/** Files of builds by their names; the first that fits. */
const byName: readonly (readonly [RegExp, Reader])[] = [
  [
    /\.(?:csproj|fsproj|vbproj|props|targets|vcxproj)$/,
    reader(xmlLexis, literals(['Protobuf', 'OpenApi', '<Using']), msbuildGenerators, msbuildUsings),
  ],
  [/(?:^|\/)pom\.xml$/, reader(xmlLexis, literals(['roto', 'inputSpec', 'build.buf']), mavenGenerators)],
  [/\.gradle(?:\.kts)?$/, reader(kotlinLexis, literals(['proto', 'nputSpec', 'build.buf']), gradleGenerators)],
  [/\.sbt$/, reader(kotlinLexis, literals(['PB.protoSources']), scalaGenerators)],
  [/(?:^|\/)CMakeLists\.txt$|\.cmake$/, reader(pythonLexis, literals(['.proto']), namedProtos)],
  [/(?:^|\/)build\.rs$/, reader(rustLexis, literals(['tonic', 'prost', 'protobuf', 'grpc']), namedProtos)],
  [/(?:^|\/)(?:BUILD|BUILD\.bazel|meson\.build)$/, reader(pythonLexis, literals(['.proto']), namedProtos)],
  [
    /(?:^|\/)(?:openapitools\.json|nswag\.json|orval\.config\.[cm]?[jt]s|openapi-ts\.config\.[cm]?[jt]s|kiota-lock\.json|\.kiota\/workspace\.json|ng-openapi-gen[\w.-]{0,60}\.json|[\w.-]{0,60}openapi-config\.[cm]?[jt]s)$|\.nswag$/,
    settings,
  ],
  [
    /(?:^|\/)(?:go\.mod|package\.json|pyproject\.toml|Cargo\.toml|Package\.swift|setup\.(?:py|cfg)|requirements[\w.-]{0,60}\.(?:txt|in)|Pipfile)$/,
    manifests,
  ],
  [/(?:^|\/)(?:GNUm|m|M)akefile(?:\.[\w-]{1,60})?$|\.(?:mk|mak|make|just)$|(?:^|\/)[jJ]ustfile$/, scripts],
  [/(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[\w-]{1,80})?$|\.[Dd]ockerfile$/, scripts],
  [/\.(?:sh|bash|zsh|fish|ps1|psm1|bat|cmd)$/, scripts],
  [
    /(?:^|\/)(?:mix\.exs|composer\.json|deno\.jsonc?|rebar\.config|Earthfile|Procfile|tox\.ini|noxfile\.py)$/,
    manifests,
  ],
  [
    /(?:^|\/)(?:\.github\/(?:workflows|actions)\/.{1,300}|\.gitlab-ci|Taskfile(?:\.dist)?|\.travis|azure-pipelines|cloudbuild|tasks|lefthook)\.ya?ml$/,
    scripts,
  ],
  [
    /\.(?:ya?ml|json)$/,
    reader(plainLexis, literals(['inputSpec', '-server']), openApiGeneratorSettings, oapiCodegenServers),
  ],
];

function reader(lexis: Lexis, marks: Literals, ...detectors: Reader['detectors']): Reader {
  return { lexis, marks, detectors };
}

/** How a file of a build is looked through; undefined where it is none. */
export function buildReaderOf(path: string): Reader | undefined {
  return byName.find(([name]) => name.test(path))?.[1];
}
