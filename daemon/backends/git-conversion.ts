import { blobHash } from './git-head.ts';

/** What git does to a blob's bytes when it checks them out. */
export interface Conversion {
  /** `auto`: of what looks like text and has no such line end yet. */
  readonly crlf: 'never' | 'auto' | 'always';
  /** `$Id$` is followed by the blob's hash. */
  readonly ident: boolean;
  /** What else would convert it, and is not run or known here: a filter's program, or an encoding. */
  readonly by: string | undefined;
}

/** What a path's attributes say; `set`, `unset`, `unspecified`, or a value. */
export interface PathAttributes {
  readonly text: string;
  /** The older name of `text`. */
  readonly crlf: string;
  readonly eol: string;
  readonly ident: string;
  readonly filter: string;
  readonly 'working-tree-encoding': string;
}

/** What a clone's configuration says. */
export interface LineEnds {
  readonly autocrlf: 'true' | 'input' | 'false';
  readonly eol: 'lf' | 'crlf' | 'native';
  /** Filters that run a program. */
  readonly programs: ReadonlySet<string>;
}

/** As git's manual says under `gitattributes`; undefined where the bytes stay as they are. */
export function conversionOf(path: PathAttributes, clone: LineEnds): Conversion | undefined {
  const encoding = path['working-tree-encoding'];
  const isEncoded = !isFlag(encoding) && !/^utf-?8$/i.test(encoding);
  const isFiltered = clone.programs.has(path.filter);
  const by = isFiltered ? `the filter ${path.filter}` : isEncoded ? `the encoding ${encoding}` : undefined;
  const conversion = { crlf: crlfOf(path, clone), ident: path.ident === 'set', by };
  return conversion.crlf === 'never' && !conversion.ident && by === undefined ? undefined : conversion;
}

function isFlag(value: string): boolean {
  return value === 'set' || value === 'unset' || value === 'unspecified';
}

function crlfOf({ text, crlf, eol }: PathAttributes, clone: LineEnds): Conversion['crlf'] {
  const said = isSaid(text) ? text : isSaid(crlf) ? crlf : undefined;
  if (said === 'unset' || said === 'input') return 'never';
  const how = said === 'auto' ? 'auto' : 'always';
  if (eol === 'lf') return 'never';
  if (eol === 'crlf') return how;
  if (said === undefined) return clone.autocrlf === 'true' ? 'auto' : 'never';
  return endsInCrlf(clone) ? how : 'never';
}

/** Other values count as none. */
function isSaid(value: string): boolean {
  return ['set', 'unset', 'input', 'auto'].includes(value);
}

function endsInCrlf({ autocrlf, eol }: LineEnds): boolean {
  if (autocrlf !== 'false') return autocrlf === 'true';
  return eol === 'crlf' || (eol === 'native' && process.platform === 'win32');
}

/** A blob's bytes as they are checked out, but for what `by` would do to them. */
export function checkedOut(blob: Buffer, hash: string, { crlf, ident }: Conversion): Buffer {
  const identified = ident ? withIdent(blob, hash) : blob;
  return crlf === 'never' ? identified : withCrlf(identified, crlf);
}

const cr = 13;
const lf = 10;

function withCrlf(bytes: Buffer, how: 'auto' | 'always'): Buffer {
  const counts = countsOf(bytes);
  if (counts.loneLf === 0) return bytes;
  if (how === 'auto' && (counts.loneCr > 0 || counts.crlf > 0 || isBinary(counts))) return bytes;
  const converted = Buffer.allocUnsafeSlow(bytes.length + counts.loneLf);
  let at = 0;
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index] === lf && bytes[index - 1] !== cr) converted[at++] = cr;
    converted[at++] = bytes[index]!;
  }
  return converted;
}

interface Counts {
  nul: number;
  loneCr: number;
  loneLf: number;
  crlf: number;
  printable: number;
  nonPrintable: number;
}

/** As git counts what speaks for text and what against it. */
function countsOf(bytes: Buffer): Counts {
  const counts: Counts = { nul: 0, loneCr: 0, loneLf: 0, crlf: 0, printable: 0, nonPrintable: 0 };
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (byte === cr && bytes[index + 1] === lf) {
      counts.crlf++;
      index++;
    } else if (byte === cr) counts.loneCr++;
    else if (byte === lf) counts.loneLf++;
    else if (byte === 0) {
      counts.nul++;
      counts.nonPrintable++;
    } else if (byte === 127 || (byte < 32 && !controlsOfText.has(byte))) counts.nonPrintable++;
    else counts.printable++;
  }
  // DOS ended files so.
  if (bytes.at(-1) === 26) counts.nonPrintable--;
  return counts;
}

/** Backspace, tab, form feed, escape. */
const controlsOfText: ReadonlySet<number> = new Set([8, 9, 12, 27]);

function isBinary({ loneCr, nul, printable, nonPrintable }: Counts): boolean {
  return loneCr > 0 || nul > 0 || printable >> 7 < nonPrintable;
}

/** What stands between `$Id:` and `$` is git's own, to be replaced, where no space is in it but at its ends. */
function withIdent(blob: Buffer, hash: string): Buffer {
  const text = blob.toString('latin1');
  if (!text.includes('$Id')) return blob;
  const id = blobHash(blob, hash);
  const expanded = text.replace(/\$Id(?::([^$\n]*))?\$/g, (all, said: string | undefined) =>
    said?.slice(1, -1).includes(' ') ? all : `$Id: ${id} $`,
  );
  return Buffer.from(expanded, 'latin1');
}
