import { exampleTime } from './examples.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { expects, Maybe, OneOf, Shape, Timestamp } from './shapes.ts';

const Status = (description: string) => OneOf(['proposed', 'accepted', 'deprecated', 'superseded'], description);
const shownStatus = 'What it comes to: one that was rejected is deprecated; accepted where the document says nothing';
const Ids = (description: string) => Type.Array(Type.String(), { description });
const Words = (description: string) =>
  Type.String({ minLength: 1, pattern: '\\S', description, [expects]: 'must be text that is not blank' });

const Problem = Shape({
  code: Type.String({ description: 'Such as duplicate_id, no_title, unknown_status, bad_date, missing_target' }),
  message: Type.String(),
});

const summary = {
  id: Type.String({
    description:
      'ADR-<nnn> by the number in the file’s name, else in its title; where there is none, ADR- and the name itself, as with dates. In a folder below that of decisions, as MADR has them for categories, ADR-<folder>/<nnn>',
  }),
  title: Type.String(),
  status: Status(shownStatus),
  createdAt: Timestamp,
  affectedModules: Type.Array(Type.String(), {
    description: 'affected-modules in its front matter or list, or its section of that name',
  }),
  path: Type.String({ description: 'From the repository’s root' }),
  number: Maybe(Type.Integer()),
  rawStatus: Type.String({ description: 'As the document says it; empty where it says nothing' }),
  createdAtSource: OneOf(
    ['document', 'file-name', 'file-time'],
    'What says when: the document’s date, its name, or else when the file was written last',
  ),
  format: Maybe(OneOf(['nygard', 'madr2', 'madr3', 'madr4'], 'The template that it follows')),
  supersedes: Ids('Decisions that it replaces, whichever of the two says so'),
  supersededBy: Ids('Those that replace it'),
  problems: Type.Array(Problem, { description: 'What is odd about the document; it is listed all the same' }),
};

const DecisionSummary = Shape({
  ...summary,
  score: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'With search: how well it fits, words of the title before others',
    }),
  ),
});

const exampleDecision = {
  id: 'ADR-012',
  title: 'Keep sessions in Redis',
  status: 'accepted' as const,
  createdAt: '2026-02-11T00:00:00.000Z',
  affectedModules: ['packages/auth'],
  path: 'docs/decisions/0012-keep-sessions-in-redis.md',
  number: 12,
  rawStatus: 'accepted',
  createdAtSource: 'document' as const,
  format: 'madr4' as const,
  supersedes: ['ADR-004'],
  supersededBy: [],
  problems: [],
};
const exampleContext = 'Sessions are lost with each deployment.';
const exampleChoice = 'Keep them in Redis, with a time to live of a day.';

/** What answers hang on: files as they lie on the disk when the question comes. */
const ofFiles = { effect: 'read', scope: 'repository', needs: 'work tree', cacheable: 'content' } as const;

