import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { FaultReason } from './faults.ts';
import { Type } from './schemas.ts';

export type HttpMethod = 'GET' | 'POST' | 'DELETE';

/**
 * Where an operation looks and who may ask it: `public` holds nothing of the user's, so that any web page may
 * read it while authentication is off; `repository` accepts `repo` and `sync`
 * (`repositoryFields`) beside its own input; those of the index server say which scope of a key permits them, and whether
 * a key is for their field `repo`.
 */
export type OperationScope = 'public' | 'daemon' | 'repository' | IndexScope;
export type IndexScope = `index:${KeyScope}`;
/** What a key permits: each includes those before it. */
export const keyScopes = ['read', 'write', 'admin'] as const;
export type KeyScope = (typeof keyScopes)[number];

/**
 * What of a repository an operation asks: its index, which each has; or its files, git and what is kept with them, which
 * those have not that were uploaded or mirrored.
 */
export type Needed = 'index' | 'work tree';

/** The scope that a key needs for an operation of the index server; undefined for any other. */
export function keyScopeOf(scope: OperationScope): KeyScope | undefined {
  return keyScopes.find(one => scope === `index:${one}`);
}

/** What an answer is on the wire that is no JSON document: plain text, or a stream of server-sent events. */
export type Media = 'text' | 'events';

export interface HttpBinding {
  readonly method: HttpMethod;
  /** Path template; `:name` is one segment (percent-decoded), `:name*` takes the rest of the path, slashes included. */
  readonly path: string;
  readonly produces?: Media;
  /** What HTTP demands of a field beyond the input schema: over the socket a symbol may be named, here it takes its id. */
  readonly fields?: Readonly<Record<string, TSchema>>;
  /**
   * The whole body, as bytes, is one field of the input, and nothing is said of it before the handler reads it. `schema`:
   * what callers are told that it should be. Such bodies may be as large as `limits.delta_bytes`.
   */
  readonly body?: { readonly field: string; readonly schema: TSchema };
  /**
   * The body is a stream of bytes, however many: a field of the input is a Node.js `Readable` of them as they come, coded as
   * the header `Content-Encoding` says.
   */
  readonly stream?: StreamedBody;
  /** Answers and errors are those of OpenTelemetry's protocol, in the media type of the request, whatever `Accept` says. */
  readonly speaks?: 'otlp';
  /** Fields that come from headers of requests: the headers' names, by field. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StreamedBody {
  readonly field: string;
  /** The media types that it may be of; who speaks for this protocol says the first. */
  readonly media: readonly string[];
  /** The field that tells which of them it is. */
  readonly mediaField?: string;
  /** What callers are told that it should be, where it is JSON. */
  readonly schema?: TSchema;
}

/**
 * The forms in which an answer may be had: JSON, and texts in other languages. HTTP takes the form from `Accept` where the
 * query says none; over the socket an answer that is no JSON is a text; `svc` has a flag for it, whose default is a table.
 */
export interface Formats {
  /** The input's field that says the form: `json`, its default, or another name of `media`. */
  readonly field: string;
  /** The media type of each, the one first that whoever takes anything is given. */
  readonly media: Readonly<Record<string, string>>;
}

export interface CliBinding {
  /** Command line after `svc`, e.g. `search <q>` or `repo add [path]`; a word in brackets is the input field of that name; with `...` behind it several may be given, all of them items where the field is a list. */
  readonly command: string;
  readonly examples?: readonly string[];
  /** What a word in brackets that is no field of the input means, and a field that takes more on a command line: by name. */
  readonly described?: Readonly<Record<string, string>>;
  /** Fields that are no flag: what stands for them on a command line is another one. */
  readonly without?: readonly string[];
  /** The answer may be held against a bound on the command line, which then fails: how complex functions are, or how many symbols are found. */
  readonly gate?: 'functions' | 'symbols';
  /** What fields are called as flags, where that is not their name. */
  readonly flags?: Readonly<Record<string, string>>;
  /** One-letter flags beside the long ones, by field. */
  readonly short?: Readonly<Record<string, string>>;
  /** Lists of which each item has a flag of its own, commas and all. */
  readonly repeated?: readonly string[];
}

/**
 * One thing that may be asked, written down once. The HTTP route, validation, OpenAPI entry, JSON-RPC method, typed
 * client method and CLI command are all read off this value.
 */
export interface Operation<
  Input extends TObject = TObject,
  Output extends TSchema = TSchema,
  Scope extends OperationScope = OperationScope,
