import type { BufModules } from '../../model/contract.ts';
import type { DeclaredContract, LinkedMember, MemberContracts, PlacedUse } from '../../model/federation.ts';
import { keptBy } from '../../model/kept-by.ts';
import { directoryOf, join } from '../../model/paths.ts';
import { endsWithPath } from './alike-paths.ts';
import { parts } from './services.ts';
import { usesOf } from './uses.ts';

/**
 * The files of a registry's module that a repository needs of the one that publishes it: those that its contracts or its code
 * import, else all that it asks for. `theirs`: files of that one.
 */
export function filesOfModule<File extends { readonly contract: DeclaredContract }>(
  { module, file: asked = '.' }: PlacedUse,
  theirs: readonly File[],
  { publisher, user }: { readonly publisher: LinkedMember; readonly user: LinkedMember },
): readonly File[] {
  if (module === undefined) return [];
  const published = publisher.contracts.bufs.filter(({ modules }) => modules.names.includes(module));
  const roots = published.flatMap(({ path, modules }) =>
    rootsOf(module, modules).map(root => join(directoryOf(path), root) ?? ''),
  );
  const inside = theirs.flatMap(file => {
    const path = pathBelow(roots, file.contract.path);
    const isAsked = asked === '.' || path === asked || path?.startsWith(`${asked}/`) === true;
    return path === undefined || !isAsked ? [] : [{ file, path }];
  });
  const told = needed(inside, user);
  return (told.length > 0 ? told : inside).map(({ file }) => file);
}

/** Of some files, each with the path that it is imported by, those that contracts or code of a repository import. */
export function needed<One extends { readonly file: { readonly contract: DeclaredContract }; readonly path: string }>(
  files: readonly One[],
  user: LinkedMember,
): readonly One[] {
  return files.filter(({ file, path }) => isImported(user, file.contract.path) || isUsed(user, path));
}

/** Where each module has a name, its own folder; else all of the workspace's. */
function rootsOf(module: string, { roots, names }: BufModules): readonly string[] {
  return roots.length === names.length ? roots.filter((_, at) => names[at] === module) : roots;
}

/** From the innermost of some folders that a path is in. */
function pathBelow(roots: readonly string[], path: string): string | undefined {
  const around = roots.filter(root => root === '' || root === '.' || path.startsWith(`${root}/`));
  const [root] = around.toSorted((one, other) => other.length - one.length);
  return root === undefined ? undefined : root === '' || root === '.' ? path : path.slice(root.length + 1);
}

function isImported({ contracts }: LinkedMember, file: string): boolean {
  return contracts.declared.some(
    ({ outline }) => outline.type === 'proto' && outline.imports.some(({ path }) => endsWithPath(file, path)),
  );
}

/** Whether code imports what was generated of a file of a module: by its path there, or by its folder. */
function isUsed({ contracts }: LinkedMember, path: string): boolean {
  const stem = parts(path).slice(0, -1).join(' ');
  const folder = parts(directoryOf(path)).join(' ');
  return placesImported(contracts).some(
    said => said.includes(` ${stem} `) || (folder !== '' && said.endsWith(` ${folder} `)),
  );
}

/** Each once, in words. */
const placesImported = keptBy((contracts: MemberContracts): readonly string[] => {
  const said = usesOf(contracts, 'stub-import', 'type-import').map(({ from = '' }) => ` ${parts(from).join(' ')} `);
  return [...new Set(said)];
});
