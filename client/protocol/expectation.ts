import { nearest } from './nearest.ts';
import { expects } from './shapes.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What a value must be, in words: names the allowed values or the range, and the nearest where one was misspelt.
 * Undefined stands for a place with no schema.
 */
export function expectation(schema: JsonSchema | undefined, value?: unknown): string {
  if (schema === undefined) return 'is not a known field';
  if (typeof schema[expects] === 'string') {
    const isOther = schema['type'] === 'string' && value !== undefined && typeof value !== 'string';
    return isOther ? `must be text; it ${schema[expects]}` : schema[expects];
  }
  if (Array.isArray(schema['enum'])) return oneOf(schema['enum'], value);
  switch (schema['type']) {
    case 'boolean':
      return 'must be true or false';
    case 'integer':
      return `must be an integer${range(schema)}, in plain digits`;
    case 'number':
      return `must be a number${range(schema)}`;
    case 'string':
      return `must be text${length(schema)}`;
    case 'array':
      return `must be a list${items(schema)}`;
    case 'object':
      return 'must be an object';
    default:
      return 'is not valid';
  }
}

function oneOf(values: readonly string[], value: unknown): string {
  const meant = typeof value === 'string' ? nearest(value, values) : undefined;
  return `must be one of ${values.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function range({ minimum, maximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

function length({ minLength, maxLength, pattern }: JsonSchema): string {
  const count = counted(minLength, maxLength, 'characters');
  return pattern === undefined ? count : `${count} that matches ${pattern}`;
}

function items({ minItems, maxItems }: JsonSchema): string {
  return counted(minItems, maxItems, 'items');
}

function counted(least: unknown, most: unknown, unit: string): string {
  if (least !== undefined && most !== undefined) return ` of ${least} to ${most} ${unit}`;
  if (least !== undefined) return ` of at least ${least} ${unit}`;
  return most === undefined ? '' : ` of at most ${most} ${unit}`;
}
