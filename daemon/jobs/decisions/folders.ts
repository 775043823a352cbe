import { lstatSync } from 'node:fs';
import { readRepositoryFile } from '../../extract/read-file.ts';
import { type RepoPath, repoPath } from '../../model/paths.ts';
import { isShortage } from '../../model/shortage.ts';

/** Where a repository's decisions lie. */
export interface DecisionFolders {
  /** All that are there, the one for new decisions first where it is. */
  readonly read: readonly RepoPath[];
  /** Where a new one goes; undefined where what names the folder can't be followed. */
  readonly written: RepoPath | undefined;
  /** What is wrong with a folder that is named or there. */
  readonly problems: readonly FolderProblem[];
}

export interface FolderProblem {
  readonly path: string;
  readonly code: 'folder_outside' | 'folder_not_real' | 'unreadable' | 'too_many';
  readonly message: string;
}

/** What adr-tools calls the file that names the folder. */
const naming = repoPath('.adr-dir')!;

/** New decisions go to the first of these that is there. */
const usual = ['docs/decisions', 'docs/adr', 'docs/adrs', 'doc/adr', 'adr', 'docs/architecture/decisions'].flatMap(
  path => repoPath(path) ?? [],
);

/** Read as well, for they are common. */
const alsoRead = [
  ...['doc/architecture/decisions', 'doc/decisions', 'doc/adrs', 'docs/architecture/adr', 'docs/architecture/adrs'],
  ...['docs/architecture-decisions', 'docs/architectural-decisions', 'architecture/decisions', 'decisions'],
].flatMap(path => repoPath(path) ?? []);

/**
 * Looks for the folders below a root: `.adr-dir` names the one for new decisions, else the first that is there of the
 * configured one (empty: none) and the usual ones, else the first of these. What lies behind a symbolic link is not there.
 */
export function decisionFolders(root: string, configured: string): DecisionFolders {
  const problems: FolderProblem[] = [];
  const given = (by: string, text: string): RepoPath | undefined => {
    const path = folderPath(text);
    if (path !== undefined) return path;
    const message = `${by} names ${JSON.stringify(text.slice(0, 100))}, which is no folder inside of the repository`;
    problems.push({ path: by, code: 'folder_outside', message });
    return undefined;
  };
  const name = nameInFile(root);
  const named = name === undefined ? undefined : given(naming, name);
  const wanted = configured === '' ? undefined : given('decisions.folder', configured);
  const choices = [...(wanted === undefined ? [] : [wanted]), ...usual];
  const known = new Set([...(named === undefined ? [] : [named]), ...choices, ...alsoRead]);
  const is = new Map([...known].map(path => [path, whatIs(root, path)] as const));
  for (const [path, what] of is) {
    if (what === 'link') problems.push({ path, code: 'folder_not_real', message: 'is a symbolic link' });
  }
  // A link may be meant to be the folder: another one beside it would be a surprise.
  const written = name !== undefined ? named : (choices.find(path => is.get(path) !== 'nothing') ?? choices[0]!);
  const read = [...known].filter(path => is.get(path) === 'folder');
  return { read: read.toSorted((a, b) => Number(b === written) - Number(a === written)), written, problems };
}

/** The first line of the file that names the folder; undefined without one. */
function nameInFile(root: string): string | undefined {
  const read = readRepositoryFile(root, naming, undefined, { bytes: 8192, lineCharacters: 8192 });
  if (read.kind !== 'text') return undefined;
  const line = new TextDecoder().decode(read.bytes).split(/\r?\n/, 1)[0]!.trim();
  return line === '' ? undefined : line;
}

/** A folder as it is named, as a path inside the repository: git's own folder is none. */
function folderPath(text: string): RepoPath | undefined {
  const path = repoPath(text.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, ''));
  return path === undefined || /[\p{Cc}\\]/u.test(path) || path.split('/').some(part => part.toLowerCase() === '.git')
    ? undefined
    : path;
}

/** What stands at a path to which no link leads. */
function whatIs(root: string, path: RepoPath): 'folder' | 'link' | 'nothing' {
  let at = root;
  for (const part of path.split('/')) {
    at = `${at}/${part}`;
    const stats = quiet(() => lstatSync(at, { throwIfNoEntry: false }));
    if (stats?.isSymbolicLink() === true && at === `${root}/${path}`) return 'link';
    if (stats?.isDirectory() !== true) return 'nothing';
  }
  return 'folder';
}

function quiet<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    if (isShortage(error)) throw error;
    return undefined;
  }
}
