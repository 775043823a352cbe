import { WireReader } from '../wire.ts';
import type { ReadAttribute } from './attributes.ts';
import { otlpLimits } from './limits.ts';
import type { MetricHead, MetricKind } from './metric.ts';
import { OtlpProblem, undecodable } from './problem.ts';
import { AttributeSpans } from './protobuf-attributes.ts';
import { SeenBytes } from './seen-bytes.ts';
import { mostRemembered, type PointSet, type PointTaker, type Resource, resourceOf } from './take-points.ts';

/** An ExportMetricsServiceRequest in protocol buffers: hands over what it says of points. Throws OtlpProblem. */
export function readProtobuf(bytes: Uint8Array, taker: PointTaker): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  new RequestReading(buffer, taker).request();
}

/** The numbers that the fields of a kind's points have; that of `count` is 0 where a number is told. */
interface PointFields {
  readonly kind: MetricKind;
  readonly attributes: number;
  readonly flags: number;
  readonly count: number;
}

/** By the number of the metric's field. */
const kinds: Readonly<Record<number, PointFields>> = {
  5: { kind: 'gauge', attributes: 7, flags: 8, count: 0 },
  7: { kind: 'sum', attributes: 7, flags: 8, count: 0 },
  9: { kind: 'histogram', attributes: 9, flags: 10, count: 4 },
  10: { kind: 'exponential histogram', attributes: 1, flags: 10, count: 4 },
  11: { kind: 'summary', attributes: 7, flags: 8, count: 4 },
};

/**
 * Most messages are gone over twice, for what their lists mean may stand behind these: first for what is said once, and only
 * then for the lists. What is gone over costs its head, however long it is, and makes nothing.
 */
class RequestReading {
  readonly #reader: WireReader;
  readonly #taker: PointTaker;
  readonly #spans = new AttributeSpans();
  readonly #attributes: SeenBytes<ReadAttribute>;
  readonly #resources: SeenBytes<Resource>;
  readonly #sets: Readonly<Record<'delta' | 'cumulative', SeenBytes<PointSet>>>;
  readonly #makeSet = (): PointSet => this.#taker.set(this.#spans.read(this.#reader, this.#attributes));

