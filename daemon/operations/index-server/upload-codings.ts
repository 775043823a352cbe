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

/** Refuses a body that begins as another coding does than its header says. */
export function refuseOtherCoding(coding: string | undefined, head: Uint8Array): void {
  const found = Object.keys(magic).find(name => magic[name]!.every((byte, at) => head[at] === byte));
  if (found === coding) return;
  const message =
    found === undefined
      ? `The upload is not ${coding}, as its Content-Encoding says`
      : `The upload is ${found}: its Content-Encoding must say so`;
  throw new Fault('invalidScip', message, { details: { reason: 'not_coded_so' } });
}
