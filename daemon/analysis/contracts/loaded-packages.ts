import type { MemberContracts, PlacedUse } from '../../model/federation.ts';
import { keptBy } from '../../model/kept-by.ts';
import { containerOf } from './breaking/proto/types.ts';
import { parts, type ServiceCatalogue } from './services.ts';
import { usesOf } from './uses.ts';

/**
 * A service that a file names alone, as it is called in the packages that the file loads, or the repository: NestJS is told these
 * in options, mostly in another file than that which asks for the service. Where they have no such service, it is another's.
 */
export function asLoaded(use: PlacedUse, contracts: MemberContracts, catalogue: ServiceCatalogue): PlacedUse {
  const { kind, language, service } = use;
  const isPlaced = [use.from, use.file, use.fullName, use.among].some(place => place !== undefined);
  if (service === undefined || isPlaced || (kind !== 'client' && kind !== 'server') || !ofNode.has(language))
    return use;
  const { own, all, isWhole } = loadedIn(contracts);
  if (all.size === 0) return use;
  const namesIn = (packages: ReadonlySet<string>): readonly string[] =>
    catalogue.fullNames(service).filter(name => packages.has(spelled(containerOf(name))));
  const nearest = namesIn(own.get(use.at) ?? new Set());
  const [name, ...others] = nearest.length > 0 ? nearest : namesIn(all);
  if (name === undefined) return isWhole ? { ...use, fullName: `${[...all][0]!}.${service}` } : use;
  return others.length === 0 ? { ...use, fullName: name } : { ...use, among: [name, ...others].map(containerOf) };
}

const ofNode: ReadonlySet<string> = new Set(['typescript', 'javascript', 'tsx', 'vue', 'svelte', 'astro']);

interface Loaded {
  /** By file. */
  readonly own: ReadonlyMap<string, ReadonlySet<string>>;
  readonly all: ReadonlySet<string>;
  /** Nothing is loaded whose package is not told. */
  readonly isWhole: boolean;
}

const loadedIn = keptBy((contracts: MemberContracts): Loaded => {
  const own = new Map<string, Set<string>>();
  let isWhole = true;
  for (const { at, from, among = [] } of usesOf(contracts, 'load')) {
    const packages = (from === undefined ? among : [from]).map(spelled);
    if (packages.length === 0) isWhole = false;
    own.set(at, new Set([...(own.get(at) ?? []), ...packages]));
  }
  return { own, all: new Set([...own.values()].flatMap(packages => [...packages])), isWhole };
});

/** Constants of generated code have `_` for the dots of a package as well. */
function spelled(packageName: string): string {
  return parts(packageName).join('.');
}