  constructor(bytes: Buffer, taker: PointTaker) {
    this.#reader = new WireReader(bytes, 0, bytes.length, 0, otlpLimits.nesting, {
      broken: (what, offset) => undecodable(`${what} (at byte ${offset})`),
      tooDeep: (what, offset) => new OtlpProblem('too large', `${what} (at byte ${offset})`),
      otherType: 'A field that is not written as OTLP says',
    });
    this.#taker = taker;
    this.#attributes = new SeenBytes(this.#reader.view, mostRemembered);
    this.#resources = new SeenBytes(this.#reader.view, mostRemembered);
    const sets = (): SeenBytes<PointSet> => new SeenBytes(this.#reader.view, mostRemembered);
    this.#sets = { delta: sets(), cumulative: sets() };
  }

  request(): void {
    this.#fields(1, () => this.#resourceMetrics());
  }

  #resourceMetrics(): void {
    const { at } = this.#reader;
    this.#spans.clear();
    this.#fields(1, () => this.#noteFields(1));
    const spans = this.#spans;
    this.#taker.resource(spans.madeOf(this.#resources, () => resourceOf(spans.read(this.#reader, this.#attributes))));
    this.#reader.at = at;
    this.#fields(2, () => this.#scopeMetrics());
  }

  #scopeMetrics(): void {
    const reader = this.#reader;
    const { at } = reader;
    let name = '';
    let version = '';
    this.#spans.clear();
    this.#fields(1, () => {
      while (reader.more()) {
        const from = reader.at;
        const field = reader.field();
        if (field === 1) name = this.#text();
        else if (field === 2) version = this.#text();
        else if (field === 3) this.#spans.note(reader, from);
        else reader.skip(field);
      }
    });
    if (this.#taker.scope(name, version, this.#spans.read(reader, this.#attributes))) {
      this.#sets.delta.clear();
      this.#sets.cumulative.clear();
    }
    reader.at = at;
    this.#fields(2, () => this.#metric());
  }

  #metric(): void {
    const reader = this.#reader;
    const { at } = reader;
    let name = '';
    let unit = '';
    let number = 0;
    while (reader.more()) {
      const field = reader.field();
      if (field === 1) name = this.#text();
      else if (field === 3) unit = this.#text();
      else {
        if (Object.hasOwn(kinds, field)) number = field;
        reader.skip(field);
      }
    }
    const fields = kinds[number];
    if (fields === undefined) return;
    reader.at = at;
    const head = { name, unit, kind: fields.kind, ...this.#aggregation(number) };
    if (!this.#taker.metric(head)) return;
    reader.at = at;
    this.#fields(number, () => this.#fields(1, () => this.#point(fields)));
  }

  /** What a metric says of all its points, in its field of that number. */
  #aggregation(number: number): Pick<MetricHead, 'temporality' | 'isMonotonic'> {
    const reader = this.#reader;
    const told = { temporality: 0, isMonotonic: false };
    if (number === 5 || number === 11) return told;
    this.#fields(number, () => {
      while (reader.more()) {
        const field = reader.field();
        if (field === 2) told.temporality = reader.int32();
        else if (field === 3 && number === 7) told.isMonotonic = reader.int32() !== 0;
        else reader.skip(field);
      }
    });
    return told;
  }

  #point(fields: PointFields): void {
    const reader = this.#reader;
    const { view } = reader;
    const spans = this.#spans;
    spans.clear();
    let startUs = 0;
    let timeUs = 0;
    let flags = 0;
    let value = fields.count === 0 ? undefined : 0;
    while (reader.more()) {
      const from = reader.at;
      const field = reader.field();
      if (field === fields.attributes) spans.note(reader, from);
      else if (field === 2) startUs = Math.floor(this.#fixed64(false) / 1000);
      else if (field === 3) timeUs = Math.floor(this.#fixed64(false) / 1000);
      else if (field === fields.flags) flags = reader.int32();
      else if (fields.count !== 0 && field === fields.count) value = this.#fixed64(false);
      else if (fields.count === 0 && field === 4) value = view.getFloat64(reader.eightBytes(), true);
      else if (fields.count === 0 && field === 6) value = this.#fixed64(true);
      else reader.skip(field);
    }
    const sets = this.#sets[this.#taker.temporality];
    this.#taker.point(spans.madeOf(sets, this.#makeSet), flags, startUs, timeUs, value);
  }

  #fixed64(isSigned: boolean): number {
    const { view } = this.#reader;
    const at = this.#reader.eightBytes();
    const high = isSigned ? view.getInt32(at + 4, true) : view.getUint32(at + 4, true);
    return high * 2 ** 32 + view.getUint32(at, true);
  }

  /** Enters each message in this one that is its field of that number; goes over all else. */
  #fields(number: number, visit: () => void): void {
    const reader = this.#reader;
    while (reader.more()) {
      const field = reader.field();
      if (field !== number) {
        reader.skip(field);
        continue;
      }
      const { end } = reader;
      const inner = reader.lengthEnd();
      reader.end = inner;
      visit();
      reader.at = inner;
      reader.end = end;
    }
  }

  #noteFields(number: number): void {
    const reader = this.#reader;
    while (reader.more()) {
      const from = reader.at;
      const field = reader.field();
      if (field === number) this.#spans.note(reader, from);
      else reader.skip(field);
    }
  }

  /** A name, as far as anybody may have use of it: of one that is longer than is taken no more than shows that. */
  #text(): string {
    const reader = this.#reader;
    const to = reader.lengthEnd();
    const text = reader.bytes.toString('utf8', reader.at, Math.min(to, reader.at + longestBytes));
    reader.at = to;
    return text;
  }
}

/** No character takes more than four. */
const longestBytes = 4 * (otlpLimits.nameCharacters + 1);
