import {
  type ApiDiscriminator,
  type ApiKeyword,
  type ApiLimit,
  type ApiLimitKind,
  type ApiProperty,
  type ApiShape,
  type ApiValue,
  anything,
  type OpenApiSchema,
} from '../../../../model/openapi-schema.ts';
import { pointedAt } from './pointed-at.ts';

/** A shape with all that it is said to be at once put together: what references name, and each part of `allOf`. */
export interface FlatShape {
  readonly line: number;
  /** none: any. */
  readonly types: readonly string[];
  readonly isNullable: boolean;
  readonly format: string;
  readonly values: readonly ApiValue[] | undefined;
  readonly required: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, ApiProperty>;
  readonly additional: ApiShape['additional'];
  readonly items: ApiShape | undefined;
  readonly isUnique: boolean;
  readonly discriminator: ApiDiscriminator | undefined;
  /** Each list holds the alternatives of one `oneOf` or `anyOf`. */
  readonly choices: readonly (readonly ApiShape[])[];
  readonly limits: ReadonlyMap<ApiLimitKind, ApiLimit>;
  readonly pattern: string;
  readonly default: string;
  readonly isDeprecated: boolean;
  readonly use: ApiShape['use'];
  readonly keywords: readonly ApiKeyword[];
  /** References that lead out of the document. */
  readonly unknown: readonly string[];
  /** Those that lead nowhere in it. */
  readonly nowhere: readonly string[];
}

/** The shapes of one revision, each put together once. */
export interface FlatShapes {
  readonly schema: OpenApiSchema;
  readonly known: Map<ApiShape, FlatShape>;
  /** Parts that may still be put together, over all of them. */
  left: number;
}

const mostParts = 2_000_000;

export function flatShapes(schema: OpenApiSchema): FlatShapes {
  return { schema, known: new Map(), left: mostParts };
}

export function flat(shapes: FlatShapes, shape: ApiShape): FlatShape {
  const known = shapes.known.get(shape);
  if (known !== undefined) return known;
  const parts: ApiShape[] = [];
  const [unknown, nowhere]: [string[], string[]] = [[], []];
  collect(shapes, shape, { parts, unknown, nowhere, seen: new Set() });
  const told = joined(shapes, shape.line, parts);
  const made = { ...told, isNullable: told.isNullable || isOrNull(shape), unknown, nowhere };
  shapes.known.set(shape, made);
  return made;
}

interface Collected {
  readonly parts: ApiShape[];
  readonly unknown: string[];
  readonly nowhere: string[];
  readonly seen: Set<ApiShape>;
}

/** The shape, what its reference names, and the parts of its `allOf`, each once: they may hold each other. */
function collect(shapes: FlatShapes, shape: ApiShape, into: Collected): void {
  const open = [shape];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (into.seen.has(next)) continue;
    into.seen.add(next);
    shapes.left--;
    into.parts.push(next);
    if (shapes.left < 0) return;
    const { reference } = next;
    const target = reference === undefined ? undefined : pointedAt(shapes.schema, reference);
    if (target !== undefined) open.push(target);
    else if (reference !== undefined) (next.leadsNowhere ? into.nowhere : into.unknown).push(reference);
    open.push(...next.allOf);
  }
}

/** What its reference names, or null. */
export function isOrNull({ reference, isNullable }: ApiShape): boolean {
  return reference !== undefined && isNullable;
}

function joined(shapes: FlatShapes, line: number, parts: readonly ApiShape[]): Omit<FlatShape, 'unknown' | 'nowhere'> {
  const typed = parts.filter(({ types }) => types.length > 0);
  return {
    line,
    types: typesOf(typed),
    isNullable: typed.length > 0 ? typed.every(part => part.isNullable) : parts.some(part => part.isNullable),
    format: firstSaid(parts, 'format', ''),
    values: valuesOf(parts),
    required: new Set(parts.flatMap(({ required }) => required)),
    properties: propertiesOf(shapes, parts),
    additional: firstSaid(parts, 'additional', 'any'),
    items: parts.find(({ items }) => items !== undefined)?.items,
    isUnique: parts.some(part => part.isUnique),
    discriminator: parts.find(({ discriminator }) => discriminator !== undefined)?.discriminator,
    choices: parts.flatMap(({ oneOf, anyOf }) => [oneOf, anyOf].filter(choice => choice.length > 0)),
    limits: limitsOf(parts),
    pattern: firstSaid(parts, 'pattern', ''),
    default: firstSaid(parts, 'default', ''),
    isDeprecated: parts.some(part => part.isDeprecated),
    use: firstSaid(parts, 'use', 'both'),
    keywords: parts.flatMap(({ keywords }) => keywords),
  };
}

/** What the first part says that says anything else than nothing. */
function firstSaid<Key extends 'format' | 'additional' | 'pattern' | 'default' | 'use'>(
  parts: readonly ApiShape[],
  key: Key,
  nothing: ApiShape[Key],
): ApiShape[Key] {
  return parts.find(part => part[key] !== nothing)?.[key] ?? nothing;
}

function typesOf(typed: readonly ApiShape[]): readonly string[] {
  const [first, ...others] = typed;
  if (first === undefined) return [];
  return first.types.filter(type =>
    others.every(({ types }) => types.includes(type) || types.includes(widerType(type))),
  );
}

function widerType(type: string): string {
  return type === 'integer' ? 'number' : type;
}

function valuesOf(parts: readonly ApiShape[]): readonly ApiValue[] | undefined {
  const [first, ...others] = parts.flatMap(({ values }) => (values === undefined ? [] : [values]));
  if (first === undefined || others.length === 0) return first;
  const kept = others.map(values => new Set(values.map(({ text }) => text)));
  return first.filter(({ text }) => kept.every(set => set.has(text)));
}

/** A property that several parts have is all that they say of it. */
function propertiesOf(shapes: FlatShapes, parts: readonly ApiShape[]): ReadonlyMap<string, ApiProperty> {
  const [only, ...others] = parts.filter(({ properties }) => properties.size > 0);
  if (only === undefined || others.length === 0) return only?.properties ?? new Map();
  const joinedProperties = new Map<string, ApiProperty>();
  for (const { properties } of [only, ...others]) {
    for (const [name, property] of properties) {
      if (--shapes.left < 0) return joinedProperties;
      const before = joinedProperties.get(name);
      joinedProperties.set(name, before === undefined ? property : both(before, property));
    }
  }
  return joinedProperties;
}

function both(one: ApiProperty, other: ApiProperty): ApiProperty {
  return { line: other.line, shape: { ...anything(one.shape.line), allOf: [one.shape, other.shape] } };
}

/** Of several the narrowest. */
function limitsOf(parts: readonly ApiShape[]): ReadonlyMap<ApiLimitKind, ApiLimit> {
  const limits = new Map<ApiLimitKind, ApiLimit>();
  for (const limit of parts.flatMap(part => part.limits)) {
    const known = limits.get(limit.kind);
    const isNarrower =
      known === undefined || (isLower(limit.kind) ? limit.value > known.value : limit.value < known.value);
    if (isNarrower) limits.set(limit.kind, limit);
  }
  return limits;
}

/** Whether a limit is one from below. */
export function isLower(kind: ApiLimitKind): boolean {
  return kind === 'minimum' || kind === 'exclusiveMinimum' || kind.startsWith('min');
}
