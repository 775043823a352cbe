/** What production tells of calls, as it arrives: facts without a repository, whoever brought them. */

/** Who counted calls: a process of a service, as its resource says. */
export interface CallSource {
  /** `service.name`; '' where nothing is said. */
  readonly service: string;
  /** Tells this process’s series from those of all others: a digest of all that identifies it. */
  readonly identity: string;
  /** `vcs.repository.name`, else what `vcs.repository.url.full` ends in, without `.git`; '' where nothing is said. */
  readonly repository: string;
}

/** A function as those who run it call it; '' and 0 where nothing is said. Several points of one function may share one object. */
export interface ObservedFunction {
  /** Bare or qualified, as it was told. */
  readonly name: string;
  readonly namespace: string;
  /** As the process has it: absolute, from a build folder, or from the repository's root. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/**
 * One count of calls.
 *
 * - `counts`: `calls` adds calls, `failed calls` adds calls that ended in errors, `errors` adds errors of calls that are counted elsewhere
 * - `metric`: which of the source's metrics it is of; two of one function count the same calls
 */
export interface CallPoint {
  readonly source: CallSource;
  readonly function: ObservedFunction;
  /** The service that calls, where that is said; else ''. */
  readonly caller: string;
  readonly metric: string;
  readonly counts: 'calls' | 'failed calls' | 'errors';
  /** It tells more of what the point before it told of: whoever sent them has one item for both. */
  readonly isSameItem: boolean;
  /** A `delta` counts from the point before, a `cumulative` one from when the process began to count. */
  readonly temporality: 'delta' | 'cumulative';
  /** Tells cumulative series of one source apart, by metric, scope and attributes; 0 of a delta. */
  readonly series: number;
  /** Microseconds since the epoch as they came; 0 where nothing is said. */
  readonly startUs: number;
  readonly timeUs: number;
  /** Not negative, whole. */
  readonly value: number;
}

/**
 * How a function that was observed was told to be a symbol:
 *
 * - `exact`: by its file, its name, and the line or namespace; `strong`: by file and name
 * - `weak`: by namespace and name, or by a name that nothing else bears
 */
export const matchQualities = ['exact', 'strong', 'weak'] as const;
export type MatchQuality = (typeof matchQualities)[number];

/** Why a function that was observed is no symbol. */
export const unmatchedReasons = ['anonymous', 'foreign', 'absent', 'ambiguous'] as const;
export type UnmatchedReason = (typeof unmatchedReasons)[number];

/** A day of calls: `day` counts days since the epoch, UTC. */
export interface DayOfCalls {
  readonly day: number;
  readonly calls: number;
  readonly errors: number;
}

export const dayMs = 86_400_000;

export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}
