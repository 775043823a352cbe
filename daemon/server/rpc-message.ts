import {
  createJSONRPCErrorResponse,
  createJSONRPCNotification,
  isJSONRPCID,
  isJSONRPCResponse,
  JSONRPC,
  JSONRPCErrorCode,
  type JSONRPCID,
} from 'json-rpc-2.0';
import { Fault, faultBody } from '../../client/protocol/faults.ts';

/** What one JSON-RPC message asks for, once its form is known to be right. */
export type Incoming =
  | { readonly kind: 'request'; readonly id: JSONRPCID; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  /** An answer to a question that we never ask: no reply, no effect. */
  | { readonly kind: 'response' }
  | { readonly kind: 'invalid'; readonly id: JSONRPCID; readonly fault: Fault };

/** A reply in parts, which need no joining; undefined where none is due. */
export type Answer = readonly (string | Uint8Array)[] | undefined;

export type Params = Readonly<Record<string, unknown>>;

/** Reads one message, not a batch. */
export function incoming(message: unknown): Incoming {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return invalid(null, 'A request is a JSON object');
  }
  if (!('method' in message) && isJSONRPCResponse(message)) return { kind: 'response' };
  const { jsonrpc, id, method, params } = message as Record<string, unknown>;
  const isId = isJSONRPCID(id) && (typeof id !== 'number' || Number.isFinite(id));
  if (id !== undefined && !isId) return invalid(null, 'id must be a text or a number');
  const known = (id ?? null) as JSONRPCID;
  if (jsonrpc !== JSONRPC) return invalid(known, 'jsonrpc must be "2.0"');
  if (typeof method !== 'string') return invalid(known, 'method must be a text');
  const named = namedParams(params);
  if (named === undefined) {
    const fault = new Fault('invalidParameter', 'params: must be an object, its fields by name', {
      details: { problems: [{ path: 'params', message: 'must be an object, its fields by name' }] },
    });
    return id === undefined ? { kind: 'response' } : { kind: 'invalid', id: known, fault };
  }
  return id === undefined
    ? { kind: 'notification', method, params: named }
    : { kind: 'request', id: known, method, params: named };
}

/** The reply to a request, in parts; `body` is JSON already. */
export function resultParts(id: JSONRPCID, body: string | Uint8Array): (string | Uint8Array)[] {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  return typeof body === 'string' ? [`${head}${body}}`] : [head, body, '}'];
}

export function faultReply(id: JSONRPCID, fault: Fault): string {
  const { retryAfterSeconds } = fault.extras;
  const details = {
    ...faultBody(fault),
    reason: fault.reason,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return JSON.stringify(createJSONRPCErrorResponse(id, fault.row.rpc, fault.message, details));
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
