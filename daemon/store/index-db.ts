import { randomBytes } from 'node:crypto';
import type { FileStat } from '../model/file-stat.ts';
import type { ManifestLine } from '../model/manifest.ts';
import type { RepoPath } from '../model/paths.ts';
import type { QuestionKey } from '../model/question.ts';
import type { ReferenceGroups } from '../model/reference-groups.ts';
import { Collector } from './collect.ts';
import { inTransaction, logBytes, openForWriting, translated } from './connection.ts';
import { dropFact, factRow, inflated, noneChecked, putFact, sourceOf, textOf } from './fact-table.ts';
import { addFirstRows, type FirstRows } from './first-rows.ts';
import { HeldLinks } from './held-links.ts';
import { inPlace, replacedWords } from './in-place.ts';
import { indexFile } from './index-file.ts';
import { contextIn } from './inputs.ts';
import type { LinkBatch } from './link-batch.ts';
import {
  addRepo,
  askingGroups,
  askingPaths,
  checkedFactsOf,
  dropRepository,
  linesAt,
  manifestOf,
  touchStats,
} from './manifest-table.ts';
import { type Damage, damageOf, mendFacts, mendLinks } from './mend.ts';
import { isSamePrecise, newestPrecise, type PreciseDocument, preciseFor } from './precise-table.ts';
import type { FactKey, FactRow, KeptLinks, Publication, Published, StoredSnapshot } from './publication.ts';
import { applyPublication } from './publish.ts';
import type { RetentionClock } from './retention.ts';
import { preparer } from './rows.ts';
import { breakSeal, seal } from './seal.ts';
import { earlierSequence, epochOf, latestSnapshot, repoRow } from './snapshot-table.ts';
import { hasMark } from './source-lines.ts';
import { StoreError } from './store-faults.ts';
import { type ReferenceTargets, type StoredSyntax, storedSyntax, storedTargets } from './stored-targets.ts';
import { bearingPaths, definingPaths } from './symbol-rows.ts';
import { rememberDelta, type TakenDelta, takenDeltas, writeDeltas } from './taken-deltas.ts';

/**
 * The one writer of an index file. A file serves one git common folder; each worktree is a repository of its own in it
 * (`key`: any stable text, e.g. the worktree key), over shared facts. Every method throws `StoreError` where the file
 * fails it, with nothing half applied.
 */
export interface IndexWriter {
  /** Made when the file was created; cursors and caches from before a rebuild carry another. */
  readonly epoch: string;
  /** The newest snapshot of a repository; undefined before its first. */
  snapshot(key: string): StoredSnapshot | undefined;
  /** The links of an earlier snapshot with that id, where they are still kept. */
  kept(key: string, snapshotId: string): KeptLinks | undefined;
  /** The manifest of the newest snapshot, in path order. */
  manifest(key: string): IterableIterator<ManifestLine>;
  /** Of an earlier snapshot that is kept its lines wherever they may differ from the newest one's; undefined where it is not. */
  linesOf(key: string, snapshotId: string): ReadonlyMap<RepoPath, ManifestLine | undefined> | undefined;
  /** Those of the keys whose facts are not stored. */
  missingFacts(keys: Iterable<FactKey>): readonly FactKey[];
  /** Stores facts ahead of their publication, so that a crash between need not parse them again. */
  putFacts(rows: Iterable<FactRow>): void;
  /** The encoded `DocumentFacts`, checked against its digest on first read; undefined where there are none. */
  facts(key: FactKey): Uint8Array | undefined;
  /** The text beside the facts; undefined where there are none. */
  text(key: FactKey): string | undefined;
  /** Whether a byte order mark stands in front of that text. */
  hasMark(key: FactKey): boolean;
  /** Paths, sorted, of the documents that asked one of the questions when they were linked. */
  askersOf(key: string, questions: Iterable<QuestionKey>): readonly RepoPath[];
  /** The same, each with the groups of its references that rest on the answers. */
  groupsThatAsked(key: string, questions: Iterable<QuestionKey>): ReadonlyMap<RepoPath, ReferenceGroups>;
  /** Before the first publication into an empty file: symbols and names, so that links can speak of rows. */
  addFirstRows(rows: FirstRows): void;
  /** Forgets facts that no manifest names. */
  dropFacts(keys: Iterable<FactKey>): void;
  /** Holds until the next publication. */
  syntax(key: string): StoredSyntax;
  /** Paths of the documents that define one of the symbols, by hash, or did so in an older version. */
  definersOf(key: string, hashes: Iterable<string>): readonly RepoPath[];
  /** Paths of at most so many documents that define something of a name, or did so in an older version; undefined of more. */
  bearersOf(key: string, name: string, most: number): readonly RepoPath[] | undefined;
  /** Where syntax has the references of some documents point, in the newest snapshot. */
  targetsOf(key: string, paths: Iterable<RepoPath>): ReadonlyMap<RepoPath, ReferenceTargets>;
  /** The artifacts that were taken in, in the order in which they first came. */
  takenDeltas(key: string): readonly TakenDelta[];
  /** Stores facts and remembers the artifact that they came with. */
  takeDelta(key: string, taken: TakenDelta, facts: Iterable<FactRow>): void;
  /** Remembers them as they are given. */
  keepDeltas(key: string, taken: readonly TakenDelta[]): void;
  /** Whether the repository's newest precise document for that path and content says the same. */
  isKnownEvidence(key: string, one: PreciseDocument): boolean;
  /** Whether what counts for a path and content was brought by somebody whose indexer had to read what the tree has. */
  hasImport(key: string, one: Pick<PreciseDocument, 'path' | 'key'>): boolean;
  /** Makes the next snapshot visible in one transaction. Returns it. */
  publish(key: string, publication: Publication): Published;
  /** What of the whole file does not hold, if it can be made good from the files of one repository; undefined where not. */
  damage(key: string): Damage | undefined;
  mendFacts(damage: Damage, rows: readonly FactRow[]): void;
  mendLinks(key: string, damage: Damage, linked: LinkBatch): void;
  /** Notes new stat data of files whose content is as published (undefined: look at the bytes again). Makes no snapshot. */
  touch(key: string, stats: Iterable<{ readonly path: RepoPath; readonly stat: FileStat | undefined }>): void;
  /** False where the file was removed, or another put in its place: then nothing is written, and no seal made. */
  isInPlace(): boolean;
  /** Repositories in the file. */
  repositories(): readonly string[];
  removeRepository(key: string): void;
  /**
   * Idle work, one bounded batch: versions that no cursor may ask for any more, facts that no manifest names (by last
   * use, once they exceed the active ones or 256 MB), names and symbols without rows. True while there is more. `nowMs` is
   * the time of day.
   */
  collect(nowMs: number): boolean;
  /** Idle: moves the log into the file; truncates it past 32 MB. */
  checkpoint(): void;
  /** Moves the log into the file and seals it. */
  close(): void;
}

