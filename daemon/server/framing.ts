/**
 * Bytes of a socket → messages, and messages → bytes, in the two framings that editors and shells use. The first byte of a
 * connection decides: `C` begins a `Content-Length` header, `{` or `[` a message on a line of its own.
 */
export type Framing = 'headers' | 'lines';

/** Why nothing more can be read: the peer speaks something else, a header does not tell a length, or a frame passes its limit. */
export type Breach = 'not_json_rpc' | 'bad_header' | 'too_large';

export interface FrameReader {
  /** Takes bytes as they come; calls back for each whole message, in order. */
  push(chunk: Buffer): void;
  /** What the first byte said; `lines` until then. */
  framing(): Framing;
  /** Some bytes of a message have arrived, but not all. */
  isMidFrame(): boolean;
}

export interface FrameReaderOptions {
  readonly maxFrameBytes: number;
  readonly onMessage: (bytes: Buffer) => void;
  /** Called once; what is pushed afterwards is dropped. */
  readonly onBreach: (breach: Breach) => void;
}

const maxHeaderBytes = 4096;
const newline = 0x0a;
const nothing = Buffer.alloc(0);
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);

export function createFrameReader(options: FrameReaderOptions): FrameReader {
  return new Reader(options);
}

class Reader implements FrameReader {
  readonly #options: FrameReaderOptions;
  #framing: Framing | undefined;
  #isBroken = false;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** Length of the body being awaited; undefined while a header is. */
  #bodyBytes: number | undefined;

  constructor(options: FrameReaderOptions) {
    this.#options = options;
  }

  framing(): Framing {
    return this.#framing ?? 'lines';
  }

  isMidFrame(): boolean {
    return this.#pendingBytes > 0 || this.#bodyBytes !== undefined;
  }

  push(chunk: Buffer): void {
    if (this.#isBroken) return;
    let rest = chunk;
    if (this.#framing === undefined) {
      rest = withoutLeadingBlanks(chunk);
      if (rest.length === 0) return;
      this.#framing = framingOf(rest[0]!);
      if (this.#framing === undefined) {
        this.#breach('not_json_rpc');
        return;
      }
    }
    if (this.#framing === 'lines') this.#takeLines(rest);
    else this.#takeHeaders(rest);
  }

  #takeLines(chunk: Buffer): void {
    const { maxFrameBytes, onMessage } = this.#options;
    let rest = chunk;
    for (let end = rest.indexOf(newline); end >= 0 && !this.#isBroken; end = rest.indexOf(newline)) {
      const line = this.#joined(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      if (line.length > maxFrameBytes) this.#breach('too_large');
      else if (withoutLeadingBlanks(line).length > 0) onMessage(line);
    }
    this.#keep(rest);
    if (this.#pendingBytes > maxFrameBytes) this.#breach('too_large');
  }

  #takeHeaders(chunk: Buffer): void {
    this.#keep(chunk);
    while (!this.#isBroken && (this.#bodyBytes === undefined ? this.#takeHeader() : this.#takeBody(this.#bodyBytes)));
  }

  /** True when a header was there whole. */
  #takeHeader(): boolean {
    const gathered = this.#joined(nothing);
    const end = gathered.indexOf('\r\n\r\n');
    if ((end < 0 ? gathered.length : end) > maxHeaderBytes) {
      this.#breach('too_large');
      return false;
    }
    if (end < 0) {
      this.#keep(gathered);
      return false;
    }
    this.#bodyBytes = contentLength(gathered.toString('latin1', 0, end));
    if (this.#bodyBytes === undefined || this.#bodyBytes > this.#options.maxFrameBytes) {
      this.#breach(this.#bodyBytes === undefined ? 'bad_header' : 'too_large');
      return false;
    }
    this.#keep(gathered.subarray(end + 4));
    return true;
  }

  /** True when the body was there whole. */
  #takeBody(bytes: number): boolean {
    if (this.#pendingBytes < bytes) return false;
    const gathered = this.#joined(nothing);
    this.#bodyBytes = undefined;
    this.#keep(gathered.subarray(bytes));
    this.#options.onMessage(gathered.subarray(0, bytes));
    return true;
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
  }

  /** All that is pending with `tail` behind it, taken out. */
  #joined(tail: Buffer): Buffer {
    const pending = this.#pending;
    const all =
      pending.length === 0
        ? tail
        : tail.length === 0 && pending.length === 1
          ? pending[0]!
          : Buffer.concat([...pending, tail]);
    this.#pending = [];
    this.#pendingBytes = 0;
    return all;
  }

  #breach(reason: Breach): void {
    this.#isBroken = true;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#options.onBreach(reason);
  }
}

/** A message as it goes out; `parts` are joined without a copy of what is bytes already. */
export function frame(framing: Framing, parts: readonly (string | Uint8Array)[]): (string | Uint8Array)[] {
  if (framing === 'lines') return [...parts, '\n'];
  const bytes = parts.reduce(
    (sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : part.length),
    0,
  );
  return [`Content-Length: ${bytes}\r\n\r\n`, ...parts];
}

function framingOf(byte: number): Framing | undefined {
  switch (String.fromCharCode(byte)) {
    case 'C':
    case 'c':
      return 'headers';
    case '{':
    case '[':
      return 'lines';
    default:
      return undefined;
  }
}

/** Exactly one `Content-Length` of plain digits; anything else is undefined, for a wrong length would split messages apart. */
function contentLength(header: string): number | undefined {
  let length: number | undefined;
  for (const line of header.split('\r\n')) {
    const [, name, value] = /^([A-Za-z-]+): *(.*?) *$/.exec(line) ?? [];
    if (name === undefined) return undefined;
    if (name.toLowerCase() !== 'content-length') continue;
    if (length !== undefined || !/^\d+$/.test(value!)) return undefined;
    length = Number(value);
  }
  return length;
}

function withoutLeadingBlanks(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length && blanks.has(bytes[start]!)) start++;
  return start === 0 ? bytes : bytes.subarray(start);
}
