import { Fault } from '../../../client/protocol/faults.ts';
import { countedChunks, scipChunks } from '../../extract/scip/chunks.ts';
import type { ScipLimits } from '../../extract/scip/limits.ts';
import { ScipProblem } from '../../extract/scip/problem.ts';
import { readScip, type ScipReading, type ScipTables, scipTables } from '../../extract/scip/read-scip.ts';
import type { ScipRejections } from '../../extract/scip/report.ts';
import type { ScratchMemory } from '../../extract/scip/scratch-memory.ts';
import type { ManifestDelta } from '../../model/delta.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { InputDigests } from '../../store/inputs.ts';
import type { StoredSyntax } from '../../store/stored-targets.ts';
import { factKeyOf, factKeyText } from '../fact-key.ts';
import { type JoinedIndex, preciseBatch } from './precise-batch.ts';
import { examplesOf, type IntakeRun, ScipIntake } from './scip-intake.ts';
import type { ScipPart, ScipSource } from './scip-source.ts';
import { inputsAfter, type ReadableFacts } from './seen-tree.ts';

export interface ScipRun extends IntakeRun {
  readonly parts: ScipSource['parts'];
  readonly isImported: boolean;
  /** What indexers have to read in the tree. */
  readonly inputs: InputDigests;
  readonly limits: ScipLimits;
  /** For what is as large as the index; what is said of its documents lies there. */
  readonly memory: ScratchMemory;
  readonly signal: AbortSignal;
  /** How many bytes of the index, inflated, are read. */
  readonly onRead: (bytes: number) => void;
  /** All is read. */
  readonly onJoin: () => void;
}

export interface JoinedTree extends ReadableFacts {
  /** What syntax says of some documents in the tree that `delta` leads to. */
  syntaxAt(delta: ManifestDelta, paths: readonly RepoPath[]): Promise<StoredSyntax>;
}

/** What became of the documents of an index. */
export interface ScipOutcome {
  readonly indexer: string;
  readonly documents: number;
  /** Their references point where the indexer says. */
  readonly joined: number;
  /** They will, as soon as the tree has the content that the indexer saw. */
  readonly awaited: number;
  /** The tree has them with another content. */
  readonly otherContent: number;
  /** The tree has no such files, or reads nothing in them. */
  readonly notInTree: number;
  /** Files of the tree of which too many occurrences have no place or no symbol: what was known of them stays. */
  readonly damaged: number;
  /** Files that use what those define of which nobody knows what the indexer saw: their references can't all be told. */
  readonly incomplete: number;
  /** Paths of some of both, and of what the reader passed over, these quoted and by reason. */
  readonly examples: {
    readonly otherContent: readonly string[];
    readonly notInTree: readonly string[];
    readonly leftOut: Readonly<Record<string, readonly string[]>>;
  };
  /** What the reader passed over, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Of the joined. */
  readonly occurrences: number;
}

/**
 * Reads a SCIP index and joins it with the facts of the tree that its indexer saw: what it says of the documents whose
 * content is known, ready to be published. That is the same whatever the tree has by now. Throws a Fault where the index
 * can't be taken in.
 */
export async function joinScip(
  run: ScipRun,
  joined: JoinedTree,
): Promise<{ readonly outcome: ScipOutcome; readonly batch: JoinedIndex }> {
  const { memory } = run;
  const tables = scipTables(run.limits, memory);
  const intake = new ScipIntake(run, joined, tables.rejections, memory);
  const readings: ScipReading[] = [];
  for (const part of run.parts) {
    const before = readings.reduce((sum, { bytes }) => sum + bytes, 0);
    readings.push(await read(part, { ...run, onRead: bytes => run.onRead(before + bytes) }, intake, tables));
  }
  run.onJoin();
  const { delta, isKnown } = await intake.settle();
  const { tool, toolVersion } = readings[0]!.metadata;
  const indexer = `${tool} ${toolVersion}`.trim();
  const kept = [...intake.kept.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const syntax = await joined.syntaxAt(
    delta,
    kept.map(({ path }) => path),
  );
  const inputs = isKnown ? inputsAfter(delta, run.inputs) : undefined;
  const { defined, lost, damaged, externals, otherContent, notInTree } = intake;
  const { isImported, tree } = run;
  const batch = preciseBatch({
    ...{
      kept,
      damaged,
      defined,
      lost,
      externals,
      symbols: tables.symbols,
      indexer,
      isImported,
      inputs,
      syntax,
      memory,
    },
    facts: joined.facts,
  });
  const inUse = batch.documents.filter(({ path, key }) => {
    const line = tree.get(path);
    const here = line === undefined ? undefined : factKeyOf(line);
    return here !== undefined && factKeyText(here) === factKeyText(key);
  });
  const outcome = {
    indexer,
    documents: readings.reduce((sum, { documents }) => sum + documents, 0),
    joined: inUse.length,
    awaited: batch.documents.length - inUse.length,
    ...{ otherContent: otherContent.size, notInTree: notInTree.size, damaged: damaged.size },
    incomplete: batch.incomplete,
    examples: {
      otherContent: examplesOf(otherContent),
      notInTree: examplesOf(notInTree),
      leftOut: leftOutOf(tables.rejections),
    },
    rejected: Object.fromEntries(tables.rejections.counts),
    occurrences: inUse.reduce((sum, { occurrenceCount }) => sum + occurrenceCount, 0),
  };
  return { outcome, batch };
}

async function read(part: ScipPart, run: ScipRun, intake: ScipIntake, tables: ScipTables): Promise<ScipReading> {
  intake.begin(part);
  try {
    const chunks = countedChunks(readableChunks(part.file), run.onRead);
    return await readScip(chunks, run.limits, intake, tables, run.signal);
  } catch (error) {
    throw error instanceof ScipProblem ? scipFault(error) : error;
  }
}

/** What can't be read of the file says nothing of where we write. */
async function* readableChunks(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* scipChunks(file);
  } catch (error) {
    throw isOfSystem(error) ? unreadable(file, error.code) : error;
  }
}

function isOfSystem(error: unknown): error is { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function unreadable(file: string, code: string): Fault {
  const remedy = 'Copy the file to a disk that gives it back whole, or run the indexer again';
  const message = `${JSON.stringify(file)} can’t be read to its end (${code}). ${remedy}`;
  return new Fault('invalidBody', message, { details: { reason: 'invalid_scip', remedy } });
}

/** What is told to whoever brought the index. */
function scipFault({ kind, message, offset, remedy }: ScipProblem): Fault {
  const reason = kind === 'too large' ? 'tooLarge' : 'invalidBody';
  return new Fault(reason, `${message}. ${remedy}`, { details: { reason: 'invalid_scip', offset, remedy } });
}

function leftOutOf({ samples }: ScipRejections): ScipOutcome['examples']['leftOut'] {
  const leftOut = new Map<string, Set<string>>();
  for (const { reason, path } of samples) {
    const paths = leftOut.get(reason) ?? new Set();
    leftOut.set(reason, path === '' && !reason.startsWith('document') ? paths : paths.add(JSON.stringify(path)));
  }
  return Object.fromEntries([...leftOut].map(([reason, paths]) => [reason, examplesOf(paths)]));
}
