import type { OpenApiSchema } from '../../../../model/openapi-schema.ts';
import type { ContractChange } from '../change.ts';
export function openApiChanges(
  _path: string,
  _before: OpenApiSchema | undefined,
  _after: OpenApiSchema | undefined,
): readonly ContractChange[] {
  return [];
}
