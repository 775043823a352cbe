import { namedTargets } from '../../model/package-exports.ts';
import { directoryOf, join } from '../../model/paths.ts';
import { first } from '../options.ts';
import type { Questions } from '../resolver.ts';
import { byCustom, fileOrSource, type Source, sourceOfOutput } from './built-output.ts';
import { moduleFile } from './module-file.ts';
import { manifestNamed, packageNamed } from './node-manifests.ts';

type Configuration = Readonly<Record<string, unknown>>;

/** The source file behind `name` or `name/sub/path` for a file in `from`, where a package of the repository bears that name. */
export function packageFile(ask: Questions, from: string, specifier: string): Source | undefined {
  const { name, subpath } = packageNamed(specifier);
  const manifest = manifestNamed(ask, from, name);
  if (manifest === undefined) return undefined;
  const configuration = ask.configuration(manifest);
  if (configuration === undefined) return undefined;
  return entryOf(ask, directoryOf(manifest), configuration, subpath);
}

/** What the `imports` field of the nearest package up the tree says of `#name`: a file, or the name of a dependency. */
export function packageImport(ask: Questions, directory: string, specifier: string): Source | string | undefined {
  for (let at = directory; ; at = directoryOf(at)) {
    const path = at === '' ? 'package.json' : `${at}/package.json`;
    if (ask.exists(path)) {
      const targets = namedTargets(ask.configuration(path)?.['imports'], specifier) ?? [];
      return firstOf(ask, at, targets) ?? targets.find(target => !/^[./#]/.test(target));
    }
    if (at === '') return undefined;
  }
}

/** What requiring a folder gives where its package.json names it. */
export function folderEntry(ask: Questions, folder: string): Source | undefined {
  const configuration = ask.configuration(folder === '' ? 'package.json' : `${folder}/package.json`);
  if (configuration === undefined) return undefined;
  return firstOf(ask, folder, [
    ...legacyEntries(configuration),
    ...(namedTargets(configuration['exports'], '.') ?? []),
  ]);
}

function entryOf(ask: Questions, root: string, configuration: Configuration, subpath: string): Source | undefined {
  const exported = namedTargets(configuration['exports'], subpath === '' ? '.' : `./${subpath}`);
  if (exported?.length === 0) return undefined;
  const named = [...(exported ?? []), ...(subpath === '' ? legacyEntries(configuration) : [])];
  return (
    firstOf(ask, root, named) ??
    first(unnamedEntries(subpath), target => unnamedEntry(ask, root, target)) ??
    (subpath === '' ? undefined : sourceOfOutput(ask, join(root, subpath) ?? root))
  );
}

/** What a package that names no file is asked for, where its sources lie as most packages' do. */
function unnamedEntries(subpath: string): readonly string[] {
  return subpath === '' ? ['src/index', 'index', 'lib/index', 'src/main'] : [`src/${subpath}`, subpath];
}

function unnamedEntry(ask: Questions, root: string, target: string): Source | undefined {
  const path = join(root, target);
  const found = path === undefined ? undefined : moduleFile(ask, path);
  if (found === undefined) return undefined;
  return target.startsWith('src/') ? { path: found, confidence: byCustom } : { path: found };
}

function legacyEntries(configuration: Configuration): readonly string[] {
  const named = ['source', 'types', 'typings', 'module', 'main'].map(key => configuration[key]);
  return named.filter(target => typeof target === 'string');
}

function firstOf(ask: Questions, root: string, targets: readonly string[]): Source | undefined {
  return first(targets, target => {
    const path = join(root, target);
    return path === undefined ? undefined : fileOrSource(ask, path);
  });
}