> {
  readonly summary: string;
  readonly http?: HttpBinding;
  readonly cli?: CliBinding;
  /** Path, query and body fields in one object. Fields of the path template come from the path; of the rest, GET and DELETE take the query, POST the body. */
  readonly input: Input;
  readonly output: Output;
  readonly faults: readonly FaultReason[];
  readonly effect: 'read' | 'write';
  readonly scope: Scope;
  /** Of each operation of scope `repository`: which repositories can answer it. */
  readonly needs?: Needed;
  /** Of scope `repository`, and yet has an answer where no registered repository is meant. */
  readonly standsAlone?: true;
  /**
   * The answer carries an ETag: of the snapshot, where it depends on the index alone, so that it need not be made; of its
   * content, its time left out, where it tells of the disk and of programs as well.
   */
  readonly cacheable?: 'snapshot' | 'content';
  /** A question and its answer, to show in the API description; a test holds them against the schemas. */
  readonly example?: { readonly input: Loose<Input>; readonly output: Static<Output> };
  /** Set by `inFormats`; the output schema is the JSON's. */
  readonly formats?: Formats;
}

/** What is asked of a snapshot and changes nothing. */
export const ofSnapshot = { effect: 'read', scope: 'repository', needs: 'index', cacheable: 'snapshot' } as const;

/** What a handler receives: validated, fields with a default present. */
export type InputOf<O> =
  O extends Operation<infer Input, TSchema, infer Scope> ? Static<Input> & Extra<Scope, RepositoryInput> : never;

/** What a caller passes: fields with a default may be left out. */
export type CallInputOf<O> =
  O extends Operation<infer Input, TSchema, infer Scope>
    ? Loose<Input> & Extra<Scope, Loose<typeof repositoryInput>>
    : never;

/** Of an operation with several formats also the text of those that are no JSON. */
export type OutputOf<O> =
  O extends Operation<TObject, infer Output>
    ? O extends { readonly formats: Formats }
      ? Static<Output> | string
      : Static<Output>
    : never;

/** Keeps the literal types of a definition and checks its shape: one about a repository says what of it it needs. */
export function operation<Input extends TObject, Output extends TSchema, Scope extends OperationScope>(
  definition: Operation<Input, Output, Scope> &
    (Scope extends 'repository' ? { readonly needs: Needed } : { readonly needs?: never }),
): Operation<Input, Output, Scope> {
  return definition;
}

/** The operation with the other forms that its answer may be had in. */
export function inFormats<O extends Operation>(formats: Formats, definition: O): O & { readonly formats: Formats } {
  return { ...definition, formats };
}

/** The media type of an answer to an input, where it is not JSON. */
export function otherMediaOf(
  { formats }: Pick<Operation, 'formats'>,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  const asked = formats === undefined ? undefined : input[formats.field];
  if (formats === undefined || typeof asked !== 'string' || asked === 'json') return undefined;
  return Object.hasOwn(formats.media, asked) ? formats.media[asked] : undefined;
}

/** A schema whose field callers may leave out and handlers always find. */
export type WithDefault<Schema extends TSchema> = Schema & { readonly default: Static<Schema> };

export function withDefault<Schema extends TSchema>(schema: Schema, value: Static<Schema>): WithDefault<Schema> {
  return Type.With(schema, { default: value }) as unknown as WithDefault<Schema>;
}

/** What every operation of scope `repository` takes beside its own fields; over HTTP in the query, POST or not. */
export const repositoryFields = {
  repo: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Repository id or root path; the header X-SVC-Repo says the same',
    }),
  ),
  sync: withDefault(
    Type.Boolean({
      description: 'Answer when everything written before the question has been seen, or 412 INDEX_STALE',
    }),
    false,
  ),
};
const repositoryInput = Type.Object(repositoryFields);
export type RepositoryInput = Static<typeof repositoryInput>;

/** Every field that an operation takes, by name: its own and, where it is scoped so, the repository's. */
export function inputFields(operation: Operation): TProperties {
  return operation.scope === 'repository'
    ? { ...operation.input.properties, ...repositoryFields }
    : operation.input.properties;
}

/** The names of the fields that a path template takes, in order. */
export function pathFields(path: string): readonly string[] {
  return [...path.matchAll(fieldInPath)].map(match => match[1]!);
}

/** A segment of a template that is a field. A colon within a segment is a colon. */
export const fieldInPath = /(?<=\/):([A-Za-z]+)\*?/g;

/** Fields that HTTP takes from elsewhere than path, query and JSON body: from headers, and the body as it streams by. */
export function fieldsApart({ headers = {}, stream }: HttpBinding): readonly string[] {
  const ofBody = stream === undefined ? [] : [stream.field, stream.mediaField ?? stream.field];
  return [...Object.keys(headers), ...ofBody];
}

/** A path template as the specification writes it. */
export function publicPath(path: string): string {
  return path.replaceAll('*', '');
}

type Extra<Scope, Fields> = Scope extends 'repository' ? Fields : unknown;
type DefaultedKeys<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { readonly default: unknown } ? Key : never;
}[keyof Properties];
type Loose<Input extends TObject> =
  Input extends TObject<infer Properties>
    ? Omit<Static<Input>, DefaultedKeys<Properties>> &
        Partial<Pick<Static<Input>, DefaultedKeys<Properties> & keyof Static<Input>>>
    : never;
