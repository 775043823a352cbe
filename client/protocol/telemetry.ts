import { exampleTime } from './examples.ts';
import { operation } from './operation.ts';
import { otlpMedia } from './otlp-answers.ts';
import { Type } from './schemas.ts';
import { Count, OneOf, Shape, Timestamp, Warning } from './shapes.ts';

/** What production tells of calls: in from whoever counts them. */

const bodyFields = {
  encoding: Type.Optional(
    Type.String({ maxLength: 256, description: 'How the body is coded: gzip, deflate or identity' }),
  ),
  length: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Of the body, in bytes: one past the limit is refused before it is read' }),
  ),
};
const bodyHeaders = { encoding: 'Content-Encoding', length: 'Content-Length' };

const count = (description: string) => Type.Integer({ minimum: 0, description });
const time = (what: string) =>
  Type.Union([Type.String(), Type.Integer()], {
    description: `${what}: ISO 8601 with its zone, or Unix seconds as an integer`,
  });

/** Each field in camelCase as well. */
const Calls = Type.Object(
  {
    calls: Type.Array(
      Type.Object({
        service_name: Type.String({ minLength: 1, maxLength: 1024 }),
        function_name: Type.String({ minLength: 1, maxLength: 1024, description: 'Bare or qualified' }),
        file_path: Type.Optional(Type.String({ maxLength: 4096, description: 'As the process has it' })),
        namespace: Type.Optional(Type.String({ maxLength: 1024 })),
        line_number: Type.Optional(count('From 1; 0: not known')),
        call_count: count('Calls since those that were told before; 0 tells that the function is there'),
        error_count: Type.Optional(count('How many of them failed; default 0')),
        caller_service: Type.Optional(Type.String({ maxLength: 1024, description: 'The service that called' })),
        timestamp: Type.Optional(time('When they were counted; default that of the body')),
      }),
      { description: 'Each field may be written in camelCase, too: `serviceName`' },
    ),
    timestamp: Type.Optional(time('When they were counted; default now')),
    batch_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'What names this batch: one that comes again counts once',
      }),
    ),
  },
  { additionalProperties: false },
);

const ofIntake = ['preconditionFailed', 'resourceNotFound', 'tooLarge', 'busy', 'backendUnavailable'] as const;

export const telemetry = {
  'telemetry.ingestMetrics': operation({
    summary: 'Take in metrics of OpenTelemetry (OTLP/HTTP): what they tell of calls of functions is counted',
    http: {
      method: 'POST',
      path: '/v1/metrics',
      speaks: 'otlp',
      stream: { field: 'body', media: Object.values(otlpMedia), mediaField: 'media' },
      headers: bodyHeaders,
    },
    input: Shape({
      body: Type.Optional(
        Type.Unknown({ description: 'An ExportMetricsServiceRequest: it comes as the body of an HTTP request alone' }),
      ),
      media: Type.Optional(OneOf(Object.values(otlpMedia) as [string, ...string[]], 'What the body is')),
      ...bodyFields,
    }),
    output: Shape({
      partialSuccess: Type.Optional(
        Shape(
          {
            rejectedDataPoints: Type.String({ description: 'How many data points of functions can’t be counted' }),
            errorMessage: Type.String({ description: 'Why, by the first of them' }),
          },
          'Set where something was rejected',
        ),
      ),
    }),
    faults: [...ofIntake],
    effect: 'write',
    scope: 'repository',
    needs: 'index',
    standsAlone: true,
    example: {
      input: {},
      output: {
        partialSuccess: {
          rejectedDataPoints: '1',
          errorMessage: 'metric "function.calls": a data point counts -1 calls',
        },
      },
    },
  }),
  'telemetry.ingestCalls': operation({
    summary: 'Take in calls that somebody counted, as JSON',
    cli: {
      command: 'telemetry ingest <file>',
      examples: ['svc telemetry ingest calls.json', 'svc telemetry ingest - < calls.json'],
      without: ['body', 'calls', 'timestamp', 'batch_id', 'encoding', 'length'],
      described: { file: 'File with the calls, as POST /api/v1/ingest/json takes them; -: standard input' },
    },
    http: {
      method: 'POST',
      path: '/api/v1/ingest/json',
      stream: { field: 'body', media: [otlpMedia.json], schema: Calls },
      headers: { ...bodyHeaders, key: 'Idempotency-Key' },
    },
    input: Shape({
      body: Type.Optional(
        Type.Unknown({
          description:
            'JSON text as the API description shows it; over HTTP it is the body, whose bytes arrive as they came',
        }),
      ),
      calls: Type.Optional(
        Type.Array(Type.Unknown(), { description: 'In place of the text: its fields, as over HTTP' }),
      ),
      file: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          description: 'The file of the text, in its place; not over HTTP',
        }),
      ),
      timestamp: Type.Optional(Type.Unknown()),
      batch_id: Type.Optional(Type.Unknown()),
      key: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 256,
          description: 'What names this batch where the body does not: one that comes again counts once',
        }),
      ),
      ...bodyFields,
    }),
    output: Shape({
      status: OneOf(['success']),
      eventsReceived: Count('Items of `calls`'),
      eventsMatched: Count('Of them: those of functions that an index has'),
      eventsUnmatched: Count('The others, which are kept and matched again when an index or the map changes'),
      eventsRejected: Type.Optional(Count('Of these, those that are older than calls are kept: they are not counted')),
      duplicate: Type.Optional(
        Type.Literal(true, { description: 'The batch had come before: nothing was counted a second time' }),
      ),
      warnings: Type.Optional(Type.Array(Warning)),
      timestamp: Timestamp,
    }),
    faults: [...ofIntake],
    effect: 'write',
    scope: 'repository',
    needs: 'index',
    standsAlone: true,
    example: {
      input: {
        body: '{"calls":[{"service_name":"shop","function_name":"Cart.total","file_path":"src/cart.ts","namespace":"shop","call_count":10,"error_count":2}]}',
      },
      output: { status: 'success', eventsReceived: 1, eventsMatched: 1, eventsUnmatched: 0, timestamp: exampleTime },
    },
  }),
};
