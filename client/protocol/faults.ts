/** The public codes, the specification's. */
export const faultCodes = [
  'SYMBOL_NOT_FOUND',
  'FILE_NOT_FOUND',
  'INDEX_STALE',
  'BACKEND_UNAVAILABLE',
  'AMBIGUOUS_QUERY',
  'INVALID_PARAMETER',
  'RESOURCE_NOT_FOUND',
  'PRECONDITION_FAILED',
  'OPERATION_FAILED',
  'TIMEOUT',
  'BUDGET_EXCEEDED',
  'RATE_LIMITED',
] as const;
export type FaultCode = (typeof faultCodes)[number];

export interface FaultRow {
  readonly code: FaultCode;
  readonly status: number;
  readonly rpc: number;
  readonly exit: number;
  readonly retry: 'never' | 'later';
  /** The remedy offered when the thrower names none; `command` is a real `svc` command. */
  readonly fix?: SuggestedFix;
  /** The index server's code, where it is not the public one in lower case. */
  readonly served?: string;
}

export interface SuggestedFix {
  readonly type: string;
  readonly command: string;
  readonly safe: boolean;
  readonly description: string;
}

const doctor: SuggestedFix = {
  type: 'run-command',
  command: 'svc doctor',
  safe: true,
  description: 'Show what is wrong and how to mend it',
};
const logs: SuggestedFix = {
  type: 'run-command',
  command: 'svc daemon logs',
  safe: true,
  description: 'Find the cause in the log',
};
const logsOfRequest: SuggestedFix = { ...logs, description: 'Find the cause in the log, under the request id' };

/**
 * The one fault table. Everything a caller can be told went wrong is a row here: public code, HTTP status, JSON-RPC
 * code, process exit code, and whether trying again can help. Where only a code is told, the first row with it is meant.
 */
