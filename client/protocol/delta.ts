import type { Static } from 'typebox';
import { exampleSnapshot, exampleTime } from './examples.ts';
import { operation } from './operation.ts';
import { Type } from './schemas.ts';
import { expects, Maybe, OneOf, Shape, Timestamp } from './shapes.ts';

const SnapshotId = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  [expects]: 'must be a snapshot’s id, sha256: and 64 digits of 0–9a–f',
});
const Hash = Type.String({
  pattern: '^([0-9a-f]{64})?$',
  description: 'sha256 of the bytes; empty where none were read',
  [expects]: 'must be the sha256 of the file’s bytes, 64 digits of 0–9a–f, or empty where none were read',
});
const commitHash = {
  pattern: '^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$',
  [expects]: 'must be the full hash of a commit, 40 or 64 hex digits',
};
const Path = Type.String({ minLength: 1, maxLength: 4096 });
const SymbolId = Type.String({
  pattern: '^svc:.+:sym:[0-9a-f]{32}$',
  [expects]: 'must be a symbol id, svc:<repo>:sym:<32 hex digits>',
});
const Place = Type.Integer({ minimum: 1, maximum: 2 ** 32, description: 'From 1' });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const DeltaFile = Shape({ path: Path, language: Type.String(), hash: Hash });
const DeltaSymbol = Shape({
  id: SymbolId,
  name: Type.String(),
  kind: Type.String(),
  file_path: Path,
  file_basename: Type.String(),
  line: Place,
  column: Place,
  language: Type.String(),
  documentation: Type.String(),
  signature: Type.String(),
  container: Type.String(),
});
const DeltaRef = Shape({
  from_file: Path,
  to_symbol_id: SymbolId,
  line: Place,
  col: Place,
  kind: Type.String(),
  language: Type.String(),
});
const DeltaCallEdge = Shape({
  caller_id: SymbolId,
  callee_id: SymbolId,
  caller_file: Path,
  call_line: Place,
  call_col: Place,
  language: Type.String(),
});

const DeltaStats = Shape({
  symbolsAdded: Count,
  symbolsModified: Count,
  symbolsDeleted: Count,
  refsAdded: Count,
  refsDeleted: Count,
  callEdgesAdded: Count,
  callEdgesDeleted: Count,
});

/** The version of delta artifacts that is read and written. */
export const deltaSchemaVersion = 1;

/** A delta between two snapshots, as one clone writes it for others to take in. Names no place on the machine. */
export const DeltaArtifact = Type.Object(
  {
    delta_schema_version: Type.Literal(deltaSchemaVersion, {
      [expects]: `must be ${deltaSchemaVersion}, the version that is read here: build the artifact with this version of svc`,
    }),
    base_snapshot_id: SnapshotId,
    new_snapshot_id: Type.Optional(SnapshotId),
    commit: Type.Optional(
      Type.String({
        ...commitHash,
        description:
          'The commit that this leads to: files that the work tree has otherwise are looked up in it. Without it in the commits at hand: HEAD, what was fetched last, what the branch follows',
      }),
    ),
    base_commit: Type.Optional(Type.String({ ...commitHash, description: 'The commit that the base is the tree of' })),
    timestamp: Type.Optional(Count),
    repo: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'The repository’s id where this was built, as symbol ids have it',
      }),
    ),
    made_by: Type.Optional(
      Shape({
        linker: Count,
        source_bytes: Count,
        line_characters: Count,
        extractors: Type.Record(Type.String(), Count),
      }),
    ),
    deltas: Shape({
      files: Shape({ added: Type.Array(DeltaFile), modified: Type.Array(DeltaFile), deleted: Type.Array(Path) }),
      symbols: Shape({
        added: Type.Array(DeltaSymbol),
        modified: Type.Array(DeltaSymbol),
        deleted: Type.Array(SymbolId),
      }),
      refs: Shape({ added: Type.Array(DeltaRef), deleted: Type.Array(DeltaRef) }),
      callgraph: Shape({ added: Type.Array(DeltaCallEdge), deleted: Type.Array(DeltaCallEdge) }),
    }),
    stats: DeltaStats,
    facts: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'What each content holds, base64, by its hash' }),
    ),
  },
  { additionalProperties: false },
);
export type DeltaArtifact = Static<typeof DeltaArtifact>;
export type DeltaFile = Static<typeof DeltaFile>;
export type DeltaSymbol = Static<typeof DeltaSymbol>;
export type DeltaRef = Static<typeof DeltaRef>;
export type DeltaCallEdge = Static<typeof DeltaCallEdge>;
export type DeltaStats = Static<typeof DeltaStats>;
export type DeltaLists = DeltaArtifact['deltas'];

const artifactInput = Shape({
  artifact: Type.Optional(
    Type.Unknown({
      description: 'The artifact as JSON text; over HTTP it is the body, whose bytes arrive as they came',
    }),
  ),
  file: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'The artifact’s file, in place of its text; not over HTTP',
    }),
  ),
});

/** On a command line. */
const readFrom = 'The artifact’s file; -: standard input';

const toldBase = {
  baseSnapshotMatch: Type.Boolean({ description: 'The base is the active snapshot' }),
  base: Type.Optional(
    OneOf(
      ['active', 'head', 'commit', 'pending'],
      'Which tree here the base is: the active snapshot’s, HEAD’s (what lies uncommitted stays), that of the base commit or a snapshot that is kept, from which HEAD has gone on, or the one that a pending artifact leads to; left out where it is none of them',
    ),
  ),
};

const exampleStats = {
  symbolsAdded: 2,
  symbolsModified: 1,
  symbolsDeleted: 0,
  refsAdded: 5,
  refsDeleted: 3,
  callEdgesAdded: 1,
  callEdgesDeleted: 1,
};

