import type { Range, ReferenceKind } from '../model/facts.ts';
import type { FactsView } from '../model/facts-codec.ts';
import { innermostAt } from '../model/innermost.ts';
import type { ExtraReference, PreciseContent } from '../model/precise.ts';

/** Occurrences as an indexer lists them, in columns, sorted by where they begin; columns of text in UTF-16 code units. */
export interface OccurrenceColumns {
  readonly count: number;
  readonly startLine: Int32Array;
  readonly startColumn: Int32Array;
  readonly endLine: Int32Array;
  readonly endColumn: Int32Array;
  /** SCIP's bits of roles. */
  readonly roles: Int32Array;
  /** The indexer's number of the symbol; below 0 of one that is local to the document. */
  readonly symbol: Int32Array;
}

const definitionRole = 1;

/** The facts of a document as far as a join looks into them. */
export type JoinedFacts = Pick<
  FactsView,
  'definitionCount' | 'referenceCount' | 'definitionNameRange' | 'definitionRange' | 'referenceRange' | 'reference'
>;

/** Tells of each definition that the indexer lists, whose symbol is not local: `slot` of ours stands there, or -1. */
export function joinDefinitions(
  occurrences: OccurrenceColumns,
  facts: JoinedFacts,
  tell: (symbol: number, slot: number) => void,
): void {
  const slots = new Map<number, number>();
  for (let slot = facts.definitionCount - 1; slot >= 0; slot--) {
    const { startLine, startColumn } = facts.definitionNameRange(slot);
    slots.set(placeOf(startLine, startColumn), slot);
  }
  const { startLine, startColumn, roles, symbol } = occurrences;
  for (let at = 0; at < occurrences.count; at++) {
    if ((roles[at]! & definitionRole) === 0 || symbol[at]! < 0) continue;
    tell(symbol[at]!, slots.get(placeOf(startLine[at]!, startColumn[at]!)) ?? -1);
  }
}

export interface JoinedTargets {
  /**
   * The target's number of an indexer's symbol, -1 where it is none of which can be said what it is for us: there syntax
   * keeps its say, as it does where the indexer names a local.
   */
  readonly of: (symbol: number) => number;
  /** Whether syntax has a reference of the facts point at a target, by more than a guess. */
  readonly isBySyntax: (reference: number, target: number) => boolean;
  /** Whether a slot of the document is a site of a target. */
  readonly isSiteOf: (slot: number, target: number) => boolean;
}

/**
 * Where the references of a document point. Indexers list overloads, and a property's setter, as uses of their symbol: at
 * a symbol's own sites nothing uses it.
 */
export function joinReferences(
  occurrences: OccurrenceColumns,
  facts: JoinedFacts,
  targets: JoinedTargets,
): Omit<PreciseContent, 'named'> {
  return new ReferenceJoin(facts, targets).join(occurrences);
}

class ReferenceJoin {
  readonly #facts: JoinedFacts;
  readonly #targets: JoinedTargets;
  /** By where they begin, references, and definitions by their names. */
  readonly #references: ReadonlyMap<number, readonly number[]>;
  readonly #sites: ReadonlyMap<number, readonly number[]>;
  readonly #occurrences: number[] = [];
  readonly #covered: number[] = [];
  readonly #extras: ExtraReference[] = [];

  constructor(facts: JoinedFacts, targets: JoinedTargets) {
    this.#facts = facts;
    this.#targets = targets;
    this.#references = byPlace(facts.referenceCount, index => facts.referenceRange(index));
    this.#sites = byPlace(facts.definitionCount, slot => facts.definitionNameRange(slot));
  }

  join(occurrences: OccurrenceColumns): Omit<PreciseContent, 'named'> {
    const { startLine, startColumn, endLine, endColumn, roles, symbol } = occurrences;
    let place = -1;
    let seen: number[] = [];
    for (let at = 0; at < occurrences.count; at++) {
      if ((roles[at]! & definitionRole) !== 0 || symbol[at]! < 0) continue;
      const target = this.#targets.of(symbol[at]!);
      if (target < 0) continue;
      const range = {
        startLine: startLine[at]!,
        startColumn: startColumn[at]!,
        endLine: endLine[at]!,
        endColumn: endColumn[at]!,
      };
      const here = placeOf(range.startLine, range.startColumn);
      if (here !== place) seen = [];
      place = here;
      if (seen.includes(target)) continue;
      seen.push(target);
      this.#add(target, range, rolesAround(occurrences, at));
    }
    return {
      referenceCount: this.#facts.referenceCount,
      occurrences: this.#occurrences,
      covered: this.#covered,
      extras: this.#extras,
    };
  }

  #add(target: number, range: Range, roles: number): void {
    const place = placeOf(range.startLine, range.startColumn);
    if (this.#sites.get(place)?.some(slot => this.#targets.isSiteOf(slot, target))) return;
    const here = this.#references.get(place) ?? [];
    const same = here.find(index => {
      const { endLine, endColumn } = this.#facts.referenceRange(index);
      return endLine === range.endLine && endColumn === range.endColumn;
    });
    const tied = same !== undefined && this.#targets.isBySyntax(same, target) ? 1 : 0;
    for (const reference of here) this.#covered.push(reference, target * 2 + (reference === same ? tied : 0));
    this.#occurrences.push(target, (same ?? this.#extra(range, here[0], roles)) * 2 + tied);
  }

  /** `beginning`: a reference of syntax that begins there and ends elsewhere; its kind counts. */
  #extra({ startLine, startColumn, endLine, endColumn }: Range, beginning: number | undefined, roles: number): number {
    const last = this.#extras.at(-1);
    const isLast =
      last?.line === startLine &&
      last.column === startColumn &&
      last.endLine === endLine &&
      last.endColumn === endColumn;
    if (!isLast) {
      const enclosing = innermostAt(this.#facts, startLine, startColumn);
      const kind = beginning === undefined ? kindOf(roles) : this.#facts.reference(beginning).kind;
      this.#extras.push({ kind, line: startLine, column: startColumn, endLine, endColumn, enclosing });
    }
    return this.#facts.referenceCount + this.#extras.length - 1;
  }
}

/** The roles of all uses in the range of one: which of them an indexer lists first is no part of what it says. */
function rolesAround({ count, roles, ...ends }: OccurrenceColumns, at: number): number {
  const columns = [ends.startLine, ends.startColumn, ends.endLine, ends.endColumn];
  const isThere = (other: number): boolean => columns.every(column => column[other] === column[at]);
  let all = 0;
  for (let other = at; other >= 0 && isThere(other); other--)
    if ((roles[other]! & definitionRole) === 0) all |= roles[other]!;
  for (let other = at + 1; other < count && isThere(other); other++) {
    if ((roles[other]! & definitionRole) === 0) all |= roles[other]!;
  }
  return all;
}

function kindOf(roles: number): ReferenceKind {
  if ((roles & 2) !== 0) return 'import';
  if ((roles & 4) !== 0) return 'write';
  return (roles & 8) !== 0 ? 'read' : 'reference';
}

function byPlace(count: number, rangeOf: (index: number) => Range): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (let index = 0; index < count; index++) {
    const { startLine, startColumn } = rangeOf(index);
    const place = placeOf(startLine, startColumn);
    const known = found.get(place);
    if (known === undefined) found.set(place, [index]);
    else known.push(index);
  }
  return found;
}

/** Lines have fewer characters than this. */
function placeOf(line: number, column: number): number {
  return line * 0x100000 + column;
}
