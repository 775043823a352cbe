import type { TSchema } from 'typebox';

export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * A schema in the dialect that OpenAPI 3.0 and the serialiser share: `nullable` for a union with null, `enum` for
 * `const`, keyed records as `additionalProperties`, and none of our own keywords.
 */
export function portableSchema(schema: TSchema): JsonSchema {
  return portable(schema as JsonSchema);
}

function portable(schema: JsonSchema): JsonSchema {
  const { anyOf, const: literal, properties, items, patternProperties, additionalProperties, ...rest } = schema;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(rest)) {
    if (!keyword.startsWith('x-') && !keyword.startsWith('~')) result[keyword] = value;
  }
  if (literal !== undefined) result['enum'] = [literal];
  if (Array.isArray(result['enum']) && result['type'] === undefined) result['type'] = typeof result['enum'][0];
  if (properties !== undefined) result['properties'] = mapValues(properties as Record<string, JsonSchema>, portable);
  if (items !== undefined) result['items'] = portable(items as JsonSchema);
  if (additionalProperties !== undefined) result['additionalProperties'] = openness(additionalProperties);
  if (patternProperties !== undefined) {
    result['additionalProperties'] = portable(Object.values(patternProperties as Record<string, JsonSchema>)[0]!);
  }
  return anyOf === undefined ? result : { ...result, ...union(anyOf as readonly JsonSchema[]) };
}

function openness(additional: unknown): unknown {
  return typeof additional === 'boolean' ? additional : portable(additional as JsonSchema);
}

function union(members: readonly JsonSchema[]): JsonSchema {
  const present = members.filter(member => member['type'] !== 'null');
  const nullable = present.length < members.length ? { nullable: true } : {};
  if (present.length > 1) return { anyOf: present.map(portable), ...nullable };
  const only = portable(present[0]!);
  // Where values are listed, null must be one of them.
  const values = 'nullable' in nullable && Array.isArray(only['enum']) ? { enum: [...only['enum'], null] } : {};
  return { ...only, ...values, ...nullable };
}

function mapValues<From, To>(values: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
