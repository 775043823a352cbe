import { Fault } from '../../client/protocol/faults.ts';
import { dialectOf } from '../extract/dialect.ts';
import { countedChunks, scipChunks } from '../extract/scip/chunks.ts';
import type { ScipDocument } from '../extract/scip/document.ts';
import { type OccurrencesInText, occurrencesInUtf16 } from '../extract/scip/in-utf16.ts';
import type { ScipLimits } from '../extract/scip/limits.ts';
import type { ScipMetadata } from '../extract/scip/metadata.ts';
import { mergeOccurrences, type ScipOccurrences, symbolRole } from '../extract/scip/occurrences.ts';
import { ScipProblem } from '../extract/scip/problem.ts';
import { readScip, type ScipReading, type ScipTables, scipTables } from '../extract/scip/read-scip.ts';
import type { ScipRejections } from '../extract/scip/report.ts';
import { ScratchMemory } from '../extract/scip/scratch-memory.ts';
import { parseScipSymbol } from '../extract/scip/symbol-grammar.ts';
import type { ScipSymbols } from '../extract/scip/symbol-table.ts';
import { nameOfScip } from '../extract/scip/symbol-tail.ts';
import { FactsView } from '../model/facts-codec.ts';
import type { TreeManifest } from '../model/manifest.ts';
import type { RepoPath } from '../model/paths.ts';
import type { IndexWriter } from '../store/index-db.ts';
import { type InputDigests, Inputs } from '../store/inputs.ts';
import type { FactKey } from '../store/publication.ts';
import { isEvidentIn } from './evident-content.ts';
import { factKeyOf } from './fact-key.ts';
import { type JoinedIndex, type KeptDocument, preciseBatch } from './precise-batch.ts';
import { folderOfProject } from './project-folder.ts';
import type { ScipPart, ScipSource } from './scip-source.ts';

export interface ScipRun {
  readonly parts: ScipSource['parts'];
  readonly root: string;
  /** Of the repository in the index file. */
  readonly key: string;
  readonly tree: TreeManifest;
  readonly isImported: boolean;
  /** What indexers have to read in the tree. */
  readonly inputs: InputDigests;
  readonly limits: ScipLimits;
  /** Where a file can be made for what doesn't fit in memory. */
  readonly scratch: string;
  /**
   * The contents that the indexer saw, path → sha256, as far as that is known. `evident`: what the tree has, where that may
   * be what it saw.
   */
  readonly seen: ReadonlyMap<string, string> | 'evident';
  readonly signal: AbortSignal;
  /** How many bytes of the index, inflated, are read. */
  readonly onRead: (bytes: number) => void;
  /** All is read. */
  readonly onJoin: () => void;
}