export const delta = {
  'delta.status': operation({
    summary: 'The state of delta ingestion',
    http: { method: 'GET', path: '/delta' },
    cli: { command: 'delta' },
    input: Shape({}),
    output: Shape({
      enabled: Type.Boolean(),
      schemaVersion: Type.Integer(),
      activeSnapshotId: Maybe(Type.String()),
      lastDeltaIngested: Maybe(Timestamp),
      pendingDeltas: Type.Integer({
        description:
          'Artifacts that were taken in and wait for their files (git pull); an edit changes nothing in that',
      }),
      timestamp: Timestamp,
    }),
    faults: ['indexStale'],
    effect: 'read',
    // Not cacheable: what is pending changes with the tree, before any snapshot does.
    scope: 'repository',
    needs: 'index',
  }),
  'delta.validate': operation({
    summary: 'Whether a delta artifact could be taken in, and if not every reason; changes nothing',
    http: { method: 'POST', path: '/delta/validate', body: { field: 'artifact', schema: DeltaArtifact } },
    cli: {
      command: 'delta validate <file>',
      examples: ['svc delta validate delta.json', 'svc delta validate - < delta.json'],
      without: ['artifact'],
      described: { file: readFrom },
    },
    input: artifactInput,
    output: Type.Union([
      Shape({
        valid: Type.Literal(true),
        schemaVersion: Type.Integer(),
        ...toldBase,
        stats: DeltaStats,
        timestamp: Timestamp,
      }),
      Shape({
        valid: Type.Literal(false),
        schemaVersion: Type.Integer(),
        ...toldBase,
        errors: Type.Array(Type.String()),
        timestamp: Timestamp,
      }),
    ]),
    faults: ['preconditionFailed', 'indexStale', 'notReady', 'storageFailed', 'backendUnavailable'],
    effect: 'read',
    scope: 'repository',
    needs: 'index',
    example: {
      input: {},
      output: {
        valid: true,
        schemaVersion: deltaSchemaVersion,
        baseSnapshotMatch: true,
        base: 'active',
        stats: exampleStats,
        timestamp: exampleTime,
      },
    },
  }),
  'delta.ingest': operation({
    summary: 'Take in a delta artifact: whole or not at all, and never against what the work tree holds',
    http: { method: 'POST', path: '/delta/ingest', body: { field: 'artifact', schema: DeltaArtifact } },
    cli: {
      command: 'delta ingest <file>',
      examples: ['svc delta ingest delta.json', 'svc delta ingest - < delta.json'],
      without: ['artifact'],
      described: { file: readFrom },
    },
    input: artifactInput,
    output: Shape({
      status: OneOf(['success']),
      outcome: OneOf(
        ['applied', 'already', 'pending'],
        'What became of it: the index has taken its files in by this; it was there already, the index or HEAD having its files; or it waits for them',
      ),
      applied: Shape(
        DeltaStats.properties,
        'What it lists, counted, where the index has its files, be it by this or from before; zeros where it has not',
      ),
      newSnapshotId: Type.String({ description: 'Of the tree that the artifact leads to' }),
      activeSnapshotId: Type.String({ description: 'Of the work tree as it is indexed now' }),
      published: Type.Boolean({ description: 'The index had not seen this tree before' }),
      pending: Type.Boolean({
        description:
          'It waits, and nothing of it counts as applied: its rows follow once the work tree has its files (git pull)',
      }),
      awaitedCommit: Type.Optional(
        Type.String({
          description:
            'The commit whose coming ends the waiting, as its files do: the one that is named, or else one at hand that has them; left out where HEAD is past it, and its files alone count',
        }),
      ),
      duration: Type.String(),
      timestamp: Timestamp,
    }),
    faults: ['preconditionFailed', 'indexStale', 'notReady', 'storageFailed', 'backendUnavailable'],
    effect: 'write',
    scope: 'repository',
    needs: 'work tree',
    example: {
      input: {},
      output: {
        status: 'success',
        outcome: 'applied',
        applied: exampleStats,
        newSnapshotId: exampleSnapshot,
        activeSnapshotId: exampleSnapshot,
        published: true,
        pending: false,
        duration: '0.04s',
        timestamp: exampleTime,
      },
    },
  }),
  'delta.build': operation({
    summary: 'Write the delta artifact that leads from one commit’s tree to another’s',
    cli: {
      command: 'delta build',
      examples: [
        'svc delta build --base origin/main -o delta.json',
        'svc delta build --base HEAD~1 --head HEAD -o d.json',
      ],
      short: { output: 'o' },
      described: { output: 'The file to write; -: standard output, and what is told of it goes to stderr' },
    },
    input: Shape({
      base: Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'Commit, branch or tag, or a snapshot’s id: the active one’s, or one’s that was of late',
      }),
      head: Type.Optional(
        Type.String({ minLength: 1, maxLength: 1024, description: 'Commit, branch or tag; default HEAD' }),
      ),
      output: Type.String({ minLength: 1, maxLength: 4096, description: 'The file to write' }),
    }),
    output: Shape({
      path: Type.String(),
      bytes: Type.Integer(),
      baseSnapshotId: Type.String(),
      newSnapshotId: Type.String(),
      baseCommit: Maybe(Type.String()),
      commit: Type.String(),
      files: Type.Integer(),
      stats: DeltaStats,
      timestamp: Timestamp,
    }),
    faults: ['preconditionFailed', 'indexStale', 'notReady', 'resourceNotFound', 'storageFailed', 'backendUnavailable'],
    effect: 'write',
    scope: 'repository',
    needs: 'work tree',
  }),
};
