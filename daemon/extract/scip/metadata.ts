import type { WireReader } from '../wire.ts';
import type { PositionEncoding } from './document.ts';
import { unacceptable } from './problem.ts';

export interface ScipMetadata {
  /** The indexer and its version. What it was called with is left out: arguments may hold secrets. */
  readonly tool: string;
  readonly toolVersion: string;
  /** URI of the folder that was indexed, where it was indexed: a label. Without user and password. */
  readonly projectRoot: string;
  /** What columns count in documents that don't say. */
  readonly positionEncoding: PositionEncoding;
}

/** UTF-8 and UTF-16, of the files on disk. */
const mostTextEncoding = 2;
const longestText = 4096;

export function readMetadata(reader: WireReader): ScipMetadata {
  let tool = { name: '', version: '' };
  let projectRoot = '';
  const start = reader.offset;
  while (reader.more()) {
    const field = reader.field();
    if (field === 1) {
      if (reader.int32() !== 0) throw unacceptable('A version of SCIP that is not known', start, newerIndexer);
    } else if (field === 2) tool = within(reader, readTool);
    else if (field === 3) projectRoot = reader.string();
    else if (field === 4) {
      const encoding = reader.int32();
      if (encoding < 0 || encoding > mostTextEncoding)
        throw unacceptable(`Text encoding ${encoding}, which is not known`, start, newerIndexer);
    } else reader.skip(field);
  }
  return {
    tool: tool.name.slice(0, longestText),
    toolVersion: tool.version.slice(0, longestText),
    projectRoot: withoutUser(projectRoot).slice(0, longestText),
    positionEncoding: bytesAsColumns.has(tool.name) ? 'utf-8' : 'utf-16',
  };
}

const newerIndexer = 'Use a release of the indexer that writes SCIP 0.x, or update svc';

/**
 * Indexers that count bytes and, in some release, did not say so: their compilers do. All others run on machines whose
 * strings are UTF-16 (JavaScript, Java, .NET, Dart).
 */
const bytesAsColumns = new Set(['scip-go', 'rust-analyzer', 'scip-clang', 'scip-ruby', 'scip-php']);

/** Reads a message in the message that the reader is in. */
export function within<T>(reader: WireReader, read: (reader: WireReader) => T): T {
  const end = reader.lengthEnd();
  const outer = reader.end;
  reader.end = end;
  const value = read(reader);
  reader.end = outer;
  return value;
}

function readTool(reader: WireReader): { name: string; version: string } {
  const tool = { name: '', version: '' };
  while (reader.more()) {
    const field = reader.field();
    if (field === 1) tool.name = reader.string();
    else if (field === 2) tool.version = reader.string();
    else reader.skip(field);
  }
  return tool;
}

/** What stands between `//` and the last `@` before the path. */
function withoutUser(uri: string): string {
  const start = uri.indexOf('//') + 2;
  if (start < 2) return uri;
  const slash = uri.indexOf('/', start);
  const host = slash < 0 ? uri.length : slash;
  const at = uri.lastIndexOf('@', host - 1);
  return at < start ? uri : uri.slice(0, start) + uri.slice(at + 1);
}
