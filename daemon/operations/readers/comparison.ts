import type { Fault } from '../../../client/protocol/faults.ts';
import type { DeclaredOwners } from '../../analysis/ownership/declared-owners.ts';
import { createGit, type Git } from '../../backends/git.ts';
import { attributesName } from '../../backends/git-attributes.ts';
import { toldByGit } from '../../jobs/commit-tree.ts';
import { gitHold } from '../../jobs/follow/git-hold.ts';
import type { FileDiff, Person } from '../../model/history.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import type { HistoryAt } from '../history/histories.ts';
import { noRevisions } from '../history/ignored-revisions.ts';
import { type CodeSides, changedCode } from './changed-code.ts';
import { declaredAt } from './declared-at.ts';
import type { FactSources } from './facts-of-bytes.ts';
import { type FilesPlace, filesAsCommitted, type LeftFile } from './files-as-committed.ts';
import { type HeadSettings, repositoryOf, unanswerable } from './head-trees.ts';
import type { ReadHistories } from './read-histories.ts';
import { commitNamed, partedAt, type RevisionPlace } from './revisions.ts';

/** Two revisions to be compared from where they parted; plain values. */
export interface ComparisonCall {
  readonly at: HistoryAt;
  readonly settings: HeadSettings;
  /** Undefined for what such clones are usually merged into. */
  readonly base: string | undefined;
  readonly head: string;
}

/** The commits that two revisions are; plain values, so that it crosses from the read worker and back. */
export interface Compared extends Pick<ComparisonCall, 'settings'> {
  /** Full hashes. */
  readonly base: string;
  readonly head: string;
  readonly mergeBase: string;
  /** Where they parted as well: branches may be merged crosswise. */
  readonly otherBases: readonly string[];
  readonly baseName: string;
}

/** With what they differ in, which may be much and stays where it is. */
export interface Comparison extends Compared {
  /** Paths from the top of the work tree, sorted. */
  readonly files: readonly FileDiff[];
  /** Of their code that changed, paths from the repository's root: what the work tree has as the head has it. */
  readonly asInHead: ReadonlySet<string>;
  /** Whom its commits name as their authors besides. */
  readonly coAuthors: readonly Person[];
  /** Whom the base names, as hosts have it: a branch does not choose who reviews it. Undefined where that can't be told. */
  readonly declared: DeclaredOwners | undefined;
  /** What a changed file defined before and defines then, as far as that has been read. */
  sidesOf(file: FileDiff): CodeSides;
}

export interface Comparisons {
  /**
   * Tells which commits are meant, and begins to compare them. Throws `resourceNotFound` for one that is not here,
   * `preconditionFailed` where they have no commit in common.
   */
  compare(call: ComparisonCall): Promise<Compared>;
  /** Throws as git does, in a caller's words. */
  of(compared: Compared, at: HistoryAt): Promise<Comparison>;
  /** Has what nobody has read yet of the changed code parsed. */
  readCode(comparison: Comparison, sources: FactSources): Promise<void>;
}

const comparisonsKept = 8;
/** Of a branch of more commits, the older ones are not read. */
const mostCommits = 500;