/** What became of the documents of an index. */
export interface ScipOutcome {
  readonly indexer: string;
  readonly documents: number;
  /** Their references point where the indexer says. */
  readonly joined: number;
  /** The tree has them with another content. */
  readonly otherContent: number;
  /** The tree has no such files, or reads nothing in them. */
  readonly notInTree: number;
  /** Files of the tree of which too many occurrences have no place that can be: what was known of them stays. */
  readonly damaged: number;
  /** Files of the tree that use what those of other content define, whose references can't all be told for it. */
  readonly incomplete: number;
  /** Paths of some of both, and of documents that the reader passed over, these quoted and by reason. */
  readonly examples: {
    readonly otherContent: readonly string[];
    readonly notInTree: readonly string[];
    readonly leftOut: Readonly<Record<string, readonly string[]>>;
  };
  /** What the reader passed over, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
  readonly occurrences: number;
}

/**
 * Reads a SCIP index and joins it with the facts of a tree: what it says of the documents whose content it saw, ready to
 * be published. Throws a Fault where the index can't be taken in.
 */
export async function joinScip(
  run: ScipRun,
  writer: Pick<IndexWriter, 'facts' | 'text' | 'syntax'>,
): Promise<{ readonly outcome: ScipOutcome; readonly batch: JoinedIndex }> {
  const memory = new ScratchMemory(run.scratch);
  try {
    return await join(run, writer, memory);
  } finally {
    memory.close();
  }
}

async function join(
  run: ScipRun,
  writer: Pick<IndexWriter, 'facts' | 'text' | 'syntax'>,
  memory: ScratchMemory,
): ReturnType<typeof joinScip> {
  const tables = scipTables(run.limits, memory);
  const intake = new Intake(run, writer, tables.rejections);
  const readings: ScipReading[] = [];
  for (const part of run.parts) {
    const before = readings.reduce((sum, { bytes }) => sum + bytes, 0);
    readings.push(await read(part, { ...run, onRead: bytes => run.onRead(before + bytes) }, intake, tables));
  }
  run.onJoin();
  const { tool, toolVersion } = readings[0]!.metadata;
  const indexer = `${tool} ${toolVersion}`.trim();
  const kept = [...intake.kept.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const inputs = inputsSeen(run, intake.otherContent > 0);
  const { symbols } = tables;
  const syntax = writer.syntax(run.key);
  const { defined, lost, damaged } = intake;
  const { tree, isImported } = run;
  const batch = preciseBatch({ kept, damaged, defined, lost, symbols, indexer, isImported, tree, inputs, syntax });
  const outcome = {
    indexer,
    documents: readings.reduce((sum, { documents }) => sum + documents, 0),
    joined: batch.documents.length,
    otherContent: intake.otherContent,
    notInTree: intake.notInTree,
    damaged: damaged.size,
    incomplete: batch.incomplete,
    examples: { ...intake.examples, leftOut: leftOutOf(tables.rejections) },
    rejected: Object.fromEntries(tables.rejections.counts),
    occurrences: batch.occurrences,
  };
  return { outcome, batch };
}

/** What the indexer had to read. Without a word of it, it is the tree, where all that it shows of is the tree's. */
function inputsSeen({ seen, tree, inputs }: ScipRun, isOther: boolean): InputDigests | undefined {
  if (seen === 'evident') return isOther ? undefined : inputs;
  const counted = new Inputs();
  for (const [path, hash] of seen) {
    const dialect = tree.get(path as RepoPath)?.entry.dialect ?? dialectOf(path);
    counted.count({ path, dialect, hash }, 1);
  }
  return counted.digests();
}

async function read(part: ScipPart, run: ScipRun, intake: Intake, tables: ScipTables): Promise<ScipReading> {
  intake.begin(part);
  try {
    const chunks = countedChunks(scipChunks(part.file), run.onRead);
    return await readScip(chunks, run.limits, intake, tables, run.signal);
  } catch (error) {
    throw error instanceof ScipProblem ? scipFault(error) : error;
  }
}

/** What is told to whoever brought the index. */
function scipFault({ kind, message, offset, remedy }: ScipProblem): Fault {
  const reason = kind === 'too large' ? 'tooLarge' : 'invalidBody';
  return new Fault(reason, `${message}. ${remedy}`, { details: { reason: 'invalid_scip', offset, remedy } });
}

/** So large a share of a document's occurrences may lack a place. */
const toleratedShare = 0.02;

/** `beyond`: how many of its occurrences stand where its text has no character. */
function isDamaged({ occurrences, misplaced }: ScipDocument, beyond: number): boolean {
  return misplaced + beyond > (occurrences.count + misplaced) * toleratedShare;
}

const mostExamples = 3;
const longestExample = 200;

function noteExample(examples: string[], path: string): void {
  if (examples.length < mostExamples)
    examples.push(path.length > longestExample ? `${path.slice(0, longestExample)}…` : path);
}

function noteDefinitions({ count, roles, symbol }: ScipOccurrences, defined: Set<number>): void {
  for (let at = 0; at < count; at++) {
    if ((roles[at]! & symbolRole.definition) !== 0 && symbol[at]! >= 0) defined.add(symbol[at]!);
  }
}

function leftOutOf({ samples }: ScipRejections): ScipOutcome['examples']['leftOut'] {
  const leftOut: Record<string, string[]> = {};
  for (const { reason, path } of samples) {
    if (!reason.startsWith('document')) continue;
    leftOut[reason] ??= [];
    noteExample(leftOut[reason], JSON.stringify(path));
  }
  return leftOut;
}

/** Takes in the documents of an index one by one, and keeps those whose content it saw. */
class Intake {
  readonly kept = new Map<RepoPath, KeptDocument>();
  /** Symbols that some document of the index defines, whether it was kept or not. */
  readonly defined = new Set<number>();
  /** Those of them that only documents define which the tree has with another content. */
  readonly lost = new Set<number>();
  readonly damaged = new Set<RepoPath>();
  otherContent = 0;
  notInTree = 0;
  readonly examples = { otherContent: [] as string[], notInTree: [] as string[] };
  readonly #run: ScipRun;
  readonly #writer: Pick<IndexWriter, 'facts' | 'text'>;
  readonly #rejections: ScipRejections;
  /** Of symbols that documents define, what they are called. */
  readonly #names = new Map<number, string>();
  #symbols: ScipSymbols | undefined;
  #folder: string | undefined;
  #folderOf: (path: string) => string = () => '';

  constructor(run: ScipRun, writer: Pick<IndexWriter, 'facts' | 'text'>, rejections: ScipRejections) {
    this.#run = run;
    this.#writer = writer;
    this.#rejections = rejections;
  }

  /** What is read from here on is this part's. */
  begin({ folder }: ScipPart): void {
    this.#folder = folder;
  }

  metadata({ projectRoot }: ScipMetadata, symbols: ScipSymbols): void {
    this.#symbols = symbols;
    const { root, tree } = this.#run;
    const folder = this.#folder;
    if (folder === undefined) this.#folderOf = folderOfProject(projectRoot, root, path => tree.get(path) !== undefined);
    else this.#folderOf = () => (folder === '' ? '' : `${folder}/`);
  }

  external(): void {}

  document(document: ScipDocument): void {
    noteDefinitions(document.occurrences, this.defined);
    const path = `${this.#folderOf(document.path)}${document.path}` as RepoPath;
    const line = this.#run.tree.get(path);
    const key = line === undefined ? undefined : factKeyOf(line);
    const blob = key === undefined ? undefined : this.#writer.facts(key);
    if (key === undefined || blob === undefined) {
      this.notInTree++;
      noteExample(this.examples.notInTree, path);
      return;
    }
    const inText = this.#isSeen(path, key) ? this.#inText(document, key) : undefined;
    if (isDamaged(document, inText?.beyond ?? 0)) this.damaged.add(path);
    if (inText === undefined) {
      if (this.damaged.has(path)) return;
      this.otherContent++;
      noteExample(this.examples.otherContent, path);
      noteDefinitions(document.occurrences, this.lost);
      return;
    }
    const { occurrences } = inText;
    this.#rejections.addBeyond(inText, path);
    const before = this.kept.get(path);
    if (before === undefined) this.kept.set(path, { path, key, facts: new FactsView(blob), occurrences });
    else this.kept.set(path, { ...before, occurrences: mergeOccurrences(before.occurrences, occurrences) });
  }

  #isSeen(path: RepoPath, key: FactKey): boolean {
    const { seen } = this.#run;
    return seen === 'evident' || seen.get(path) === key.hash;
  }

  /** Undefined where the text is, by what stands in it, not what the indexer saw. */
  #inText({ occurrences, positionEncoding }: ScipDocument, key: FactKey): OccurrencesInText | undefined {
    const text = this.#writer.text(key);
    if (text === undefined) return undefined;
    const inText = occurrencesInUtf16(occurrences, text, positionEncoding);
    if (this.#run.seen !== 'evident') return inText;
    return inText.beyond === 0 && isEvidentIn(inText.occurrences, text, this.#nameOf) ? inText : undefined;
  }

  readonly #nameOf = (symbol: number): string => {
    const known = this.#names.get(symbol);
    if (known !== undefined) return known;
    const parsed = symbol < 0 ? undefined : parseScipSymbol(this.#symbols!.text(symbol));
    const name = parsed?.form === 'global' ? nameOfScip(parsed.descriptors) : '';
    this.#names.set(symbol, name);
    return name;
  };
}
