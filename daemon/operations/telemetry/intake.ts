import type { PartialSuccess } from '../../../client/protocol/otlp-answers.ts';
import type { OtlpFormat } from '../../extract/otlp/read-metrics.ts';
import type { BodyCoding } from '../../jobs/telemetry/body-coding.ts';

/** A body as it came: nobody has looked into it. Its bytes are a buffer of their own, which may be handed on to a thread. */
export interface TelemetryBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly coding: BodyCoding;
  /** The id of the repository in which services without an entry are looked for; undefined: in none. */
  readonly repo: string | undefined;
}

export interface MetricsBatch extends TelemetryBatch {
  readonly format: OtlpFormat;
}

export interface CallsBatch extends TelemetryBatch {
  /** What the request names the batch, where it does. */
  readonly key: string | undefined;
}

export interface CallsTaken {
  /** Items of the batch: each is matched or not. */
  readonly eventsReceived: number;
  readonly eventsMatched: number;
  readonly eventsUnmatched: number;
  /** Whether all were looked up that could be; others may be matched as well. */
  readonly areLookedUp: boolean;
  /** Older than calls are kept: not counted. */
  readonly eventsRejected: number;
  /** It had come before, and nothing was counted. */
  readonly isRepeated: boolean;
}

/**
 * Takes in what production tells of calls. What has been answered stays, whatever happens to the process. Rejects with faults:
 * `preconditionFailed` where telemetry is off, those of `decodeBody` and `bodyFault`, and whatever storing meets.
 */
export interface TelemetryIntake {
  metrics(batch: MetricsBatch, signal: AbortSignal): Promise<PartialSuccess>;
  calls(batch: CallsBatch, signal: AbortSignal): Promise<CallsTaken>;
}
