import { lastDescriptorAt } from '../../model/identity.ts';
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
  /** Of one that no document defines: package and dotted name, without a version. */
  external(symbol: number): { readonly manager: string; readonly package: string; readonly name: string };
}

/** What stands before the last slash of many symbols. */
interface Head {
  readonly tail: string;
  readonly whole: SymbolMeaning;
}

const restsRemembered = 10_000;
const headsRemembered = 2_000;
const telling = 2;
const recentSymbols = 4096;

interface Recent {
  readonly symbol: number;
  readonly meaning: SymbolMeaning;
}

/** Symbols of one file share all but their end, and files of one kind share the ends: each is taken apart once. */
export function symbolMeanings(symbols: ScipSymbols): SymbolMeanings {
  /** By prefix; undefined for one that is no symbol: its last slash stands in a package's name, or in backticks. */
  const heads = new Map<number, Head | undefined>();
  const rests = new Map<string, SymbolMeaning | undefined>();
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
  const restOf = (rest: string): SymbolMeaning | undefined => {
    const known = rests.get(rest);
    if (known !== undefined || rests.has(rest)) return known;
    const descriptors = scipDescriptors(rest);
    // A module itself is called as what stands before it.
    const isWhole = descriptors !== undefined && !isModuleItself(descriptors[0]!);
    const meaning = isWhole ? meaningOf(descriptors) : undefined;
    if (rests.size >= restsRemembered) rests.clear();
    rests.set(rest, meaning);
    return meaning;
  };
  const recent = new Array<Recent>(recentSymbols).fill({ symbol: -1, meaning: meaningOf([]) });
  const read = (symbol: number): SymbolMeaning => {
    const head = headOf(symbols.prefixOf(symbol));
    if (head === undefined) return meaningOf(descriptorsOf(symbols.text(symbol)));
    const rest = withoutCount(symbols.rest(symbol));
    if (rest === '') return head.whole;
    const meaning = restOf(rest);
    if (meaning === undefined) return meaningOf(descriptorsOf(symbols.text(symbol)));
    if (head.tail === '') return meaning;
    return { ...meaning, tail: head.tail + meaning.tail, outer: head.tail + meaning.outer };
  };
  return {
    of: symbol => {
      const known = recent[symbol % recentSymbols]!;
      if (known.symbol === symbol) return known.meaning;
      const meaning = read(symbol);
      recent[symbol % recentSymbols] = { symbol, meaning };
      return meaning;
    },
    external: symbol => {
      const parsed = parseScipSymbol(symbols.text(symbol));
      if (parsed.form !== 'global') return { manager: '', package: '', name: symbols.text(symbol) };
      const name = parsed.descriptors.map(one => one.name).join('.');
      return { manager: parsed.manager, package: parsed.package, name };
    },
  };
}

/** Keys of literals are counted, and the count means nothing: `code17:` is read as `code0:`. */
function withoutCount(rest: string): string {
  let end = rest.length - 1;
  if (rest.charCodeAt(end) !== colon) return rest;
  if (rest.charCodeAt(end - 1) === backtick) end--;
  let from = end;
  while (from > 0 && isDigit(rest.charCodeAt(from - 1))) from--;
  return from === end ? rest : `${rest.slice(0, from)}0${rest.slice(end)}`;
}

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
