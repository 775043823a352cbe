import type { WireReader } from '../wire.ts';
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
import { otlpLimits } from './limits.ts';
import type { SeenBytes } from './seen-bytes.ts';

/**
 * Where the attributes of one point, scope or resource lie in its message, which need not be in one run. Their bytes stand
 * for them: most of what comes has come before, and is not read again.
 */
export class AttributeSpans {
  /** Begin and end of each run, in turns. */
  readonly #places: number[] = [];
  #bytes = 0;

  clear(): void {
    this.#places.length = 0;
    this.#bytes = 0;
  }

  /** Notes the attribute that is the field which begins at `from`, and goes over it. */
  note(reader: WireReader, from: number): void {
    const to = reader.lengthEnd();
    reader.at = to;
    const places = this.#places;
    this.#bytes += to - from;
    if (places.length > 0 && places[places.length - 1] === from) places[places.length - 1] = to;
    else if (places.length < 2 * otlpLimits.attributes) places.push(from, to);
    else this.#bytes = Number.POSITIVE_INFINITY;
  }

  /** What is made of them, which is made once where the same have come before. */
  madeOf<Value>(seen: SeenBytes<Value>, make: () => Value): Value {
    const [from = 0, to = 0] = this.#places;
    const isSeen = this.#places.length <= 2 && this.#bytes <= otlpLimits.attributeBytes;
    return isSeen ? seen.valueAt(from, to, make) : make();
  }

  /** Reads them, those anew that were not seen; the reader is where it was then. */
  read(reader: WireReader, seen: SeenBytes<ReadAttribute>): Attributes {
    if (this.#bytes > otlpLimits.attributeBytes) return tooManyBytes;
    if (this.#places.length === 0) return noAttributes;
    const { at, end } = reader;
    const list = new AttributeList(mostMessages);
    for (let span = 0; span < this.#places.length; span += 2) {
      reader.at = this.#places[span]!;
      reader.end = this.#places[span + 1]!;
      while (reader.more() && list.hasRoom) list.add(readAttribute(reader, seen));
    }
    reader.at = at;
    reader.end = end;
    return list.end();
  }
}

/** An attribute is a message with another in it. */
const mostMessages = 2 * otlpLimits.attributes;

function readAttribute(reader: WireReader, seen: SeenBytes<ReadAttribute>): ReadAttribute {
  const from = reader.at;
  reader.field();
  const message = reader.at;
  const to = reader.lengthEnd();
  const read = seen.valueAt(from, to, () => {
    reader.at = message;
    return new AttributeReading(reader).read();
  });
  reader.at = to;
  return read;
}

/** Reads messages KeyValue and AnyValue, until there are too many of them or they lie too deep. */
class AttributeReading {
  readonly #reader: WireReader;
  #problem: string | undefined;
  #count = 0;

  constructor(reader: WireReader) {
    this.#reader = reader;
  }

  read(): ReadAttribute {
    const attribute = this.#attribute(0);
    return { attribute, size: this.#count, problem: this.#problem };
  }

  #attribute(depth: number): Attribute {
    const reader = this.#reader;
    let key = '';
    let value: AttributeValue;
    this.#message(depth, field => {
      if (field === 1) key = reader.string();
      else if (field === 2) value = this.#value(depth);
      else reader.skip(field);
    });
    return new Attribute(key, value);
  }

  /** Goes over the message of the field that was read last. */
  #message(depth: number, visit: (field: number) => void): void {
    const reader = this.#reader;
    const { end } = reader;
    const inner = reader.lengthEnd();
    if (++this.#count > mostMessages) this.#problem ??= tooManyAttributes;
    if (depth > otlpLimits.attributeDepth) this.#problem ??= tooDeepAttributes;
    if (this.#problem === undefined) {
      reader.end = inner;
      while (reader.more()) visit(reader.field());
      reader.end = end;
    }
    reader.at = inner;
  }

  #value(depth: number): AttributeValue {
    const reader = this.#reader;
    let value: AttributeValue;
    this.#message(depth, field => {
      switch (field) {
        case 1:
          value = reader.string();
          break;
        case 2:
          value = reader.int32() !== 0;
          break;
        case 3:
          value = reader.int64();
          break;
        case 4:
          value = reader.view.getFloat64(reader.eightBytes(), true);
          break;
        case 5:
          value = this.#values(depth + 1);
          break;
        case 6:
          value = { entries: this.#entries(depth + 1) };
          break;
        case 7:
          value = this.#bytes();
          break;
        default:
          reader.skip(field);
      }
    });
    return value;
  }

  #values(depth: number): readonly AttributeValue[] {
    const values: AttributeValue[] = [];
    this.#message(depth, field => {
      if (field === 1) values.push(this.#value(depth));
      else this.#reader.skip(field);
    });
    return values;
  }

  #entries(depth: number): readonly Attribute[] {
    const entries: Attribute[] = [];
    this.#message(depth, field => {
      if (field === 1) entries.push(this.#attribute(depth));
      else this.#reader.skip(field);
    });
    return entries;
  }

  #bytes(): Uint8Array {
    const reader = this.#reader;
    const to = reader.lengthEnd();
    const bytes = reader.bytes.subarray(reader.at, to);
    reader.at = to;
    return bytes;
  }
}
