import { type JSONRPCRequest, JSONRPCServer } from 'json-rpc-2.0';
import type { Progress } from '../../client/protocol/caller.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { nearest } from '../../client/protocol/nearest.ts';
import { type Operation, otherMediaOf } from '../../client/protocol/operation.ts';
import { type OperationName, operationNames, operations } from '../../client/protocol/registry.ts';
import type { ConnectionScope } from '../operations/handler.ts';
import type { Dispatcher } from './dispatch.ts';
import { faultResponse, type Params } from './rpc-message.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Who calls a method, and how to reach them meanwhile. */
export interface MethodCaller {
  readonly requestId: string;
  /** Its signal fires when the request is cancelled, or its connection ends. */
  readonly abort: Pick<AbortController, 'signal'>;
  readonly connection: ConnectionScope;
  readonly subscriptions: Subscriptions;
  readonly notify: (method: '$/progress', params: Params) => void;
}

export type Methods = JSONRPCServer<MethodCaller>;

/**
 * All that can be called over the socket: every operation by its name, the handshake by its short one, and the events.
 * Results are JSON already, as they go to the wire; a notification gets none, and no fault either.
 */
export function createMethods(dispatcher: Dispatcher): Methods {
  // What was thrown is logged behind the door; here it only becomes a response.
  const methods: Methods = new JSONRPCServer({ errorListener: () => {} });
  methods.mapErrorToJSONRPCErrorResponse = (id, error) =>
    faultResponse(id, error instanceof Fault ? error : new Fault('operationFailed', 'The operation failed'));
  for (const name of operationNames) {
    methods.addMethod(name, (params: Params, caller) => ask(dispatcher, name, params, caller));
  }
  methods.addMethod('initialize', (params: Params, caller) => ask(dispatcher, 'daemon.initialize', params, caller));
  for (const [name, call] of Object.entries(eventMethods)) {
    methods.addMethod(name, (params: Params, { subscriptions }) => JSON.stringify(call(subscriptions, params)));
  }
  methods.handleMethodNotFound = unknownMethod;
  return methods;
}

const eventMethods: Readonly<Record<string, (subscriptions: Subscriptions, params: Params) => unknown>> = {
  'events.subscribe': (subscriptions, params) => subscriptions.open(params),
  'events.unsubscribe': (subscriptions, params) => subscriptions.cancel(params),
};
const methodNames = [...operationNames, 'initialize', ...Object.keys(eventMethods)];

/** Tells what there is: whoever asks by hand finds the names here. */
async function unknownMethod({ id, method }: JSONRPCRequest) {
  if (id === undefined) return null;
  const meant = nearest(method, methodNames);
  const message = `There is no method ${JSON.stringify(method.slice(0, 100))}`;
  const extras = { details: { methods: methodNames } };
  return faultResponse(
    id,
    new Fault('methodNotFound', meant === undefined ? message : `${message}; did you mean ${meant}?`, extras),
  );
}

async function ask(
  dispatcher: Dispatcher,
  operation: OperationName,
  params: Params,
  caller: MethodCaller,
): Promise<string | Uint8Array> {
  const { workDoneToken, deadlineMs, directory, ...input } = params;
  const { requestId, abort, connection } = caller;
  const reply = await dispatcher.dispatch({
    operation,
    input,
    requestId,
    principal: { kind: 'owner' },
    abort,
    invalidAs: () => 'invalidParameter',
    connection,
    ...(typeof directory === 'string' ? { directory } : {}),
    ...(deadlineMs === undefined ? {} : { deadlineMs: checkedDeadline(deadlineMs) }),
    ...(workDoneToken === undefined ? {} : { onProgress: progressTo(workDoneToken, caller) }),
  });
  if (reply.kind === 'unchanged') throw new Error('unchanged, although no entity tag was named');
  return isJson(operation, input) ? reply.body : JSON.stringify(Buffer.from(reply.body).toString());
}

function isJson(name: OperationName, input: Readonly<Record<string, unknown>>): boolean {
  const operation: Operation = operations[name];
  return operation.http?.produces === undefined && otherMediaOf(operation, input) === undefined;
}

function checkedDeadline(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= 86_400_000) return value as number;
  throw new Fault('invalidParameter', 'deadlineMs: must be a whole number from 1 to 86400000');
}

function progressTo(token: unknown, { abort, notify }: MethodCaller): (progress: Progress) => void {
  if (typeof token !== 'string' && typeof token !== 'number') {
    throw new Fault('invalidParameter', 'workDoneToken: must be a text or a number');
  }
  return value => {
    if (!abort.signal.aborted) notify('$/progress', { token, value });
  };
}
