import type { DefinitionFact, Range, ReferenceFact, ReferenceKind } from '../../model/facts.ts';
import { decodeFacts } from '../../model/facts-codec.ts';
import { FactsWriter } from '../../model/facts-writer.ts';
import { lastDescriptorAt } from '../../model/identity.ts';
import { lineStarts } from '../../model/line-starts.ts';
import { compareRanges } from './compare-ranges.ts';
import type { ScipDocument } from './document.ts';
import { EnclosingSlots } from './enclosing-slots.ts';
import { occurrencesInUtf16 } from './in-utf16.ts';
import { languageOfScip } from './language-of-scip.ts';
import { enclosingWidth, type ScipOccurrences, symbolRole } from './occurrences.ts';
import type { ScipRejections } from './report.ts';
import type { ScipDescriptor } from './symbol-grammar.ts';
import { kindOfScip } from './symbol-kind.ts';
import type { SymbolMeaning, SymbolMeanings } from './symbol-meaning.ts';
import { isAccessor } from './symbol-tail.ts';
import { nothingImplemented, type SymbolTold } from './symbol-told.ts';
import { writtenMeanings } from './written-keys.ts';

/** What one document of an index says, as encoded facts, with the numbers of the symbols that these speak of. */
export interface ScipFacts {
  readonly language: string;
  readonly encoded: Uint8Array;
  /** By slot. */
  readonly defined: Int32Array;
  /** By reference. */
  readonly used: Int32Array;
  /** What it defines, each tail once: slot of the site to show first. */
  readonly own: Uint32Array;
  /** By slot: its place in `own`. */
  readonly owns: Uint32Array;
}

/** How the symbols of an index are read. */
export interface ScipReadings {
  readonly meanings: SymbolMeanings;
  readonly toldOf: (document: ScipDocument, row: number) => SymbolTold;
  /** Serves one document after the other. */
  readonly writer: FactsWriter;
  readonly rejections: ScipRejections;
}

/** Facts keep places in so many bits; no line of code is near. */
const farthestLine = 2 ** 28;
const farthestColumn = 2 ** 20;
const mostLines = 2 ** 12;
/** Nobody has a name by which to look for more. */
const longestName = 4096;

/**
 * Facts of a document that nobody has parsed: definitions where the indexer saw them, and where each global symbol is
 * used. What is local to the document leaves nothing, as in facts from syntax.
 */
export function factsOfScip(document: ScipDocument, text: string | undefined, readings: ScipReadings): ScipFacts {
  const occurrences = occurrencesIn(document, text, readings);
  const rows = informationBySymbol(document);
  const gathering = new Gathering(readings.writer);
  const meaningOf = writtenMeanings(readings.meanings);
  /** What a symbol is said to implement. */
  const bases = new Map<number, ReadonlySet<number>>();
  eachGlobal(occurrences, symbolRole.definition, (symbol, range, _, whole) => {
    const row = rows.get(symbol);
    const told = row === undefined ? nothingTold : readings.toldOf(document, row);
    const meaning = meaningOf(symbol, range);
    gathering.define(symbol, siteOf(meaning, gathering.slotOf(meaning.outer), range, whole, told));
    if (told.implemented.size > 0) bases.set(symbol, told.implemented);
  });
  eachGlobal(occurrences, 0, (symbol, range, roles) => {
    const { name, descriptors } = readings.meanings.of(symbol);
    gathering.use(symbol, name, range, enclosing =>
      bases.size > 0 && bases.get(enclosing)?.has(symbol) === true ? 'implementation' : kindOfUse(roles, descriptors),
    );
  });
  const lines = text === undefined ? lastLine(occurrences) + 1 : lineStarts(text).length;
  return gathering.finish(languageOfScip(document.language, document.path), lines);
}

/** Those that stand past the end of the text, where there is one, are left out. */
function occurrencesIn(
  { path, occurrences, positionEncoding }: ScipDocument,
  text: string | undefined,
  { rejections }: ScipReadings,
): ScipOccurrences {
  if (text === undefined) return occurrences;
  const inText = occurrencesInUtf16(occurrences, text, positionEncoding);
  rejections.addBeyond(inText, path);
  return inText.occurrences;
}

