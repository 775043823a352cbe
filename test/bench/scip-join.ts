import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { factKeyOf } from '../../daemon/jobs/fact-key.ts';
import type { ScopeKey } from '../../daemon/model/document.ts';
import { FactsView } from '../../daemon/model/facts-codec.ts';
import { symbolHash } from '../../daemon/model/identity.ts';
import { scopeOfTail } from '../../daemon/model/mount.ts';
import type { IndexReader } from '../../daemon/store/index-reader.ts';
import { deserializeSCIP, type ScipIndex } from '../support/scip.ts';

/** `path:line:column`, 0-based. */
export type Place = string;
/** A definition of an index of ours. */
export interface Ours {
  readonly hash: string;
  readonly kind: string;
  readonly name: string;
}

/** Reads an index from a file, which may be gzipped. */
export function readIndex(file: string): ScipIndex {
  const bytes = readFileSync(file);
  return deserializeSCIP(file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
}

/** Where an index has what it names: definitions and uses by symbol, and the documents that it tells of. */
export function placesIn(index: ScipIndex) {
  const definitions = new Map<string, Set<Place>>();
  const uses = new Map<string, Set<Place>>();
  for (const { relativePath, occurrences } of index.documents) {
    for (const { symbol, range, symbolRoles } of occurrences) {
      if (symbol === '' || symbol.startsWith('local ')) continue;
      const places = (symbolRoles & 1) !== 0 ? definitions : uses;
      const known = places.get(symbol);
      const place = `${relativePath}:${range[0]}:${range[1]}`;
      if (known === undefined) places.set(symbol, new Set([place]));
      else known.add(place);
    }
  }
  return { definitions, uses, documents: new Set(index.documents.map(one => one.relativePath)) };
}

/** Every definition of the newest snapshot by the place of its name. */
export function ourDefinitions(reader: IndexReader, worktreeKey: string): ReadonlyMap<Place, Ours> {
  const ours = new Map<Place, Ours>();
  for (const line of reader.manifest(worktreeKey)!.entries) {
    const key = factKeyOf(line);
    const facts = key === undefined ? undefined : new FactsView(reader.facts(key)!);
    const { path } = line.entry;
    for (let slot = (facts?.definitionCount ?? 0) - 1; slot >= 0; slot--) {
      const { tail, kind, name, nameRange } = facts!.definition(slot);
      const hash = symbolHash(scopeOfTail({ path, scope: line.scope as ScopeKey }, tail), tail);
      ours.set(`${path}:${nameRange.startLine}:${nameRange.startColumn}`, { hash, kind, name });
    }
  }
  return ours;
}

/** Symbols of the index and of ours that stand at the same places: mostly one and one. */
export interface Joined {
  readonly kind: string;
  readonly symbols: string[];
  readonly hashes: Set<string>;
}

/** By symbol of ours, those of the index that stand at one of its places. */
export function joinedWith(
  definitions: ReadonlyMap<string, ReadonlySet<Place>>,
  ours: ReadonlyMap<Place, Ours>,
  unjoined: (symbol: string, place: Place) => void,
): ReadonlyMap<string, Joined> {
  const joined = new Map<string, Joined>();
  for (const [symbol, places] of definitions) {
    const all = [...places].map(place => ours.get(place)).filter(one => one !== undefined);
    const [found] = all;
    if (found === undefined) {
      unjoined(symbol, [...places][0]!);
      continue;
    }
    const known = joined.get(found.hash);
    const hashes = new Set(all.map(one => one.hash));
    if (known === undefined) joined.set(found.hash, { kind: found.kind, symbols: [symbol], hashes });
    else {
      known.symbols.push(symbol);
      for (const hash of hashes) known.hashes.add(hash);
    }
  }
  return joined;
}
