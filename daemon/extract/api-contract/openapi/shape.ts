import {
  type ApiDiscriminator,
  type ApiProperty,
  type ApiShape,
  type ApiValue,
  anything,
} from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, isTrue, itemsOf, mapOf, textOf, textsOf } from '../document/nodes.ts';
import { jsonOf } from './json.ts';
import { keywordsOf } from './keywords.ts';
import { limitsOf } from './limits.ts';
import { pointedAt } from './references.ts';

/** The shapes of one document. */
export interface ShapesRead {
  readonly root: DocumentNode;
  readonly version: string;
  /** Of the same node the same shape: references and aliases lead to one often. */
  readonly known: Map<DocumentNode, ApiShape>;
  readonly digests: Map<DocumentNode, string>;
  /** Whether there is what a reference within the document names. */
  readonly isThere: Map<string, boolean>;
}

/** A schema of a document as what a value has to be; anything where there is none. */
export function shapeOf(node: DocumentNode | undefined, shapes: ShapesRead, around: number): ApiShape {
  if (node === undefined) return anything(around);
  const found = shapes.known.get(node) ?? madeOf(node, shapes);
  shapes.known.set(node, found);
  return found;
}

function madeOf(node: DocumentNode, shapes: ShapesRead): ApiShape {
  if (node.kind === 'scalar' && node.value === false) return { ...anything(node.line), values: [] };
  const reference = textOf(at(node, '$ref'));
  if (reference === undefined) return orNull(plainShape(node, shapes), node);
  const target: ApiShape = {
    ...anything(node.line),
    reference,
    ...(leadsNowhere(reference, shapes) ? { leadsNowhere: true } : {}),
  };
  // What stands beside a reference counts since 3.1.
  if (!isModern(shapes) || mapOf(node).entries.size === 1) return target;
  const beside = plainShape(node, shapes);
  return { ...anything(node.line), isDeprecated: beside.isDeprecated, use: beside.use, allOf: [target, beside] };
}

/** Since 3.1 a schema is one of JSON Schema. */
function isModern({ version }: ShapesRead): boolean {
  return /^3\.[^0]/.test(version);
}

/** Only of a pointer it can be told. */
function leadsNowhere(reference: string, { root, isThere }: ShapesRead): boolean {
  if (!reference.startsWith('#/')) return false;
  const known = isThere.get(reference) ?? pointedAt(root, reference) !== undefined;
  isThere.set(reference, known);
  return !known;
}

/** One alternative besides null is the same as that one where it may be null. */
function orNull(shape: ApiShape, node: DocumentNode): ApiShape {
  const [choice, further] = [shape.anyOf, shape.oneOf].filter(({ length }) => length > 0);
  if (choice?.length !== 2 || further !== undefined || !saysChoiceAlone(node)) return shape;
  const nodes = itemsOf(at(node, 'anyOf') ?? at(node, 'oneOf'));
  const [only, ...others] = choice.filter((_, index) => !isNull(nodes[index]));
  if (only === undefined || others.length > 0 || only.allOf.length + only.anyOf.length + only.oneOf.length > 0)
    return shape;
  const { line, isDeprecated, use } = shape;
  return {
    ...only,
    line,
    isNullable: true,
    isDeprecated: isDeprecated || only.isDeprecated,
    use: use === 'both' ? only.use : use,
    default: shape.default || only.default,
    ...(only.values === undefined ? {} : { values: [...only.values, { text: 'null', line }] }),
  };
}

/** What no value is held against. */
const annotations = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
]);

function saysChoiceAlone(node: DocumentNode): boolean {
  for (const key of mapOf(node).entries.keys())
    if (key !== 'anyOf' && key !== 'oneOf' && !annotations.has(key) && !key.startsWith('x-')) return false;
  return true;
}

