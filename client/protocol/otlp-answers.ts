import type { Fault, Problem } from './faults.ts';

/** What OpenTelemetry's protocol over HTTP answers, as its specification says: in the request's own encoding. */

/** The encodings, by the media type of a request; a request of another is answered in JSON. */
export const otlpMedia = { protobuf: 'application/x-protobuf', json: 'application/json' } as const;

/** Codes of google.rpc by statuses of HTTP. Whoever exports looks at the status; the code is for people. */
const codes: Readonly<Record<number, number>> = {
  401: 16,
  403: 7,
  404: 5,
  405: 12,
  408: 4,
  410: 5,
  412: 9,
  413: 8,
  429: 8,
  499: 1,
  500: 13,
  503: 14,
  504: 4,
};
const invalidArgument = 3;

export interface StatusBody {
  readonly code: number;
  readonly message: string;
  readonly details: readonly never[];
}

/** A fault as `google.rpc.Status`. All else that the core's body tells of its cause stands in the message. */
export function statusBody(fault: Fault): StatusBody {
  return { code: codes[fault.row.status] ?? invalidArgument, message: messageOf(fault), details: [] };
}

function messageOf({ message, extras: { details = {} } }: Fault): string {
  const { problems, reason } = details;
  if (Array.isArray(problems) && problems.length > 1) {
    return (problems as readonly Problem[]).map(({ path, message: words }) => `${path}: ${words}`).join('; ');
  }
  return typeof reason === 'string' ? `${message} (${reason})` : message;
}

/** That body in protocol buffers. */
export function encodedStatus({ code, message }: StatusBody): Uint8Array {
  return Buffer.concat([varintField(1, code), textField(2, message)]);
}

export interface PartialSuccess {
  /** Data points that could not be counted. */
  readonly rejected: number;
  /** Why, or what else is to be said; '' for nothing. */
  readonly message: string;
}

/** `ExportMetricsServiceResponse` in protocol buffers: no bytes at all where everything was taken. */
export function encodedExportResponse({ rejected, message }: PartialSuccess): Uint8Array {
  if (rejected === 0 && message === '') return new Uint8Array();
  const partial = Buffer.concat([varintField(1, rejected), textField(2, message)]);
  return Buffer.concat([head(1, 2), varint(partial.length), partial]);
}

/** The same as JSON has it, which writes 64 bits as a text. */
export function exportResponse({ rejected, message }: PartialSuccess) {
  return rejected === 0 && message === ''
    ? {}
    : { partialSuccess: { rejectedDataPoints: String(rejected), errorMessage: message } };
}

/** What is 0 or empty is not written. */
function varintField(field: number, value: number): Uint8Array {
  return value === 0 ? new Uint8Array() : Buffer.concat([head(field, 0), varint(value)]);
}

function textField(field: number, text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return bytes.length === 0 ? bytes : Buffer.concat([head(field, 2), varint(bytes.length), bytes]);
}

function head(field: number, type: number): Uint8Array {
  return varint(field * 8 + type);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}
