import type { Static, TObject, TSchema } from 'typebox';
import type { FaultReason } from './faults.ts';

export type HttpMethod = 'GET' | 'POST' | 'DELETE';

/** Where an operation looks and who may ask it. `repository` operations accept `repo` and `sync` beside their own input. */
export type OperationScope = 'public' | 'daemon' | 'repository';

/** What an answer is on the wire: a JSON document, plain text, or a stream of server-sent events. */
export type Media = 'json' | 'text' | 'events';

export interface HttpBinding {
  readonly method: HttpMethod;
  /** Path template; `:name` is one segment (percent-decoded), `:name*` takes the rest of the path, slashes included. */
  readonly path: string;
  readonly produces?: Media;
}

export interface CliBinding {
  /** Command line after `svc`, e.g. `search <q>` or `repo add [path]`; a word in brackets is the input field of that name. */
  readonly command: string;
  readonly examples?: readonly string[];
}

/**
 * One thing that may be asked, written down once. The HTTP route, validation, OpenAPI entry, JSON-RPC method, typed
 * client method and CLI command are all read off this value.
 */
export interface Operation<Input extends TObject = TObject, Output extends TSchema = TSchema> {
  readonly summary: string;
  readonly http?: HttpBinding;
  readonly cli?: CliBinding;
  /** Path, query and body fields in one object. Fields of the path template come from the path; of the rest, GET and DELETE take the query, POST the body. */
  readonly input: Input;
  readonly output: Output;
  readonly faults: readonly FaultReason[];
  readonly effect: 'read' | 'write';
  readonly scope: OperationScope;
  /** The answer depends on the index alone, so it carries an ETag. */
  readonly cacheable?: true;
}

export type InputOf<O> = O extends Operation<infer Input, TSchema> ? Static<Input> : never;
export type OutputOf<O> = O extends Operation<TObject, infer Output> ? Static<Output> : never;

/** Keeps the literal types of a definition and checks its shape. */
export function operation<Input extends TObject, Output extends TSchema>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return definition;
}

/** The names of the fields that a path template takes, in order. */
export function pathFields(path: string): readonly string[] {
  return [...path.matchAll(/:([A-Za-z]+)\*?/g)].map(match => match[1]!);
}
