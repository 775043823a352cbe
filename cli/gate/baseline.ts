import { quote } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { Finding } from './findings.ts';
import { brokenAt } from './json-place.ts';
import { metrics, type Thresholds, thresholdsText } from './thresholds.ts';

/** Rises when files of an earlier number can't be read as they were meant. */
const baselineVersion = 1;

/** What a repository had of findings when the file was written: later runs count what is new. */
export interface Baseline {
  /** Its name where the file was written: clones have names of their own. */
  readonly repository: string;
  /** Functions are listed that have more than this; undefined of a file from before that was written down. */
  readonly bounds: Thresholds | undefined;
  readonly findings: readonly KnownFinding[];
}

/** A finding by what stays of it when lines move. */
type KnownFinding = Pick<Finding, 'rule' | 'path' | 'name' | 'value' | 'id'>;

/** The file's text: sorted, one finding a line, so that versions of it compare well. */
export function baselineText(repository: string, bounds: Thresholds, findings: readonly Finding[]): string {
  const lines = findings.map(({ rule, path, name, value, id }) =>
    JSON.stringify({
      rule,
      path,
      name,
      ...(value === undefined ? {} : { value }),
      ...(id === undefined ? {} : { id }),
    }),
  );
  const listed =
    lines.length === 0
      ? '[]'
      : `[\n${[...lines]
          .sort()
          .map(line => `    ${line}`)
          .join(',\n')}\n  ]`;
  const head = { baselineVersion, repository, bounds };
  const fields = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  return `{\n${fields.join('')}  "findings": ${listed}\n}\n`;
}

/** Reads a baseline. Throws `misconfigured`, naming the place in `file`, where it is none. */
export function readBaseline(text: string, file: string): Baseline {
  const wrong = (place: string, why: string): Fault => {
    return new Fault('misconfigured', `${file}: ${place === '' ? '' : `${place}: `}${why}`, {
      details: { file, place },
      suggestedFixes: [writtenAnew(`svc baseline -o ${quote(file)}`)],
    });
  };
  const value = jsonIn(text, wrong);
  const content = objectOf(value);
  if (content === undefined || content['baselineVersion'] === undefined) {
    throw wrong('', 'is no baseline: it has no baselineVersion');
  }
  const { baselineVersion: version, repository: of, bounds, findings } = content;
  if (version !== baselineVersion) {
    throw wrong('baselineVersion', `is ${JSON.stringify(version)}, and this svc reads ${baselineVersion}`);
  }
  if (typeof of !== 'string') throw wrong('repository', 'must be a text');
  if (!Array.isArray(findings)) throw wrong('findings', 'must be a list');
  return {
    repository: of,
    bounds: bounds === undefined ? undefined : boundsIn(bounds, wrong),
    findings: findings.map((one, at) => findingIn(one, `findings[${at}]`, wrong)),
  };
}

function writtenAnew(command: string) {
  const description = 'Write the baseline anew: what is there now counts as known';
  return { type: 'run-command', command, safe: false, description };
}

/**
 * Throws where a gate fails over less than the functions of a baseline have more of: it says nothing of those between, and all
 * of them would be new.
 */
export function checkBounds({ bounds }: Baseline, gate: Thresholds, file: string): void {
  if (bounds === undefined) return;
  const lower = metrics.filter(one => gate[one] !== undefined && gate[one] < (bounds[one] ?? Number.POSITIVE_INFINITY));
  if (lower.length === 0) return;
  const known = lower.map(one =>
    bounds[one] === undefined ? `nothing of ${one}` : `${one} over ${bounds[one]} alone`,
  );
  const both = metrics.map(one => [one, Math.min(bounds[one] ?? Infinity, gate[one] ?? Infinity)] as const);
  const again = thresholdsText(Object.fromEntries(both.filter(([, most]) => Number.isFinite(most))));
  throw new Fault('misconfigured', `${file}: lists ${known.join(' and ')}, and the gate fails over less`, {
    details: { file, bounds, gate },
    suggestedFixes: [writtenAnew(`svc baseline -o ${quote(file)} --fail-over ${again}`)],
  });
}

