import { type RepoPath, repoPath } from '../../model/paths.ts';
import { type WireReader, wireType } from '../wire.ts';
import type { ByteRange, PositionEncoding, ScipDocument } from './document.ts';
import { readInformation, type ScipSymbolInformation, surveyInformation } from './information.ts';
import type { ScipLimits } from './limits.ts';
import { type LocalNames, newLocalNames } from './local-names.ts';
import type { ScipMetadata } from './metadata.ts';
import { OccurrenceRows } from './occurrences.ts';
import { invalidIndex, tooLarge } from './problem.ts';
import type { ScipRejection, ScipRejections } from './report.ts';
import { isLocal, type SymbolTable } from './symbol-table.ts';
import { cutOff } from './wire.ts';

const longestPathBytes = 4096;
const longestLanguage = 64;
/** No text has lines or columns beyond; sums of two of them are still whole. */
const farthest = 2 ** 30;

/** Reads documents one after the other, always into the same scratch memory. */
export class DocumentReading {
  readonly #symbols: SymbolTable;
  readonly #rejections: ScipRejections;
  readonly #limits: ScipLimits;
  readonly #rows = new OccurrenceRows();
  /** A range as it is written, of up to one number too many. */
  readonly #written = new Int32Array(5);
  readonly #enclosingWritten = new Int32Array(5);
  readonly #range = new Int32Array(4);
  /** Of the occurrence at hand: how many numbers its ranges have, and where its symbol lies. */
  readonly #found = { numbers: 0, enclosingNumbers: 0, roles: 0, from: 0, to: 0 };
  readonly #symbolText = { from: 0, to: 0 };
  /** Of each described symbol where its message, or what of that stands behind it, lies in the bytes, and where that ends. */
  #described: number[] = [];
  #locals: LocalNames = newLocalNames();
  #path = '';
  #unread = 0;
  /** Occurrences, with those that are left out. */
  #listed = 0;

  constructor(symbols: SymbolTable, rejections: ScipRejections, limits: ScipLimits) {
    this.#symbols = symbols;
    this.#rejections = rejections;
    this.#limits = limits;
  }

  /** The document that the reader is in; undefined if it can't be taken in, for which the rejections say why. */
  read(reader: WireReader, number: number, metadata: ScipMetadata): ScipDocument | undefined {
    this.#rows.clear();
    this.#described = [];
    this.#locals = newLocalNames();
    this.#path = '';
    this.#unread = 0;
    this.#listed = 0;
    let language = '';
    let encoding = 0;
    const text = { from: -1, to: -1 };
    while (reader.more()) {
      const field = reader.field();
      if (field === 2) this.#occurrence(reader);
      else if (field === 3) this.#information(reader);
      else if (field === 1) this.#path = reader.string();
      else if (field === 4) language = reader.string().slice(0, longestLanguage);
      else if (field === 5) {
        text.to = reader.lengthEnd();
        text.from = reader.at;
        reader.at = text.to;
      } else if (field === 6) encoding = reader.int32();
      else reader.skip(field);
    }
    const path = this.#acceptablePath();
    const positionEncoding = this.#positionEncoding(encoding, metadata);
    if (path === undefined || positionEncoding === undefined) return undefined;
    return this.#document(reader, { number, path, language, positionEncoding }, text);
  }

