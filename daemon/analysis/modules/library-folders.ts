import { directoryOf } from '../../model/paths.ts';
import { record, said } from './content.ts';
import type { EntryContext } from './entry-context.ts';

/** Folders whose CMakeLists.txt or Makefile builds a library of C or C++; those of tests are none. Sorted. */
export function libraryFoldersOf({ tree, packages, configuration }: EntryContext): readonly string[] {
  const listed = packages.flatMap(({ ecosystem, manifest }) => (ecosystem === 'cmake' ? [manifest] : []));
  const made = makefiles.flatMap(name => tree.filesNamed(name).map(({ path }) => path));
  const building = [...listed, ...made].filter(
    path => tree.file(path)?.isTest === false && buildsLibrary(configuration(path)),
  );
  return [...new Set(building.map(directoryOf))].sort();
}

const makefiles = ['Makefile', 'makefile', 'GNUmakefile'];

function buildsLibrary(content: Parameters<typeof said>[0]): boolean {
  if (said(content, 'buildsLibrary') === true) return true;
  const targets = said(content, 'targets');
  return Array.isArray(targets) && targets.some(target => record(target)['kind'] === 'library');
}
