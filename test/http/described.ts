import SwaggerParser from '@apidevtools/swagger-parser';
import { Compile } from 'typebox/compile';

type Json = Readonly<Record<string, unknown>>;

/** A schema as a question: does a value fit it? */
export type Fits = (value: unknown) => boolean;

export interface DescribedField {
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  /** Where it takes one of some values: these. */
  readonly choices: readonly unknown[];
  readonly fits: Fits;
}

/** One method of one path, as a reader of the API's description understands it. */
export interface DescribedRoute {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly fields: readonly DescribedField[];
  /** Of one whose body is read by the operation itself: the field that it is. */
  readonly bodyField: string | undefined;
  /** By status: whether a JSON body fits; undefined for an answer that is no JSON. */
  readonly answers: ReadonlyMap<number, Fits | undefined>;
}

/** Validates a description as OpenAPI 3.0 and reads its routes off it, knowing nothing else of the service. */
export async function describedRoutes(text: string): Promise<readonly DescribedRoute[]> {
  await SwaggerParser.validate(JSON.parse(text) as string);
  const document = (await SwaggerParser.dereference(JSON.parse(text) as string)) as unknown as {
    readonly paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => routeOf(method.toUpperCase(), path, operation)),
  );
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { in: 'path' | 'query' | 'header'; name: string; required: boolean; schema: Json }[];
  readonly requestBody?: {
    readonly 'x-rpc-field'?: string;
    readonly content: Record<string, { readonly schema: Json }>;
  };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: Json }> }>;
}

function routeOf(method: string, path: string, operation: Operation): DescribedRoute {
  const parameters = (operation.parameters ?? []).map(({ schema, ...parameter }) => ({
    ...parameter,
    type: String(schema['type']),
    choices: choicesOf(schema),
    fits: fitting(schema),
  }));
  const body = operation.requestBody?.content['application/json']?.schema;
  const bodyField = operation.requestBody?.['x-rpc-field'];
  const answers = Object.entries(operation.responses).map(([status, { content }]) => {
    const schema = content?.['application/json']?.schema;
    return [Number(status), schema === undefined ? undefined : fitting(schema)] as const;
  });
  return {
    operationId: operation.operationId,
    method,
    path,
    fields: [...parameters, ...(bodyField === undefined ? bodyFields(body) : [])],
    bodyField,
    answers: new Map(answers),
  };
}

function bodyFields(schema: Json | undefined): readonly DescribedField[] {
  const required = (schema?.['required'] ?? []) as readonly string[];
  return Object.entries((schema?.['properties'] ?? {}) as Record<string, Json>).map(([name, field]) => ({
    in: 'body' as const,
    name,
    required: required.includes(name),
    type: String(field['type']),
    choices: choicesOf(field),
    fits: fitting(field),
  }));
}

function choicesOf(schema: Json): readonly unknown[] {
  return (schema['enum'] as readonly unknown[] | undefined) ?? [];
}

/** Compiled when it is first asked: most of what is described never comes. */
function fitting(schema: Json): Fits {
  let validator: { readonly Check: Fits } | undefined;
  return value => {
    validator ??= Compile(plain(schema) as Json);
    return validator.Check(value);
  };
}

/** `nullable`, which OpenAPI 3.0 has, in the words of JSON Schema. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, keyword === 'enum' ? value : plain(value)]),
  );
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest;
}
