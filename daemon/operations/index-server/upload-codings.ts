import * as zlib from 'node:zlib';
import { Fault } from '../../../client/protocol/faults.ts';

/** In which codings uploads are understood beside the plain one, as `Content-Encoding` names them. */
export const uploadCodings: readonly string[] = ['gzip', ...('createZstdDecompress' in zlib ? ['zstd'] : [])];

/** The first bytes of each. */
const magic: Readonly<Record<string, readonly number[]>> = {
  gzip: [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
};

/** The coding of a body by its header; undefined for a plain one. Throws `unsupportedMediaType`. */
export function codingOf(header: string | undefined): string | undefined {
  const named = (header ?? '').trim().toLowerCase();
  if (named === '' || named === 'identity') return undefined;
  const coding = named === 'x-gzip' ? 'gzip' : named;
  if (uploadCodings.includes(coding)) return coding;
  throw new Fault(
    'unsupportedMediaType',
    `An upload’s Content-Encoding is ${uploadCodings.join(', ')} or none, not ${JSON.stringify(header)}`,
    { details: { understood: uploadCodings } },
  );
}

/** Whether a body begins as its coding does. */
export function isCodedAs(coding: string, head: Uint8Array): boolean {
  return magic[coding]!.every((byte, at) => head[at] === byte);
}
