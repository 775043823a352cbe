import type { ContentHash, Dialect, MountedDocument } from '../model/document.ts';
import type { FileStat } from '../model/file-stat.ts';
import type { DocumentLinks } from '../model/links.ts';
import type { ManifestLine } from '../model/manifest.ts';
import type { RepoPath } from '../model/paths.ts';
import type { InputDigests } from './inputs.ts';
import type { LinkBatch, NumberedLinks } from './link-batch.ts';
import type { PreciseBatch } from './precise-table.ts';
import type { Resolution } from './resolution.ts';

/** Under what facts are kept: the same bytes, read the same way, give the same facts. */
export interface FactKey {
  readonly hash: ContentHash;
  readonly dialect: Dialect;
  /** The dialect's extractor version. */
  readonly version: number;
}

/** Facts as they are stored: the encoded `DocumentFacts` and the file's text, deflated (`zlib.deflateSync`). */
export interface FactRow extends FactKey {
  readonly facts: Uint8Array;
  readonly text: Uint8Array;
}

/** A document whose links are new. */
export interface LinkedDocument {
  readonly document: MountedDocument;
  readonly key: FactKey;
  readonly links: DocumentLinks;
}

/** The links of an earlier snapshot of the same id that is still kept, by its sequence. */
export interface KeptLinks {
  readonly seq: number;
}

/** Everything that turns one snapshot of a repository into the next: applied whole or not at all. */
export interface Publication {
  readonly facts?: Iterable<FactRow>;
  /** Entries that are new or differ. A path that only changed its stat data goes to `touched`. */
  readonly entries: Iterable<ManifestLine>;
  readonly removed: Iterable<RepoPath>;
  readonly touched?: Iterable<{ readonly path: RepoPath; readonly stat: FileStat }>;
  /**
   * Every document of `entries` that has facts, which must be stored or be among `facts`, and every asker that was linked
   * anew. One whose links stayed equal costs nothing.
   */
  readonly linked: readonly LinkBatch[] | NumberedLinks | KeptLinks;
  /** What indexers say, for contents that the tree has or may have again. */
  readonly evidence?: PreciseBatch;
  readonly snapshotId: string;
  /** Wall clock, milliseconds. */
  readonly publishedAt: number;
}

/** What a published snapshot holds, counted. */
export interface SnapshotCounts {
  /** Distinct symbols. */
  readonly symbols: number;
  /** Occurrences that are no definition. */
  readonly references: number;
  /** Manifest entries, parsed or not. */
  readonly files: number;
  /** Entries that have facts. */
  readonly documents: number;
  /** Files of a known dialect that were passed over (too large, binary, not regular …). */
  readonly skipped: number;
  /** Files that could not be read or parsed. */
  readonly failed: number;
  /** Documents in which the parser lost its way: they may define and use more. */
  readonly partial: number;
  /** Documents of which an indexer says where their references point. */
  readonly precise: number;
  readonly languages: Readonly<Record<string, LanguageCounts>>;
  /** By language, files of source that were passed over or could not be read or parsed. */
  readonly unread: Readonly<Record<string, number>>;
  /** What indexers have to read, so that it shows whether what they said was said of this. */
  readonly inputs: InputDigests;
}

export interface LanguageCounts extends Resolution {
  readonly files: number;
  /** Distinct ones; what files of several languages define counts in one of these, so that all add up. */
  readonly symbols: number;
  /** Files of which an indexer says where their references point. */
  readonly precise: number;
  /** Those of them by what else the indexer saw (`Inputs`): where the tree has that otherwise, what was said may be. */
  readonly contexts: Readonly<Record<string, number>>;
  /** Files in which the parser lost its way. */
  readonly partial: number;
  /** Files that somebody else wrote, or a program. */
  readonly foreign: number;
}

export interface StoredSnapshot {
  readonly seq: number;
  readonly snapshotId: string;
  /** Which precise documents are in use; '' without any. The same in every index file that has the same ones. */
  readonly evidenceId: string;
  /** Wall clock, milliseconds. */
  readonly publishedAt: number;
  readonly counts: SnapshotCounts;
}

export interface Published extends StoredSnapshot {
  /** Symbols, 32 hex digits each, that the snapshot before defined and this one doesn't: for the tombstones in `daemon.db`. */
  readonly gone: readonly string[];
  /** The other way round; of a first snapshot none, and none where so many came that it is no edit. */
  readonly come: readonly string[];
}
