import { type NameTable, nameTableInSteps } from '../../analysis/name-table.ts';
import { inOneGo } from '../../model/in-one-go.ts';
import type { Catalogue } from '../../store/catalogue/columns.ts';
import { weights } from './ranked-definitions.ts';

/** A table of some of a catalogue's names, with what their definitions weigh. */
export interface NameLayer {
  readonly table: NameTable;
  /** Of each name by its place in the table: how many symbols bear it, and the weight of its heaviest definition. */
  readonly bearers: Uint32Array;
  readonly weights: Float64Array;
  /** To be told of a name whose definitions have changed. */
  update(name: number): void;
}

/** A table with less than so many times the names of the one after it takes these in. */
const timesLarger = 4;

/**
 * Layers of all names of a catalogue, from tables and layers of the first of them. New names get a table of their own, and
 * small tables go into larger ones, so that a save which brings a name makes no table of a million anew.
 */
export function layersOf(
  catalogue: Catalogue,
  tables: readonly NameTable[],
  layers: readonly NameLayer[],
): readonly NameLayer[] {
  const all = inOneGo(tablesOf(catalogue, tables));
  return all.map(table => layers.find(layer => layer.table === table) ?? layerOf(catalogue, table));
}

/** The tables of these layers, a step at a time. */
export function* tablesOf(
  { names }: Pick<Catalogue, 'names'>,
  tables: readonly NameTable[],
): Generator<void, readonly NameTable[]> {
  const all = tables.every(table => isOf(names, table)) ? [...tables] : [];
  const first = end(all.at(-1));
  if (all.length === 0 || first < names.length) all.push(yield* nameTableInSteps(names, undefined, first));
  for (let last = all.at(-1)!; all.length > 1; last = all.at(-1)!) {
    const before = all.at(-2)!;
    if (before.order.length >= timesLarger * last.order.length) break;
    all.splice(-2, 2, yield* nameTableInSteps(names, before, before.first));
  }
  return all;
}

function end(table: NameTable | undefined): number {
  return table === undefined ? 0 : table.first + table.order.length;
}

function isOf(names: readonly string[], table: NameTable): boolean {
  if (table.names === names) return true;
  return end(table) <= names.length && table.order.every(name => table.names[name] === names[name]);
}

function layerOf(catalogue: Catalogue, table: NameTable): NameLayer {
  const { order, first } = table;
  const bearers = new Uint32Array(order.length);
  const heaviest = new Float64Array(order.length);
  const weigh = (place: number): void => {
    const { starts, ends, order: definitions, symbolCounts, traits } = catalogue;
    const name = order[place]!;
    bearers[place] = symbolCounts[name]!;
    let most = 0;
    for (let at = starts[name]!; at < ends[name]!; at++) most = Math.max(most, weights[traits[definitions[at]!]!]!);
    heaviest[place] = most;
  };
  for (let place = 0; place < order.length; place++) weigh(place);
  let places: Uint32Array | undefined;
  return {
    ...{ table, bearers, weights: heaviest },
    update: name => {
      places ??= placesIn(table);
      weigh(places[name - first]!);
    },
  };
}

/** By name, from the first on: its place. */
function placesIn({ order, first }: NameTable): Uint32Array {
  const places = new Uint32Array(order.length);
  order.forEach((name, place) => {
    places[name - first] = place;
  });
  return places;
}
