import type { Fault, Problem } from './faults.ts';
import type { CallInputOf, KeyScope, OutputOf } from './operation.ts';
import type { OperationName, Operations } from './registry.ts';

/** Progress of a long operation: `fraction` 0 to 1 where it is known. */
export interface Progress {
  readonly message: string;
  readonly fraction?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly requestId?: string;
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** Anything that can be asked: the daemon itself, a socket to it, an HTTP address. Rejects with `Fault`. */
export interface Caller {
  call<N extends OperationName>(
    name: N,
    input: CallInputOf<Operations[N]>,
    options?: CallOptions,
  ): Promise<OutputOf<Operations[N]>>;
}

/**
 * Who asks, as the transport established it. The socket's file mode is its guard; HTTP shows a token; the index server takes
 * keys, which permit some of its operations on some of its repositories.
 */
export type Principal = { readonly kind: 'owner' } | { readonly kind: 'anonymous' } | KeyHolder;

export interface KeyHolder {
  readonly kind: 'key';
  /** For the log: `svc_key_…`, that of a configured key, or `anonymous`. Never the secret. */
  readonly id: string;
  readonly scope: KeyScope;
  /** `*`, `<prefix>/*`, or an id. */
  readonly repos: readonly string[];
}

/** Who may ask an index server, and how often. */
export interface IndexDoor {
  /** Of one request, before anything of it is looked at. */
  admit(asked: AskedOfIndex): Admission;
  /** Whether a text is a secret of the configuration, which has no shape that would tell: for the log, to strike it out. */
  isSecret(text: string): boolean;
}

export interface AskedOfIndex {
  /** The header Authorization; undefined where there is none. */
  readonly authorization: string | undefined;
  readonly method: string;
  /** The peer's: requests without a good key are counted by it. */
  readonly address: string;
}

export interface Admission {
  /** A fault of 401 or 429; of 503 where what is known of keys can't be read. */
  readonly verdict: Principal | Fault;
  /** So many requests may follow at once; undefined where they are not counted. */
  readonly remaining: number | undefined;
  /**
   * For the log, of refused requests too: the id of the key that was shown, `daemon` for the daemon token; undefined where
   * none is known that was.
   */
  readonly key?: string | undefined;
}

/** One request as a transport hands it to the daemon, already decoded but not yet validated. */
export interface Request {
  readonly operation: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly principal: Principal;
  /**
   * Its signal fires when the caller cancels or goes away. A controller makes that signal when it is first asked for: most
   * answers are there before anybody does, and it is dear.
   */
  readonly abort: Pick<AbortController, 'signal'>;
  /** The repository that the listener serves, when the request names none. */
  readonly defaultRepo?: string | undefined;
  /** What else names the repository beside the field `repo`: by another name perhaps, but it must be the same one. */
  readonly otherRepos?: readonly RepositoryNaming[] | undefined;
  /** Which index server was asked, by the name that its listener was given; undefined: the one that is configured. */
  readonly indexServer?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** Which fault a schema violation of a field becomes: HTTP bodies 422, everything else 400. */
  readonly invalidAs: (field: string) => 'invalidParameter' | 'invalidBody';
  /** What a field is called in problems, where that is not its name. */
  readonly placeOf?: ((field: string) => string | undefined) | undefined;
  /** What the transport found wrong while decoding parameters; validation lists it with its own findings. */
  readonly problems?: readonly Problem[] | undefined;
  /** What the transport holds against the request as a whole: told to whoever may ask, and to nobody else. */
  readonly refusal?: Fault | undefined;
  readonly onProgress?: (progress: Progress) => void;
}

export interface RepositoryNaming {
  /** The place that names it, in the words of the transport. */
  readonly place: string;
  readonly name: unknown;
}

/** What the daemon answers: a document already encoded as JSON (or text), or `unchanged` when the ETag still holds. */
export type Reply =
  | {
      readonly kind: 'document';
      readonly body: string | Uint8Array;
      readonly etag?: string | undefined;
      readonly lastModified?: Date | undefined;
    }
  | { readonly kind: 'unchanged'; readonly etag: string };

/** The daemon as its facades see it: requests in, encoded replies out. Rejects with `Fault` only. */
export interface Daemon {
  dispatch(request: Request): Promise<Reply>;
  /**
   * Notifications such as `snapshot.published`, `job.changed`, `watch.recrawl`. With `after`, events that are still
   * remembered and have a greater id come first. Returns the way to stop.
   */
  subscribe(listener: (event: DaemonEvent) => void, after?: number): () => void;
}

export interface DaemonEvent {
  readonly id: number;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
}
