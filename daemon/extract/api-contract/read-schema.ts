import type { OpenApiSchema } from '../../model/openapi-schema.ts';
import type { ProtoSchema } from '../../model/proto-schema.ts';
import type { DocumentProblem, ReadDocument } from './document/nodes.ts';
import { readJson } from './document/read-json.ts';
import { readYaml } from './document/read-yaml.ts';
import { formatOfOpenApi } from './openapi/format-of.ts';
import { readOpenApi, versionOf } from './openapi/read-openapi.ts';
import { parseProto } from './proto/parse-proto.ts';

export interface ReadSchema {
  readonly proto?: ProtoSchema;
  readonly openapi?: OpenApiSchema;
  readonly problem?: DocumentProblem;
}

/** Larger ones are told as such: the largest that are known have 12 MiB as JSON. */
const mostBytes = { proto: 8 * 1024 * 1024, json: 32 * 1024 * 1024, yaml: 8 * 1024 * 1024 } as const;

/** A file as the contract that it is, by name or by content; undefined where it is none. */
export function readSchema(path: string, bytes: Uint8Array): ReadSchema | undefined {
  const format = path.endsWith('.proto') ? 'proto' : formatOfOpenApi(path, bytes);
  if (format === undefined) return undefined;
  const most = mostBytes[format];
  if (bytes.length > most)
    return { problem: { line: 1, message: `the file is larger than ${most / 1024 / 1024} MiB, and is not read` } };
  const source = new TextDecoder().decode(bytes);
  if (format !== 'proto') return readOpenApiText(source, format);
  const { schema, problem } = parseProto(source);
  return problem === undefined ? { proto: schema } : { proto: schema, problem };
}

function readOpenApiText(source: string, format: 'json' | 'yaml'): ReadSchema | undefined {
  const lines = source.split(/\r?\n/);
  let first: DocumentProblem | undefined;
  for (const { root, problem: found } of documentsIn(source, format)) {
    const problem = found === undefined ? undefined : withRemedy(found, lines);
    first ??= problem;
    const version = versionOf(root);
    if (root === undefined || version === undefined) continue;
    const openapi = readOpenApi(root, version, lines);
    return problem === undefined ? { openapi } : { openapi, problem };
  }
  // Its key was seen: one that can't be read far enough is a contract all the same.
  return first === undefined ? undefined : { problem: first };
}

function documentsIn(source: string, format: 'json' | 'yaml'): Iterable<ReadDocument> {
  return format === 'yaml' ? readYaml(source) : [readJson(source)];
}

/** Templates look like YAML, and are none before they are filled in. */
function withRemedy(problem: DocumentProblem, lines: readonly string[]): DocumentProblem {
  const line = lines[problem.line - 1] ?? '';
  if (!line.includes('{{') && !line.includes('{%')) return problem;
  return { ...problem, message: 'a template stands here: a contract can be read off what it makes alone' };
}
