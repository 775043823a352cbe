import { exampleId, exampleRests } from './examples.ts';
import { operation, withDefault } from './operation.ts';
import { Revision } from './revision.ts';
import { Type } from './schemas.ts';
import { Count, Maybe, OneOf, Shape, SymbolId, snapshotFields } from './shapes.ts';

const Path = Type.String({ minLength: 1, maxLength: 4096 });

const AffectedTest = Shape({
  path: Type.String(),
  runnable: Type.Boolean({
    description: 'Runners of tests look for such files; of the others they are helped, or fed',
  }),
  relation: OneOf(
    ['changed', 'symbol', 'import', 'setup', 'missing', 'data', 'everything'],
    'changed: it is a changed file; symbol: it uses, in any number of steps, what one defines; import: it imports one so, or is of one package with what does; setup: what sets it up does; missing: an import on the way looks for a file that is not there; data: it may read one; everything: one settles how all is built or run',
  ),
  distance: Count('Steps from the changed file'),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'How sure that the change makes a difference to it: the product of the steps, less by files than by symbols',
  }),
  because: Type.Array(
    Shape({
      path: Type.String(),
      id: Maybe(SymbolId),
      name: Type.String({ description: 'Empty of a file as a whole' }),
    }),
    { description: 'The shortest way, from the changed file to what the test uses' },
  ),
  moduleId: Type.String(),
});

export const affected = {
  'analysis.affected': operation({
    summary: 'Which tests a change may break: those to run',
    http: { method: 'POST', path: '/affected' },
    cli: {
      command: 'affected [files...]',
      examples: [
        'svc affected src/config.ts',
        'svc affected --base origin/main',
        'svc affected v1.2..v1.3',
        'svc affected --base v1.2 --head v1.3 --include-all',
        'svc affected -',
      ],
      described: {
        files:
          'Changed files, folders of them, or one range of commits (main..HEAD); -: the same from standard input, one a line or ended by NUL',
      },
    },
    input: Shape({
      files: Type.Optional(
        Type.Array(Path, {
          maxItems: 10_000,
          description: 'Changed files, or folders of them, from the repository’s root; or else a base',
        }),
      ),
      base: Type.Optional(Revision('Commit, branch or tag to compare with')),
      head: Type.Optional(Revision('What is compared; default the work tree as it is indexed')),
      compare: withDefault(
        OneOf(
          ['merge-base', 'base'],
          'With what: merge-base, the commit at which both parted (`base...head`), or the base itself (`base..head`)',
        ),
        'merge-base',
      ),
      includeAll: withDefault(
        Type.Boolean({ description: 'Also every test that a changed configuration may make a difference to' }),
        false,
      ),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 10000, description: 'Most items in `tests`' }), 10000),
    }),
    output: Shape({
      base: Maybe(Type.String({ description: 'The commit that was compared with, its full hash' })),
      head: Maybe(Type.String({ description: 'The commit that was compared; null of the work tree' })),
      changed: Type.Array(
        Shape({
          path: Type.String(),
          status: OneOf(
            ['known', 'partial', 'unread', 'deleted', 'unknown'],
            'partial: read in part; unread: of no language, too large or not to be parsed; deleted: the base or HEAD has it; unknown: neither the index nor HEAD has it',
          ),
        }),
      ),
      folders: Type.Array(Shape({ path: Type.String({ description: 'Empty for the root' }), files: Count('') }), {
        description: 'Folders that were named, with how many files of the index lie below',
      }),
      tests: Type.Array(AffectedTest, {
        description: 'The likeliest first: by symbols, then by files, the nearest first',
      }),
      total: Count('Tests, listed or not'),
      untested: Type.Array(Type.String(), { description: 'Changed code that no runnable test is known to hang on' }),
      everything: Type.Array(
        Shape({
          path: Type.String({ description: 'What may make a difference to all tests below `directory`' }),
          changed: Type.String({ description: 'The changed file: itself, or one that it hangs on' }),
          directory: Type.String({ description: 'Empty for the whole repository' }),
          because: Type.String(),
        }),
      ),
      modules: Type.Array(Shape({ moduleId: Type.String(), name: Type.String(), tests: Count('Runnable ones of it') })),
      doubts: Type.Array(Type.String(), { description: 'Why there may be more tests than are listed' }),
      truncated: Type.Boolean(),
      ...snapshotFields,
    }),
    faults: [
      ...(['fileNotFound', 'tooLarge', 'preconditionFailed', 'indexStale', 'notReady', 'resourceNotFound'] as const),
      'backendUnavailable',
    ],
    effect: 'read',
    scope: 'repository',
    needs: 'work tree',
    example: {
      input: { files: ['src/config.ts', 'package.json'] },
      output: {
        base: null,
        head: null,
        changed: [
          { path: 'package.json', status: 'known' },
          { path: 'src/config.ts', status: 'known' },
        ],
        folders: [],
        tests: [
          {
            path: 'test/config.test.ts',
            runnable: true,
            relation: 'symbol',
            distance: 1,
            confidence: 1,
            because: [{ path: 'src/config.ts', id: exampleId, name: 'parseConfig' }],
            moduleId: 'test',
          },
        ],
        total: 1,
        untested: [],
        everything: [
          { path: 'package.json', changed: 'package.json', directory: '', because: 'dependencies and scripts' },
        ],
        modules: [{ moduleId: 'test', name: 'test', tests: 1 }],
        doubts: ['3 uses of names that changed files define lead nowhere and may mean these'],
        truncated: false,
        ...exampleRests,
      },
    },
  }),
};
