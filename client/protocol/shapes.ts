import type { Static, TEnum, TProperties, TSchema } from 'typebox';
import { faultCodes } from './faults.ts';
import { Type } from './schemas.ts';

/** Shapes that several operations share. Field names are the specification's. */

export const AgeMinutes = Type.Integer({ description: 'Minutes since the index was last known to be the tree’s' });
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' });
const Maybe = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

export { Maybe };

export const Count = (description: string) => Type.Integer({ minimum: 0, description });
export const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** Keyword for what a problem's message says of a value that breaks the schema, where the rules alone don't tell. */
export const expects = 'x-expects';

/** A list of literals as one schema. */
export function OneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description?: string,
): TEnum<[...Values]> {
  return Type.Enum<[...Values]>(values as unknown as [...Values], description === undefined ? {} : { description });
}

/** A list that is written `a,b` where text is all there is: in a query, on the command line. */
export function CommaList<Item extends TSchema>(item: Item, description: string) {
  return Type.Array(item, { minItems: 1, maxItems: 100, [commaList]: true, description });
}
export const commaList = 'x-comma-list';

/** An object whose listed fields are all required; unknown fields are refused on input. */
export function Shape<P extends TProperties>(properties: P, description?: string) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  });
}

export const languages = [
  'go',
  'typescript',
  'python',
  'rust',
  'java',
  'kotlin',
  'cpp',
  'dart',
  'ruby',
  'csharp',
  'php',
] as const;

export const symbolKinds = [
  'function',
  'method',
  'constructor',
  'class',
  'interface',
  'struct',
  'enum',
  'enum-member',
  'trait',
  'type',
  'variable',
  'constant',
  'field',
  'property',
  'module',
  'namespace',
  'package',
  'macro',
  'parameter',
  'type-parameter',
  'event',
  'object',
] as const;
export const SymbolKind = OneOf(symbolKinds);

const referenceKinds = [
  'definition',
  'call',
  'read',
  'write',
  'import',
  'type',
  'implementation',
  'reference',
] as const;
export const ReferenceKind = OneOf(referenceKinds);

export const SymbolId = Type.String({
  pattern: '^svc:.+:sym:[0-9a-f]{32}$',
  maxLength: 4096,
  description: 'svc:<repo>:sym:<hash>',
  [expects]: 'must be a symbol id, svc:<repo>:sym:<32 hex digits>',
});

/** How a caller points at a symbol: by id, or by name where names are taken (the socket, the command line). */
export const SymbolKey = Type.String({
  minLength: 1,
  maxLength: 4096,
  pattern: '\\S',
  description: 'A symbol id; over the socket and on the command line a name will do',
  [expects]: 'must be a symbol id or a name',
});

/** 1-based lines and columns (UTF-16 code units), the end exclusive, as people and editors count. */
export const Location = Shape({
  file: Type.String({
    description: 'From the repository’s root; empty of a symbol of a dependency, which has no place',
  }),
  line: Type.Integer({ description: 'From 1; where there is no place, 0, as are the others' }),
  column: Type.Integer({ description: 'From 1, in UTF-16 code units' }),
  endLine: Type.Integer(),
  endColumn: Type.Integer(),
});

const symbolFields = {
  id: SymbolId,
  name: Type.String(),
  kind: SymbolKind,
  location: Location,
  module: Type.String(),
  signature: Type.String(),
  documentation: Type.String(),
  visibility: OneOf(['public', 'internal', 'private']),
  container: Type.String(),
  language: Type.String(),
  exported: Type.Boolean(),
  source: OneOf(['scip', 'tree-sitter']),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  snapshotId: Type.String(),
};
const external = Type.Optional(
  Type.Boolean({
    description:
      'Of a dependency, which `module` names: it stands in no file of the repository, so that its `location` is the empty file and 0 throughout',
  }),
);
/** Named CodeSymbol because `Symbol` is the language's own. */
export const CodeSymbol = Shape({ ...symbolFields, external });
export type CodeSymbol = Static<typeof CodeSymbol>;

/** A symbol in another, as many levels under a hit as were asked for. */
export const Member = Shape({ ...symbolFields, depth: Type.Integer({ minimum: 2 }), parentId: SymbolId });
export type Member = Static<typeof Member>;

export const SearchResult = Shape({
  ...symbolFields,
  score: Type.Number({ minimum: 0, maximum: 1 }),
  match: OneOf(['exact', 'prefix', 'camel', 'substring', 'fuzzy']),
  external,
  members: Type.Optional(Type.Array(Member, { description: 'With depth: each behind what it is a member of' })),
});
export type SearchResult = Static<typeof SearchResult>;

