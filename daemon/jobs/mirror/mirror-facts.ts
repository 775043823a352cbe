import { compareRanges } from '../../extract/scip/compare-ranges.ts';
import type { ScipFacts } from '../../extract/scip/scip-facts.ts';
import type { DefinitionFact, Range } from '../../model/facts.ts';
import type { FactsWriter } from '../../model/facts-writer.ts';
import { givenTail } from '../../model/identity.ts';
import type { MirroredDocument, MirrorReader } from '../../store/mirror-reader.ts';

export interface MirrorReadings {
  /** What is known of a symbol, whatever document it stands in. */
  readonly symbol: MirrorReader['symbol'];
  /** The number of a hash. */
  readonly numberOf: (hash: string) => number;
  /** Serves one document after the other. */
  readonly writer: FactsWriter;
}

interface Site {
  readonly hash: string;
  readonly fact: DefinitionFact;
}

/** As an upload's: what is longer is no name to look for, and facts keep columns in so many bits. */
const longestName = 4096;
const farthestColumn = 2 ** 20 - 1;

/**
 * Facts of a document of which rows were told: definitions where they are shown, and each reference with what it points
 * at. In what a reference stands some servers tell of calls alone.
 */
export function factsOfMirrored(document: MirroredDocument, { symbol, numberOf, writer }: MirrorReadings): ScipFacts {
  const sites = sitesIn(document, symbol);
  sites.forEach(({ fact }) => {
    writer.definition(fact);
  });
  const slots = new Map(sites.map(({ hash }, slot) => [hash, slot]));
  const callersAt = callers(document);
  if (document.refs.length > 0) writer.expression({ op: 'unknown' });
  for (const { line, column, kind, target, enclosing: told } of document.refs) {
    const caller = kind === 'call' ? callersAt.get(placeOf(line, column, target))?.shift() : undefined;
    const around = told ?? caller ?? '';
    const name = (symbol(target)?.name ?? '').slice(0, longestName);
    const endColumn = Math.min(column + name.length, farthestColumn);
    const enclosing = slots.get(around) ?? -1;
    writer.reference({ name, kind, line, column, endLine: line, endColumn, enclosing, expression: 0 });
  }
  const places = Uint32Array.from(sites.keys());
  const { language } = document;
  return {
    language,
    encoded: writer.finish({ ...nothingBeside, language, lineCount: lastLine(document) + 1 }),
    defined: Int32Array.from(sites, ({ hash }) => numberOf(hash)),
    used: Int32Array.from(document.refs, ({ target }) => numberOf(target)),
    own: places,
    owns: places,
  };
}

const nothingBeside = { packageName: '', parseErrors: 0, configuration: '', standalone: false } as const;

/**
 * In the order of their places. What uses something here and is shown elsewhere (a namespace of several files) is defined
 * here too: somewhere around what it uses, before the first of it.
 */
function sitesIn({ symbols, refs, edges }: MirroredDocument, symbol: MirrorReader['symbol']): readonly Site[] {
  const shown = new Set(symbols.map(({ hash }) => hash));
  const sites = symbols.map(({ hash, line, column, ...told }) => {
    const end = Math.min(column + told.name.length, farthestColumn);
    const range = { startLine: line, startColumn: column, endLine: line, endColumn: Math.max(end, column) };
    return { hash, fact: factOf(hash, told, range, true) };
  });
  const defineAround = (hash: string, line: number, column: number): void => {
    if (hash === '' || shown.has(hash)) return;
    shown.add(hash);
    const told = symbol(hash);
    if (told === undefined) return;
    const range = { startLine: line, startColumn: column, endLine: line, endColumn: column };
    sites.push({ hash, fact: factOf(hash, { ...told, signature: '', documentation: '' }, range, false) });
  };
  for (const { line, column, enclosing = '' } of refs) defineAround(enclosing, line, column);
  for (const { line, column, caller } of edges) defineAround(caller, line, column);
  return sites.sort((a, b) => compareRanges(a.fact.range, b.fact.range) || (a.hash < b.hash ? -1 : 1));
}

type Told = Pick<MirroredDocument['symbols'][number], 'name' | 'kind' | 'container' | 'signature' | 'documentation'>;

function factOf(hash: string, told: Told, range: Range, hasBody: boolean): DefinitionFact {
  const { name, kind, container, signature, documentation } = told;
  return {
    name: name.slice(0, longestName),
    tail: givenTail(container === '' ? [] : container.split('.'), hash),
    kind,
    container: -1,
    nameRange: range,
    range,
    signature,
    documentation,
    visibility: 'public',
    exported: kind !== 'parameter' && kind !== 'type-parameter',
    hasBody,
    condition: '',
    type: -1,
    supers: [],
  };
}

/** By place and target: what calls there. */
function callers({ edges }: MirroredDocument): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { line, column, caller, callee } of edges) {
    const place = placeOf(line, column, callee);
    const there = found.get(place);
    if (there === undefined) found.set(place, [caller]);
    else there.push(caller);
  }
  return found;
}

function placeOf(line: number, column: number, target: string): string {
  return `${line}:${column}:${target}`;
}

function lastLine({ symbols, refs }: MirroredDocument): number {
  const last = (rows: readonly { readonly line: number }[]): number => rows.at(-1)?.line ?? -1;
  return Math.max(last(symbols), last(refs));
}