export const decisions = {
  'decisions.list': operation({
    summary:
      'Decision records (ADRs) of the repository, as they lie on the disk now; by category and number, or best first where searched',
    http: { method: 'GET', path: '/decisions' },
    cli: {
      command: 'decisions',
      examples: [
        'svc decisions',
        'svc decisions --search "message queue" --status accepted',
        'svc decisions --module packages/auth',
      ],
      flags: { moduleId: 'module' },
    },
    input: Shape({
      moduleId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          description: 'Only those that affect this module, which the code has or some decision names',
        }),
      ),
      status: Type.Optional(Status('Only those of this status')),
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          pattern: '\\S',
          description: 'Words that must stand in title or text, each as the beginning of a word; in quotes a phrase',
          [expects]: 'must be text of 1 to 1024 characters that is not blank',
        }),
      ),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 10000, description: 'Most decisions' }), 1000),
      offset: withDefault(Type.Integer({ minimum: 0, maximum: 100_000, description: 'How many to pass over' }), 0),
    }),
    output: Shape({
      decisions: Type.Array(DecisionSummary),
      total: Type.Integer({ description: 'All that fit' }),
      hasMore: Type.Boolean(),
      folder: Maybe(Type.String({ description: 'Where a new one goes; null where .adr-dir names no folder inside' })),
      folders: Type.Array(Type.String(), {
        description: 'Those that are read, with what lies up to three levels below',
      }),
      unread: Type.Array(Shape({ path: Type.String(), code: Type.String(), message: Type.String() }), {
        description: 'What is a decision by its name and can’t be read, and folders that can’t; the first hundred',
      }),
      timestamp: Timestamp,
    }),
    faults: ['notReady', 'preconditionFailed', 'resourceNotFound'],
    ...ofFiles,
    example: {
      input: { search: 'redis' },
      output: {
        decisions: [{ ...exampleDecision, score: 1 }],
        total: 1,
        hasMore: false,
        folder: 'docs/decisions',
        folders: ['docs/decisions'],
        unread: [],
        timestamp: exampleTime,
      },
    },
  }),
  'decisions.get': operation({
    summary: 'One decision record: its text by sections, and what it says of others',
    http: { method: 'GET', path: '/decisions/:id*' },
    cli: { command: 'decisions show <id>', examples: ['svc decisions show ADR-012', 'svc decisions show 12'] },
    input: Shape({
      id: Type.String({
        minLength: 1,
        maxLength: 4096,
        pattern: '\\S',
        description: 'Its id, its number, the beginning of its id, or its path or the end of that',
        [expects]: 'must be the id or the path of a decision',
      }),
    }),
    output: Shape({
      ...summary,
      context: Type.String({ description: 'Markdown; empty where there is no such section' }),
      decision: Type.String(),
      consequences: Type.Array(Type.String(), { description: 'Items of lists, and paragraphs beside them' }),
      sections: Type.Array(
        Shape({
          heading: Type.String(),
          level: Type.Integer({ minimum: 1, maximum: 6 }),
          kind: Maybe(
            OneOf(
              ['status', 'date', 'context', 'decision', 'consequences', 'modules', 'links'],
              'What it is about, whatever its language calls it',
            ),
          ),
          text: Type.String({ description: 'As it stands in the document, with what is below it' }),
        }),
      ),
      metadata: Type.Array(Shape({ name: Type.String(), value: Type.String() }), {
        description: 'Front matter, and names and values below the title, as they stand there',
      }),
      links: Type.Array(
        Shape({
          relation: Type.String({ description: 'supersedes, superseded by, or the document’s own words' }),
          label: Type.String(),
          target: Type.String({ description: 'As it is written; empty where a number alone names the other' }),
          id: Maybe(Type.String({ description: 'The decision that it leads to' })),
        }),
      ),
      content: Type.String({ description: 'The document as it lies on the disk, up to 256 KiB of it' }),
      timestamp: Timestamp,
    }),
    faults: ['notReady', 'preconditionFailed', 'resourceNotFound', 'ambiguous'],
    ...ofFiles,
    example: {
      input: { id: 'ADR-012' },
      output: {
        ...exampleDecision,
        context: exampleContext,
        decision: exampleChoice,
        consequences: ['Redis must be there before the service starts.'],
        sections: [
          { heading: 'Context and Problem Statement', level: 2, kind: 'context', text: exampleContext },
          { heading: 'Decision Outcome', level: 2, kind: 'decision', text: exampleChoice },
          {
            heading: 'Consequences',
            level: 3,
            kind: 'consequences',
            text: '* Redis must be there before the service starts.',
          },
        ],
        metadata: [
          { name: 'status', value: 'accepted' },
          { name: 'date', value: '2026-02-11' },
        ],
        links: [{ relation: 'supersedes', label: 'ADR-004', target: '0004-keep-sessions-in-memory.md', id: 'ADR-004' }],
        content: '---\nstatus: accepted\ndate: 2026-02-11\n---\n\n# Keep sessions in Redis\n',
        timestamp: exampleTime,
      },
    },
  }),
  'decisions.create': operation({
    summary: 'Write a decision record into the repository, in the style of those that are there, under the next number',
    http: { method: 'POST', path: '/decisions' },
    cli: {
      command: 'decisions create',
      examples: [
        'svc decisions create --title "Keep sessions in Redis" --modules packages/auth --status accepted',
        'svc decisions create --title "Use Kafka" --consequences "Ordered" --consequences "One more service" --context - < context.md',
        'svc decisions create --title "Use Kafka" --dry-run',
      ],
      flags: { affectedModules: 'modules' },
      repeated: ['affectedModules', 'consequences'],
      described: {
        context: 'What called for a decision; -: standard input',
        decision: 'What was decided; -: standard input',
        consequences: 'What follows from it; once for each',
        affectedModules: 'A module that it is about, a path from the root or @root; once for each',
      },
    },
    input: Shape({
      title: Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'In one line: line breaks become blanks',
        [expects]: 'must be text of 1 to 500 characters that is not blank',
      }),
      context: withDefault(Type.String({ description: 'Markdown: what called for a decision' }), ''),
      decision: withDefault(Type.String({ description: 'Markdown: what was decided' }), ''),
      consequences: withDefault(
        Type.Array(Words('Markdown'), { maxItems: 1000, description: 'What follows from it, one by one' }),
        [],
      ),
      affectedModules: withDefault(
        Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
          maxItems: 1000,
          description: 'Ids of modules: paths from the root, or @root; they need not be there yet',
        }),
        [],
      ),
      status: withDefault(Status('What it begins as'), 'proposed'),
      dryRun: withDefault(Type.Boolean({ description: 'Tell what would be written, and where; write nothing' }), false),
    }),
    output: Shape({
      id: Type.String(),
      path: Type.String({ description: 'Where it is stored, from the repository’s root' }),
      status: OneOf(['created', 'dry-run']),
      dryRun: Type.Boolean(),
      content: Type.Optional(Type.String({ description: 'With dryRun: the document that would be written' })),
      timestamp: Timestamp,
    }),
    faults: ['preconditionFailed', 'tooLarge', 'storageFailed'],
    effect: 'write',
    scope: 'repository',
    needs: 'work tree',
    example: {
      input: {
        title: exampleDecision.title,
        context: exampleContext,
        decision: exampleChoice,
        consequences: ['Redis must be there before the service starts.'],
        affectedModules: ['packages/auth'],
        status: 'accepted',
      },
      output: {
        id: 'ADR-012',
        path: exampleDecision.path,
        status: 'created',
        dryRun: false,
        timestamp: exampleTime,
      },
    },
  }),
};
