import type { OpenApiSchema } from '../../model/openapi-schema.ts';
import { baseName } from '../../model/paths.ts';
import type { ProtoSchema } from '../../model/proto-schema.ts';
import type { DocumentNode, DocumentProblem, ReadDocument } from './document/nodes.ts';
import { readJson } from './document/read-json.ts';
import { readYaml } from './document/read-yaml.ts';
import { formatOfOpenApi } from './openapi/format-of.ts';
import { withOtherFiles } from './openapi/other-files.ts';
import { readOpenApi, versionOf } from './openapi/read-openapi.ts';
import { parseProto } from './proto/parse-proto.ts';

export interface ReadSchema {
  readonly proto?: ProtoSchema;
  readonly openapi?: OpenApiSchema;
  readonly problem?: DocumentProblem;
}

/** Larger ones are told as such: the largest that are known have 12 MiB as JSON. */
const mostBytes = { proto: 8 * 1024 * 1024, json: 32 * 1024 * 1024, yaml: 8 * 1024 * 1024 } as const;

export type FilesByPath = ReadonlyMap<string, Uint8Array>;

/**
 * A file as the contract that it is, by name or by content; undefined where it is none. An OpenAPI document has what it
 * refers to in the other files that are given.
 */
export function readSchema(path: string, bytes: Uint8Array, others: FilesByPath = new Map()): ReadSchema | undefined {
  const format = path.endsWith('.proto') ? 'proto' : formatOfOpenApi(path, bytes);
  if (format === undefined) return undefined;
  const most = mostBytes[format];
  if (bytes.length > most)
    return { problem: { line: 1, message: `the file is larger than ${most / 1024 / 1024} MiB, and is not read` } };
  const source = new TextDecoder().decode(bytes);
  if (format !== 'proto') return readOpenApiText(source, format, { path, others });
  const { schema, problem } = parseProto(source);
  return problem === undefined ? { proto: schema } : { proto: schema, problem };
}

interface Around {
  readonly path: string;
  readonly others: FilesByPath;
}

function readOpenApiText(source: string, format: 'json' | 'yaml', { path, others }: Around): ReadSchema | undefined {
  const lines = source.split(/\r?\n/);
  let first: DocumentProblem | undefined;
  // References may name the file that they are in.
  const isAlone = [...others.keys()].every(one => one === path && !source.includes(baseName(path)));
  for (const { root, problem: found } of documentsIn(source, format)) {
    const problem = found === undefined ? undefined : withRemedy(found, lines);
    first ??= problem;
    const version = versionOf(root);
    if (root === undefined || version === undefined) continue;
    const rootOf = (other: string): DocumentNode | undefined => rootIn(other, others.get(other));
    const whole = isAlone ? root : withOtherFiles(root, version, { path, rootOf });
    const openapi = readOpenApi(whole, version, lines);
    return problem === undefined ? { openapi } : { openapi, problem };
  }
  // Its key was seen: one that can't be read far enough is a contract all the same.
  return first === undefined ? undefined : { problem: first };
}

/** Of a file with a mistake in it nothing: what stands before it would look like all that there is. */
function rootIn(path: string, bytes: Uint8Array | undefined): DocumentNode | undefined {
  const format = path.toLowerCase().endsWith('.json') ? 'json' : 'yaml';
  if (bytes === undefined || bytes.length > mostBytes[format]) return undefined;
  const [first] = documentsIn(new TextDecoder().decode(bytes), format);
  return first?.problem === undefined ? first?.root : undefined;
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
