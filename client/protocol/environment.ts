import { exampleCompleteness, exampleSnapshot, exampleTime } from './examples.ts';
import { operation } from './operation.ts';
import { Type } from './schemas.ts';
import { Completeness, Count, OneOf, Shape, Share, Timestamp } from './shapes.ts';

const qualities = ['good', 'fair', 'poor', 'unknown'] as const;
const Quality = OneOf(qualities, 'By refAccuracy, and whether its files could be read; unknown without references');

const MeasuredLanguage = Shape({
  displayName: Type.String(),
  tier: Type.Integer({ minimum: 1, maximum: 3, description: '1 precise, 2 mixed, 3 syntactic' }),
  tierName: OneOf(
    ['precise', 'mixed', 'syntactic'],
    'Indexers say where the references of nine files in ten and more point, of some, of none',
  ),
  quality: Quality,
  symbolCount: Count('Distinct symbols that its files define; one that files of C and of C++ define counts as C’s'),
  refCount: Count('Occurrences that are no definition'),
  callSiteCount: Count('Those of them that are calls'),
  callEdgeCount: Count('Call sites that point at a symbol of the repository'),
  fileCount: Count('Files with facts'),
  preciseFileCount: Count('Those of them of which an indexer says where their references point'),
  refAccuracy: Share(
    'Of all references those that are resolved with confidence, in the repository or in a dependency: by an indexer, or by syntax that is sure of them by 0.9 and more; 0 without any',
  ),
  callResolution: Share('Of all call sites those that point somewhere, with whatever confidence; 0 without any'),
  callGraphQuality: OneOf(
    ['high', 'medium', 'low', 'none'],
    'By callResolution: from 0.9, from 0.7, below; none where no call site points anywhere',
  ),
  knownIssues: Type.Array(Type.String(), { description: 'What this repository’s answers lack, as far as it is known' }),
  recommendations: Type.Array(Type.String(), { description: 'What would better that, with the command' }),
});

/** What answers hang on beside the index: packages on the disk, and which indexers there are. */
const ofTree = { effect: 'read', scope: 'repository', needs: 'work tree', cacheable: 'content' } as const;