/** The facts of documents of one path, each definition and use once; of what both tell, the first counts. */
export function mergeScipFacts(parts: readonly Pick<ScipFacts, 'encoded' | 'defined' | 'used'>[]): ScipFacts {
  const sites = new Map<string, { readonly symbol: number; readonly site: DefinitionFact }>();
  const uses = new Map<string, { readonly symbol: number; readonly use: ReferenceFact }>();
  let lines = 0;
  let language = '';
  for (const { encoded, defined, used } of parts) {
    const facts = decodeFacts(encoded);
    lines = Math.max(lines, facts.lineCount);
    language ||= facts.language;
    facts.definitions.forEach((site, slot) => {
      const key = `${defined[slot]} ${placeOf(site.nameRange)}`;
      if (!sites.has(key)) sites.set(key, { symbol: defined[slot]!, site });
    });
    facts.references.forEach((use, index) => {
      const key = `${used[index]} ${placeOf(rangeOfUse(use))}`;
      const known = uses.get(key);
      if (known === undefined || known.use.kind === 'reference') uses.set(key, { symbol: used[index]!, use });
    });
  }
  const gathering = new Gathering(new FactsWriter());
  for (const { symbol, site } of [...sites.values()].sort((a, b) => compareRanges(a.site.nameRange, b.site.nameRange)))
    gathering.define(symbol, {
      ...site,
      container: gathering.slotOf(site.tail.slice(0, lastDescriptorAt(site.tail))),
    });
  for (const { symbol, use } of [...uses.values()].sort((a, b) => compareRanges(rangeOfUse(a.use), rangeOfUse(b.use))))
    gathering.use(symbol, use.name, rangeOfUse(use), () => use.kind);
  return gathering.finish(language, lines);
}

/** Facts on the way: definitions by place, then uses by place. */
class Gathering {
  readonly #writer: FactsWriter;
  /** By tail: its place among `own`. */
  readonly #tails = new Map<string, number>();
  readonly #own: number[] = [];
  /** By place among `own`: the latest slot. */
  readonly #latest: number[] = [];
  readonly #owns: number[] = [];
  readonly #defined: number[] = [];
  readonly #used: number[] = [];
  readonly #enclosing = new EnclosingSlots();

  constructor(writer: FactsWriter) {
    this.#writer = writer;
  }

  /** The latest with a tail, -1 where there is none. */
  slotOf(tail: string): number {
    const own = tail === '' ? undefined : this.#tails.get(tail);
    return own === undefined ? -1 : this.#latest[own]!;
  }

