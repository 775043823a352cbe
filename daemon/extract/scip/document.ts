import type { RepoPath } from '../../model/paths.ts';
import type { ScipSymbolInformation } from './information.ts';
import type { ScipOccurrences } from './occurrences.ts';

/** What the columns of a document count from the beginning of the line. */
export type PositionEncoding = 'utf-8' | 'utf-16' | 'utf-32';

/** From `from` up to, not with, `to`. */
export interface ByteRange {
  readonly view: DataView;
  readonly from: number;
  readonly to: number;
}

/**
 * One Document message. Two of an index may have the same path: a file that belongs to two projects. Its columns are the
 * reader's no more; whatever is a method looks into bytes that are gone once the visitor has returned.
 */
export interface ScipDocument {
  /** Among all of the index, also those that were not taken in. */
  readonly number: number;
  readonly path: RepoPath;
  /** As the indexer says, mostly ''. */
  readonly language: string;
  readonly positionEncoding: PositionEncoding;
  readonly occurrences: ScipOccurrences;
  /** Occurrences that were left out, for their ranges are none or what they name is no symbol. */
  readonly unread: number;
  /** The symbols of which the document tells more: by row, as `information` takes it. */
  readonly described: Int32Array;
  information(row: number): ScipSymbolInformation;
  /** Where the message of that lies, without the symbol if that comes first, as it does in all indexes. */
  informationBytes(row: number): ByteRange;
  /** What stands behind `local ` of a symbol below 0. */
  localName(symbol: number): string;
  /** The document as the indexer saw it, where it says so. */
  text(): string | undefined;
}
