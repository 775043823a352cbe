import { exampleRests } from './examples.ts';
import { exampleCommit, historyFields } from './hotspots.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { Count, Maybe, OneOf, Shape, Share, snapshotFields, Warning } from './shapes.ts';

const Identity = Type.String({
  description:
    'A handle (@alice) where one is known, as CODEOWNERS writes it, else the address in lower case; the same for the same person in every answer. Of a team @org/team',
});

const OwnerEntry = Shape(
  {
    identity: Identity,
    scope: OneOf(
      ['maintainer', 'reviewer', 'contributor'],
      'By blame: from 50 % of the weighted lines, from 20 %, from 5 %; whoever has less is none',
    ),
    source: OneOf(['codeowners', 'git-blame']),
    confidence: Share(
      'Of a declared owner the share of the files that they are declared for; by blame the share times how much of the lines is known',
    ),
    weightedLines: Type.Optional(
      Type.Number({ minimum: 0, description: 'By blame: each line counts 0.5^(its age in days / 90)' }),
    ),
    name: Type.Optional(Type.String({ description: 'By blame: as commits have it' })),
    share: Type.Optional(Share('By blame: of the weighted lines of all but bots')),
    lines: Type.Optional(Count('By blame: without weight')),
    members: Type.Optional(Type.Array(Identity, { description: 'Of a team that is configured' })),
    unresolved: Type.Optional(Type.Literal(true, { description: 'It is not known for whom the owner stands' })),
  },
  'Who is an owner by both is told twice',
);

const Rule = Shape({
  line: Type.Integer({ minimum: 1 }),
  pattern: Type.String({ description: 'As it is written' }),
  section: Type.String({ description: 'Of GitLab’s; empty outside of sections' }),
});

const history = Type.Array(
  Shape({
    date: Type.String({ format: 'date', description: 'The first day of the quarter' }),
    identity: Identity,
    contribution: Share('Of the lines added and taken away; of a quarter whose lines are not all counted, of commits'),
  }),
  { description: 'By date, then the largest first' },
);

const UnresolvedOwners = Type.Array(Type.String(), {
  description: 'Teams and roles of which it is not known who they are: [ownership.teams] tells',
});

