import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** Writes an index of so many copies of another, whose files, paths and symbols no two share. Not for untrusted files. */
export function repeatedIndex(file: string, copies: number, into: string): void {
  const bytes = readFileSync(file);
  const output = openSync(into, 'w');
  try {
    for (let copy = 0; copy < copies; copy++) {
      eachField(bytes, 0, bytes.length, (field, type, from, to, at) => {
        if (field !== 2 || type !== 2) {
          if (copy === 0) writeSync(output, bytes, at, to - at);
          return;
        }
        const content = marked(bytes.subarray(from, to), documentFields, Buffer.from(`c${copy}`));
        writeSync(output, Buffer.concat([varint(field * 8 + 2), varint(content.length), content]));
      });
    }
  } finally {
    closeSync(output);
  }
}

/** What is told from copy to copy in a message: paths, symbols, messages that have them. */
interface Fields {
  readonly [field: number]: 'path' | 'symbol' | Fields;
}

const informationFields: Fields = { 1: 'symbol', 4: { 1: 'symbol' }, 8: 'symbol' };
const documentFields: Fields = { 1: 'path', 2: { 2: 'symbol' }, 3: informationFields };

function marked(bytes: Buffer, fields: Fields, mark: Buffer): Buffer {
  const parts: Buffer[] = [];
  eachField(bytes, 0, bytes.length, (field, type, from, to, at) => {
    const wanted = type === 2 ? fields[field] : undefined;
    if (wanted === undefined) {
      parts.push(bytes.subarray(at, to));
      return;
    }
    const content = bytes.subarray(from, to);
    const next = typeof wanted === 'object' ? marked(content, wanted, mark) : withMark(content, wanted, mark);
    parts.push(varint(field * 8 + 2), varint(next.length), next);
  });
  return Buffer.concat(parts);
}

function withMark(text: Buffer, kind: 'path' | 'symbol', mark: Buffer): Buffer {
  if (kind === 'path') return Buffer.concat([mark, Buffer.from('/'), text]);
  if (text.toString('latin1', 0, 6) === 'local ') return text;
  const place = placeOfMark(text);
  return Buffer.concat([text.subarray(0, place), mark, text.subarray(place)]);
}

/** Where the name behind the last slash begins; of what ends with one, where the name before it ends. */
function placeOfMark(text: Buffer): number {
  const slash = text.lastIndexOf('/');
  if (slash === text.length - 1) return text[slash - 1] === backtick ? slash - 1 : slash;
  return slash + 1 + ('`[('.includes(String.fromCharCode(text[slash + 1]!)) ? 1 : 0);
}

const backtick = 0x60;

/** By wire type. */
const fixedLengths: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

type Visit = (field: number, type: number, from: number, to: number, at: number) => void;

/** [from, to) is a field's content, `at` where its tag begins. */
function eachField(bytes: Buffer, start: number, end: number, visit: Visit): void {
  let at = start;
  const read = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < end) {
    const first = at;
    const tag = read();
    const type = tag & 7;
    const length = type === 2 ? read() : (fixedLengths[type] ?? 0);
    const from = at;
    if (type === 0) read();
    at += length;
    visit(tag >>> 3, type, from, at, first);
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}