export function comparisons(histories: Pick<ReadHistories, 'of'>): Comparisons {
  const gits = new Map<string, Git>();
  /** What two commits differ in never changes. */
  const kept = new Map<string, Promise<readonly FileDiff[]>>();
  const code = changedCode();
  const committed = filesAsCommitted();
  const declared = declaredAt();
  const placeOf = ({ settings: { root, shadowFolder } }: Pick<Compared, 'settings'>): RevisionPlace => {
    const git = gits.get(shadowFolder) ?? createGit({ shadowFolder });
    gits.set(shadowFolder, git);
    return { git, repository: repositoryOf(root, 'commits to compare') };
  };
  const differing = (compared: Compared, at: HistoryAt, place: RevisionPlace) => {
    const { mergeBase, head } = compared;
    const onListed = (listed: readonly LeftFile[]): void =>
      void committed.readAhead(listed, placeOfFiles(compared, place)).catch(() => {}); // who asks for them hears why
    const attributeFiles = attributeFilesIn(histories.of(at, noRevisions).tree);
    const key = [place.repository.commonDir, mergeBase, head, ...attributeFiles.values()].join(' ');
    const files = kept.get(key) ?? toldByGit(differ({ mergeBase, head, attributeFiles }, place, onListed));
    keepNewest(kept, key, files, comparisonsKept);
    files.catch(() => {
      if (kept.get(key) === files) kept.delete(key);
    });
    return files;
  };
  const named = new Map<string, Promise<readonly Person[]>>();
  const coAuthors = (compared: Compared, at: HistoryAt, { git, repository }: RevisionPlace) => {
    const key = `${repository.commonDir} ${compared.base} ${compared.head}`;
    const past = histories.of(at, noRevisions);
    const commits = past.commitsOf(compared).slice(0, mostCommits).map(past.hashOf);
    const found = named.get(key) ?? git.coAuthors(repository, commits).catch(() => []); // of a partial clone
    keepNewest(named, key, found, comparisonsKept);
    return found;
  };
  return {
    compare: async call => {
      const place = placeOf(call);
      if (gitHold(place.repository.gitDir) === 'rebase' && /^(?:HEAD|@)/.test(call.head)) throw rebasing();
      const baseName = call.base ?? (await usualBase(place));
      const [base, head] = await Promise.all([commitNamed(baseName, place), commitNamed(call.head, place)]);
      // git is a process more: what is stored tells mostly, but not what may lie behind a cut.
      const stored = call.at.cut === undefined ? histories.of(call.at, noRevisions).mergeBase(base, head) : undefined;
      const [mergeBase, ...otherBases] = stored === undefined ? await partedAt(base, head, place) : [stored];
      const compared = { settings: call.settings, base, head, mergeBase, otherBases, baseName };
      void differing(compared, call.at, place);
      return compared;
    },
    of: async (compared, at) => {
      const place = placeOf(compared);
      const [files, owners, people] = await Promise.all([
        differing(compared, at, place),
        declared.of(compared.base, place),
        coAuthors(compared, at, place),
      ]);
      const asInHead = committed.among(files, placeOfFiles(compared, place));
      return { ...compared, files, asInHead, coAuthors: people, declared: owners, sidesOf: code.of };
    },
    readCode: ({ files, asInHead, ...compared }, sources) =>
      code.read(files, path => asInHead.has(path), { ...placeOf(compared), settings: compared.settings, sources }),
  };
}

function placeOfFiles({ settings: { root } }: Compared, { repository: { workTree } }: RevisionPlace): FilesPlace {
  return { root, workTree };
}

const attributeFiles = new WeakMap<ReadonlyMap<string, string>, ReadonlyMap<string, string>>();

/** The blobs of a tree's files named `.gitattributes`, by path. */
function attributeFilesIn(tree: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const isOne = (path: string): boolean => path === attributesName || path.endsWith(`/${attributesName}`);
  const found = attributeFiles.get(tree) ?? new Map([...tree].filter(([path]) => isOne(path)));
  attributeFiles.set(tree, found);
  return found;
}

interface Differing {
  readonly mergeBase: string;
  readonly head: string;
  readonly attributeFiles: ReadonlyMap<string, string>;
}

/** As `git diff` tells it, which minds what attributes say of text and of binary files. */
async function differ(
  { mergeBase, head, attributeFiles }: Differing,
  { git, repository }: RevisionPlace,
  onListed: (files: readonly LeftFile[]) => void,
): Promise<readonly FileDiff[]> {
  const regular = new Map([...attributeFiles].map(([path, hash]) => [path, { mode: '100644', hash }]));
  const attributes = (paths: readonly string[]) => git.diffAttributes(repository, regular, paths);
  // The git that is asked about attributes is started while another compares.
  const [files] = await Promise.all([
    git.diff(repository, mergeBase, head, { onListed }),
    attributes([attributesName]),
  ]);
  const said = await attributes(files.map(({ path }) => path));
  if (said.size === 0) return files;
  const isText = ({ path, lines }: FileDiff): boolean => lines === undefined && said.get(path) === 'set';
  const asText = files.some(isText) ? await git.diff(repository, mergeBase, head, { isText: true }) : [];
  const texts = new Map(asText.map(file => [file.path, file]));
  return files.map(file => {
    if (said.get(file.path) === 'unset') return { ...file, lines: undefined, hunks: [] };
    return isText(file) ? (texts.get(file.path) ?? file) : file;
  });
}

function rebasing(): Fault {
  return unanswerable(
    'git_operation',
    'A rebase is under way, so HEAD is on its way: name the head, or finish the rebase',
  );
}

/** What the remote says its default branch is, else one of the names that these mostly have. */
async function usualBase({ git, repository }: RevisionPlace): Promise<string> {
  for (const name of ['origin/HEAD', 'main', 'master', 'trunk', 'develop', 'origin/main', 'origin/master']) {
    if ((await toldByGit(git.commitOf(repository, name))) !== undefined) return name;
  }
  throw unanswerable('no_base', 'The clone has no branch that things are usually merged into: name the base');
}
