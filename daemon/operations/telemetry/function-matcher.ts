import { fittingOf } from '../../analysis/long-name.ts';
import { type Candidate, type Match, matchFunction } from '../../analysis/usage/match-function.ts';
import { fileFit, type ObservedFile, observedFile, type PackageFolder } from '../../analysis/usage/observed-file.ts';
import { observedName } from '../../analysis/usage/observed-name.ts';
import { rootModuleId } from '../../model/module.ts';
import { once } from '../../model/once.ts';
import { baseName } from '../../model/paths.ts';
import type { ObservedFunction } from '../../model/usage.ts';
import type { Catalogue } from '../../store/catalogue/columns.ts';
import { inTest } from '../../store/catalogue/columns.ts';
import type { FoundDefinition } from '../../store/catalogue/rows.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { unpackTraits } from '../../store/link-format.ts';
import type { GoneSymbol } from '../../store/telemetry/call-reader.ts';
import { partsTold } from '../analysis/repository-modules.ts';
import { knownPackages } from '../symbols/names.ts';

/** A definition of a catalogue that an observed function may be. */
export interface FoundCandidate extends Candidate, FoundDefinition {}

export interface FunctionMatcher {
  /** `folder`: where the service’s code lies; '' for all of the repository. */
  match(told: ObservedFunction, folder: string): Match<FoundCandidate>;
  /** The same among definitions that went, all of them of its name. */
  matchGone(told: ObservedFunction, folder: string, gone: readonly GoneCandidate[]): Match<GoneCandidate>;
}

/** What a definition was; `symbol` tells apart what took their place. */
export interface GoneCandidate extends Candidate, Pick<GoneSymbol, 'hash' | 'containers' | 'became'> {}

/** So many definitions of a name are looked at; of more, those in files of the observed name. */
const mostLookedAt = 500;

/**
 * Finds what observed functions are in the snapshot of a catalogue: 10 µs each, where file and name decide. What many services call
 * alike is looked up once.
 */
export function functionMatcher(reader: IndexReader, key: string, catalogue: Catalogue): FunctionMatcher {
  const folderOf = once(() => packageFolders(reader, key, catalogue.seq));
  const numberOf = namesOf(catalogue);
  const filesNamed = once(() => byName(catalogue));
  const isHere = (file: ObservedFile | undefined): boolean =>
    (file === undefined ? [] : (filesNamed().get(stemOf(file.segments[0]!)) ?? [])).some(path => {
      const fit = fileFit(file!, path);
      return fit !== undefined && fit.extent !== 'name';
    });
  const fileOf = (told: ObservedFunction): ObservedFile | undefined =>
    observedFile(told.file, (manager, name) => folderOf()(manager, name));
  return {
    matchGone: (told, folder, gone) => {
      const named = observedName(told.name, told.namespace);
      const file = fileOf(told);
      if (named === undefined) return { kind: 'unmatched', because: 'anonymous', candidates: [] };
      const fitting = fittingOf({ ...named, inFile: undefined }, (a, b) => a === b);
      const place = { file, line: 0, isQualified: named.qualifier.length > 0, folder };
      return matchFunction(place, gone, {
        isNamed: ({ path, containers }) => {
          const row = { path, containers, packageName: '' };
          return fitting.isInside(row) || fitting.isUnder(row, knownPackages(catalogue));
        },
        isFileHere: () => isHere(file),
        holds: () => false,
      });
    },
    match: onceForEach((told, folder) => {
      const named = observedName(told.name, told.namespace);
      const file = fileOf(told);
      if (named === undefined) {
        return { kind: 'unmatched', because: (file?.least ?? 0) > 0 ? 'foreign' : 'anonymous', candidates: [] };
      }
      const { qualifier } = named;
      const fitting = fittingOf({ ...named, inFile: undefined }, (a, b) => a === b);
      const candidates = definitionsOf(catalogue, numberOf(named.name), file);
      const place = { file, line: told.line, isQualified: qualifier.length > 0, folder };
      return matchFunction(place, candidates, {
        isNamed: one => {
          const [row] = reader.enclosed(catalogue, [one]);
          return row !== undefined && (fitting.isInside(row) || fitting.isUnder(row, knownPackages(catalogue)));
        },
        isFileHere: () => isHere(file),
        holds: (one, line) => {
          const [range] = reader.ranges(catalogue, [one]);
          return range !== undefined && range.startLine < line && line <= range.endLine + 1;
        },
      });
    }),
  };
}

function onceForEach(match: FunctionMatcher['match']): FunctionMatcher['match'] {
  const known = new Map<string, Match<FoundCandidate>>();
  return (told, folder) => {
    const key = [folder, told.namespace, told.name, told.file, told.line].join('\0');
    const found = known.get(key) ?? match(told, folder);
    known.set(key, found);
    return found;
  };
}

/** Packages that the repository has, as their manifests call them. */
function packageFolders(reader: IndexReader, key: string, seq: number): PackageFolder {
  const documents = reader.told(key, seq);
  const ids = documents === undefined ? new Map<string, string>() : partsTold(documents).parts.byName;
  return (manager, name) => {
    const id = ids.get(`${manager} ${name}`);
    return id === rootModuleId ? '' : id;
  };
}

function definitionsOf(
  catalogue: Catalogue,
  name: number | undefined,
  file: ObservedFile | undefined,
): readonly FoundCandidate[] {
  if (name === undefined) return [];
  const { starts, ends, order, documentOf, documents } = catalogue;
  const all = order.subarray(starts[name], ends[name]);
  const isIn = (definition: number): boolean => fileFit(file!, documents[documentOf[definition]!]!.path) !== undefined;
  const isMany = all.length > mostLookedAt;
  const some = isMany && file !== undefined ? all.filter(isIn) : all;
  // None of so many is what a bare name means.
  return some.length > mostLookedAt ? [] : Array.from(some, definition => candidateOf(catalogue, definition));
}

function byName({ documents }: Catalogue): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path } of documents) {
    const stem = stemOf(baseName(path));
    const known = found.get(stem);
    if (known === undefined) found.set(stem, [path]);
    else known.push(path);
  }
  return found;
}

/** What is built of a file has its name up to what that ends in. */
function stemOf(name: string): string {
  return name.replace(/\.[^.]{1,20}$/, '');
}

function candidateOf(
  { documents, documentOf, symbolOf, traits, nameOf, names }: Catalogue,
  definition: number,
): FoundCandidate {
  const packed = traits[definition]!;
  return {
    definition,
    symbol: symbolOf[definition]!,
    name: names[nameOf[definition]!]!,
    path: documents[documentOf[definition]!]!.path,
    kind: unpackTraits(packed).kind,
    isTest: (packed & inTest) !== 0,
  };
}

/** Numbers of names of a list that only grows. */
const numbered = new WeakMap<readonly string[], Map<string, number>>();

function namesOf({ names }: Catalogue): (name: string) => number | undefined {
  const known = numbered.get(names) ?? new Map<string, number>();
  numbered.set(names, known);
  for (let at = known.size; at < names.length; at++) known.set(names[at]!, at);
  return name => known.get(name);
}