export const faultTable = {
  invalidParameter: { code: 'INVALID_PARAMETER', status: 400, rpc: -32602, exit: 2, retry: 'never' },
  invalidBody: { code: 'INVALID_PARAMETER', status: 422, rpc: -32602, exit: 2, retry: 'never' },
  invalidRequest: { code: 'INVALID_PARAMETER', status: 400, rpc: -32600, exit: 2, retry: 'never' },
  unsupportedMediaType: {
    code: 'INVALID_PARAMETER',
    status: 415,
    rpc: -32602,
    exit: 2,
    retry: 'never',
    served: 'unsupported_media_type',
  },
  uriTooLong: { code: 'INVALID_PARAMETER', status: 414, rpc: -32003, exit: 2, retry: 'never', served: 'uri_too_long' },
  headersTooLarge: {
    code: 'INVALID_PARAMETER',
    status: 431,
    rpc: -32003,
    exit: 2,
    retry: 'never',
    served: 'headers_too_large',
  },
  expectationFailed: {
    code: 'INVALID_PARAMETER',
    status: 417,
    rpc: -32600,
    exit: 2,
    retry: 'never',
    served: 'expectation_failed',
  },
  requestTimeout: { code: 'TIMEOUT', status: 408, rpc: -32008, exit: 124, retry: 'never', served: 'request_timeout' },
  unauthorized: { code: 'INVALID_PARAMETER', status: 401, rpc: -32602, exit: 6, retry: 'never' },
  forbidden: { code: 'PRECONDITION_FAILED', status: 403, rpc: -32001, exit: 6, retry: 'never' },
  unsafeOwner: { code: 'PRECONDITION_FAILED', status: 403, rpc: -32602, exit: 77, retry: 'never' },
  resourceNotFound: {
    code: 'RESOURCE_NOT_FOUND',
    status: 404,
    rpc: -32004,
    exit: 4,
    retry: 'never',
    served: 'not_found',
  },
  methodNotFound: { code: 'RESOURCE_NOT_FOUND', status: 404, rpc: -32601, exit: 2, retry: 'never' },
  notAcceptable: {
    code: 'INVALID_PARAMETER',
    status: 406,
    rpc: -32602,
    exit: 2,
    retry: 'never',
    served: 'not_acceptable',
  },
  methodNotAllowed: {
    code: 'INVALID_PARAMETER',
    status: 405,
    rpc: -32601,
    exit: 2,
    retry: 'never',
    served: 'method_not_allowed',
  },
  symbolNotFound: { code: 'SYMBOL_NOT_FOUND', status: 404, rpc: -32004, exit: 4, retry: 'never' },
  symbolGone: { code: 'SYMBOL_NOT_FOUND', status: 410, rpc: -32004, exit: 4, retry: 'never' },
  fileNotFound: { code: 'FILE_NOT_FOUND', status: 404, rpc: -32004, exit: 4, retry: 'never' },
  /** It is there, and nothing can be said of it: binary, too large, of another language. */
  unsupportedFile: { code: 'INVALID_PARAMETER', status: 422, rpc: -32602, exit: 2, retry: 'never' },
  /** The index server's: who asks with which key, and for what. */
  missingToken: {
    code: 'INVALID_PARAMETER',
    status: 401,
    rpc: -32602,
    exit: 6,
    retry: 'never',
    served: 'missing_token',
  },
  invalidToken: {
    code: 'INVALID_PARAMETER',
    status: 401,
    rpc: -32602,
    exit: 6,
    retry: 'never',
    served: 'invalid_token',
  },
  expiredToken: {
    code: 'INVALID_PARAMETER',
    status: 401,
    rpc: -32602,
    exit: 6,
    retry: 'never',
    served: 'expired_token',
  },
  revokedToken: {
    code: 'INVALID_PARAMETER',
    status: 401,
    rpc: -32602,
    exit: 6,
    retry: 'never',
    served: 'revoked_token',
  },
  insufficientScope: {
    code: 'PRECONDITION_FAILED',
    status: 403,
    rpc: -32001,
    exit: 6,
    retry: 'never',
    served: 'insufficient_scope',
  },
  repoNotAllowed: {
    code: 'PRECONDITION_FAILED',
    status: 403,
    rpc: -32001,
    exit: 6,
    retry: 'never',
    served: 'repo_not_allowed',
  },
  configRepo: { code: 'PRECONDITION_FAILED', status: 403, rpc: -32001, exit: 5, retry: 'never', served: 'config_repo' },
  repoNotFound: {
    code: 'RESOURCE_NOT_FOUND',
    status: 404,
    rpc: -32004,
    exit: 4,
    retry: 'never',
    served: 'repo_not_found',
  },
  indexServerOff: {
    code: 'RESOURCE_NOT_FOUND',
    status: 404,
    rpc: -32004,
    exit: 5,
    retry: 'never',
    served: 'index_server_disabled',
  },
  invalidCursor: {
    code: 'INVALID_PARAMETER',
    status: 400,
    rpc: -32602,
    exit: 2,
    retry: 'never',
    served: 'invalid_cursor',
  },
  invalidScip: { code: 'INVALID_PARAMETER', status: 400, rpc: -32602, exit: 2, retry: 'never', served: 'invalid_scip' },
  cursorExpired: {
    code: 'RESOURCE_NOT_FOUND',
    status: 410,
    rpc: -32004,
    exit: 5,
    retry: 'never',
    served: 'cursor_expired',
  },
  ambiguous: { code: 'AMBIGUOUS_QUERY', status: 422, rpc: -32602, exit: 4, retry: 'never' },
  indexStale: { code: 'INDEX_STALE', status: 412, rpc: -32001, exit: 5, retry: 'later' },
  preconditionFailed: { code: 'PRECONDITION_FAILED', status: 412, rpc: -32001, exit: 5, retry: 'never' },
  notReady: { code: 'BACKEND_UNAVAILABLE', status: 503, rpc: -32002, exit: 75, retry: 'later', served: 'not_ready' },
  backendUnavailable: { code: 'BACKEND_UNAVAILABLE', status: 503, rpc: -32009, exit: 69, retry: 'later', fix: doctor },
  storageFailed: { code: 'BACKEND_UNAVAILABLE', status: 503, rpc: -32009, exit: 75, retry: 'later', fix: doctor },
  shuttingDown: {
    code: 'BACKEND_UNAVAILABLE',
    status: 503,
    rpc: -32007,
    exit: 75,
    retry: 'later',
    served: 'shutting_down',
  },
  /** No daemon answers and none could be started: told by the client, never by the daemon. */
  unreachable: { code: 'BACKEND_UNAVAILABLE', status: 503, rpc: -32009, exit: 3, retry: 'later', fix: logs },
  /** The daemon lives but does not answer in time. */
  busy: { code: 'BACKEND_UNAVAILABLE', status: 503, rpc: -32009, exit: 75, retry: 'later', served: 'busy' },
  /** Another program listens on the port that was asked for. */
  addressInUse: { code: 'PRECONDITION_FAILED', status: 412, rpc: -32001, exit: 75, retry: 'later' },
  /** The configuration, or a folder that it names, can't be used. */
  misconfigured: { code: 'PRECONDITION_FAILED', status: 412, rpc: -32001, exit: 78, retry: 'never' },
  incompatibleVersion: { code: 'PRECONDITION_FAILED', status: 412, rpc: -32006, exit: 78, retry: 'never' },
  tooLarge: { code: 'BUDGET_EXCEEDED', status: 413, rpc: -32003, exit: 2, retry: 'never', served: 'payload_too_large' },
  rateLimited: { code: 'RATE_LIMITED', status: 429, rpc: -32005, exit: 75, retry: 'later' },
  timeout: { code: 'TIMEOUT', status: 504, rpc: -32008, exit: 124, retry: 'later' },
  cancelled: { code: 'OPERATION_FAILED', status: 499, rpc: -32800, exit: 130, retry: 'never' },
  operationFailed: { code: 'OPERATION_FAILED', status: 500, rpc: -32603, exit: 1, retry: 'later', fix: logsOfRequest },
} as const satisfies Record<string, FaultRow>;