export const ownership = {
  'ownership.get': operation({
    summary: 'Who owns a file, a directory or a module: whom CODEOWNERS names, and who wrote it',
    http: { method: 'GET', path: '/ownership' },
    cli: {
      command: 'owners [path]',
      examples: ['svc owners src/config.ts', 'svc owners src --include-history', 'svc owners --module packages/core'],
      flags: { moduleId: 'module' },
    },
    input: Shape({
      path: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          description: 'A file, or a directory as a whole; without it and a module, all',
        }),
      ),
      moduleId: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4096, description: 'In place of a path: a module, @root for the root' }),
      ),
      includeHistory: withDefault(Type.Boolean({ description: 'Who did how much of it in each quarter' }), false),
    }),
    output: Shape({
      path: Type.String({ description: 'Empty for the root' }),
      kind: OneOf(['file', 'directory', 'module']),
      moduleId: Type.Optional(Type.String()),
      owners: Type.Array(OwnerEntry, {
        description: 'Those that are declared, then those by blame, the largest share first',
      }),
      suggestedReviewers: Type.Array(Identity, {
        description: 'By share, then the declared ones; who changed the file last does not come first',
      }),
      declared: Shape({
        status: OneOf(
          ['owned', 'partly', 'cleared', 'unnamed'],
          'cleared: a rule says that nobody owns it; partly: some of the files are owned and others not',
        ),
        file: Maybe(Type.String({ description: 'The CODEOWNERS that counts, from the top of the work tree' })),
        rules: Type.Array(Rule, {
          description:
            'The last that fits; of each section, where there are any. Of several files the 50 that count for the most',
        }),
      }),
      unresolvedOwners: UnresolvedOwners,
      coverage: Shape(
        {
          files: Count('Files that are asked about'),
          blamedFiles: Count('Of these: whose lines are known; others may be binary, or not committed'),
          pendingFiles: Count('Of these: that have yet to be looked at'),
          lines: Count('Of the blamed files, as they are committed'),
          knownLines: Count('Of these: by whom they are is known; bots are'),
          botLines: Count('Of these: that bots wrote, who own nothing'),
        },
        'What `git-blame` rests on',
      ),
      history: Type.Optional(history),
      warnings: Type.Optional(Type.Array(Warning)),
      ...historyFields,
      ...snapshotFields,
    }),
    faults: [
      'fileNotFound',
      'resourceNotFound',
      'preconditionFailed',
      'notReady',
      'indexStale',
      'invalidParameter',
      'backendUnavailable',
    ],
    effect: 'read',
    scope: 'repository',
    needs: 'work tree',
    cacheable: 'content',
    example: {
      input: { path: 'src/config.ts' },
      output: {
        path: 'src/config.ts',
        kind: 'file',
        owners: [
          { identity: '@alice', scope: 'maintainer', source: 'codeowners', confidence: 1 },
          {
            identity: '@bob',
            scope: 'maintainer',
            source: 'git-blame',
            confidence: 0.81,
            weightedLines: 61.2,
            name: 'Bob Bobson',
            share: 0.8124,
            lines: 140,
          },
        ],
        suggestedReviewers: ['@bob', '@alice'],
        declared: {
          status: 'owned',
          file: '.github/CODEOWNERS',
          rules: [{ line: 12, pattern: '/src/', section: '' }],
        },
        unresolvedOwners: [],
        coverage: { files: 1, blamedFiles: 1, pendingFiles: 0, lines: 212, knownLines: 212, botLines: 0 },
        commit: exampleCommit,
        ...exampleRests,
      },
    },
  }),

  'ownership.drift': operation({
    summary: 'Files that are mostly written by others than CODEOWNERS names',
    http: { method: 'GET', path: '/ownership/drift' },
    cli: { command: 'drift', examples: ['svc drift', 'svc drift --scope src --threshold 0.6'] },
    input: Shape({
      scope: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description: 'Module id or path prefix' })),
      threshold: withDefault(
        Type.Number({ minimum: 0, maximum: 1, description: 'Files that drifted less are only counted' }),
        0.3,
      ),
      limit: withDefault(
        Type.Integer({ minimum: 1, maximum: 10000, description: 'Most files; those that drifted most are shown' }),
        20,
      ),
    }),
    output: Shape({
      driftedFiles: Type.Array(
        Shape({
          path: Type.String(),
          declaredOwner: Type.String({ description: 'As CODEOWNERS has it, with commas between several' }),
          actualOwners: Type.Array(
            Shape({ identity: Identity, contribution: Share('Of the weighted lines of all but bots') }),
            { description: 'From 5 % on, the largest first' },
          ),
          driftScore: Share('The share of weighted lines that is held by nobody whom CODEOWNERS names'),
          recommendation: Type.String({ description: 'Whom to name, and what is the matter with whom is named' }),
        }),
        { description: 'Those that drifted most first, then by path' },
      ),
      total: Count('Files that drifted as much as was asked for'),
      scope: Type.String({ description: '@root for the root' }),
      codeowners: Maybe(Type.String({ description: 'The file that declares owners, from the top of the work tree' })),
      counts: Shape({
        files: Count('Of the scope'),
        measured: Count('Of these: of which drift is known'),
        undeclared: Count('Of these: of which nobody is named'),
        unresolvable: Count('Of these: of which an owner is named of whom it is not known for whom it stands'),
        pending: Count('Of these: that have yet to be looked at'),
      }),
      unresolvedOwners: UnresolvedOwners,
      truncated: Type.Boolean({ description: 'There are more than `driftedFiles` shows' }),
      warnings: Type.Optional(Type.Array(Warning)),
      ...historyFields,
      ...snapshotFields,
    }),
    faults: ['preconditionFailed', 'notReady', 'indexStale', 'invalidParameter', 'backendUnavailable'],
    effect: 'read',
    scope: 'repository',
    needs: 'work tree',
    cacheable: 'content',
    example: {
      input: {},
      output: {
        driftedFiles: [
          {
            path: 'src/config.ts',
            declaredOwner: '@alice',
            actualOwners: [{ identity: '@bob', contribution: 0.9213 }],
            driftScore: 0.9871,
            recommendation:
              'Name @bob (92 %) in place of @alice: @alice last wrote a line of it on 2024-07-10 (.github/CODEOWNERS:12)',
          },
        ],
        total: 1,
        scope: '@root',
        codeowners: '.github/CODEOWNERS',
        counts: { files: 240, measured: 180, undeclared: 52, unresolvable: 0, pending: 0 },
        unresolvedOwners: [],
        truncated: false,
        commit: exampleCommit,
        ...exampleRests,
      },
    },
  }),
};
