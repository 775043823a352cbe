import {
  Attribute,
  AttributeList,
  type Attributes,
  type AttributeValue,
  noAttributes,
  type ReadAttribute,
  tooDeepAttributes,
  tooManyAttributes,
  tooManyBytes,
} from './attributes.ts';
import { Interned } from './interned.ts';
import { enumOf, type Json, listOf, numberOf, objectOf, switchOf, textOf, unsignedOf, wholeOf } from './json-values.ts';
import { otlpLimits } from './limits.ts';
import type { MetricKind } from './metric.ts';
import { type LongLists, parseJson } from './parse-json.ts';
import { mostRemembered, type PointSet, type PointTaker, type Resource, resourceOf } from './take-points.ts';

const kinds: readonly (readonly [field: string, kind: MetricKind])[] = [
  ['gauge', 'gauge'],
  ['sum', 'sum'],
  ['histogram', 'histogram'],
  ['exponentialHistogram', 'exponential histogram'],
  ['summary', 'summary'],
];
const temporalities = {
  AGGREGATION_TEMPORALITY_UNSPECIFIED: 0,
  AGGREGATION_TEMPORALITY_DELTA: 1,
  AGGREGATION_TEMPORALITY_CUMULATIVE: 2,
};

/** An ExportMetricsServiceRequest as JSON: hands over what it says of points. Throws OtlpProblem. */
export function readJson(bytes: Uint8Array, taker: PointTaker): void {
  const { value, lists } = parseJson(bytes, pointsField);
  new RequestReading(taker, lists).request(objectOf(value, 'the body'));
  lists.end();
}

const pointsField = 'dataPoints';

class RequestReading {
  readonly #taker: PointTaker;
  readonly #lists: LongLists;
  readonly #attributes = new Interned<ReadAttribute>(mostRemembered);
  readonly #resources = new Interned<Resource>(mostRemembered);
  readonly #sets = {
    delta: new Interned<PointSet>(mostRemembered),
    cumulative: new Interned<PointSet>(mostRemembered),
  };

  constructor(taker: PointTaker, lists: LongLists) {
    this.#taker = taker;
    this.#lists = lists;
  }

  request(request: Json): void {
    for (const one of listOf(request, 'resourceMetrics')) {
      const resourceMetrics = objectOf(one, 'resourceMetrics[]');
      const attributes = listOf(objectOf(resourceMetrics['resource'] ?? {}, 'resource'), 'attributes');
      const key = keyOf(attributes);
      const known = this.#resources.get(key) ?? this.#resources.put(key, resourceOf(this.#attributesIn(attributes)));
      this.#taker.resource(known);
      for (const scoped of listOf(resourceMetrics, 'scopeMetrics')) this.#scope(objectOf(scoped, 'scopeMetrics[]'));
    }
  }

  #scope(scopeMetrics: Json): void {
    const scope = objectOf(scopeMetrics['scope'] ?? {}, 'scope');
    const attributes = this.#attributesIn(listOf(scope, 'attributes'));
    if (this.#taker.scope(textOf(scope, 'name'), textOf(scope, 'version'), attributes)) {
      this.#sets.delta.clear();
      this.#sets.cumulative.clear();
    }
    for (const metric of listOf(scopeMetrics, 'metrics')) this.#metric(objectOf(metric, 'metrics[]'));
  }

  #metric(metric: Json): void {
    const [field, kind] = kinds.find(([name]) => metric[name] !== undefined && metric[name] !== null) ?? [];
    if (field === undefined || kind === undefined) return;
    const data = objectOf(metric[field], field);
    const isToBeRead = this.#taker.metric({
      name: textOf(metric, 'name'),
      unit: textOf(metric, 'unit'),
      kind,
      temporality: enumOf(data, 'aggregationTemporality', temporalities),
      isMonotonic: switchOf(data, 'isMonotonic'),
    });
    for (const { value } of this.#lists.elementsOf(data, pointsField)) {
      if (isToBeRead) this.#point(objectOf(value, `${pointsField}[]`), kind);
    }
  }

  #point(point: Json, kind: MetricKind): void {
    const attributes = listOf(point, 'attributes');
    const key = keyOf(attributes);
    const sets = this.#sets[this.#taker.temporality];
    const set = sets.get(key) ?? sets.put(key, this.#taker.set(this.#attributesIn(attributes)));
    const value = kind === 'sum' ? countIn(point) : Number(unsignedOf(point, 'count'));
    const flags = numberOf(point, 'flags') ?? 0;
    this.#taker.point(set, flags, microseconds(point, 'startTimeUnixNano'), microseconds(point, 'timeUnixNano'), value);
  }

  #attributesIn(attributes: readonly unknown[]): Attributes {
    if (attributes.length === 0) return noAttributes;
    if (attributes.length > otlpLimits.attributes) return { list: [], problem: tooManyAttributes };
    if (keyOf(attributes) === tooMany) return tooManyBytes;
    const list = new AttributeList(otlpLimits.attributes);
    for (const one of attributes) {
      const key = keyOfOne(one);
      list.add(this.#attributes.get(key) ?? this.#attributes.put(key, new AttributeReading().read(one)));
      if (!list.hasRoom) break;
    }
    return list.end();
  }
}