/** Null is written without the quotes that YAML wants at times. */
function isNull(node: DocumentNode | undefined): boolean {
  const type = at(node, 'type');
  if (type !== undefined) return textOf(type) === 'null' || isNothing(type);
  const [only, ...others] = [at(node, 'const'), ...itemsOf(at(node, 'enum'))].filter(one => one !== undefined);
  return only !== undefined && isNothing(only) && others.length === 0;
}

function isNothing(node: DocumentNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

function plainShape(node: DocumentNode, shapes: ShapesRead): ApiShape {
  const inner = (key: string): readonly ApiShape[] =>
    itemsOf(at(node, key)).map(one => shapeOf(one, shapes, node.line));
  const given = at(node, 'type');
  const types =
    given?.kind === 'list'
      ? given.items.flatMap(one => (isNothing(one) ? 'null' : (textOf(one) ?? [])))
      : textsOf({ kind: 'list', line: 1, items: given ? [given] : [] });
  const items = at(node, 'items');
  const values = valuesOf(node);
  const discriminator = discriminatorOf(at(node, 'discriminator'));
  return {
    line: node.line,
    types: types.filter(type => type !== 'null').sort(),
    isNullable: types.includes('null') || (!isModern(shapes) && isMarkedNullable(node)),
    format: textOf(at(node, 'format')) ?? '',
    ...(values === undefined ? {} : { values }),
    required: textsOf(at(node, 'required')),
    properties: propertiesOf(at(node, 'properties'), shapes),
    additional: additionalOf(at(node, 'additionalProperties'), shapes),
    ...(items === undefined ? {} : { items: shapeOf(items, shapes, node.line) }),
    isUnique: isTrue(at(node, 'uniqueItems')),
    ...(discriminator === undefined ? {} : { discriminator }),
    allOf: inner('allOf'),
    oneOf: inner('oneOf'),
    anyOf: inner('anyOf'),
    limits: limitsOf(node),
    keywords: keywordsOf(node, shapes.digests),
    pattern: textOf(at(node, 'pattern')) ?? '',
    default: at(node, 'default') === undefined ? '' : jsonOf(at(node, 'default')!),
    isDeprecated: isTrue(at(node, 'deprecated')),
    use: isTrue(at(node, 'readOnly')) ? 'read' : isTrue(at(node, 'writeOnly')) ? 'write' : 'both',
  };
}

function isMarkedNullable(node: DocumentNode): boolean {
  return isTrue(at(node, 'nullable')) || isTrue(at(node, 'x-nullable'));
}

function propertiesOf(node: DocumentNode | undefined, shapes: ShapesRead): ReadonlyMap<string, ApiProperty> {
  const properties = new Map<string, ApiProperty>();
  for (const [name, { line, value }] of mapOf(node).entries)
    properties.set(name, { line, shape: shapeOf(value, shapes, line) });
  return properties;
}

function additionalOf(node: DocumentNode | undefined, shapes: ShapesRead): ApiShape['additional'] {
  if (node === undefined) return 'any';
  if (node.kind === 'scalar') return node.value === false ? 'none' : 'any';
  return mapOf(node).entries.size === 0 ? 'any' : shapeOf(node, shapes, node.line);
}

/** Of version 2 the property alone. */
function discriminatorOf(node: DocumentNode | undefined): ApiDiscriminator | undefined {
  const property = textOf(node) ?? textOf(at(node, 'propertyName'));
  if (node === undefined || property === undefined) return undefined;
  const mapping = new Map<string, string>();
  for (const [value, { value: target }] of mapOf(at(node, 'mapping')).entries) {
    const reference = textOf(target);
    if (reference !== undefined) mapping.set(value, reference);
  }
  return { property, mapping, line: node.line };
}

function valuesOf(node: DocumentNode): readonly ApiValue[] | undefined {
  const only = at(node, 'const');
  if (only !== undefined) return [{ text: jsonOf(only), line: only.line }];
  const list = at(node, 'enum');
  return list?.kind === 'list' ? list.items.map(item => ({ text: jsonOf(item), line: item.line })) : undefined;
}