type Wrong = (place: string, why: string) => Fault;

/** Some editors begin a file with a mark that JSON doesn't know. */
function jsonIn(text: string, wrong: Wrong): unknown {
  const plain = text.replace(/^\ufeff/, '');
  try {
    return JSON.parse(plain);
  } catch {
    throw wrong(placeOf(brokenAt(plain) ?? plain.length, plain), 'is no JSON');
  }
}

/** `line:column` */
function placeOf(position: number, text: string): string {
  const before = text.slice(0, position).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}

function boundsIn(value: unknown, wrong: Wrong): Thresholds {
  const bounds = objectOf(value);
  if (bounds === undefined) throw wrong('bounds', 'must be an object');
  for (const one of metrics) {
    if (bounds[one] !== undefined && typeof bounds[one] !== 'number') throw wrong(`bounds.${one}`, 'must be a number');
  }
  return bounds as Thresholds;
}

function findingIn(value: unknown, place: string, wrong: Wrong): KnownFinding {
  const one = objectOf(value);
  if (one === undefined) throw wrong(place, 'must be an object');
  const { rule, path, name, value: measured, id } = one;
  for (const [key, text] of Object.entries({ rule, path, name })) {
    if (typeof text !== 'string') throw wrong(`${place}.${key}`, 'must be a text');
  }
  if (measured !== undefined && typeof measured !== 'number') throw wrong(`${place}.value`, 'must be a number');
  if (id !== undefined && typeof id !== 'string') throw wrong(`${place}.id`, 'must be a text');
  return {
    rule,
    path,
    name,
    ...(measured === undefined ? {} : { value: measured }),
    ...(id === undefined ? {} : { id }),
  } as KnownFinding;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/**
 * The findings that a baseline does not have. One is known by its symbol, else by its path and name: as many of these as the
 * baseline lists, the greatest against the greatest, and as long as none has grown. Where the path that the baseline has
 * `isGone`, the file was renamed, or what stood in it was moved: then the name is enough.
 */
export function newFindings(
  findings: readonly Finding[],
  { findings: known }: Baseline,
  isGone: (path: string) => boolean = () => false,
): readonly Finding[] {
  const ids = new Set(known.flatMap(({ rule, id }) => (id === undefined ? [] : [`${rule} ${id}`])));
  const placed = valuesBy(known, placeOfFinding);
  const moved = valuesBy(
    known.filter(({ path }) => isGone(path)),
    nameOfFinding,
  );
  const isNew = (one: Finding): boolean => {
    if (one.id !== undefined && ids.has(`${one.rule} ${one.id}`)) return false;
    const value = one.value ?? 0;
    return !isTaken(placed.get(placeOfFinding(one)), value) && !isTaken(moved.get(nameOfFinding(one)), value);
  };
  const greatestFirst = [...findings].sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const fresh = new Set(greatestFirst.filter(isNew));
  return findings.filter(one => fresh.has(one));
}

/** The greatest first. */
function valuesBy(known: readonly KnownFinding[], keyOf: (one: KnownFinding) => string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const one of known) {
    const values = found.get(keyOf(one)) ?? [];
    values.push(one.value ?? 0);
    found.set(keyOf(one), values);
  }
  for (const values of found.values()) values.sort((a, b) => b - a);
  return found;
}

/** Whether one of the known values stands for this one, which it then no longer does for another. */
function isTaken(left: number[] = [], value: number): boolean {
  const [most] = left;
  if (most === undefined || value > most) return false;
  left.shift();
  return true;
}

function placeOfFinding({ rule, path, name }: KnownFinding): string {
  return JSON.stringify([rule, path, name]);
}

function nameOfFinding({ rule, name }: KnownFinding): string {
  return JSON.stringify([rule, name]);
}
