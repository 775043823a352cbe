import { exampleCompleteness, exampleSnapshot, exampleTime } from './examples.ts';
import { inFormats, ofSnapshot, operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { Completeness, Count, OneOf, Shape, Timestamp } from './shapes.ts';

const Flag = (description: string) => Type.Boolean({ description });
const Path = (description: string) => Type.String({ description });

const DependencyKind = OneOf(
  ['local', 'workspace', 'external', 'stdlib'],
  'workspace: from one package of the repository to another; external: to a package of somebody else’s, such as npm:react',
);

const edgeCounts = {
  incomingEdges: Count('Dependencies of what is shown that lead here'),
  outgoingEdges: Count('Dependencies that lead from here'),
};
const Outside = Flag(
  'Not below targetPath: it is here, as it is without, because something there depends on it. Of what surrounds targetPath, what lies beside it',
);
const Production = Count('Of these: neither of types alone nor by tests');
const InCycle = Flag('Part of one of cycles');
const Language = Type.String({ description: 'The one with most lines' });

const Module = Shape({
  id: Type.String({ description: 'Its path; @root for the root' }),
  name: Type.String({ description: 'As its manifest calls it' }),
  path: Path('Empty for the root'),
  language: Language,
  fileCount: Count('Files of code'),
  symbolCount: Count('What they define; a symbol that stands in several modules counts in each'),
  loc: Count('Their lines'),
  ...edgeCounts,
  isTest: Flag('All of it is tests'),
  detectedBy: OneOf(['manifest', 'inferred']),
  manifest: Type.Optional(Path('What makes it a package')),
  outside: Outside,
});

const Dependency = Shape({
  from: Type.String({ description: 'Module' }),
  to: Type.String({ description: 'Module, or a package such as npm:react' }),
  kind: DependencyKind,
  strength: Count('Imports: one for each file and each thing that it imports from there'),
  typeOnly: Count('Of these: of types alone'),
  fromTests: Count('Of these: by tests'),
  implicit: Count(
    'Of these: uses without an import, where the language needs none or the index knows of none; one for each pair of files',
  ),
  production: Production,
  inCycle: InCycle,
});

const Entrypoint = Shape({
  path: Path('File'),
  name: Type.String(),
  kind: OneOf(['main', 'cli', 'server', 'library', 'script']),
  moduleId: Type.String(),
  because: Type.String({ description: 'What says so' }),
});

const Directory = Shape({
  path: Path('`.` for the root'),
  fileCount: Count('Files of code; with those of deeper directories that have no row of their own'),
  loc: Count('Their lines'),
  language: Language,
  hasIndexFile: Flag('A file speaks for it, such as index.ts or __init__.py'),
  ...edgeCounts,
  outside: Outside,
});

const DirectoryDependency = Shape({
  from: Type.String(),
  to: Type.String({ description: 'Directory, or a package such as npm:react' }),
  importCount: Count('As strength of modules'),
  typeOnly: Count('Of these: of types alone'),
  fromTests: Count('Of these: by tests'),
  production: Production,
  inCycle: InCycle,
});

const File = Shape({
  path: Path(''),
  language: Type.String(),
  loc: Count('Lines'),
  ...edgeCounts,
  outside: Outside,
});

const FileDependency = Shape({
  from: Path('File'),
  to: Type.String({ description: 'File, a package such as npm:react, or, unresolved, what the file says' }),
  kind: DependencyKind,
  line: Count('Of the first import, from 1'),
  resolved: Flag('It is known where the import leads'),
  typeOnly: Flag('Of types alone'),
  implicit: Flag('A use without an import, where the language needs none or the index knows of none'),
  inCycle: InCycle,
});

const told = {
  timestamp: Timestamp,
  detectionMethod: Type.String({
    description: 'How what is shown was found: manifest, inferred, mixed; of files imports',
  }),
  cycles: Type.Array(Type.Array(Type.String()), {
    description:
      'Those that depend on one another, whatever their tests need besides. A package with a manifest counts as one thing; of inferred modules, and of directories with what is deeper, a way has to lead round through the single directories of which they are put together',
  }),
  mergedCycles: Type.Array(Type.Array(Type.String()), {
    description:
      'Further ones, made by putting together alone: one directory of a module needs another module, a second one is needed by it, and no way leads round through the single directories',
  }),
  truncated: Flag('There is more than is listed; what has most edges is'),
  omitted: Shape({ nodes: Count(''), edges: Count('') }, 'How much is not listed'),
  snapshotId: Type.String(),
  completeness: Completeness,
};

const Architecture = Type.Union([
  Shape({
    ...told,
    granularity: Type.Literal('module'),
    modules: Type.Array(Module),
    dependencies: Type.Array(Dependency),
    entrypoints: Type.Array(Entrypoint),
  }),
  Shape({
    ...told,
    granularity: Type.Literal('directory'),
    directories: Type.Array(Directory),
    directoryDependencies: Type.Array(DirectoryDependency),
  }),
  Shape({
    ...told,
    granularity: Type.Literal('file'),
    files: Type.Array(File),
    fileDependencies: Type.Array(FileDependency),
  }),
]);

const media = {
  json: 'application/json',
  svg: 'image/svg+xml',
  dot: 'text/vnd.graphviz',
  mermaid: 'text/vnd.mermaid',
} as const;

export const architecture = {
  'analysis.architecture': inFormats(
    { field: 'format', media },
    operation({
      summary: 'What the code consists of and what depends on what: modules, directories or files',
      http: { method: 'GET', path: '/architecture' },
      cli: {
        command: 'arch [targetPath]',
        examples: ['svc arch', 'svc arch --format svg > architecture.svg', 'svc arch src --granularity directory'],
      },
      input: Shape({
        granularity: withDefault(OneOf(['module', 'directory', 'file'], 'What is one node'), 'module'),
        depth: withDefault(
          Type.Integer({
            minimum: 1,
            maximum: 10,
            description: 'Levels of directories that have nodes of their own; deeper ones count with them',
          }),
          2,
        ),
        includeExternalDeps: withDefault(Flag('Packages of somebody else’s and the standard library, too'), false),
        inferModules: withDefault(Flag('Directories as modules where no manifest tells of any'), true),
        targetPath: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 4096,
            description:
              'A directory, module or file: what lies below it, split into levels of its own, and what that depends on, as it is without',
          }),
        ),
        refresh: withDefault(Flag('As sync, and what was derived for speed is made anew'), false),
        format: withDefault(
          OneOf(
            ['json', 'svg', 'dot', 'mermaid'],
            'Pictures put together what is too much to be looked at, leave out arrows that others imply and weak ones, and say so',
          ),
          'json',
        ),
      }),
      output: Architecture,
      faults: ['fileNotFound', 'notReady', 'indexStale'],
      ...ofSnapshot,
      example: {
        input: {},
        output: {
          timestamp: exampleTime,
          granularity: 'module',
          detectionMethod: 'manifest',
          modules: [exampleModule('packages/app', 0, 1), exampleModule('packages/core', 1, 0)],
          dependencies: [
            {
              from: 'packages/app',
              to: 'packages/core',
              kind: 'workspace',
              strength: 12,
              typeOnly: 3,
              fromTests: 2,
              implicit: 0,
              production: 7,
              inCycle: false,
            },
          ],
          entrypoints: [
            {
              path: 'packages/app/src/main.ts',
              name: 'app',
              kind: 'cli',
              moduleId: 'packages/app',
              because: 'package.json bin',
            },
          ],
          cycles: [],
          mergedCycles: [],
          truncated: false,
          omitted: { nodes: 0, edges: 0 },
          snapshotId: exampleSnapshot,
          completeness: exampleCompleteness,
        },
      },
    }),
  ),
};

function exampleModule(path: string, incomingEdges: number, outgoingEdges: number) {
  return {
    id: path,
    name: path.replace('packages', '@example'),
    path,
    language: 'typescript',
    fileCount: 14,
    symbolCount: 210,
    loc: 3120,
    incomingEdges,
    outgoingEdges,
    isTest: false,
    detectedBy: 'manifest' as const,
    manifest: `${path}/package.json`,
    outside: false,
  };
}