export const Reference = Shape({
  location: Location,
  kind: ReferenceKind,
  context: Type.String({ description: 'The source line, trimmed to 200 characters' }),
  isTest: Type.Boolean(),
  enclosingSymbol: Maybe(Shape({ id: SymbolId, name: Type.String() })),
  source: OneOf(['scip', 'lsp', 'tree-sitter'], 'Who says so: an indexer, a language server, syntax'),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      '1 by scope or import, 0.9 and more by evident types, 0.7 where several are meant, 0.5 by the name alone',
  }),
  contextChanged: Type.Optional(
    Type.Literal(true, {
      description: 'An indexer said so of this file as it is, before other files or the configuration changed',
    }),
  ),
});
export type Reference = Static<typeof Reference>;

/** What an answer rests on, so that no zero is taken for a proof. */
export const Completeness = Shape({
  dirtyFiles: Type.Integer({ description: 'Files changed since the snapshot' }),
  skippedFiles: Type.Integer(),
  failedFiles: Type.Integer({
    description: 'Files that could not be read or parsed, and folders that could not be listed',
  }),
  partialFiles: Type.Integer({
    description: 'Files of which the parser read only parts: they may define and use more',
  }),
  unresolvedCandidates: Type.Integer({
    description:
      'Places that bear the name, that neither syntax nor an indexer resolves, and that may or may not belong to this answer; those listed by the name alone are among them',
  }),
  syntaxOnly: Type.Optional(
    Type.Integer({
      description:
        'Places that are resolved to the symbol, by syntax mostly, and that an indexer which read their files does not list; merge=union does. None of them is an unresolved candidate',
    }),
  ),
  languagesWithoutIndexer: Type.Array(Type.String()),
});
export type Completeness = Static<typeof Completeness>;

/** What every answer about a snapshot tells of what it rests on. */
export const snapshotFields = { snapshotId: Type.String(), completeness: Completeness, timestamp: Timestamp };

export const Warning = Shape({
  code: Type.String(),
  backend: Type.String(),
  message: Type.String(),
});

export const Backends = Shape({ scip: Type.Boolean(), lsp: Type.Boolean(), git: Type.Boolean() });

export const jobStates = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const Job = Shape({
  id: Type.String(),
  type: Type.String(),
  status: OneOf(jobStates),
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
  createdAt: Timestamp,
  startedAt: Type.Optional(Timestamp),
  completedAt: Type.Optional(Timestamp),
  result: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  error: Type.Optional(Shape({ code: Type.String(), message: Type.String() })),
  repo: Type.Optional(Type.String()),
  message: Type.Optional(Type.String({ description: 'The phase that the job is in' })),
  dryRun: Type.Optional(Type.Literal(true, { description: 'Of a refresh that only tells what would change' })),
});
export type Job = Static<typeof Job>;

export const RegisteredRepo = Shape({
  id: Type.String(),
  source: OneOf(
    ['tree', 'upload', 'mirror'],
    'Where its index comes from: its work tree, an upload, or another machine’s index server',
  ),
  root: Type.String({ description: 'Empty where there is no work tree' }),
  status: OneOf(['queued', 'indexing', 'ready', 'failed', 'missing']),
  snapshotId: Maybe(Type.String()),
  symbolCount: Type.Integer(),
  fileCount: Type.Integer(),
  pendingChanges: Type.Integer(),
  watching: OneOf(['native', 'chokidar', 'polling', 'off']),
  trusted: Type.Boolean(),
  isDefault: Type.Boolean(),
});
export type RegisteredRepo = Static<typeof RegisteredRepo>;

export const Listener = Shape({ host: Type.String(), port: Type.Integer(), repo: Maybe(Type.String()) });

export const SuggestedFix = Shape({
  type: Type.String(),
  command: Type.String(),
  safe: Type.Boolean(),
  description: Type.String(),
});

/** The core error body. */
export const ErrorBody = Shape({
  error: Type.String({ description: 'What went wrong, in a sentence' }),
  code: OneOf(faultCodes),
  details: Maybe(Type.Record(Type.String(), Type.Unknown())),
  suggestedFixes: Type.Array(SuggestedFix),
  drilldowns: Type.Array(Shape({ label: Type.String(), query: Type.String({ description: 'A path to ask next' }) })),
});

/** The error body of the index server. */
export const ServedErrorBody = Shape({
  error: Shape({
    code: Type.String({ description: 'What went wrong, as one word in lower case' }),
    message: Type.String({ description: 'The same in a sentence' }),
  }),
});

/** The error body of OpenTelemetry's protocol: `google.rpc.Status`. */
export const StatusErrorBody = Shape({
  code: Type.Integer({ description: 'A code of google.rpc' }),
  message: Type.String({ description: 'What went wrong, in a sentence' }),
  details: Type.Array(Type.Unknown()),
});

/** Shapes that the API description names; the smallest first, for a shape is described by those before it. */
export const sharedShapes = {
  Location,
  Warning,
  Backends,
  Completeness,
  SuggestedFix,
  Symbol: CodeSymbol,
  Member,
  SearchResult,
  Reference,
  Job,
  RegisteredRepo,
  Listener,
  Error: ErrorBody,
  IndexError: ServedErrorBody,
  Status: StatusErrorBody,
};
