import type { TProperties, TSchema } from 'typebox';
import { Fault, type FaultReason, faultBody, faultTable, servedFaultBody } from './faults.ts';
import { type JsonSchema, portableSchema } from './json-schema.ts';
import {
  fieldInPath,
  fieldsApart,
  inputFields,
  keyScopeOf,
  type Operation,
  pathFields,
  repositoryFields,
} from './operation.ts';
import { otlpMedia, statusBody } from './otlp-answers.ts';
import { type OperationName, operationNames, operations } from './registry.ts';
import { commaList, sharedShapes } from './shapes.ts';

type Json = Readonly<Record<string, unknown>>;

/** The API as an OpenAPI 3.0.3 document, read off the definitions. */
export function openApiDocument({ version }: { readonly version: string }): Json {
  const components = namedShapes();
  const paths: Record<string, Record<string, Json>> = {};
  for (const name of operationNames) {
    const operation: Operation = operations[name];
    if (operation.http === undefined) continue;
    const path = operation.http.path.replace(fieldInPath, '{$1}');
    paths[path] ??= {};
    paths[path][operation.http.method.toLowerCase()] = describe(name, operation, components);
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'svc',
      version,
      description: 'Answers what code is: symbols, references and structure of the repositories that it keeps indexed.',
      license: { name: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operationNames.map(tagOf))].map(name => ({ name })),
    security: [{ daemonToken: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(components.schemas),
      securitySchemes: {
        daemonToken: { type: 'http', scheme: 'bearer', description: 'What `svc daemon token` prints' },
        indexKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'What `svc token create` prints, or a key of the configuration: good for the index server alone',
        },
      },
    },
  };
}

/** The faults that any caller of an operation may meet over HTTP, beside those that its definition names. */
export function impliedFaults(operation: Operation): readonly FaultReason[] {
  const faults: FaultReason[] = [
    'invalidParameter',
    'unauthorized',
    'forbidden',
    'notAcceptable',
    'operationFailed',
    'timeout',
    'shuttingDown',
    'uriTooLong',
    'headersTooLarge',
    'expectationFailed',
    'requestTimeout',
    'rateLimited',
    'tooLarge',
  ];
  if (operation.scope === 'repository') faults.push('resourceNotFound', 'indexStale', 'notReady', 'storageFailed');
  if (operation.http?.method === 'POST') faults.push('invalidBody');
  if (operation.http?.method !== 'GET') faults.push('unsupportedMediaType');
  if (isServed(operation)) faults.push(...faultsOfKeys, 'indexServerOff');
  return faults;
}

const faultsOfKeys = [
  'missingToken',
  'invalidToken',
  'expiredToken',
  'revokedToken',
  'insufficientScope',
  'repoNotAllowed',
] as const satisfies readonly FaultReason[];

/** Whether it is the index server's, which has keys and error bodies of its own. */
function isServed({ scope }: Operation): boolean {
  return keyScopeOf(scope) !== undefined;
}

interface Components {
  readonly schemas: Map<string, JsonSchema>;
  /** Component names by the JSON of their schema: a shape is recognised wherever it stands. */
  readonly nameOf: Map<string, string>;
}

function namedShapes(): Components {
  const components: Components = { schemas: new Map(), nameOf: new Map() };
  for (const [name, shape] of Object.entries(sharedShapes)) addComponent(components, name, portableSchema(shape));
  return components;
}

function addComponent(components: Components, name: string, schema: JsonSchema): Json {
  components.schemas.set(name, withReferences(schema, components, 'inside'));
  components.nameOf.set(JSON.stringify(schema), name);
  return reference(name);
}

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Shared shapes become references, but for those that may be null: `nullable` counts beside a `type` alone, and a shape that
 * is referred to takes no null. `inside` leaves the outermost schema as it is: it is the component itself.
 */
function withReferences(schema: JsonSchema, components: Components, where: 'anywhere' | 'inside'): JsonSchema {
  const name = where === 'inside' ? undefined : components.nameOf.get(JSON.stringify(schema));
  if (name !== undefined) return reference(name);
  const descend = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(descend) : isSchema(value) ? withReferences(value, components, 'anywhere') : value;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'enum' || keyword === 'default' || keyword === 'required') return [keyword, value];
      if (keyword !== 'properties') return [keyword, descend(value)];
      return [
        keyword,
        Object.fromEntries(Object.entries(value as Json).map(([name, field]) => [name, descend(field)])),
      ];
    }),
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

