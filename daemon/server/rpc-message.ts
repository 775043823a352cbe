import {
  createJSONRPCErrorResponse,
  createJSONRPCNotification,
  isJSONRPCID,
  isJSONRPCResponse,
  JSONRPC,
  JSONRPCErrorCode,
  type JSONRPCErrorResponse,
  type JSONRPCID,
  type JSONRPCRequest,
  type JSONRPCResponse,
} from 'json-rpc-2.0';
import { Fault, faultBody } from '../../client/protocol/faults.ts';

/** What one JSON-RPC message is, once its form was looked at. */
export type Incoming =
  /** With an id a request, without one a notification. */
  | { readonly kind: 'call'; readonly call: Call }
  /** An answer to a question that we never ask, or a notification that can't be carried out: no reply, no effect. */
  | { readonly kind: 'moot' }
  | { readonly kind: 'invalid'; readonly id: JSONRPCID; readonly fault: Fault };

export type Call = JSONRPCRequest & { readonly params: Params };

/** A reply in parts, which need no joining; undefined where none is due. */
export type Answer = readonly (string | Uint8Array)[] | undefined;

export type Params = Readonly<Record<string, unknown>>;

/** Beyond it not every number can be told from the next. */
const mostId = Number.MAX_SAFE_INTEGER;

/** Reads one message, not a batch. */
export function incoming(message: unknown): Incoming {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return invalid(null, 'A request is a JSON object');
  }
  if (!('method' in message) && isJSONRPCResponse(message)) return { kind: 'moot' };
  const { jsonrpc, id, method, params } = message as Record<string, unknown>;
  if (id !== undefined && !isJSONRPCID(id)) return invalid(null, 'id must be a text or a number');
  // Two ids that are told apart as they are written may be one once they are read, and be answered as a third.
  if (typeof id === 'number' && !Number.isSafeInteger(id)) {
    return invalid(null, `id must be a whole number from -${mostId} to ${mostId}: send any other id as a text`);
  }
  const known = id ?? null;
  if (jsonrpc !== JSONRPC) return invalid(known, 'jsonrpc must be "2.0"');
  if (typeof method !== 'string') return invalid(known, 'method must be a text');
  const named = namedParams(params);
  if (named === undefined) {
    const fault = new Fault('invalidParameter', 'params: must be an object, its fields by name', {
      details: { problems: [{ path: 'params', message: 'must be an object, its fields by name' }] },
    });
    return id === undefined ? { kind: 'moot' } : { kind: 'invalid', id: known, fault };
  }
  return { kind: 'call', call: { jsonrpc, method, params: named, ...(id === undefined ? {} : { id: known }) } };
}

/** What goes to the wire of a response whose result is JSON already; nothing for a notification. */
export function responseParts(response: JSONRPCResponse | null): Answer {
  if (response === null) return undefined;
  if (response.error !== undefined) return [JSON.stringify(response)];
  const body = response.result as string | Uint8Array;
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(response.id)},"result":`;
  return typeof body === 'string' ? [`${head}${body}}`] : [head, body, '}'];
}

export function faultReply(id: JSONRPCID, fault: Fault): string {
  return JSON.stringify(faultResponse(id, fault));
}

export function faultResponse(id: JSONRPCID, fault: Fault): JSONRPCErrorResponse {
  const { retryAfterSeconds } = fault.extras;
  const details = {
    ...faultBody(fault),
    reason: fault.reason,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return createJSONRPCErrorResponse(id, fault.row.rpc, fault.message, details);
}

/** Text that is no JSON: it has no row in the fault table, for nothing below ever throws it. */
export function parseErrorReply(message: string): string {
  const details = { ...faultBody(new Fault('invalidRequest', message)), reason: 'parseError' };
  return JSON.stringify(createJSONRPCErrorResponse(null, JSONRPCErrorCode.ParseError, message, details));
}

export function notification(method: string, params: Params): string {
  return JSON.stringify(createJSONRPCNotification(method, params));
}

/** By name; nothing, null and an empty list (which some editors send for "none") are no fields. */
function namedParams(params: unknown): Params | undefined {
  if (params === undefined || params === null) return {};
  if (Array.isArray(params)) return params.length === 0 ? {} : undefined;
  return typeof params === 'object' ? (params as Params) : undefined;
}

function invalid(id: JSONRPCID, message: string): Incoming {
  return { kind: 'invalid', id, fault: new Fault('invalidRequest', message) };
}
