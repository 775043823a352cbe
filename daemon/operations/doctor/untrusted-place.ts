import type { Places } from '../../../client/paths.ts';
import { type FileSystemType, remoteFileSystem } from '../../../watch/file-system.ts';

/** A folder for databases that lies where locks can't be trusted, and on what file system; undefined where there is none. */
export function untrustedPlace(
  { state, data }: Pick<Places, 'state' | 'data'>,
  typeOf: FileSystemType,
): { readonly folder: string; readonly on: string } | undefined {
  for (const folder of [state, data]) {
    const remote = remoteFileSystem(typeOf(folder));
    if (remote?.locks === 'untrusted') return { folder, on: remote.name };
  }
  return undefined;
}
