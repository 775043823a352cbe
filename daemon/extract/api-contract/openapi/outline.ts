import type { OpenApiOutline } from '../../../model/contract.ts';
import type { OpenApiSchema } from '../../../model/openapi-schema.ts';
import { marksOfOpenApi } from '../marks.ts';

/** What is told of an OpenAPI document without reading it again. */
export function outlineOfOpenApi(schema: OpenApiSchema): OpenApiOutline {
  const { version, title, apiVersion, basePaths, operations } = schema;
  return {
    type: 'openapi',
    version,
    title,
    apiVersion,
    basePaths,
    operations: operations.map(({ method, path, operationId, line }) => ({ method, path, operationId, line })),
    marks: marksOfOpenApi(schema),
  };
}
