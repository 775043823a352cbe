import { amount } from '../../../client/protocol/amount.ts';
import type { FoundProgram } from '../../backends/find-program.ts';
import type { Indexer } from '../../backends/indexer-table.ts';
import { indexersFor, projectFolders } from '../../backends/indexers.ts';
import { once } from '../../model/once.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import { openIndexReader } from '../../store/index-reader.ts';
import type { StoredSnapshot } from '../../store/publication.ts';
import { preciseDigest, readLastRuns } from './precise-digest.ts';

/** Which indexers there are for whom. */
export interface IndexerChoice {
  /** Whether the user lets it run at all. */
  readonly uses: (indexer: Indexer) => boolean;
  /** What the configuration names as its program; '' where it names none. */
  readonly configured: (indexer: Indexer) => string;
  readonly find: (indexer: Indexer) => FoundProgram | undefined;
}

/** Why an indexer of a repository does not run; undefined where it does. */
export type NotRunnable = 'left_out' | 'missing' | 'untrusted' | 'no_project' | undefined;

/** One indexer that knows a language of a repository. */
export interface KnownIndexer {
  readonly indexer: Indexer;
  /** As `IndexerChoice` says. */
  readonly configured: string;
  readonly found: FoundProgram | undefined;
  readonly not: NotRunnable;
  /** What its last run did not do, in public words; undefined where that was a good one. */
  readonly trouble: string | undefined;
  /** Files of its languages, and those of them of which an index says where their references point. */
  readonly files: number;
  readonly servedFiles: number;
}

/** One of which it is known as well whether it has work. */
export interface PlannedIndexer extends KnownIndexer {
  readonly digest: string;
  /** Whether nothing has changed for it since its last run, whose facts the index has. */
  readonly isFresh: boolean;
}

/** Which indexers a repository has work for. Reads its whole manifest. */
export function planPrecise(
  repo: RepositoryRecord,
  language: string,
  choice: IndexerChoice,
): readonly PlannedIndexer[] {
  const read = manifestOf(repo);
  if (read === undefined) return [];
  const { snapshot, entries: lines, epoch } = read;
  const runs = readLastRuns(repo, epoch);
  const paths = () => lines.map(({ entry }) => entry.path);
  return knownIndexers({ repo, snapshot, language, runs, paths }, choice).map(known => {
    const { indexer, found } = known;
    const digest = preciseDigest(indexer, programOf(found), repo.trusted, { inputs: snapshot.counts.inputs, lines });
    return { ...known, digest, isFresh: snapshot.evidenceId !== '' && runs[indexer.name]?.digest === digest };
  });
}

/** The indexers that know a language of a repository. Reads its manifest only for those that want a project of theirs. */
export function surveyPrecise(repo: RepositoryRecord, choice: IndexerChoice): readonly KnownIndexer[] {
  const reader = openIndexReader(repo.indexFile);
  try {
    const snapshot = reader.snapshot(repo.worktreeKey);
    if (snapshot === undefined) return [];
    const runs = readLastRuns(repo, reader.epoch);
    const paths = once(() => (reader.manifest(repo.worktreeKey)?.entries ?? []).map(({ entry }) => entry.path));
    return knownIndexers({ repo, snapshot, language: 'auto', runs, paths }, choice);
  } finally {
    reader.close();
  }
}

interface Surveyed {
  readonly repo: RepositoryRecord;
  readonly snapshot: StoredSnapshot;
  readonly language: string;
  readonly runs: ReturnType<typeof readLastRuns>;
  readonly paths: () => readonly string[];
}

function knownIndexers(
  { repo, snapshot, language, runs, paths }: Surveyed,
  { uses, configured, find }: IndexerChoice,
): readonly KnownIndexer[] {
  return indexersFor(wantedLanguages(snapshot, language)).map(indexer => {
    const found = find(indexer);
    const named = configured(indexer);
    const not = uses(indexer) ? notRunnable({ indexer, found, configured: named }, repo, paths) : 'left_out';
    const { trouble } = runs[indexer.name] ?? {};
    return { indexer, configured: named, found, not, trouble, ...filesOf(indexer, snapshot) };
  });
}

/** One that the user has written down, and that can't be had. */
export function isMisconfigured({ not, configured }: Pick<KnownIndexer, 'not' | 'configured'>): boolean {
  return not === 'missing' && configured !== '';
}

/** In public words why an indexer does not run, and what is known all the same. */
export function wordsFor(
  planned: Pick<KnownIndexer, 'indexer' | 'configured' | 'not' | 'files' | 'servedFiles'>,
): string {
  const { indexer, configured, not, files, servedFiles } = planned;
  const { name, install, languages, projectFiles } = indexer;
  const served = servedFiles === 0 ? '' : `; what an index said of ${servedFiles} of ${amount(files, 'file')} counts`;
  const bySyntax = `: references of ${languages.join(' and ')} come from syntax alone`;
  switch (not) {
    case undefined:
      return `${name} runs`;
    case 'left_out':
      return `${name} is left out by index.use_indexers${served || bySyntax}`;
    case 'missing':
      if (configured !== '')
        return `${name} is configured and missing: ${configured} is no program that can be started; correct index.indexers.${name}${served}`;
      return `${name} is not installed${served === '' ? bySyntax : ''} (${install})${served}`;
    case 'untrusted':
      return `${name} runs code of the repository, which is not trusted (svc repo trust)${served}`;
    case 'no_project':
      return `${name} needs one of ${projectFiles.join(', ')}, and there is none${served}`;
  }
}

export function filesOf({ languages }: Indexer, { counts }: Pick<StoredSnapshot, 'counts'>) {
  const known = languages.flatMap(language => counts.languages[language] ?? []);
  const files = known.reduce((sum, one) => sum + one.files, 0);
  return { files, servedFiles: known.reduce((sum, one) => sum + one.precise, 0) };
}

export function manifestOf(repo: RepositoryRecord) {
  const reader = openIndexReader(repo.indexFile);
  try {
    const read = reader.manifest(repo.worktreeKey);
    return read && { ...read, epoch: reader.epoch };
  } finally {
    reader.close();
  }
}

/** What a caller calls one language may be several here. */
const namedTogether: Readonly<Record<string, readonly string[]>> = {
  typescript: ['typescript', 'javascript'],
  cpp: ['cpp', 'c'],
};

function wantedLanguages({ counts }: StoredSnapshot, language: string): readonly string[] {
  const present = Object.keys(counts.languages);
  if (language === 'auto') return present;
  const wanted = namedTogether[language] ?? [language];
  return present.filter(one => wanted.includes(one));
}

/** Without a project neither an installation nor trust would help; a program that the user wrote down wrongly is told all the same. */
function notRunnable(
  { indexer, found, configured }: Pick<KnownIndexer, 'indexer' | 'found' | 'configured'>,
  repo: RepositoryRecord,
  paths: () => readonly string[],
): NotRunnable {
  if (found === undefined && configured !== '') return 'missing';
  if (indexer.projectFiles.length > 0 && projectFolders(indexer, paths()).length === 0) return 'no_project';
  if (found === undefined) return 'missing';
  return indexer.runsCode && !repo.trusted ? 'untrusted' : undefined;
}

export function programOf(found: FoundProgram | undefined): string {
  return found === undefined ? '' : [found.program, ...found.arguments, found.version ?? ''].join(' ');
}
