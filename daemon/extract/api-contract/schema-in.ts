import type { OpenApiSchema } from '../../model/openapi-schema.ts';
import type { ProtoSchema } from '../../model/proto-schema.ts';
import type { DocumentProblem } from './document/nodes.ts';
import { type FilesByPath, readSchema } from './read-schema.ts';

export type SchemaIn =
  | { readonly type: 'proto'; readonly schema: ProtoSchema }
  | { readonly type: 'openapi'; readonly schema: OpenApiSchema }
  | { readonly problem: DocumentProblem };

/** All that a contract declares, for a comparison: a file with a mistake in it has none. What an OpenAPI document refers to in `others` is in it. undefined for what is no contract. */
export function schemaIn(path: string, bytes: Uint8Array, others?: FilesByPath): SchemaIn | undefined {
  const read = readSchema(path, bytes, others);
  if (read?.problem !== undefined) return { problem: read.problem };
  if (read?.proto !== undefined) return { type: 'proto', schema: read.proto };
  return read?.openapi === undefined ? undefined : { type: 'openapi', schema: read.openapi };
}