export interface IndexWriterOptions {
  /** Random text for the epoch of a file that is created. */
  readonly newEpoch?: () => string;
  /** The file is new and nobody else's yet: written without a log, which makes it worthless where anything fails. */
  readonly isAlone?: boolean;
  /** How long ago something was published; without it the times that publications tell count. */
  readonly retentionClock?: RetentionClock;
  /** Bound of the file in pages of 4 KiB; past it a publication fails as on a full disk. */
  readonly maxPages?: number;
}

/** Opens or creates an index file (0600). Throws `StoreError`. */
export function openIndexWriter(file: string, options: IndexWriterOptions = {}): IndexWriter {
  const kind = indexFile(options.newEpoch ?? (() => randomBytes(12).toString('hex')));
  const connection = openForWriting(file, kind, () => breakSeal(file), options.isAlone);
  connection.exec(
    'CREATE TEMP TABLE active (hash, dialect, version, PRIMARY KEY (hash, dialect, version)) WITHOUT ROWID',
  );
  if (options.maxPages !== undefined) connection.pragma(`max_page_count = ${options.maxPages}`);
  const isInPlace = inPlace(file);
  const prepare = preparer(connection);
  const checkedFacts = noneChecked();
  const collector = new Collector(prepare, options.retentionClock);
  const held = new HeldLinks(prepare);
  let failed: StoreError | undefined;
  let isDamaged = false;

  /** What is found damaged is remembered. */
  const guarded = <T>(work: () => T): T => {
    try {
      return translated(work);
    } catch (error) {
      if (error instanceof StoreError && error.trouble === 'corrupt') isDamaged = true;
      throw error;
    }
  };
  /** After the device failed, what SQLite believes to be on it may not be: nothing is written until the file is opened anew. */
  const write = <T>(work: () => T): T => {
    if (failed !== undefined) throw failed;
    if (!isInPlace()) throw new StoreError('corrupt', replacedWords);
    try {
      return guarded(() => inTransaction(connection, file, work));
    } catch (error) {
      if (error instanceof StoreError && error.trouble === 'ioError') failed = error;
      throw error;
    }
  };
  /** What is held of links is none of theirs afterwards, whether they changed or not. */
  const writeLinks = <T>(work: () => T): T => {
    try {
      return write(work);
    } finally {
      held.forget();
    }
  };
  const drainLog = (limit: number): void => {
    if (logBytes(file) > limit) connection.pragma('wal_checkpoint(PASSIVE)');
  };

  return {
    epoch: guarded(() => epochOf(prepare)),
    snapshot: key =>
      guarded(() => {
        const repo = repoRow(key, prepare);
        return repo === undefined ? undefined : latestSnapshot(repo, prepare);
      }),
    kept: (key, snapshotId) =>
      guarded(() => {
        const repo = repoRow(key, prepare);
        const seq = repo === undefined ? undefined : earlierSequence(repo, snapshotId, prepare);
        return seq === undefined ? undefined : { seq };
      }),
    manifest: key => guarded(() => manifestOf(key, prepare)),
    linesOf: (key, snapshotId) =>
      guarded(() => {
        const repo = repoRow(key, prepare);
        const seq = repo === undefined ? undefined : earlierSequence(repo, snapshotId, prepare);
        return repo === undefined || seq === undefined ? undefined : linesAt(repo, seq, prepare);
      }),
    missingFacts: keys => guarded(() => [...keys].filter(key => factRow(key, prepare) === undefined)),
    putFacts: rows => {
      write(() => {
        const now = Date.now();
        for (const row of rows) putFact(row, now, prepare);
      });
      guarded(() => drainLog(logDrainBytes));
    },
    facts: key => guarded(() => checkedFactsOf(key, checkedFacts, prepare)),
    text: key =>
      guarded(() => {
        const row = factRow(key, prepare);
        return row === undefined ? undefined : sourceOf(row, checkedFacts, prepare);
      }),
    hasMark: key =>
      guarded(() => {
        const row = factRow(key, prepare);
        return row !== undefined && hasMark(inflated(textOf(row, checkedFacts, prepare)));
      }),
    askersOf: (key, questions) => guarded(() => askingPaths(key, questions, prepare)),
    groupsThatAsked: (key, questions) => guarded(() => askingGroups(key, questions, held, prepare)),
    addFirstRows: rows => write(() => addFirstRows(rows, prepare)),
    dropFacts: keys => {
      writeLinks(() => {
        for (const key of keys) dropFact(key, prepare);
      });
    },
    syntax: key => {
      const stored = storedSyntax(guarded(() => repoRow(key, prepare)) ?? 0, prepare);
      return {
        rowOf: hash => guarded(() => stored.rowOf(hash)),
        linksOf: (path, factKey) => guarded(() => stored.linksOf(path, factKey)),
      };
    },
    definersOf: (key, hashes) =>
      guarded(() => {
        const repo = repoRow(key, prepare);
        return repo === undefined ? [] : definingPaths(repo, hashes, prepare);
      }),
    bearersOf: (key, name, most) =>
      guarded(() => {
        const repo = repoRow(key, prepare);
        return repo === undefined ? [] : bearingPaths(repo, name, most, prepare);
      }),
    targetsOf: (key, paths) => {
      const repo = guarded(() => repoRow(key, prepare));
      const found = repo === undefined ? [] : guarded(() => storedTargets(repo, paths, held, prepare));
      return new Map(
        Array.from(found, ([path, { length, at }]) => [path, { length, at: one => guarded(() => at(one)) }]),
      );
    },
    takenDeltas: key => guarded(() => takenDeltas(key, prepare)),
    takeDelta: (key, taken, facts) =>
      write(() => {
        const now = Date.now();
        for (const row of facts) putFact(row, now, prepare);
        rememberDelta(key, taken, prepare);
      }),
    keepDeltas: (key, taken) => write(() => writeDeltas(key, taken, prepare)),
    isKnownEvidence: (key, one) =>
      guarded(() => {
        const repo = repoRow(key, prepare);
        const known = repo === undefined ? undefined : newestPrecise(repo, one.path, one.key, prepare);
        return known !== undefined && isSamePrecise(known, one);
      }),
    hasImport: (key, one) =>
      guarded(() => {
        const repo = repoRow(key, prepare);
        const inputs = repo === undefined ? undefined : latestSnapshot(repo, prepare)?.counts.inputs;
        if (repo === undefined || inputs === undefined) return false;
        const row = preciseFor(repo, one.path, one.key, inputs, prepare);
        return row?.imported === 1 && row.context === contextIn(inputs, one.key.dialect);
      }),
    publish: (key, publication) => {
      guarded(() => drainLog(logDrainBytes + logDrainBytes / 2));
      return writeLinks(() => {
        const repo = addRepo(key, prepare);
        collector.onPublished(repo, publication.publishedAt);
        return applyPublication(repo, publication, held, prepare);
      });
    },
    damage: key => guarded(() => damageOf(key, prepare)),
    mendFacts: (damage, rows) => writeLinks(() => mendFacts(damage, rows, prepare)),
    mendLinks: (key, damage, linked) => writeLinks(() => mendLinks(key, damage, linked, prepare)),
    touch: (key, stats) => write(() => touchStats(key, stats, prepare)),
    isInPlace,
    repositories: () =>
      guarded(() =>
        prepare<[], { key: string }>('SELECT key FROM repo ORDER BY key')
          .all()
          .map(row => row.key),
      ),
    removeRepository: key => {
      writeLinks(() => dropRepository(key, prepare));
      collector.onRemoved();
    },
    collect: nowMs => writeLinks(() => collector.batch(nowMs)),
    checkpoint: () =>
      guarded(() => {
        connection.pragma(`wal_checkpoint(${logBytes(file) > logDrainBytes ? 'TRUNCATE' : 'PASSIVE'})`);
      }),
    close: () => {
      // What failed once is not vouched for, nor what was found damaged or is not ours any more.
      const settle = options.isAlone === true ? 'journal_mode = WAL' : 'wal_checkpoint(TRUNCATE)';
      const isOurs = isInPlace() && failed === undefined && !isDamaged;
      const isSound = isOurs && quietly(() => connection.pragma(settle));
      connection.close();
      if (isSound) quietly(() => seal(file));
    },
  };
}

function quietly(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** Past this the log is moved into the file and cut. */
const logDrainBytes = 32 * 1024 * 1024;