  #document(
    reader: WireReader,
    known: Pick<ScipDocument, 'number' | 'path' | 'language' | 'positionEncoding'>,
    text: { readonly from: number; readonly to: number },
  ): ScipDocument {
    const described = this.#described;
    const locals = this.#locals;
    return {
      ...known,
      occurrences: this.#rows.columns(),
      unread: this.#unread,
      described: firstOfThree(described),
      information: row => this.#informationAt(reader, described, locals, row),
      informationBytes: row => informationBytes(reader, described, row),
      localName: symbol => locals.name(symbol),
      text: () => (text.from < 0 ? undefined : reader.bytes.toString('utf8', text.from, text.to)),
    };
  }

  #occurrence(reader: WireReader): void {
    const end = reader.lengthEnd();
    const outer = reader.end;
    reader.end = end;
    const found = this.#found;
    found.numbers = 0;
    found.enclosingNumbers = 0;
    found.roles = 0;
    found.from = 0;
    found.to = 0;
    while (reader.at < end) {
      const field = reader.field();
      if (field === 1) found.numbers = addNumbers(reader, this.#written, found.numbers);
      else if (field === 2) {
        found.to = reader.lengthEnd();
        found.from = reader.at;
        reader.at = found.to;
      } else if (field === 3) found.roles = reader.int32();
      else if (field === 7) found.enclosingNumbers = addNumbers(reader, this.#enclosingWritten, found.enclosingNumbers);
      else if (field >= 8 && field <= 11) this.#typedRange(reader, field);
      else reader.skip(field);
    }
    reader.end = outer;
    if (++this.#listed > this.#limits.occurrences) throw tooManyOccurrences(this.#limits, reader.offset);
    const rejection = this.#takeFound(reader);
    if (rejection !== undefined) this.#rejections.add(rejection, this.#path, () => `before byte ${reader.offset}`);
  }

  /** Since 2026 ranges may be messages: of one line or of several, and then again of what encloses. They come last and stand. */
  #typedRange(reader: WireReader, field: number): void {
    const numbers = field % 2 === 0 ? 3 : 4;
    const into = field < 10 ? this.#written : this.#enclosingWritten;
    into.fill(0);
    const end = reader.lengthEnd();
    while (reader.at < end) {
      const part = reader.field();
      if (part <= numbers) into[part - 1] = reader.int32();
      else reader.skip(part);
    }
    if (reader.at !== end) throw cutOff(reader.offset);
    if (field < 10) this.#found.numbers = numbers;
    else this.#found.enclosingNumbers = numbers;
  }

  /** Adds the occurrence that was found, or says why not. */
  #takeFound(reader: WireReader): ScipRejection | undefined {
    const { numbers, enclosingNumbers, roles, from, to } = this.#found;
    if (from === to) return 'occurrence: no symbol';
    if (!this.#takeRange(this.#written, numbers)) {
      this.#unread++;
      return 'occurrence: range';
    }
    const symbol = this.#symbolAt(reader, from, to, this.#locals);
    if (symbol === undefined) {
      this.#unread++;
      return 'occurrence: symbol';
    }
    this.#rows.add(this.#range, symbol, roles);
    if (enclosingNumbers === 0) return undefined;
    if (!this.#takeRange(this.#enclosingWritten, enclosingNumbers)) return 'enclosing range';
    this.#rows.addEnclosing(this.#range);
    return undefined;
  }

  /** Makes four numbers of a range of three or four; false if it is none. */
  #takeRange(written: Int32Array, numbers: number): boolean {
    if (numbers !== 3 && numbers !== 4) return false;
    const range = this.#range;
    const line = written[0]!;
    const column = written[1]!;
    const endLine = numbers === 4 ? written[2]! : line;
    const endColumn = written[numbers - 1]!;
    range[0] = line;
    range[1] = column;
    range[2] = endLine;
    range[3] = endColumn;
    if (line < 0 || column < 0 || endLine >= farthest || endColumn < 0) return false;
    if (column >= farthest || endColumn >= farthest) return false;
    return endLine > line || (endLine === line && endColumn >= column);
  }

  /** Below 0 for a local one. */
  #symbolAt(reader: WireReader, from: number, to: number, locals: LocalNames): number | undefined {
    if (isLocal(reader, from, to)) return to - from > 6 ? locals.number(reader.bytes, from + 6, to) : undefined;
    const symbol = this.#symbols.symbolAt(reader, from, to);
    return symbol < 0 ? undefined : symbol;
  }

  #information(reader: WireReader): void {
    const end = reader.lengthEnd();
    const outer = reader.end;
    const start = reader.at;
    reader.end = end;
    surveyInformation(reader, this.#symbolText);
    reader.end = outer;
    const { from, to } = this.#symbolText;
    const symbol = from === to ? undefined : this.#symbolAt(reader, from, to, this.#locals);
    if (symbol !== undefined) this.#described.push(symbol, from - start === headBytesOf(to - from) ? to : start, end);
    else if (from === to) this.#rejections.add('symbol', this.#path, () => `empty, at byte ${reader.offset}`);
  }

  #informationAt(
    reader: WireReader,
    described: readonly number[],
    locals: LocalNames,
    row: number,
  ): ScipSymbolInformation {
    reader.at = described[row * 3 + 1]!;
    reader.end = described[row * 3 + 2]!;
    return readInformation(reader, described[row * 3]!, (inner, from, to) => this.#symbolAt(inner, from, to, locals));
  }

  #acceptablePath(): RepoPath | undefined {
    const text = this.#path;
    const path = Buffer.byteLength(text) > longestPathBytes || isElsewhere(text) ? undefined : repoPath(text);
    if (path === undefined) this.#rejections.add('document: path', text, () => JSON.stringify(text.slice(0, 100)));
    return path;
  }

  #positionEncoding(encoding: number, metadata: ScipMetadata): PositionEncoding | undefined {
    if (encoding === 0) return metadata.positionEncoding;
    const known = positionEncodings[encoding - 1];
    if (known === undefined) this.#rejections.add('document: position encoding', this.#path, () => String(encoding));
    return known;
  }
}

export function tooManyOccurrences({ occurrences }: ScipLimits, offset: number): Error {
  return tooLarge(`A document of more than ${occurrences} occurrences`, offset, 'occurrences');
}

function informationBytes({ view }: WireReader, described: readonly number[], row: number): ByteRange {
  return { view, from: described[row * 3 + 1]!, to: described[row * 3 + 2]! };
}

/** Of a field of so many bytes: what stands before them, in a field of a low number. */
function headBytesOf(length: number): number {
  return length < 0x80 ? 2 : length < 0x4000 ? 3 : 4;
}

function firstOfThree(numbers: readonly number[]): Int32Array {
  const firsts = new Int32Array(numbers.length / 3);
  for (let at = 0; at < firsts.length; at++) firsts[at] = numbers[at * 3]!;
  return firsts;
}

const positionEncodings: readonly PositionEncoding[] = ['utf-8', 'utf-16', 'utf-32'];

/** A path of Windows that is not relative, or in git's own folder. */
function isElsewhere(path: string): boolean {
  return /^[a-z]:[\\/]|^\\|(?:^|\/)\.git(?:\/|$)/i.test(path);
}

/** Numbers of a repeated field, packed or one by one, behind those that are there; more than fit are only counted. */
function addNumbers(reader: WireReader, into: Int32Array, already: number): number {
  if (reader.type === wireType.varint) return addNumber(into, already, reader.varint());
  const end = reader.lengthEnd();
  let count = already;
  while (reader.at < end) count = addNumber(into, count, reader.varint());
  if (reader.at !== end) throw invalidIndex('Numbers that end in the midst of one', reader.offset);
  return count;
}

function addNumber(into: Int32Array, count: number, value: number): number {
  into[Math.min(count, into.length - 1)] = value;
  return count + 1;
}
