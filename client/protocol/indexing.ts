import { exampleSnapshot, exampleTime } from './examples.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { AgeMinutes, languages, Maybe, OneOf, Shape, Timestamp, Warning } from './shapes.ts';

/** What became of the documents of a SCIP index that was made elsewhere. */
const TakenIn = Shape({
  indexer: Type.String({ description: 'Name and version, as the index tells' }),
  documents: Type.Integer(),
  joined: Type.Integer({ description: 'Their references point where the index says' }),
  otherContent: Type.Integer({ description: 'The tree has them with another content than the indexer saw' }),
  notInTree: Type.Integer({ description: 'The tree has no such files, or reads nothing in them' }),
  damaged: Type.Integer({ description: 'Too many places in them are none: what was known of these files stays' }),
  occurrences: Type.Integer({ description: 'References of which the index says where they point' }),
});

export const indexing = {
  'indexing.index': operation({
    summary:
      'Bring the index up to date, or rebuild it with `force`: a job, which goes on when its caller goes away; indexers that have not begun by then don’t',
    http: { method: 'POST', path: '/index' },
    cli: {
      command: 'index [path]',
      examples: ['svc index', 'svc index ../lib', 'svc index --force', 'svc index --scip index.scip --commit HEAD~2'],
      described: { path: 'A folder of the repository, which is registered if it is not yet. Default: this one' },
    },
    input: Shape({
      force: withDefault(Type.Boolean({ description: 'Rebuild although the index is fresh' }), false),
      language: withDefault(OneOf(['auto', ...languages], 'Which language’s indexer runs; auto: all'), 'auto'),
      scip: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          description:
            'A SCIP index that was made elsewhere, plain or gzip: a file on the daemon’s machine. It is taken in, and no indexer runs',
        }),
      ),
      commit: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description:
            'With scip: the commit whose files the indexer saw. Default: those of now or of HEAD, as far as names fit',
        }),
      ),
    }),
    output: Type.Union([
      Shape({
        status: OneOf(['completed']),
        language: Type.String(),
        languages: Type.Array(Type.String()),
        indexer: Type.String(),
        duration: Type.String(),
        symbolCount: Type.Integer(),
        fileCount: Type.Integer(),
        indexPath: Type.String(),
        snapshotId: Type.String(),
        scip: Type.Optional(TakenIn),
        warnings: Type.Array(Warning),
        timestamp: Timestamp,
      }),
      Shape({
        status: OneOf(['skipped']),
        reason: Type.String(),
        lastIndexed: Timestamp,
        ageMinutes: AgeMinutes,
        freshnessThreshold: Type.Integer(),
        hint: Type.String(),
        timestamp: Timestamp,
      }),
    ]),
    faults: ['preconditionFailed', 'storageFailed', 'timeout', 'rateLimited'],
    effect: 'write',
    scope: 'repository',
    needs: 'work tree',
    example: {
      input: { force: true },
      output: {
        status: 'completed',
        language: 'typescript',
        languages: ['typescript', 'python'],
        indexer: 'tree-sitter',
        duration: '1.84s',
        symbolCount: 48_210,
        fileCount: 2_417,
        indexPath: 'repos/4bf92f3577b34da6/index.db',
        snapshotId: exampleSnapshot,
        warnings: [],
        timestamp: exampleTime,
      },
    },
  }),
  'indexing.status': operation({
    summary: 'Whether there is an index, how old it is and what it holds',
    http: { method: 'GET', path: '/index/status' },
    cli: { command: 'index status' },
    input: Shape({}),
    output: Shape({
      exists: Type.Boolean(),
      path: Type.String(),
      language: Type.String(),
      lastIndexed: Maybe(Timestamp),
      ageMinutes: AgeMinutes,
      fresh: Type.Boolean(),
      freshnessThreshold: Type.Integer({ description: 'Minutes' }),
      symbolCount: Type.Integer(),
      fileCount: Type.Integer(),
      skippedFiles: Type.Integer({ description: 'Files that were passed over: too large, binary or not regular' }),
      failedFiles: Type.Integer({ description: 'Files that could not be read or parsed' }),
      partialFiles: Type.Integer({ description: 'Files of which the parser read only parts' }),
      locked: Type.Boolean({ description: 'A write is under way' }),
      snapshotId: Maybe(Type.String()),
      timestamp: Timestamp,
    }),
    faults: [],
    effect: 'read',
    scope: 'repository',
    needs: 'index',
    example: {
      input: {},
      output: {
        exists: true,
        path: 'repos/4bf92f3577b34da6/index.db',
        language: 'typescript',
        lastIndexed: exampleTime,
        ageMinutes: 3,
        fresh: true,
        freshnessThreshold: 1440,
        symbolCount: 48_210,
        fileCount: 2_417,
        skippedFiles: 1,
        failedFiles: 0,
        partialFiles: 3,
        locked: false,
        snapshotId: exampleSnapshot,
        timestamp: exampleTime,
      },
    },
  }),
};