  define(symbol: number, site: DefinitionFact): void {
    const slot = this.#defined.push(symbol) - 1;
    if (site.hasBody) this.#enclosing.add(slot, site.range);
    const own = this.#tails.get(site.tail);
    if (own === undefined) {
      this.#writer.definition(site);
      this.#tails.set(site.tail, this.#own.length);
      this.#latest.push(slot);
      this.#owns.push(this.#own.push(slot) - 1);
      return;
    }
    const shown = this.#own[own]!;
    if (this.#writer.isSiteLike(shown, site)) this.#writer.siteLike(shown, site);
    else this.#writer.definition(site);
    this.#latest[own] = slot;
    this.#owns.push(own);
    if (site.hasBody && !this.#writer.hasBody(shown)) this.#own[own] = slot;
  }

  /** `kindWithin` is told the symbol of the innermost definition around, -1 where there is none. */
  use(symbol: number, name: string, range: Range, kindWithin: (enclosing: number) => ReferenceKind): void {
    const { startLine: line, startColumn: column, endLine, endColumn } = range;
    if (this.#used.length === 0) this.#writer.expression({ op: 'unknown' });
    this.#used.push(symbol);
    const enclosing = this.#enclosing.around(line, column);
    const kind = kindWithin(enclosing < 0 ? -1 : this.#defined[enclosing]!);
    this.#writer.reference({ name, kind, line, column, endLine, endColumn, enclosing, expression: 0 });
  }

  finish(language: string, lineCount: number): ScipFacts {
    return {
      language,
      encoded: this.#writer.finish({ ...nothingBeside, language, lineCount }),
      defined: Int32Array.from(this.#defined),
      used: Int32Array.from(this.#used),
      own: Uint32Array.from(this.#own),
      owns: Uint32Array.from(this.#owns),
    };
  }
}

const nothingBeside = { packageName: '', parseErrors: 0, configuration: '', standalone: false } as const;

type Visit = (symbol: number, range: Range, roles: number, whole: Range | undefined) => void;

/** Definitions, or all others. What is local to a document, and what lies where no code is, is left out. */
function eachGlobal(occurrences: ScipOccurrences, definition: number, visit: Visit): void {
  const { startLine, startColumn, endLine, endColumn, symbol, roles, enclosing } = occurrences;
  let next = 0;
  for (let at = 0; at < occurrences.count; at++) {
    while (next < enclosing.length && enclosing[next]! < at) next += enclosingWidth;
    if (symbol[at]! < 0 || (roles[at]! & symbolRole.definition) !== definition) continue;
    const range = rangeOf(startLine[at]!, startColumn[at]!, endLine[at]!, endColumn[at]!);
    if (!isKept(range)) continue;
    const whole =
      next < enclosing.length && enclosing[next] === at
        ? rangeOf(enclosing[next + 1]!, enclosing[next + 2]!, enclosing[next + 3]!, enclosing[next + 4]!)
        : undefined;
    visit(symbol[at]!, range, roles[at]!, whole);
  }
}

function rangeOf(startLine: number, startColumn: number, endLine: number, endColumn: number): Range {
  return { startLine, startColumn, endLine, endColumn };
}

function isKept({ startLine, startColumn, endLine, endColumn }: Range): boolean {
  const isNear = endLine < farthestLine && startColumn < farthestColumn && endColumn < farthestColumn;
  return isNear && endLine - startLine < mostLines;
}

function placeOf({ startLine, startColumn, endLine, endColumn }: Range): string {
  return `${startLine}:${startColumn}:${endLine}:${endColumn}`;
}

function rangeOfUse({ line, column, endLine, endColumn }: ReferenceFact): Range {
  return { startLine: line, startColumn: column, endLine, endColumn };
}

/** Rows of what is told; of a symbol that is described twice, the first. */
function informationBySymbol({ described }: ScipDocument): ReadonlyMap<number, number> {
  const rows = new Map<number, number>();
  for (let row = described.length - 1; row >= 0; row--) if (described[row]! >= 0) rows.set(described[row]!, row);
  return rows;
}

function lastLine({ count, endLine }: ScipOccurrences): number {
  let last = -1;
  for (let at = 0; at < count; at++) last = Math.max(last, endLine[at]!);
  return Math.min(last, farthestLine);
}

function siteOf(
  { tail, name, descriptors }: SymbolMeaning,
  container: number,
  nameRange: Range,
  whole: Range | undefined,
  { kind: told, displayName, signature, documentation, written }: SymbolTold,
): DefinitionFact {
  const kind = kindOfScip(told, written, descriptors);
  return {
    name: (displayName === '' ? name : displayName).slice(0, longestName),
    tail,
    kind,
    container,
    nameRange,
    range: whole ?? nameRange,
    signature,
    documentation,
    visibility: 'public',
    exported: kind !== 'parameter' && kind !== 'type-parameter',
    hasBody: whole !== undefined,
    condition: '',
    type: -1,
    supers: none,
  };
}

const none: readonly number[] = [];

const nothingTold: SymbolTold = {
  kind: 0,
  displayName: '',
  signature: '',
  documentation: '',
  written: undefined,
  implemented: nothingImplemented,
};

/** An index does not tell calls from other mentions of what can be called: each counts as one, as is the custom. */
function kindOfUse(roles: number, descriptors: readonly ScipDescriptor[]): ReferenceKind {
  if (roles & symbolRole.import) return 'import';
  if (roles & symbolRole.write) return 'write';
  const last = descriptors.at(-1);
  if (last?.suffix === 'method' && !isAccessor(last)) return 'call';
  return roles & symbolRole.read ? 'read' : 'reference';
}
