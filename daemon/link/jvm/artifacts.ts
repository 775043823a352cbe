import { directoryOf } from '../../model/paths.ts';
import type { Questions } from '../resolver.ts';
import type { Value } from '../values.ts';

/** What is none of the repository's, by the whole name that an import or code gives it: the language's own, or a dependency's. */
export function outside(ask: Questions, from: string, specifier: string): Extract<Value, { kind: 'external' }> {
  const own = languageOf(specifier);
  if (own !== undefined) return { kind: 'external', manager: 'std', package: own, name: specifier };
  const place = (/^(?:[^.A-Z][^.]*(?:\.|$))+/.exec(specifier)?.[0] ?? specifier).replace(/\.$/, '');
  const artifact = artifactOf(ask, from, place);
  if (artifact !== undefined) return { kind: 'external', manager: 'maven', package: artifact, name: specifier };
  return { kind: 'external', manager: 'maven', package: place, name: specifier.slice(place.length + 1) };
}

function languageOf(specifier: string): 'java' | 'kotlin' | undefined {
  const [top = ''] = specifier.split('.', 1);
  if (top === 'kotlin') return 'kotlin';
  return /^(?:java|jdk|sun)$/.test(top) || ofJdk.test(specifier) ? 'java' : undefined;
}

/** Packages of the JDK besides: most of `javax` went elsewhere, or never was there. */
const ofJdk =
  /^(?:javax$|javax\.(?:accessibility|annotation\.processing|crypto|imageio|lang\.model|management|naming|net|print|rmi|script|smartcardio|sound|sql|swing|tools|transaction\.xa|security\.(?:auth|cert|sasl)(?!\.message)|xml(?!\.(?:bind|soap|ws|rpc|registry)\b))|org\.(?:w3c\.dom|xml\.sax|ietf\.jgss)|netscape\.javascript|com\.sun\.(?:jarsigner|java|jdi|management|net\.httpserver|nio|security|source|tools))(?:\.|$)/;

/** A dependency as build files write it. */
interface Artifact {
  readonly group: string;
  readonly name: string;
}

/** The artifact that a package is of, `group:name`, or what several of one group have in common; undefined where none may be meant. */
function artifactOf(ask: Questions, from: string, place: string): string | undefined {
  const directory = directoryOf(from);
  const found = ask.once(`jvm artifact ${directory}\0${place}`, () => {
    const rated = artifactsAround(ask, directory).flatMap(one => {
      const by = fitOf(one, place.split('.'));
      return by === undefined ? [] : [{ one, by }];
    });
    const best = rated.filter(({ by }) => rated.every(other => isAtLeast(by, other.by))).map(({ one }) => one);
    const [first] = best;
    if (first === undefined || best.some(one => one.group !== first.group)) return undefined;
    const name = best.length > 1 ? first.group : `${first.group}:${first.name}`;
    return { kind: 'external', manager: 'maven', package: name, name: '' };
  });
  return found?.kind === 'external' ? found.package : undefined;
}

/**
 * How well an artifact fits a package: by its group, by how much of that the package begins with, by the words of its name, and
 * whether it has no others.
 */
type Fit = readonly [how: number, shared: number, words: number, isWhole: number];

function isAtLeast(one: Fit, other: Fit): boolean {
  const at = one.findIndex((by, index) => by !== other[index]);
  return at < 0 || one[at]! > other[at]!;
}

/** Undefined where it is none of the package. */
function fitOf({ group, name }: Artifact, place: readonly string[]): Fit | undefined {
  const parts = group.split('.');
  const differing = parts.findIndex((part, index) => part !== place[index]);
  const shared = differing < 0 ? parts.length : differing;
  const words = name.toLowerCase().split(/[-_.]/);
  const wanted = place.map(part => part.toLowerCase());
  const hits = wanted.slice(shared).filter(part => words.includes(part)).length;
  const isWhole = Number(words.every(word => wanted.includes(word) || /^(?:core|api|java|jvm)$/.test(word)));
  if (shared === parts.length) return [3, shared, hits, isWhole];
  if (elsewhere[`${group}:${name}`] === place.slice(0, 3).join('.')) return [2, shared, hits, isWhole];
  if (shared >= 2 && shared === parts.length - 1 && hits > 0) return [2, shared, hits, isWhole];
  if (parts.at(-1) === place[0]) return [2, shared, hits, isWhole];
  const isNamed = name === place[0] || (name === place[1] && name === group);
  return isNamed ? [1, shared, hits, isWhole] : undefined;
}

/** Where a well-known library has its packages, of which neither its group nor its name tells. */
const elsewhere: Readonly<Record<string, string>> = { 'com.google.guava:guava': 'com.google.common' };

const buildFiles = ['pom.xml', 'build.gradle', 'build.gradle.kts'];

/** What the build files in a folder and above it name, and the lists of versions beside them. */
function artifactsAround(ask: Questions, directory: string): readonly Artifact[] {
  const found = ask.shared(`jvm artifacts ${directory}`, () => {
    const isAround = (folder: string): boolean => folder === '' || `${directory}/`.startsWith(`${folder}/`);
    const files = buildFiles.flatMap(name => ask.filesNamed(name).filter(path => isAround(directoryOf(path))));
    const lists = ask.filesNamed('libs.versions.toml').filter(path => isAround(directoryOf(directoryOf(path))));
    const written = new Set([...files, ...lists].flatMap(path => dependenciesIn(ask, path)));
    return [...written]
      .sort()
      .map(one => ({ group: one.slice(0, one.indexOf(':')), name: one.slice(one.indexOf(':') + 1) }));
  });
  return found ?? [];
}

function dependenciesIn(ask: Questions, path: string): readonly string[] {
  return (ask.configuration(path)?.['dependencies'] ?? []) as readonly string[];
}