export type FaultReason = keyof typeof faultTable;

export interface Problem {
  readonly path: string;
  readonly message: string;
}

export interface Drilldown {
  readonly label: string;
  readonly query: string;
}

export interface FaultExtras {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly suggestedFixes?: readonly SuggestedFix[];
  readonly drilldowns?: readonly Drilldown[];
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The core API's error body, the same in HTTP answers and in JSON-RPC `error.data`. */
export interface FaultBody {
  readonly error: string;
  readonly code: FaultCode;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly suggestedFixes: readonly SuggestedFix[];
  readonly drilldowns: readonly Drilldown[];
}

/** What a caller is told when an operation can't answer. The message is public: no path of the machine, no SQL, no stack. */
export class Fault extends Error {
  readonly reason: FaultReason;
  readonly extras: FaultExtras;

  constructor(reason: FaultReason, message: string, extras: FaultExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'Fault';
    this.reason = reason;
    this.extras = extras;
  }

  get row(): FaultRow {
    return faultTable[this.reason];
  }
}

/**
 * What a request is told that a leaving daemon can't finish. `begun` sets it apart from one that was refused, and may be
 * asked of the next daemon whatever it does.
 */
export function cutOff(): Fault {
  return new Fault('shuttingDown', 'The daemon left before this was done; what it did of it is not known', {
    details: { begun: true },
    retryAfterSeconds: 1,
  });
}

/** The public body of a fault. */
export function faultBody(fault: Fault): FaultBody {
  const fallback = fault.row.fix === undefined ? [] : [fault.row.fix];
  return {
    error: fault.message,
    code: fault.row.code,
    details: fault.extras.details ?? null,
    suggestedFixes: fault.extras.suggestedFixes ?? fallback,
    drilldowns: fault.extras.drilldowns ?? [],
  };
}

/** The error body of the index server. */
export interface ServedFaultBody {
  readonly error: { readonly code: string; readonly message: string };
}

export function servedFaultBody(fault: Fault): ServedFaultBody {
  return { error: { code: servedCode(fault), message: servedMessage(fault) } };
}

/** The index server's code of a fault. Where one row stands for several causes, its details name the one that it was. */
export function servedCode({ row, reason, extras }: Fault): string {
  const cause = extras.details?.['reason'];
  const isTold = typeof cause === 'string' && /^[a-z_]+$/.test(cause);
  return row.served ?? (isTold && servedByCause.has(reason) ? cause : row.code.toLowerCase());
}

const servedByCause: ReadonlySet<string> = new Set<FaultReason>(['unauthorized', 'forbidden', 'storageFailed']);

/** That body has no details: all problems are in the message. */
function servedMessage({ message, extras }: Fault): string {
  const problems = extras.details?.['problems'];
  if (!Array.isArray(problems) || problems.length < 2) return message;
  return (problems as readonly Problem[]).map(problem => `${problem.path}: ${problem.message}`).join('; ');
}

/** `invalidParameter` (400) for path, query and header; `invalidBody` (422) for a body that breaks its schema. */
export function invalid(reason: 'invalidParameter' | 'invalidBody', problems: readonly Problem[]): Fault {
  const first = problems[0];
  const message = first === undefined ? 'Invalid input' : `${first.path}: ${first.message}`;
  return new Fault(reason, message, { details: { problems } });
}
