import type { OpenApiOutline } from '../../../model/contract.ts';
import { hostsOf, type OpenApiSchema } from '../../../model/openapi-schema.ts';
import { marksOfOpenApi } from '../marks.ts';

/** What is told of an OpenAPI document without reading it again. */
export function outlineOfOpenApi(schema: OpenApiSchema): OpenApiOutline {
  const { version, title, apiVersion, basePaths, operations, pathsElsewhere } = schema;
  return {
    type: 'openapi',
    version,
    title,
    apiVersion,
    basePaths,
    hosts: hostsOf(schema),
    operations: [
      ...operations.map(({ method, path, operationId, line }) => ({ method, path, operationId, line })),
      ...pathsElsewhere.map(({ path, line }) => ({ method: '', path, operationId: '', line })),
    ],
    marks: marksOfOpenApi(schema),
  };
}