function microseconds(point: Json, field: string): number {
  return Math.floor(Number(unsignedOf(point, field)) / 1000);
}

function countIn(point: Json): number | undefined {
  const whole = wholeOf(point, 'asInt');
  return whole === undefined ? numberOf(point, 'asDouble') : Number(whole);
}

/** Different for different attributes, but for those of which there are too many to be read. */
function keyOf(attributes: readonly unknown[]): string {
  if (attributes.length > otlpLimits.attributes) return tooMany;
  let key = '';
  for (const one of attributes) key += keyOfOne(one);
  return key.length > otlpLimits.attributeBytes ? tooMany : key;
}

/** Most are texts; their lengths before them tell where each ends. */
function keyOfOne(one: unknown): string {
  const { key, value } = (one ?? {}) as Partial<Readonly<Record<'key' | 'value', unknown>>>;
  const text = (value as { readonly stringValue?: unknown } | null | undefined)?.stringValue;
  if (typeof key !== 'string' || typeof text !== 'string') return JSON.stringify(one);
  return `${key.length}:${text.length}:${key}${text}`;
}

const tooMany = 'too many';

/** Reads objects KeyValue and AnyValue, until there are too many of them or they lie too deep. */
class AttributeReading {
  #problem: string | undefined;
  #count = 0;

  read(one: unknown): ReadAttribute {
    const attribute = this.#attribute(one, 0);
    return { attribute, size: this.#count, problem: this.#problem };
  }

  #attribute(one: unknown, depth: number): Attribute {
    const attribute = objectOf(one, 'attributes[]');
    return new Attribute(textOf(attribute, 'key'), this.#value(attribute['value'], depth));
  }

  #value(told: unknown, depth: number): AttributeValue {
    if (++this.#count > otlpLimits.attributes) this.#problem ??= tooManyAttributes;
    if (depth > otlpLimits.attributeDepth) this.#problem ??= tooDeepAttributes;
    if (told === undefined || told === null || this.#problem !== undefined) return undefined;
    const value = objectOf(told, 'value');
    const has = (field: string): boolean => value[field] !== undefined && value[field] !== null;
    if (has('stringValue')) return textOf(value, 'stringValue');
    if (has('boolValue')) return value['boolValue'] === true;
    if (has('intValue')) return wholeOf(value, 'intValue');
    if (has('doubleValue')) return numberOf(value, 'doubleValue');
    if (has('bytesValue')) return Buffer.from(textOf(value, 'bytesValue'), 'base64');
    if (has('arrayValue')) return this.#values(objectOf(value['arrayValue'], 'arrayValue'), depth + 1);
    if (!has('kvlistValue')) return undefined;
    const entries = listOf(objectOf(value['kvlistValue'], 'kvlistValue'), 'values');
    return { entries: entries.map(one => this.#attribute(one, depth + 1)) };
  }

  #values(list: Json, depth: number): readonly AttributeValue[] {
    return listOf(list, 'values').map(one => this.#value(one, depth));
  }
}
