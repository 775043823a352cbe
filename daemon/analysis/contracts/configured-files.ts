import { isVendored, type LinkedMember, type PlacedUse } from '../../model/federation.ts';
import { fitsGlob } from '../../model/fits-glob.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import { endsWithPath } from './alike-paths.ts';
import { needed } from './module-files.ts';
import { type ProtoFile, protoFilesOf } from './proto-files.ts';

/**
 * The files that a generator's configuration names by where they lie: by a glob those of the repository itself; by a path, a
 * glob, a folder or the address of a repository those of another member, as far as they are needed. A path that leads out of a
 * repository names the member that is checked out beside it.
 */
export function configuredFiles(
  use: PlacedUse,
  user: LinkedMember,
  members: readonly LinkedMember[],
): readonly ProtoFile[] {
  const { kind, file, seen } = use;
  if (kind !== 'generator' || file === undefined || /\binputSpec/.test(seen)) return [];
  const own = use.from === undefined ? ownFiles(use, file.replaceAll('\\', '/'), user) : [];
  const found = own.length === 0 ? filesBeside(use, user, members) : isOfSeveral(file) ? own : [];
  return found.filter(({ outline }) => !/^(?:google|grpc)\./.test(outline.package));
}

/** Whether a path is a glob of names; in folders alone signs stand for what only a run tells. */
export function isOfSeveral(file: string): boolean {
  return /\*\*|[*?][^/\\]*$/.test(file);
}

/** From the folder of what names them, else from the repository's root, where commands are mostly run. */
function ownFiles({ at }: PlacedUse, written: string, user: LinkedMember): readonly ProtoFile[] {
  const places = [join(directoryOf(at), written), join('', written)];
  const found = places.map(place => (place === undefined ? [] : filesBelow(place, user)));
  return found.find(files => files.length > 0) ?? [];
}

function filesBeside(use: PlacedUse, user: LinkedMember, members: readonly LinkedMember[]): readonly ProtoFile[] {
  const { name, path } = placeBeside(use) ?? {};
  const [member, ...others] = members.filter(one => one.name.toLowerCase() === name);
  if (member === undefined || member === user || others.length > 0 || path === undefined) return [];
  const inside = filesBelow(path, member).map(file => ({ file, path: importPath(file, path) }));
  const told = needed(inside, user);
  return (told.length > 0 ? told : inside.length <= mostUntold ? inside : []).map(({ file }) => file);
}

/** Of more files, when nothing tells which are needed, most are not. */
const mostUntold = 20;

/** `../../registry/proto` is `proto` of `registry`, and so is `proto` of `https://github.com/acme/registry.git`. */
function placeBeside({ from, file = '' }: PlacedUse): { readonly name: string; readonly path: string } | undefined {
  if (from !== undefined) {
    const last = from.split(/[/:]/).findLast(part => part !== '') ?? '';
    return { name: last.replace(/\.git$/, '').toLowerCase(), path: join('', file) ?? '' };
  }
  const segments = file.split(/[\\/]/).filter(segment => segment !== '.' && segment !== '');
  const out = segments.findIndex(segment => segment !== '..');
  return out < 1 ? undefined : { name: segments[out]!.toLowerCase(), path: segments.slice(out + 1).join('/') };
}

function filesBelow(place: string, member: LinkedMember): readonly ProtoFile[] {
  const fits = (path: string): boolean =>
    isOfSeveral(place) ? fitsGlob(place, path) : place === '' || path === place || path.startsWith(`${place}/`);
  return protoFilesOf(member).filter(({ contract: { path } }) => fits(path) && !isVendored(path));
}

/** As others import it: by its package, where its folders are called so, else from the folder that is named. */
function importPath({ contract: { path }, outline }: ProtoFile, folder: string): string {
  const ofPackage = outline.package.replaceAll('.', '/');
  if (ofPackage !== '' && endsWithPath(directoryOf(path), ofPackage)) return `${ofPackage}/${baseName(path)}`;
  return folder === '' || isOfSeveral(folder) || path === folder ? path : path.slice(folder.length + 1);
}