export const environment = {
  'environment.languages': operation({
    summary: 'How good answers are for each language of the repository, measured over its references and calls',
    http: { method: 'GET', path: '/meta/languages' },
    cli: { command: 'meta languages' },
    input: Shape({}),
    output: Shape({
      timestamp: Timestamp,
      primaryLanguage: Type.String({ description: 'The one with the most files; empty without source' }),
      overallQuality: Quality,
      totalSymbols: Count('Distinct symbols, as /status counts them: the sum over all languages'),
      totalRefs: Count('References in all languages'),
      totalCallEdges: Count('Call sites that point at a symbol of the repository'),
      summary: Type.String(),
      languages: Type.Record(Type.String(), MeasuredLanguage, { description: 'By the language’s key' }),
      snapshotId: Type.String(),
      completeness: Completeness,
    }),
    faults: ['notReady', 'indexStale'],
    ...ofTree,
    needs: 'index',
    example: {
      input: {},
      output: {
        timestamp: exampleTime,
        primaryLanguage: 'typescript',
        overallQuality: 'good',
        totalSymbols: 48_210,
        totalRefs: 310_400,
        totalCallEdges: 41_900,
        summary: 'TypeScript: 2417 files, 96 % of references and 93 % of calls resolved (precise)',
        languages: {
          typescript: {
            displayName: 'TypeScript',
            tier: 1,
            tierName: 'precise',
            quality: 'good',
            symbolCount: 48_210,
            refCount: 310_400,
            callSiteCount: 62_000,
            callEdgeCount: 41_900,
            fileCount: 2_417,
            preciseFileCount: 2_400,
            refAccuracy: 0.9612,
            callResolution: 0.9274,
            callGraphQuality: 'high',
            knownIssues: ['3 of 2417 files were read only in part, where the syntax is broken or the parser lacks it'],
            recommendations: ['svc doctor --repo app'],
          },
        },
        snapshotId: exampleSnapshot,
        completeness: exampleCompleteness,
      },
    },
  }),
  'environment.typescriptMonorepo': operation({
    summary: 'The packages of JavaScript and TypeScript that a workspace lists, and what indexers miss of them',
    http: { method: 'GET', path: '/meta/typescript-monorepo' },
    cli: { command: 'meta typescript-monorepo' },
    input: Shape({}),
    output: Shape({
      timestamp: Timestamp,
      isMonorepo: Type.Boolean({ description: 'A workspace lists packages beside the root' }),
      workspaceType: OneOf(
        ['npm', 'pnpm', 'yarn', 'bun', 'lerna', 'rush', 'nx', 'none'],
        'What lists the packages; nx where project.json files alone do',
      ),
      taskRunner: OneOf(['nx', 'turbo', 'lerna', 'none'], 'What runs tasks over them, by its file at the root'),
      hasRootTsconfig: Type.Boolean({ description: 'tsconfig.json at the root' }),
      packages: Type.Array(Type.String(), { description: 'Paths, sorted, without the root' }),
      packagesWithTsconfig: Type.Array(Type.String(), { description: 'Those with a tsconfig.json of their own' }),
      recommendation: Type.String({ description: 'What to do next, with the command' }),
      snapshotId: Type.String(),
    }),
    faults: ['notReady', 'indexStale', 'preconditionFailed'],
    ...ofTree,
    example: {
      input: {},
      output: {
        timestamp: exampleTime,
        isMonorepo: true,
        workspaceType: 'pnpm',
        taskRunner: 'turbo',
        hasRootTsconfig: true,
        packages: ['packages/core', 'packages/ui'],
        packagesWithTsconfig: ['packages/core', 'packages/ui'],
        recommendation: 'Build the types of the packages, which indexers look for (@app/core): pnpm run build',
        snapshotId: exampleSnapshot,
      },
    },
  }),
  'environment.pythonEnv': operation({
    summary: 'The environments of the repository’s Python, and whether an indexer sees what is installed in one',
    http: { method: 'GET', path: '/meta/python-env' },
    cli: { command: 'meta python-env' },
    input: Shape({}),
    output: Shape({
      timestamp: Timestamp,
      activeVenv: Type.String({
        description:
          'From the repository’s root where it lies in that, else absolute: the environment that the daemon was started in, if indexers see it or it is one of the repository’s, else the one that they see, or the first that was found; empty without any',
      }),
      isActive: Type.Boolean({ description: 'The daemon was started in it: VIRTUAL_ENV or CONDA_PREFIX names it' }),
      detectedVenvs: Type.Array(Type.String(), {
        description:
          'Folders with a pyvenv.cfg or conda-meta, at the root and one below; of those that a link leads to .venv and venv at the root alone, as for indexers',
      }),
      hasPyproject: Type.Boolean({ description: 'pyproject.toml at the root' }),
      hasRequirements: Type.Boolean({
        description: 'requirements.txt or its like at the root, or a folder of that name with some',
      }),
      hasPipfile: Type.Boolean(),
      packageManager: OneOf(
        ['uv', 'poetry', 'pdm', 'pipenv', 'conda', 'pip', 'none'],
        'Whose files the repository has: of lock files, else of settings',
      ),
      recommendation: Type.String({ description: 'What to do next, with the command' }),
    }),
    faults: ['notReady', 'preconditionFailed'],
    ...ofTree,
    example: {
      input: {},
      output: {
        timestamp: exampleTime,
        activeVenv: '.venv',
        isActive: false,
        detectedVenvs: ['.venv'],
        hasPyproject: true,
        hasRequirements: false,
        hasPipfile: false,
        packageManager: 'uv',
        recommendation:
          'Nothing to do: scip-python sees the packages of .venv; what is installed later it sees after svc index --force',
      },
    },
  }),
};
