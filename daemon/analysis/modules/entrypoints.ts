import { directoryOf } from '../../model/paths.ts';
import { cargoEntries } from './cargo-entries.ts';
import type { EntryContext, Found } from './entry-context.ts';
import { servedEntries } from './frameworks.ts';
import {
  dartEntries,
  dotnetEntries,
  headerEntries,
  jvmEntries,
  type MainFunction,
  programStarts,
} from './main-functions.ts';
import { npmEntries } from './npm-entries.ts';
import type { Package } from './packages.ts';
import { pythonEntries, runnableModules } from './python-entries.ts';
import { composerEntries, gemEntries, goEntries } from './script-entries.ts';

/** Where a repository's programs start and what its packages offer: see the functions for each ecosystem. Sorted, each once. */
export function entrypointsOf(context: EntryContext, mains: readonly MainFunction[]): readonly Found[] {
  const starts = [...programStarts(context, mains)];
  const programFolders = new Set(starts.map(({ path }) => directoryOf(path)));
  const all = [
    ...context.packages.flatMap(one => [...ofPackage(context, one, programFolders)]),
    ...jvmEntries(context),
    ...dotnetEntries(context),
    ...dartEntries(context),
    ...headerEntries(context),
    ...runnableModules(context),
    ...servedEntries(context),
    ...starts,
  ];
  return eachOnce(all);
}

function ofPackage(context: EntryContext, one: Package, programFolders: ReadonlySet<string>): Iterable<Found> {
  switch (one.ecosystem) {
    case 'npm':
      return npmEntries(context, one);
    case 'pypi':
      return pythonEntries(context, one);
    case 'cargo':
      return cargoEntries(context, one);
    case 'go':
      return goEntries(context, one, programFolders.has(one.directory));
    case 'gem':
      return gemEntries(context, one);
    case 'composer':
      return composerEntries(context, one);
    case 'maven':
    case 'gradle':
    case 'pub':
    case 'nuget':
    case 'cmake':
      return [];
  }
}

/**
 * Sorted by path; what says first that a file is one of a kind counts, for manifests speak before customs. A file may be a
 * library and a program; that a script names it besides is told of neither.
 */
function eachOnce(all: readonly Found[]): readonly Found[] {
  const known = new Map<string, Found>();
  for (const one of all.filter(({ kind }) => kind !== 'script')) {
    const key = `${one.kind === 'library' ? 'library' : 'program'} ${one.path}`;
    if (!known.has(key)) known.set(key, one);
  }
  const taken = new Set([...known.values()].map(({ path }) => path));
  for (const one of all) {
    if (one.kind === 'script' && !taken.has(one.path) && !known.has(one.path)) known.set(one.path, one);
  }
  return [...known.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.kind < b.kind ? -1 : 1));
}
