import { observedName } from '../../analysis/usage/observed-name.ts';
import { OtlpProblem } from '../../extract/otlp/problem.ts';
import { type GatheredFunction, GatheredPoint, type PointMoment } from '../../model/gathered-calls.ts';
import { type CallPoint, dayMs, dayOf } from '../../model/usage.ts';
import { roomOf } from '../../store/telemetry/function-series.ts';

export interface GatheredCalls {
  /** One with very many points is there several times, with some of them each. */
  readonly functions: readonly GatheredFunction[];
  /** Points of days that are not kept any more. */
  readonly tooOld: number;
}

export interface Gathering {
  /** Whether it counts: it is of a day that is kept. */
  take(point: CallPoint): boolean;
  end(): GatheredCalls;
}

/** What lies in memory until it is counted. A collector's batches have some ten thousand points, all of a process's functions fewer. */
const mostFunctions = 50_000;
const mostTaken = 1_000_000;
const mostCharacters = 8_000_000;

function charactersOf({ service, repository, caller, namespace, name, file }: GatheredFunction): number {
  return service.length + repository.length + caller.length + namespace.length + name.length + file.length;
}

function tooMuch(what: string): OtlpProblem {
  return new OtlpProblem('too large', `It holds ${what}: send it in parts`);
}

/**
 * Gathers points by function, in the order in which these first come. `keptDays`: how long a day is kept. `take` throws
 * OtlpProblem where it is more than is counted at once.
 */
export function gatherCalls(nowMs: number, keptDays: number): Gathering {
  const found = new Map<string, Building>();
  const find = finder(found);
  const today = dayOf(nowMs);
  let tooOld = 0;
  let taken = 0;
  let characters = 0;
  /** Of the point before. */
  let moment: PointMoment | undefined;
  return {
    take(point) {
      const timeUs = point.timeUs === 0 ? nowMs * 1000 : notAhead(point.timeUs, nowMs);
      const day = dayOf(timeUs / 1000);
      if (day <= today - keptDays) {
        tooOld++;
        return false;
      }
      if (++taken > mostTaken) throw tooMuch(`more than ${mostTaken} points`);
      const building = find(point);
      if (building.lines.size === 0) characters += charactersOf(building);
      if (characters > mostCharacters) throw tooMuch(`names of more than ${mostCharacters} characters`);
      if (found.size > mostFunctions) throw tooMuch(`points of more than ${mostFunctions} functions`);
      const { line } = point.function;
      noteLine(building, point.source.identity, line);
      const startUs = notAhead(point.startUs, nowMs);
      if (moment === undefined || !isOf(moment, point, timeUs, startUs)) moment = momentOf(point, day, timeUs, startUs);
      const gathered = new GatheredPoint(moment, point.value, point.temporality === 'delta' ? undefined : point.series);
      const known = building.lines.get(line);
      if (known === undefined) building.lines.set(line, [gathered]);
      else known.push(gathered);
      return true;
    },
    end: () => ({ functions: [...found.values()].flatMap(inParts), tooOld }),
  };
}

/** What is counted in one go, of one function. */
const mostPoints = 1000;

function inParts(whole: Building): readonly GatheredFunction[] {
  const lines = [...whole.lines];
  if (lines.reduce((sum, [, points]) => sum + points.length, 0) <= mostPoints) return [whole];
  return lines.flatMap(([line, points]) => {
    const inRooms = points.toSorted((a, b) => roomOf(a.series ?? 0) - roomOf(b.series ?? 0));
    return Array.from({ length: Math.ceil(points.length / mostPoints) }, (_, part) => ({
      ...whole,
      lines: new Map([[line, inRooms.slice(part * mostPoints, (part + 1) * mostPoints)]]),
    }));
  });
}

/** Whoever is ahead by more than a day has a wrong clock: what it tells is of now. */
function notAhead(toldUs: number, nowMs: number): number {
  return toldUs > (nowMs + dayMs) * 1000 ? nowMs * 1000 : toldUs;
}

interface Building extends GatheredFunction {
  readonly lines: Map<number, GatheredPoint[]>;
  /** Most say none. */
  lineOfSource: Map<string, number> | undefined;
  isSeveral: boolean;
}

/** Points share objects of their functions and sources: most are found by these, and only the others by what they say. */
function finder(found: Map<string, Building>): (point: CallPoint) => Building {
  const known = new Map<
    CallPoint['function'],
    Pick<CallPoint, 'source' | 'caller'> & { readonly building: Building }
  >();
  return ({ source, function: told, caller }) => {
    const last = known.get(told);
    if (last?.source === source && last.caller === caller) return last.building;
    const building = buildingOf(found, source, told, caller);
    known.set(told, { source, caller, building });
    return building;
  };
}

function buildingOf(
  found: Map<string, Building>,
  source: CallPoint['source'],
  told: CallPoint['function'],
  caller: string,
): Building {
  const key = [source.service, source.repository, caller, told.namespace, told.name, told.file].join('\0');
  const known = found.get(key);
  if (known !== undefined) return known;
  const building: Building = {
    service: source.service,
    repository: source.repository,
    caller,
    namespace: told.namespace,
    name: told.name,
    file: told.file,
    bare: observedName(told.name, told.namespace)?.name ?? '',
    lines: new Map(),
    lineOfSource: undefined,
    isSeveral: false,
  };
  found.set(key, building);
  return building;
}

function noteLine(building: Building, source: string, line: number): void {
  if (line === 0) return;
  building.lineOfSource ??= new Map();
  const known = building.lineOfSource.get(source);
  if (known === undefined) building.lineOfSource.set(source, line);
  else if (known !== line) building.isSeveral = true;
}

function momentOf(
  { counts, isSameItem, metric, source }: CallPoint,
  day: number,
  timeUs: number,
  startUs: number,
): PointMoment {
  return { counts, isSameItem, metric, day, source: source.identity, timeUs, startUs };
}

function isOf(
  moment: PointMoment,
  { counts, isSameItem, metric, source }: CallPoint,
  timeUs: number,
  startUs: number,
): boolean {
  return (
    moment.timeUs === timeUs &&
    moment.startUs === startUs &&
    moment.metric === metric &&
    moment.counts === counts &&
    moment.isSameItem === isSameItem &&
    moment.source === source.identity
  );
}
