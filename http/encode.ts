import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Coding = 'br' | 'gzip' | 'identity';

/** Shorter bodies gain nothing by compression. */
export const leastCompressed = 1024;

/** The coding that an `Accept-Encoding` header prefers of those offered; at equal weight br before gzip before none. */
export function preferredCoding(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity';
  const weights = weightsOf(acceptEncoding);
  const rest = weights.get('*') ?? 0;
  const br = weights.get('br') ?? rest;
  const zipped = weights.get('gzip') ?? weights.get('x-gzip') ?? rest;
  // Named or not, plain is acceptable unless refused; it ranks below what is named unless it is given a higher weight.
  const plain = weights.get('identity') ?? 0;
  if (br > 0 && br >= zipped && br >= plain) return 'br';
  return zipped > 0 && zipped >= plain ? 'gzip' : 'identity';
}

export async function compress(body: Uint8Array | string, coding: 'br' | 'gzip'): Promise<Uint8Array> {
  return coding === 'gzip' ? gzipBytes(body, { level: 5 }) : brotliBytes(body, brotliOptions);
}

const gzipBytes = promisify<Uint8Array | string, { level: number }, Uint8Array>(gzip);
const brotliBytes = promisify<Uint8Array | string, typeof brotliOptions, Uint8Array>(brotliCompress);
// Quality 4 compresses JSON better than gzip 5 at about its cost; the default of 11 takes fifty times as long.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

function weightsOf(acceptEncoding: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.split(',').slice(0, 32)) {
    const [coding, ...parameters] = part.split(';').map(piece => piece.trim().toLowerCase());
    const quality = parameters.find(parameter => parameter.startsWith('q='));
    const weight =
      quality === undefined ? 1 : /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality.slice(2)) : 0;
    if (coding !== undefined && coding !== '') weights.set(coding, weight);
  }
  return weights;
}
