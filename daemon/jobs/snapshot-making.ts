import type { SourceLimits } from '../extract/read-file.ts';
import { linkerVersion } from '../link/linker.ts';
import type { SnapshotMaking } from '../model/snapshot.ts';

/** How snapshots are made by this version, under these limits. */
export function snapshotMaking({ bytes, lineCharacters }: SourceLimits): SnapshotMaking {
  return { linkerVersion, sourceBytes: bytes, lineCharacters };
}
