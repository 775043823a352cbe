import { createHash } from 'node:crypto';
import type { DeltaArtifact, DeltaLists, DeltaStats } from '../../client/protocol/delta.ts';
import { Fault, invalid, type Problem } from '../../client/protocol/faults.ts';
import { depthOf, valuesIn } from '../../client/protocol/json-depth.ts';
import type { Validator } from '../../client/protocol/schemas.ts';
import { type RepoPath, repoPath } from '../model/paths.ts';

/** Why an artifact is refused, by what a caller is told it by. */
export interface DeltaProblem extends Problem {
  readonly reason: 'invalid' | 'wrong_base' | 'tree_differs' | 'extractor_version';
}

export interface ReadArtifact {
  /** Undefined where its shape is broken. */
  readonly artifact: DeltaArtifact | undefined;
  /** Of its text. */
  readonly digest: string;
  readonly problems: readonly DeltaProblem[];
}

/** Deeper than any artifact goes; a million brackets keep the parser busy for a second. */
const mostDepth = 64;
/** An artifact of 64 MiB that is rows from end to end has fewer. */
const mostValues = 3_000_000;
/** A list longer than this says nothing more. */
const mostProblems = 200;

/**
 * What can be said of an artifact by itself: its shape, that it counts what it lists, and that its paths are names inside
 * a repository. They are labels and are never opened as they stand. Throws 400 for what is no JSON.
 */
export async function readArtifact(bytes: Uint8Array): Promise<ReadArtifact> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const artifact = parsed(bytes);
  shape ??= makeShape();
  const validator = await shape;
  if (!validator.Check(artifact)) return { artifact: undefined, digest, problems: shapeProblems(artifact, validator) };
  const sound = artifact as DeltaArtifact;
  const problems = [...countProblems(sound), ...pathProblems(sound), ...factProblems(sound)];
  return { artifact: sound, digest, problems: problems.slice(0, mostProblems) };
}

let shape: Promise<Validator> | undefined;

/** Loaded by the first artifact: the worker that reads them starts often, and seldom meets one. */
async function makeShape(): Promise<Validator> {
  const [{ DeltaArtifact: schema }, { Compile }] = await Promise.all([
    import('../../client/protocol/delta.ts'),
    import('../../client/protocol/schemas.ts'),
  ]);
  return Compile(schema) as unknown as Validator;
}

function parsed(bytes: Uint8Array): unknown {
  const refused = (message: string) => invalid('invalidParameter', [{ path: 'body', message }]);
  if (depthOf(bytes, mostDepth) > mostDepth) throw refused(`is nested deeper than ${mostDepth} levels`);
  if (valuesIn(bytes, mostValues) > mostValues) {
    throw new Fault('tooLarge', `The artifact holds more than ${mostValues} values`, {
      details: { limit: mostValues },
    });
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw refused('is not JSON');
  }
}

function shapeProblems(artifact: unknown, validator: Validator): readonly DeltaProblem[] {
  if (typeof artifact !== 'object' || artifact === null || Array.isArray(artifact)) {
    return [problem('artifact', 'must be a JSON object')];
  }
  // What is wrong is looked for a part at a time: to list the errors of a long list takes a hundred times its memory.
  const longest = longestIn(artifact);
  for (let from = 0; from < longest; from += windowItems) {
    const part = windowOf(artifact, from);
    const problems = validator.Check(part) ? [] : problemsOf(part, validator);
    if (problems.length > 0) return problems;
  }
  return [problem('artifact', 'is not of the shape that it should have')];
}

const windowItems = 5000;

function longestIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let longest = 1;
  const inner = Object.values(value);
  for (const one of inner) longest = Math.max(longest, longestIn(one));
  return Math.max(longest, inner.length);
}

/** The same value with so many items of each list. */
function windowOf(value: unknown, from: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(from, from + windowItems).map(item => windowOf(item, 0));
  const entries = Object.entries(value);
  const shown = entries.length > windowItems ? entries.slice(from, from + windowItems) : entries;
  return Object.fromEntries(shown.map(([name, item]) => [name, windowOf(item, from)]));
}

function problemsOf(artifact: unknown, validator: Validator): readonly DeltaProblem[] {
  const found = new Map<string, DeltaProblem>();
  for (const { keyword, instancePath, message, params } of validator.Errors(artifact)) {
    const path = instancePath.split('/').slice(1).join('.');
    const names =
      keyword === 'required' ? (params as { requiredProperties: readonly string[] }).requiredProperties : [];
    for (const name of names) {
      const missing = path === '' ? name : `${path}.${name}`;
      found.set(missing, problem(missing, 'is required'));
    }
    const key = path === '' ? 'artifact' : path.slice(0, 200);
    if (names.length === 0 && !found.has(key)) found.set(key, problem(key, message));
    if (found.size >= mostProblems) break;
  }
  return [...found.values()];
}

function problem(path: string, message: string): DeltaProblem {
  return { reason: 'invalid', path, message };
}

/** How many rows an artifact's lists have, as `stats` must say. */
export function countsOf({ symbols, refs, callgraph }: DeltaLists): DeltaStats {
  return {
    symbolsAdded: symbols.added.length,
    symbolsModified: symbols.modified.length,
    symbolsDeleted: symbols.deleted.length,
    refsAdded: refs.added.length,
    refsDeleted: refs.deleted.length,
    callEdgesAdded: callgraph.added.length,
    callEdgesDeleted: callgraph.deleted.length,
  };
}

function countProblems({ deltas, stats }: DeltaArtifact): readonly DeltaProblem[] {
  return Object.entries(countsOf(deltas)).flatMap(([name, count]) => {
    const told = stats[name as keyof DeltaStats];
    return told === count ? [] : [problem(`stats.${name}`, `statistics count mismatch: says ${told}, lists ${count}`)];
  });
}

/** Paths of the files that an artifact names, each once. */
export function namedPaths({ deltas: { files } }: DeltaArtifact): readonly RepoPath[] {
  return [...[...files.added, ...files.modified].map(file => file.path), ...files.deleted] as RepoPath[];
}

function pathProblems(artifact: DeltaArtifact): readonly DeltaProblem[] {
  const seen = new Set<string>();
  const problems: DeltaProblem[] = [];
  for (const path of namedPaths(artifact)) {
    const at = `deltas.files: ${JSON.stringify(path.slice(0, 200))}`;
    if (repoPath(path) === undefined || Buffer.from(path).toString() !== path)
      problems.push(problem(at, 'is no path inside a repository'));
    else if (seen.has(path)) problems.push(problem(at, 'is named twice'));
    seen.add(path);
  }
  return problems;
}

function factProblems({ deltas: { files }, facts = {} }: DeltaArtifact): readonly DeltaProblem[] {
  const named = new Set<string>([...files.added, ...files.modified].map(file => file.hash));
  return Object.keys(facts).flatMap(hash =>
    named.has(hash) && hash !== ''
      ? []
      : [problem(`facts.${hash.slice(0, 64)}`, 'are of a content that no file is said to have')],
  );
}
