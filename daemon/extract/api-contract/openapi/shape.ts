import {
  type ApiDiscriminator,
  type ApiLimit,
  type ApiLimitKind,
  type ApiProperty,
  type ApiShape,
  type ApiValue,
  limitKinds,
} from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, isTrue, itemsOf, mapOf, textOf, textsOf } from '../document/nodes.ts';

/** The shapes of one document. */
export interface ShapesRead {
  readonly version: string;
  /** Of the same node the same shape: references and aliases lead to one often. */
  readonly known: Map<DocumentNode, ApiShape>;
}

/** A schema of a document as what a value has to be; anything where there is none. */
export function shapeOf(node: DocumentNode | undefined, shapes: ShapesRead, around: number): ApiShape {
  if (node === undefined) return anything(around);
  const found = shapes.known.get(node) ?? madeOf(node, shapes);
  shapes.known.set(node, found);
  return found;
}

/** What takes any value. */
export function anything(line: number): ApiShape {
  return {
    line,
    types: [],
    isNullable: false,
    format: '',
    required: [],
    properties: new Map(),
    additional: 'any',
    isUnique: false,
    allOf: [],
    oneOf: [],
    anyOf: [],
    limits: [],
    pattern: '',
    default: '',
    isDeprecated: false,
    use: 'both',
  };
}

function madeOf(node: DocumentNode, shapes: ShapesRead): ApiShape {
  if (node.kind === 'scalar' && node.value === false) return { ...anything(node.line), values: [] };
  const reference = textOf(at(node, '$ref'));
  if (reference === undefined) return plainShape(node, shapes);
  const target: ApiShape = { ...anything(node.line), reference };
  // What stands beside a reference counts since 3.1.
  if (!/^3\.[^0]/.test(shapes.version) || mapOf(node).entries.size === 1) return target;
  const beside = plainShape(node, shapes);
  return { ...anything(node.line), isDeprecated: beside.isDeprecated, use: beside.use, allOf: [target, beside] };
}

function plainShape(node: DocumentNode, shapes: ShapesRead): ApiShape {
  const inner = (key: string): readonly ApiShape[] =>
    itemsOf(at(node, key)).map(one => shapeOf(one, shapes, node.line));
  const given = at(node, 'type');
  const types =
    given?.kind === 'list' ? textsOf(given) : textsOf({ kind: 'list', line: 1, items: given ? [given] : [] });
  const items = at(node, 'items');
  const values = valuesOf(node);
  const discriminator = discriminatorOf(at(node, 'discriminator'));
  return {
    line: node.line,
    types: types.filter(type => type !== 'null').sort(),
    isNullable: isTrue(at(node, 'nullable')) || isTrue(at(node, 'x-nullable')) || types.includes('null'),
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
    pattern: textOf(at(node, 'pattern')) ?? '',
    default: at(node, 'default') === undefined ? '' : jsonOf(at(node, 'default')!),
    isDeprecated: isTrue(at(node, 'deprecated')),
    use: isTrue(at(node, 'readOnly')) ? 'read' : isTrue(at(node, 'writeOnly')) ? 'write' : 'both',
  };
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

/** Until 3.0 `exclusiveMinimum` is a mark on `minimum`; it is told as the limit that it is since. */
function limitsOf(node: DocumentNode): readonly ApiLimit[] {
  return limitKinds.flatMap(kind => {
    const limit = at(node, kind);
    if (limit?.kind !== 'scalar') return [];
    const { line, value } = limit;
    if (typeof value === 'number' && Number.isFinite(value)) {
      const isMarked = isTrue(at(node, exclusiveOf(kind)));
      return isMarked ? [] : [{ kind, value, line }];
    }
    const bound = value === true ? at(node, boundOf(kind)) : undefined;
    return bound?.kind === 'scalar' && typeof bound.value === 'number' ? [{ kind, value: bound.value, line }] : [];
  });
}

function exclusiveOf(kind: ApiLimitKind): string {
  return kind === 'minimum' ? 'exclusiveMinimum' : kind === 'maximum' ? 'exclusiveMaximum' : '';
}

function boundOf(kind: ApiLimitKind): string {
  return kind === 'exclusiveMinimum' ? 'minimum' : kind === 'exclusiveMaximum' ? 'maximum' : '';
}

/** Values of contracts are short; what is longer is cut, so that aliases can't make much of little. */
const longestValue = 500;

/** As JSON, keys in their order. */
function jsonOf(node: DocumentNode): string {
  let text = '';
  for (const part of jsonParts(node)) {
    text += part;
    if (text.length > longestValue) return `${text.slice(0, longestValue)}…`;
  }
  return text;
}

function* jsonParts(node: DocumentNode): Iterable<string> {
  if (node.kind === 'scalar') return yield JSON.stringify(node.value);
  if (node.kind === 'list') {
    yield '[';
    for (const [index, item] of node.items.entries()) {
      if (index > 0) yield ',';
      yield* jsonParts(item);
    }
    return yield ']';
  }
  yield '{';
  let mark = '';
  for (const [name, { value }] of node.entries) {
    yield `${mark}${JSON.stringify(name)}:`;
    yield* jsonParts(value);
    mark = ',';
  }
  yield '}';
}