function describe(name: OperationName, operation: Operation, components: Components): Json {
  const body = requestBody(name, operation, components);
  return {
    operationId: capitalised(name, 'lower'),
    'x-rpc-method': name,
    summary: operation.summary,
    tags: [tagOf(name)],
    parameters: parameters(operation),
    ...(isServed(operation) ? { security: [{ indexKey: [] }, { daemonToken: [] }] } : {}),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responses(name, operation, components),
  };
}

function parameters(operation: Operation): readonly Json[] {
  const inPath = pathFields(operation.http!.path);
  const inQuery: TProperties = operation.http!.method === 'POST' ? {} : operation.input.properties;
  const scoped: TProperties = operation.scope === 'repository' ? repositoryFields : {};
  const required = new Set(callerMustPass(operation.input.properties));
  const example = (operation.example?.input ?? {}) as Json;
  const query = Object.entries({ ...inQuery, ...scoped }).filter(([field]) => !inPath.includes(field));
  const demanded = (field: string, schema: TSchema): TSchema => operation.http!.fields?.[field] ?? schema;
  return [
    ...inPath.map(field =>
      parameter('path', field, demanded(field, operation.input.properties[field]!), true, example[field]),
    ),
    ...query.map(([field, schema]) =>
      parameter('query', field, demanded(field, schema), required.has(field), example[field]),
    ),
    ...Object.entries(operation.http!.headers ?? {}).map(([field, header]) =>
      parameter('header', header, operation.input.properties[field]!, required.has(field), example[field]),
    ),
    ...(operation.scope === 'repository' ? [repoHeader] : []),
    ...(operation.cacheable ? [ifNoneMatchHeader] : []),
    requestIdHeader,
  ];
}

const repoHeader = parameter('header', 'X-SVC-Repo', repositoryFields.repo, false, undefined);
const requestIdHeader: Json = {
  in: 'header',
  name: 'X-Request-ID',
  required: false,
  description: 'Returned with the answer and written to the log',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
};
const ifNoneMatchHeader: Json = {
  in: 'header',
  name: 'If-None-Match',
  required: false,
  description: 'Answers 304 while the entity tag holds',
  schema: { type: 'string' },
};

function parameter(
  place: 'path' | 'query' | 'header',
  name: string,
  schema: TSchema,
  required: boolean,
  example: unknown,
): Json {
  const { description, ...rest } = portableSchema(schema);
  const listed = (schema as JsonSchema)[commaList] === true;
  return {
    in: place,
    name,
    required,
    ...(description === undefined ? {} : { description }),
    schema: rest,
    ...(listed ? { style: 'form', explode: false } : {}),
    ...(example === undefined ? {} : { example }),
  };
}

function requestBody(name: OperationName, operation: Operation, components: Components): Json | undefined {
  if (operation.http!.method !== 'POST') return undefined;
  const whole = operation.http!.body;
  if (whole !== undefined) {
    const schema = addComponent(components, `${capitalised(name, 'upper')}Input`, portableSchema(whole.schema));
    return { required: true, 'x-rpc-field': whole.field, content: { 'application/json': { schema } } };
  }
  const { stream } = operation.http!;
  if (stream !== undefined) {
    const described =
      stream.schema === undefined
        ? undefined
        : addComponent(components, `${capitalised(name, 'upper')}Input`, portableSchema(stream.schema));
    const content = stream.media.map(media => [media, { schema: described ?? streamSchema(media) }] as const);
    return { required: true, 'x-rpc-field': stream.field, content: Object.fromEntries(content) };
  }
  const inPath = pathFields(operation.http!.path);
  const apart = [...inPath, ...fieldsApart(operation.http!)];
  const fields = Object.entries(inputFields(operation)).filter(([field]) => !apart.includes(field));
  if (fields.length === 0) return undefined;
  const required = callerMustPass(operation.input.properties).filter(field => !inPath.includes(field));
  const schema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(([field, own]) => [field, portableSchema(own)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
  const example = bodyExample(operation, inPath);
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: addComponent(components, `${capitalised(name, 'upper')}Input`, schema),
        ...(example === undefined ? {} : { example }),
      },
    },
  };
}

/** What comes as JSON is at least an object. */
function streamSchema(media: string): Json {
  return media === 'application/json' ? { type: 'object' } : binary;
}

const binary: Json = { type: 'string', format: 'binary' };

