import { baseName, directoryOf } from '../../model/paths.ts';
import { record, said, text } from './content.ts';
import { codeAt, codeIn, type EntryContext, type Found, stemOf } from './entry-context.ts';
import type { Package } from './packages.ts';

/**
 * The targets of a crate that are no tests, as Cargo finds them: the library, the programs, examples and benchmarks that
 * the manifest names, those that lie where Cargo looks, and the build script.
 */
export function* cargoEntries({ tree, configuration }: EntryContext, one: Package): Iterable<Found> {
  const { directory } = one;
  const content = configuration(one.manifest) ?? {};
  const name = one.name ?? baseName(directory);
  const library = codeAt(tree, directory, text(content['libraryPath']) ?? 'src/lib.rs');
  if (library !== undefined) yield { path: library, name, kind: 'library', because: 'Cargo library' };
  const targets = said(content, 'targets');
  for (const target of (Array.isArray(targets) ? targets : []).map(record)) {
    const found = namedTarget(tree, directory, target);
    if (found !== undefined) yield found;
  }
  const main = codeAt(tree, directory, 'src/main.rs');
  if (main !== undefined) yield { path: main, name, kind: 'main', because: 'src/main.rs' };
  for (const [folder, kind] of folders) {
    const at = directory === '' ? folder : `${directory}/${folder}`;
    for (const path of targetsIn(tree, at)) {
      const own = baseName(path) === 'main.rs' ? baseName(directoryOf(path)) : stemOf(path);
      yield { path, name: own, kind, because: `Cargo ${folder}` };
    }
  }
  const build = codeAt(tree, directory, text(said(content, 'build')) ?? 'build.rs');
  if (build !== undefined) yield { path: build, name: 'build', kind: 'script', because: 'Cargo build script' };
}

const folders: readonly (readonly [string, Found['kind']])[] = [
  ['src/bin', 'cli'],
  ['examples', 'script'],
  ['benches', 'script'],
];

/** Files of a folder of targets, and the `main.rs` of the folders in it. */
function targetsIn(tree: EntryContext['tree'], folder: string): readonly string[] {
  const files = codeIn(tree, folder).filter(path => path.endsWith('.rs'));
  const inside = tree.codeDirectoriesIn(folder).flatMap(one => codeAt(tree, one, 'main.rs') ?? []);
  return [...files, ...inside];
}

const placesOf: Readonly<Record<string, string>> = { bin: 'src/bin', example: 'examples', bench: 'benches' };

function namedTarget(
  tree: EntryContext['tree'],
  directory: string,
  target: Readonly<Record<string, unknown>>,
): Found | undefined {
  const [kind, name, written] = [text(target['kind']) ?? '', text(target['name']), text(target['path'])];
  const folder = Object.hasOwn(placesOf, kind) ? placesOf[kind] : undefined;
  if (folder === undefined) return undefined;
  const places = written === undefined ? [`${folder}/${name}.rs`, `${folder}/${name}/main.rs`] : [written];
  const path = places.map(place => codeAt(tree, directory, place)).find(one => one !== undefined);
  const isCommand = kind === 'bin';
  return path === undefined
    ? undefined
    : { path, name: name ?? stemOf(path), kind: isCommand ? 'cli' : 'script', because: `Cargo [[${kind}]]` };
}
