import { EnclosingChains, untold } from '../enclosing.ts';
import {
  type Catalogue,
  type CatalogueDocument,
  compareInGroup,
  definitionsIn,
  inOrder,
  type Part,
  symbolsIn,
} from './columns.ts';

/** What one document that stays defines from now on. */
export interface PatchedPart {
  /** The document's number in the catalogue. */
  readonly document: number;
  readonly part: Part;
}

/** A catalogue as those see it who bring it along. */
type Growing = { -readonly [Field in keyof Catalogue]: Catalogue[Field] } & {
  readonly documents: CatalogueDocument[];
  readonly changed: Map<number, Uint32Array>;
  readonly touched: number[];
};

/** How far the columns of a catalogue are filled, and for how many definitions a group has room that was moved. */
interface Filled {
  definitions: number;
  order: number;
  readonly rooms: Map<number, number>;
}

const filledOf = new WeakMap<Catalogue, Filled>();

/** Past a part of it that has moved, a catalogue is better made anew. */
const movedPart = 1 / 4;
const alwaysMoved = 50_000;

/**
 * Brings a catalogue to another snapshot of the same documents, some of which define other things; its list of names may
 * have grown. It costs what these documents define, and of each name that is touched the definitions that bear it. False
 * where so much has moved that it must be made anew; then nothing has happened to it.
 */
export function patchCatalogue(catalogue: Catalogue, seq: number, parts: readonly PatchedPart[]): boolean {
  const filled = filledOf.get(catalogue) ?? {
    definitions: catalogue.built,
    order: catalogue.order.length,
    rooms: new Map<number, number>(),
  };
  const most = catalogue.built * movedPart + alwaysMoved;
  const isFull = filled.definitions - catalogue.built > most || filled.order - catalogue.built > most;
  if (isFull || catalogue.touched.length > most) return false;
  filledOf.set(catalogue, filled);
  const growing = catalogue as Growing;
  growing.seq = seq;
  const names = catalogue.names.length;
  for (const column of ['starts', 'ends', 'symbolCounts'] as const) growing[column] = grown(growing[column], names);
  if (growing.chains.count > most + catalogue.built) {
    growing.chains = new EnclosingChains();
    growing.enclosing.fill(untold);
  }
  for (const { document, part } of parts) patchDocument(growing, filled, document, inOrder(part));
  return true;
}

function patchDocument(catalogue: Growing, filled: Filled, document: number, part: Part): void {
  const before = definitionsIn(catalogue, document);
  catalogue.documents[document] = part.place;
  const kept = keptDefinitions(catalogue, before, part);
  // Names around what stays may be others: a default export is one symbol under any.
  for (const definition of before) catalogue.enclosing[definition] = untold;
  const now = new Uint32Array(part.symbols.length);
  const added: number[] = [];
  for (let at = 0; at < now.length; at++) {
    const known = kept.get(part.symbols[at]!);
    const definition = known ?? addDefinition(catalogue, filled, document, part, at);
    if (known === undefined) added.push(definition);
    else catalogue.slots[definition] = part.slots[at]!;
    now[at] = definition;
  }
  const isKept = new Set(kept.values());
  const gone = before.filter(definition => !isKept.has(definition));
  if (added.length === 0 && gone.length === 0) return;
  catalogue.changed.set(document, now);
  catalogue.size += added.length - gone.length;
  regroup(catalogue, filled, gone, added);
}

/**
 * By symbol the definitions that are as they were, if for another slot. None where any of them changed places: below
 * `built` numbers are in the order of places.
 */
function keptDefinitions(
  { symbolOf, nameOf, traits, slots }: Catalogue,
  before: Uint32Array,
  part: Part,
): ReadonlyMap<number, number> {
  const bySymbol = new Map<number, number>();
  for (const definition of before) bySymbol.set(symbolOf[definition]!, definition);
  const kept = new Map<number, number>();
  let last = -1;
  for (let at = 0; at < part.symbols.length; at++) {
    const symbol = part.symbols[at]!;
    const known = bySymbol.get(symbol);
    if (known === undefined || nameOf[known] !== part.names[at] || traits[known] !== part.traits[at]) continue;
    if (slots[known]! < last) return new Map();
    last = slots[known]!;
    kept.set(symbol, known);
  }
  return kept;
}

function addDefinition(catalogue: Growing, filled: Filled, document: number, part: Part, at: number): number {
  const definition = filled.definitions++;
  for (const column of ['symbolOf', 'documentOf', 'nameOf', 'slots', 'enclosing'] as const) {
    catalogue[column] = grown(catalogue[column], filled.definitions);
  }
  if (catalogue.traits.length < filled.definitions) {
    const traits = new Uint16Array(catalogue.slots.length);
    traits.set(catalogue.traits);
    catalogue.traits = traits;
  }
  catalogue.symbolOf[definition] = part.symbols[at]!;
  catalogue.documentOf[definition] = document;
  catalogue.nameOf[definition] = part.names[at]!;
  catalogue.traits[definition] = part.traits[at]!;
  catalogue.slots[definition] = part.slots[at]!;
  return definition;
}

/** Takes definitions out of the groups of their names and puts others in. */
function regroup(catalogue: Growing, filled: Filled, gone: Uint32Array, added: readonly number[]): void {
  const byName = new Map<number, { readonly gone: Set<number>; readonly added: number[] }>();
  const of = (definition: number) => {
    const name = catalogue.nameOf[definition]!;
    const known = byName.get(name) ?? { gone: new Set<number>(), added: [] };
    byName.set(name, known);
    return known;
  };
  for (const definition of gone) of(definition).gone.add(definition);
  for (const definition of added) of(definition).added.push(definition);
  for (const [name, change] of byName) {
    const old = catalogue.order.subarray(catalogue.starts[name]!, catalogue.ends[name]!);
    const group = change.gone.size === 0 ? Array.from(old) : Array.from(old).filter(one => !change.gone.has(one));
    for (const definition of change.added) group.splice(placeIn(catalogue, group, definition), 0, definition);
    putGroup(catalogue, filled, name, group);
    catalogue.symbolCounts[name] = symbolsIn(catalogue.symbolOf, Uint32Array.from(group));
    catalogue.touched.push(name);
  }
}

function placeIn(catalogue: Catalogue, group: readonly number[], definition: number): number {
  let low = 0;
  let high = group.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareInGroup(catalogue, group[middle]!, definition) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where a group has no room it moves to the end, with some to spare. */
function putGroup(catalogue: Growing, filled: Filled, name: number, group: readonly number[]): void {
  const { starts, ends } = catalogue;
  const room = filled.rooms.get(name) ?? ends[name]! - starts[name]!;
  filled.rooms.set(name, room);
  if (group.length > room) {
    const spacious = group.length + (group.length >>> 3) + 2;
    starts[name] = filled.order;
    filled.order += spacious;
    filled.rooms.set(name, spacious);
    catalogue.order = grown(catalogue.order, filled.order);
  }
  catalogue.order.set(group, starts[name]!);
  ends[name] = starts[name]! + group.length;
}

function grown(column: Uint32Array, length: number): Uint32Array {
  if (column.length >= length) return column;
  const larger = new Uint32Array(Math.ceil(length * 1.1) + 1024);
  larger.set(column);
  return larger;
}