function bodyExample({ example }: Operation, inPath: readonly string[]): Json | undefined {
  const fields = Object.entries(example?.input ?? {}).filter(([field]) => !inPath.includes(field));
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function callerMustPass(fields: Readonly<Record<PropertyKey, TSchema>>): readonly string[] {
  return Object.entries(fields)
    .filter(([, schema]) => !('~optional' in schema) && !('default' in schema))
    .map(([field]) => field);
}

function responses(name: OperationName, operation: Operation, components: Components): Json {
  const result: Record<string, Json> = { '200': success(name, operation, components) };
  if (operation.cacheable) result['304'] = { description: 'The answer that the entity tag names still holds', headers };
  const byStatus = new Map<number, FaultReason[]>();
  for (const reason of new Set([...operation.faults, ...impliedFaults(operation)])) {
    const { status } = faultTable[reason];
    byStatus.set(status, [...(byStatus.get(status) ?? []), reason]);
  }
  for (const [status, reasons] of byStatus) result[String(status)] = failure(operation, reasons);
  return result;
}

function success(name: OperationName, operation: Operation, components: Components): Json {
  const tag = operation.cacheable ? { ETag: { schema: { type: 'string' } } } : {};
  const rate = isServed(operation) ? { 'X-RateLimit-Remaining': rateRemaining } : {};
  const described = { description: operation.summary, headers: { ...headers, ...tag, ...rate } };
  const example = operation.example?.output;
  const shown = example === undefined ? {} : { example };
  switch (operation.http!.produces ?? 'json') {
    case 'text':
      return { ...described, content: { 'text/plain': { schema: { type: 'string' }, ...shown } } };
    case 'events':
      return { ...described, content: { 'text/event-stream': { schema: { type: 'string' }, ...shown } } };
    case 'json': {
      const output = portableSchema(operation.output);
      const known = components.nameOf.get(JSON.stringify(output));
      const schema =
        known === undefined ? addComponent(components, `${capitalised(name, 'upper')}Reply`, output) : reference(known);
      const others = Object.values(operation.formats?.media ?? {}).filter(media => media !== 'application/json');
      const texts = others.map(media => [media, { schema: { type: 'string' } }] as const);
      const content = { 'application/json': { schema, ...shown }, ...Object.fromEntries(texts) };
      return { ...described, content: { ...content, ...alsoBinary(operation) } };
    }
  }
}

/** Who speaks OpenTelemetry's protocol is answered in protocol buffers as well. */
function alsoBinary(operation: Operation): Json {
  return operation.http?.speaks === 'otlp' ? { [otlpMedia.protobuf]: { schema: binary } } : {};
}

const headers: Json = {
  'X-Request-ID': { description: 'The id of this request in the log', schema: { type: 'string' } },
};

function failure(operation: Operation, reasons: readonly FaultReason[]): Json {
  const { status } = faultTable[reasons[0]!];
  const example = new Fault(reasons[0]!, spaced(reasons[0]!));
  return {
    description: reasons.map(reason => describedFault(operation, reason)).join('; '),
    headers: { ...headers, ...failureHeaders(operation, status) },
    content: { 'application/json': failureShown(operation, example), ...alsoBinary(operation) },
  };
}

function failureShown(operation: Operation, example: Fault): Json {
  if (operation.http?.speaks === 'otlp') return { schema: reference('Status'), example: statusBody(example) };
  return isServed(operation)
    ? { schema: reference('IndexError'), example: servedFaultBody(example) }
    : { schema: reference('Error'), example: faultBody(example) };
}

function describedFault(operation: Operation, reason: FaultReason): string {
  const words = spaced(reason);
  return `${isServed(operation) ? servedFaultBody(new Fault(reason, words)).error.code : faultTable[reason].code}: ${words}`;
}

function failureHeaders(operation: Operation, status: number): Json {
  const retryAfter = { description: 'Seconds', schema: { type: 'integer', minimum: 1 } };
  return {
    ...(status === 429 || status === 503 ? { 'Retry-After': retryAfter } : {}),
    ...(status === 401 ? { 'WWW-Authenticate': { schema: { type: 'string' } } } : {}),
    ...(isServed(operation) ? { 'X-RateLimit-Remaining': rateRemaining } : {}),
  };
}

const rateRemaining: Json = {
  description: 'So many requests may follow at once, where that is limited',
  schema: { type: 'integer', minimum: 0 },
};

/** `symbolNotFound` as words: symbol not found. */
function spaced(reason: string): string {
  return reason.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
}

/** `symbols.get` as `symbolsGet` or `SymbolsGet`. */
function capitalised(name: string, first: 'lower' | 'upper'): string {
  const words = name.replace(/\.(.)/g, (_, letter: string) => letter.toUpperCase());
  return first === 'lower' ? words : words[0]!.toUpperCase() + words.slice(1);
}

function tagOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}
