import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { Fault, invalid } from '../../../client/protocol/faults.ts';
import { InvalidCalls } from '../../extract/otlp/calls-body.ts';
import { OtlpProblem } from '../../extract/otlp/problem.ts';

export const bodyCodings = ['gzip', 'deflate', 'identity'] as const;
export type BodyCoding = (typeof bodyCodings)[number];

/** The coding that a header Content-Encoding names; throws `unsupportedMediaType`. */
export function bodyCodingOf(header: string | undefined): BodyCoding {
  const named = (header ?? '').trim().toLowerCase();
  if (named === '') return 'identity';
  const coding = bodyCodings.find(one => one === named.replace(/^x-gzip$/, 'gzip'));
  if (coding !== undefined) return coding;
  throw new Fault('unsupportedMediaType', `The Content-Encoding may be ${bodyCodings.join(', ')} or none`, {
    details: { understood: bodyCodings, contentEncoding: header },
  });
}

/**
 * What a body is without its coding. Throws `tooLarge` where that is more than so many bytes, long before they are made, and
 * `invalidParameter` for what is not coded so. Takes as long as it takes: not for the main thread.
 */
export function decodeBody(
  bytes: Uint8Array<ArrayBuffer>,
  coding: BodyCoding,
  limitBytes: number,
): Uint8Array<ArrayBuffer> {
  if (bytes.length > limitBytes) throw batchTooLarge(limitBytes);
  if (coding === 'identity' || bytes.length === 0) return bytes;
  try {
    return inflaterOf(bytes, coding)(bytes, { maxOutputLength: limitBytes, chunkSize: 256 * 1024 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw batchTooLarge(limitBytes);
    throw invalid('invalidParameter', [
      { path: 'body', message: `is not ${coding}, as its Content-Encoding says, or not whole` },
    ]);
  }
}

/** Some write what HTTP calls deflate without the head that belongs before it. */
function inflaterOf(bytes: Uint8Array, coding: 'gzip' | 'deflate') {
  if (coding === 'gzip') return gunzipSync;
  const head = (bytes[0]! << 8) | (bytes[1] ?? 0);
  return (head & 0x0f00) === 0x0800 && head % 31 === 0 ? inflateSync : inflateRawSync;
}

export function batchTooLarge(limitBytes: number): Fault {
  return new Fault('tooLarge', `The body is over ${limitBytes} bytes (limits.telemetry_bytes): send it in parts`, {
    details: { limitBytes, limit: 'limits.telemetry_bytes' },
  });
}

/** What a reader of bodies threw, as the caller may be told it; whatever else it is stays what it is. */
export function bodyFault(thrown: unknown): unknown {
  if (thrown instanceof InvalidCalls) return invalid('invalidBody', thrown.problems);
  if (!(thrown instanceof OtlpProblem)) return thrown;
  if (thrown.kind === 'too large') return new Fault('tooLarge', `The body is too much at once: ${thrown.message}`);
  return invalid('invalidParameter', [{ path: 'body', message: `can’t be read: ${thrown.message}` }]);
}
