import type { ScopeKey } from '../../model/document.ts';
import { type CodeGraph, type GraphDocument, importOf } from '../../model/graph.ts';

/** How a file hangs on another: it imports it, uses what that defines, is compiled or loaded with it, or is set up by it. */
export type FileRelation = 'import' | 'use' | 'package' | 'setup';

/** A file on the way from changed ones. */
export interface FileWay {
  readonly in: GraphDocument;
  /** Steps from where the way begins. */
  readonly distance: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** What is one step nearer; undefined where the way begins. */
  readonly by: FileWay | undefined;
  /** How it hangs on that. */
  readonly relation: FileRelation | undefined;
  /** Which of the beginnings it leads back to. */
  readonly root: number;
}

export interface FileReach {
  /** By document: the shortest way, of these the surest. */
  readonly ways: ReadonlyMap<number, FileWay>;
  /** The documents among those reached from which a way leads on to one of some. */
  leadingTo(isEnd: (one: GraphDocument) => boolean): ReadonlySet<number>;
}

export interface FileGraph extends Pick<CodeGraph, 'document' | 'eachImport' | 'eachUse'> {
  /** Documents of a scope that several files make up. */
  documentsIn(scope: ScopeKey): readonly number[];
  /** What a file sets up without being imported, by number: `conftest.py` does it for the tests around it. */
  setUpBy(of: GraphDocument): readonly GraphDocument[];
  /** Files that nobody loads without running another one first, by that: modules of Python, by the `__init__.py` of their package. */
  loadedAfter(of: GraphDocument): readonly GraphDocument[];
}

/** That any of what a file defines is what makes the difference is a guess; each further file makes it less likely. */
export const fileConfidence = 0.5;
const furtherFile = 0.9;
/** Types are gone when code runs. */
const typesAlone = 0.5;
/** Most of what a package runs first is no matter to the module that was asked for. */
const runBefore = 0.5;

/** Where ways begin. */
export interface FileRoot {
  readonly in: GraphDocument;
  /** Steps that it is away already. */
  readonly distance: 0 | 1;
  readonly confidence: number;
}

/** All files that hang on some, in any number of steps. */
export function reachByFiles(graph: FileGraph, roots: readonly FileRoot[]): FileReach {
  const ways = new Map<number, FileWay>();
  const dependents: (readonly [of: number, dependent: number])[] = [];
  let level: FileWay[] = roots.map((root, at) => ({ ...root, by: undefined, relation: undefined, root: at }));
  for (let distance = 0; level.length > 0; distance++) {
    const next = level.filter(way => way.distance > distance);
    const fresh = surest(level.filter(way => way.distance <= distance && !ways.has(way.in.document)));
    for (const way of fresh) ways.set(way.in.document, way);
    for (const way of fresh) {
      for (const { dependent, relation, factor } of dependentsOf(graph, way.in)) {
        dependents.push([way.in.document, dependent.document]);
        if (ways.has(dependent.document)) continue;
        const confidence = (distance === 0 ? fileConfidence : way.confidence * furtherFile) * factor;
        next.push({ in: dependent, distance: distance + 1, confidence, by: way, relation, root: way.root });
      }
    }
    level = next;
  }
  return { ways, leadingTo: isEnd => leadingTo(ways, dependents, isEnd) };
}

/** Of several ways to one document the surest. */
function surest(ways: readonly FileWay[]): readonly FileWay[] {
  const best = new Map<number, FileWay>();
  for (const way of ways) {
    const known = best.get(way.in.document);
    if (known === undefined || way.confidence > known.confidence) best.set(way.in.document, way);
  }
  return [...best.values()];
}

interface Dependent {
  readonly dependent: GraphDocument;
  readonly relation: FileRelation;
  /** What the step leaves of how sure it is. */
  readonly factor: number;
}

function dependentsOf(graph: FileGraph, of: GraphDocument): Iterable<Dependent> {
  const found = new Map<GraphDocument, Dependent>();
  const take = (dependent: GraphDocument, relation: FileRelation, factor: number): void => {
    if (dependent === of) return;
    const known = found.get(dependent);
    if (known === undefined || factor > known.factor) found.set(dependent, { dependent, relation, factor });
  };
  graph.eachImport(of, (importer, at) => {
    take(importer, 'import', importOf(importer, at).typeOnly ? typesAlone : 1);
  });
  for (const symbol of of.symbols) graph.eachUse(symbol, user => take(user, 'use', 1));
  for (const document of isCompiledTogether(of) ? graph.documentsIn(of.scope) : []) {
    const one = graph.document(document);
    if (one !== undefined) take(one, 'package', 1);
  }
  for (const one of graph.setUpBy(of)) take(one, 'setup', 1);
  for (const one of graph.loadedAfter(of)) take(one, 'package', runBefore);
  return found.values();
}

/** Go's packages are compiled, and tested, as one; their files name each other's definitions without an import. */
function isCompiledTogether({ language }: GraphDocument): boolean {
  return language === 'go';
}

function leadingTo(
  ways: ReadonlyMap<number, FileWay>,
  dependents: readonly (readonly [of: number, dependent: number])[],
  isEnd: (one: GraphDocument) => boolean,
): ReadonlySet<number> {
  const nearer = new Map<number, number[]>();
  for (const [of, dependent] of dependents) {
    const known = nearer.get(dependent);
    if (known === undefined) nearer.set(dependent, [of]);
    else known.push(of);
  }
  const leading = new Set<number>();
  let level = [...ways.values()].filter(way => isEnd(way.in)).map(way => way.in.document);
  while (level.length > 0) {
    for (const document of level) leading.add(document);
    level = [...new Set(level.flatMap(document => nearer.get(document) ?? []))].filter(one => !leading.has(one));
  }
  return leading;
}
