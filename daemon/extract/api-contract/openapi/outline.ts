import type { OpenApiOutline } from '../../../model/contract.ts';
import type { OpenApiSchema } from '../../../model/openapi-schema.ts';
import { marksOfOpenApi } from '../marks.ts';

/** What is told of an OpenAPI document without reading it again. */
export function outlineOfOpenApi(schema: OpenApiSchema): OpenApiOutline {
  const { version, title, apiVersion, basePaths, operations, pathsElsewhere, servers } = schema;
  return {
    type: 'openapi',
    version,
    title,
    apiVersion,
    basePaths,
    hosts: [...new Set(servers.flatMap(({ url }) => hostOf(url)))],
    operations: [
      ...operations.map(({ method, path, operationId, line }) => ({ method, path, operationId, line })),
      ...pathsElsewhere.map(({ path, line }) => ({ method: '', path, operationId: '', line })),
    ],
    marks: marksOfOpenApi(schema),
  };
}

/** None where the address has none, or names this machine, which is everybody's. */
function hostOf(url: string): readonly string[] {
  const host = /^(?:[a-zA-Z][\w+.-]{0,20}:)?\/\/([^/?#\s{}@]{1,255})/.exec(url)?.[1]?.toLowerCase();
  return host === undefined || /^(?:localhost|127\.|0\.0\.0\.0|\[::1\])/.test(host) ? [] : [host];
}
