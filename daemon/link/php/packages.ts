import { directoryOf } from '../../model/paths.ts';
import type { Questions } from '../resolver.ts';
import type { Value } from '../values.ts';
import { plainName } from '../written-names.ts';

/**
 * What is none of the repository's, by its whole name `A/B/Foo#`: the language's own where it stands in no namespace, else of
 * the package that the namespace is of.
 */
export function outside(ask: Questions, from: string, path: string): Value {
  const parts = path.split('/');
  const name = plainName(parts.at(-1) ?? '');
  if (parts.length === 1) return { kind: 'external', manager: 'std', package: 'php', name };
  const places = parts.slice(0, -1);
  const customary = places.slice(0, 2).join('/').toLowerCase();
  const found = packageOf(ask, directoryOf(from), places) ?? componentOfSymfony(places);
  // In a package that is called as its namespace begins, names are told from there.
  const within = found === undefined ? places.slice(2) : places;
  return { kind: 'external', manager: 'composer', package: found ?? customary, name: [...within, name].join('.') };
}

/** By custom the first two names of a namespace are those of vendor and package. */
export function packageParts(path: string): readonly string[] {
  return path.split('/').slice(0, -1).slice(0, 2);
}

/** Each is a package of its own. */
function componentOfSymfony([vendor, kind = '', own]: readonly string[]): string | undefined {
  if (vendor !== 'Symfony' || own === undefined || !/^(?:Component|Bundle|Bridge)$/.test(kind)) return undefined;
  return `symfony/${dashed(own)}${kind === 'Bridge' ? '-bridge' : ''}`;
}

function dashed(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '-').toLowerCase();
}

/** The package of a namespace, as what is locked says, or else what is required. */
function packageOf(ask: Questions, directory: string, places: readonly string[]): string | undefined {
  const found = ask.once(`php package ${directory}\0${places.join('/')}`, () => {
    const { prefixes, requires } = packagesAround(ask, directory);
    const name = lockedIn(prefixes, places) ?? requiredOf(requires, places);
    return name === undefined ? undefined : { kind: 'external', manager: 'composer', package: name, name: '' };
  });
  return found?.kind === 'external' ? found.package : undefined;
}

/** By the longest prefix that a package loads its classes by. */
function lockedIn(prefixes: ReadonlyMap<string, string>, places: readonly string[]): string | undefined {
  for (let count = places.length; count > 0; count--) {
    const known = prefixes.get(places.slice(0, count).join('\\'));
    if (known !== undefined) return known;
  }
  return undefined;
}

/**
 * By names: of the vendor that the namespace begins with the package that one of its names is called by, or the only one; else
 * the only one that is called as it begins.
 */
function requiredOf(requires: readonly string[], places: readonly string[]): string | undefined {
  const [top = '', ...rest] = places.map(folded);
  const ofVendor = requires.filter(one => folded(one.slice(0, one.indexOf('/'))) === top);
  const called = ofVendor.filter(one => rest.includes(folded(one.slice(one.indexOf('/') + 1))));
  const [longest] = [...called].sort((a, b) => b.length - a.length);
  if (longest !== undefined) return longest;
  if (ofVendor.length === 1) return ofVendor[0];
  const named = requires.filter(one => folded(one.slice(one.indexOf('/') + 1)) === top);
  return named.length === 1 ? named[0] : undefined;
}

/** As neither case nor dashes tell names apart. */
function folded(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

interface Packages {
  /** Namespace → the package that loads it. */
  readonly prefixes: ReadonlyMap<string, string>;
  readonly requires: readonly string[];
}

/** What the packages say that a folder is in. */
function packagesAround(ask: Questions, directory: string): Packages {
  const found = ask.shared(`php packages ${directory}`, () => {
    const prefixes = new Map<string, string>();
    const requires = new Set<string>();
    for (let at = directory; ; at = directoryOf(at)) {
      const beside = (name: string) => ask.configuration(at === '' ? name : `${at}/${name}`);
      const locked = (beside('composer.lock')?.['prefixes'] ?? {}) as Readonly<Record<string, string>>;
      for (const [prefix, name] of Object.entries(locked)) if (!prefixes.has(prefix)) prefixes.set(prefix, name);
      for (const one of (beside('composer.json')?.['requires'] ?? []) as readonly string[]) requires.add(one);
      if (at === '') return { prefixes, requires: [...requires] };
    }
  });
  return found ?? { prefixes: new Map(), requires: [] };
}
