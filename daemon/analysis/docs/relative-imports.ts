import type { Mention } from '../../model/mentions.ts';
import { directoryOf, join } from '../../model/paths.ts';
import type { NamedPackage } from './definition-table.ts';
import type { TreePlaces } from './file-places.ts';
import { wholeRepository } from './qualified-names.ts';

const sources = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte'] as const;
const compiled = /\.[cm]?jsx?$/;

/** The files that code of a document may mean by an import from beside it; none of any other import. */
export function importedPaths({ from }: Pick<Mention, 'from'>, document: string): readonly string[] {
  if (from === undefined || !/^\.{1,2}(?:\/|$)/.test(from)) return [];
  const path = join(directoryOf(document), from);
  if (path === undefined) return [];
  const plain = path.replace(compiled, '');
  const stems = plain === '' ? ['index'] : [plain, `${plain}/index`];
  return [path, ...stems.flatMap(stem => sources.map(ending => `${stem}${ending}`))].filter(one => one !== '');
}

/**
 * A mention as it would be if its document imported from the package what it imports from a file of the repository, that is or was
 * there, and from the repository itself where no package has the file. Where no file is, the import is of one that readers have.
 */
export function importedByPackage(
  mention: Mention,
  document: string,
  tree: Pick<TreePlaces, 'isFile' | 'was'>,
  packages: readonly NamedPackage[],
): Mention {
  const found = importedPaths(mention, document).find(path => tree.isFile(path) || tree.was(path) !== undefined);
  if (found === undefined) return mention;
  const [nearest] = packages
    .filter(({ folder }) => folder === '' || found.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length);
  const from = nearest?.name ?? wholeRepository;
  return tree.isFile(found) ? { ...mention, from, file: found } : { ...mention, from };
}
