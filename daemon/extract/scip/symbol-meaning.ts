import { lastDescriptorAt } from '../../model/identity.ts';
import { longestBytes } from './byte-strings.ts';
import { RecentBytes } from './recent-bytes.ts';
import { parseScipSymbol, type ScipDescriptor, scipDescriptors } from './symbol-grammar.ts';
import type { ScipSymbols } from './symbol-table.ts';
import { isModuleItself, nameOfScip, tailOfScip } from './symbol-tail.ts';

/** What a global symbol's text says in terms of ours. */
export interface SymbolMeaning {
  /** Under the file that defines it: '' for the file itself. */
  readonly tail: string;
  /** Tail of what it stands in, '' at the top. */
  readonly outer: string;
  readonly name: string;
  /** The last ones, as many as tell its kind. */
  readonly descriptors: readonly ScipDescriptor[];
}

export interface SymbolMeanings {
  of(symbol: number): SymbolMeaning;
  /** The digits at the end of a key, of which the last are a count; '' where there are none, or a quote is before them. */
  digits(symbol: number): string;
  /** Of one that no document defines: package and dotted name, without a version. */
  external(symbol: number): { readonly manager: string; readonly package: string; readonly name: string };
}

/** What stands before the last slash of many symbols. */
interface Head {
  readonly tail: string;
  readonly whole: SymbolMeaning;
}

const headsRemembered = 2_000;
const telling = 2;
const recentSymbols = 4096;

/** Symbols of one file share all but their end, and files of one kind share the ends: each is taken apart once. */
export function symbolMeanings(symbols: ScipSymbols): SymbolMeanings {
  /** By prefix; undefined for one that is no symbol: its last slash stands in a package's name, or in backticks. */
  const heads = new Map<number, Head | undefined>();
  const rests = new RecentBytes<SymbolMeaning>();
  const rest = Buffer.alloc(longestBytes);
  const restView = new DataView(rest.buffer, rest.byteOffset);
  const headOf = (prefix: number): Head | undefined => {
    const known = heads.get(prefix);
    if (known !== undefined || heads.has(prefix)) return known;
    const descriptors = descriptorsOf(symbols.prefixText(prefix));
    const head =
      descriptors.length === 0 ? undefined : { tail: tailOfScip(descriptors), whole: meaningOf(descriptors) };
    if (heads.size >= headsRemembered) heads.clear();
    heads.set(prefix, head);
    return head;
  };
  const restOf = (bytes: number): SymbolMeaning => {
    const descriptors = scipDescriptors(rest.toString('utf8', 0, bytes));
    // A module itself is called as what stands before it.
    const isWhole = descriptors !== undefined && !isModuleItself(descriptors[0]!);
    return rests.keep(restView, 0, bytes, isWhole ? meaningOf(descriptors) : meansNothingAlone);
  };
  const recent = new Int32Array(recentSymbols).fill(-1);
  const recentMeanings = new Array<SymbolMeaning>(recentSymbols).fill(meansNothingAlone);
  const read = (symbol: number): SymbolMeaning => {
    const head = headOf(symbols.prefixOf(symbol));
    if (head === undefined) return meaningOf(descriptorsOf(symbols.text(symbol)));
    const bytes = withoutCount(rest, symbols.copyRest(symbol, restView));
    if (bytes === 0) return head.whole;
    const meaning = rests.find(restView, 0, bytes) ?? restOf(bytes);
    if (meaning === meansNothingAlone) return meaningOf(descriptorsOf(symbols.text(symbol)));
    if (head.tail === '') return meaning;
    return { ...meaning, tail: head.tail + meaning.tail, outer: head.tail + meaning.outer };
  };
  return {
    of: symbol => {
      const place = symbol % recentSymbols;
      if (recent[place] === symbol) return recentMeanings[place]!;
      recent[place] = symbol;
      recentMeanings[place] = read(symbol);
      return recentMeanings[place];
    },
    digits: symbol => /[^'"\d](\d+)`?:$/.exec(symbols.text(symbol))?.[1] ?? '',
    external: symbol => {
      const parsed = parseScipSymbol(symbols.text(symbol));
      if (parsed.form !== 'global') return { manager: '', package: '', name: symbols.text(symbol) };
      const name = parsed.descriptors.map(one => one.name).join('.');
      return { manager: parsed.manager, package: parsed.package, name };
    },
  };
}

/** Keys of literals are counted, and the count means nothing: `code17:` is read as `code0:`. Returns how many bytes are left. */
function withoutCount(rest: Buffer, bytes: number): number {
  let end = bytes - 1;
  if (rest[end] !== colon) return bytes;
  if (rest[end - 1] === backtick) end--;
  let from = end;
  while (from > 0 && isDigit(rest[from - 1]!)) from--;
  if (from === end) return bytes;
  rest[from] = zero;
  rest.copyWithin(from + 1, end, bytes);
  return from + 1 + bytes - end;
}

const zero = 0x30;
const colon = 0x3a;
const backtick = 0x60;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function descriptorsOf(text: string): readonly ScipDescriptor[] {
  const parsed = parseScipSymbol(text);
  return parsed.form === 'global' ? parsed.descriptors : [];
}

function meaningOf(descriptors: readonly ScipDescriptor[]): SymbolMeaning {
  const tail = tailOfScip(descriptors);
  return {
    tail,
    outer: tail.slice(0, lastDescriptorAt(tail)),
    name: nameOfScip(descriptors),
    descriptors: descriptors.slice(-telling),
  };
}

/** Stands for a rest that is no run of descriptors, or begins in the midst of one. */
const meansNothingAlone = meaningOf([]);
