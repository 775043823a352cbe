import type { CallPoint } from '../../model/usage.ts';
import { readJson } from './read-json.ts';
import { readProtobuf } from './read-protobuf.ts';
import { type MetricsRead, PointTaker } from './take-points.ts';

export type { MetricsRead } from './take-points.ts';

export type OtlpFormat = 'protobuf' | 'json';

/**
 * Reads an ExportMetricsServiceRequest, as it is once inflated, and hands over each count of calls that it tells, in order.
 * Of one function points share an object, as they do of one source.
 *
 * Counted are sums that only grow, with a unit that is none, and all kinds of histograms and summaries by how often they were
 * told something; sums of numbers that are not whole (sampling makes such) are rounded. A point is of a function where it
 * names one, or a line of a file; what it doesn't say its scope may say, or else its resource. Everything else is another
 * metric, which is taken in good order and passed over.
 *
 * Throws OtlpProblem for bytes that are no such request; what had been handed over till then is to be forgotten.
 */
export function readMetrics(bytes: Uint8Array, format: OtlpFormat, take: (point: CallPoint) => void): MetricsRead {
  const taker = new PointTaker(take);
  if (format === 'protobuf') readProtobuf(bytes, taker);
  else if (bytes.length > 0) readJson(bytes, taker);
  return taker.read();
}
