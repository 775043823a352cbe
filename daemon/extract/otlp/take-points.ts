import { textNumbers } from '../../model/text-number.ts';
import type { CallPoint, CallSource, ObservedFunction } from '../../model/usage.ts';
import { type Attributes, attributesDigest, attributesNumber } from './attributes.ts';
import { Interned } from './interned.ts';
import { mostCalls } from './limits.ts';
import { functionWithin, isFunction, meaningOf } from './meaning.ts';
import { type CountedMetric, countedMetric, type MetricHead, mayCount } from './metric.ts';

/** What became of the data points of a request. */
export interface MetricsRead {
  /** Handed over. */
  readonly taken: number;
  /** That say how often a function was called, and can't be counted. */
  readonly rejected: number;
  /** Names the first of these and why; '' where there is none. */
  readonly message: string;
}

/** What a set of attributes means for the points that have it, within one scope. */
export interface PointSet {
  /** Undefined where they are of no function. */
  readonly function: ObservedFunction | undefined;
  readonly service: string;
  readonly caller: string;
  readonly isFailed: boolean;
  /** Of the attributes, by which a cumulative series is known; 0 of deltas. */
  readonly number: number;
  readonly problem: string | undefined;
}

/** Who tells what follows. */
export interface Resource {
  readonly source: CallSource;
  readonly function: ObservedFunction;
  readonly problem: string | undefined;
}

/** Sets, functions, resources and metrics that are remembered at once: as many as one process usually has, and more. */
export const mostRemembered = 20_000;
const noRecordedValue = 1;

/**
 * Makes points of calls of what is told of resources, scopes, metrics and data points in that order, however it was written.
 * What they have in common is made once.
 */
export class PointTaker {
  readonly #take: (point: CallPoint) => void;
  readonly #metrics = new Interned<CountedMetric>(mostRemembered);
  readonly #functions = new Interned<ObservedFunction>(mostRemembered);
  #taken = 0;
  #rejected = 0;
  #message = '';
  #resource!: Resource;
  /** Of points without a service of their resource, which name their own. */
  readonly #sources = new Interned<CallSource>(mostRemembered);
  #scope: readonly string[] = [];
  #scopeProblem: string | undefined;
  /** What scope and resource say of functions, and as one text. */
  #around: ObservedFunction = nothing;
  #aroundKey = keyOf(nothing);
  #metric!: CountedMetric;

  constructor(take: (point: CallPoint) => void) {
    this.#take = take;
  }

  resource(resource: Resource): void {
    if (resource !== this.#resource) this.#sources.clear();
    this.#resource = resource;
  }

  /** Whether attributes of points may mean something else from now on than they did. */
  scope(name: string, version: string, attributes: Attributes): boolean {
    const meaning = meaningOf(attributes);
    this.#scope = [name, version, ...(attributes.list.length === 0 ? [] : [attributesDigest(attributes)])];
    this.#scopeProblem = attributes.problem ?? meaning.problem;
    this.#around = functionWithin(meaning.function, this.#resource.function);
    const key = keyOf(this.#around);
    const isOther = key !== this.#aroundKey;
    this.#aroundKey = key;
    return isOther;
  }

  /** Whether the points of a metric are to be handed over; those of others needn't be looked at. */
  metric(head: MetricHead): boolean {
    if (!mayCount(head)) return false;
    const key = JSON.stringify([head, this.#scope]);
    this.#metric = this.#metrics.get(key) ?? this.#metrics.put(key, countedMetric(head, this.#scope));
    return true;
  }

  /** What attributes mean differs by this as well: those of deltas are not digested. */
  get temporality(): 'delta' | 'cumulative' {
    return this.#metric.temporality ?? 'delta';
  }

  /** What attributes mean to a point of the metric that has them, in this scope. */
  set(attributes: Attributes): PointSet {
    const meaning = meaningOf(attributes);
    const told = functionWithin(meaning.function, this.#around);
    const isOfFunction = isFunction(told);
    return {
      function: isOfFunction ? this.#function(told) : undefined,
      service: meaning.service,
      caller: meaning.caller,
      isFailed: meaning.isFailed,
      number: isOfFunction && this.temporality === 'cumulative' ? attributesNumber(attributes) : 0,
      problem: attributes.problem ?? (isOfFunction ? meaning.problem : undefined),
    };
  }

  /**
   * One data point of the metric. `value`: undefined where it has none. One of no function, or with nothing recorded, tells nothing
   * of how often one was called, which is no fault of whoever sent it. Times are microseconds, 0 where nothing is said.
   */
  point(set: PointSet, flags: number, startUs: number, timeUs: number, value: number | undefined): void {
    const { name, counts, temporality, number } = this.#metric;
    if ((flags & noRecordedValue) !== 0 || (set.function === undefined && set.problem === undefined)) return;
    if (set.function === undefined || temporality === undefined || !this.#isSound(set, value)) {
      this.#reject(this.#problemOf(set, value));
    } else {
      this.#taken++;
      this.#take({
        source: this.#source(set),
        function: set.function,
        caller: set.caller,
        metric: name,
        counts: counts === 'calls' && set.isFailed ? 'failed calls' : counts,
        isSameItem: false,
        temporality,
        series: temporality === 'delta' ? 0 : (number + set.number) % textNumbers,
        startUs,
        timeUs,
        value: Math.round(value),
      });
    }
  }

  read(): MetricsRead {
    return { taken: this.#taken, rejected: this.#rejected, message: this.#messageOfAll() };
  }

  #isSound(set: PointSet, value: number | undefined): value is number {
    return value !== undefined && value >= 0 && value <= mostCalls && this.#problemAround(set) === undefined;
  }

  #problemAround({ problem }: PointSet): string | undefined {
    return problem ?? this.#metric.problem ?? this.#scopeProblem ?? this.#resource.problem;
  }

  #problemOf(set: PointSet, value: number | undefined): string {
    const problem = this.#problemAround(set);
    if (problem !== undefined) return problem;
    if (this.#metric.temporality === undefined) return 'does not say whether it is delta or cumulative';
    if (value === undefined) return 'has no value';
    return value > mostCalls ? `counts more than ${mostCalls} calls` : `counts ${value} calls`;
  }

  #reject(why: string): void {
    this.#rejected++;
    if (this.#message !== '') return;
    const { name } = this.#metric;
    const shown = JSON.stringify(name.length > longestShown ? `${name.slice(0, longestShown)}…` : name);
    this.#message = `metric ${shown}: a data point ${why}`;
  }

  #messageOfAll(): string {
    if (this.#rejected < 2) return this.#message;
    return `${this.#rejected} data points are rejected; the first: ${this.#message}`;
  }

  #function(told: ObservedFunction): ObservedFunction {
    const key = keyOf(told);
    return this.#functions.get(key) ?? this.#functions.put(key, told);
  }

  #source({ service }: PointSet): CallSource {
    const { source } = this.#resource;
    if (source.service !== '' || service === '') return source;
    return this.#sources.get(service) ?? this.#sources.put(service, { ...source, service });
  }
}

const longestShown = 100;
const nothing: ObservedFunction = { name: '', namespace: '', file: '', line: 0 };

export function resourceOf(attributes: Attributes): Resource {
  const { service, repository, function: told, problem } = meaningOf(attributes);
  const source = { service, repository, identity: attributesDigest(attributes) };
  return { source, function: told, problem: attributes.problem ?? problem };
}

function keyOf({ name, namespace, file, line }: ObservedFunction): string {
  return `${name}\0${namespace}\0${file}\0${line}`;
}
