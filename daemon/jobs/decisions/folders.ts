import { lstatSync } from 'node:fs';
import { readRepositoryFile } from '../../extract/read-file.ts';
import { isClosed } from '../../model/closed.ts';
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
export const namingFile = repoPath('.adr-dir')!;

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
  const named = typeof name === 'string' ? given(namingFile, name) : undefined;
  if (name === unread) problems.push({ path: namingFile, code: 'unreadable', message: 'can’t be read' });
  const wanted = configured === '' ? undefined : given('decisions.folder', configured);
  const choices = [...(wanted === undefined ? [] : [wanted]), ...usual];
  const known = new Set([...(named === undefined ? [] : [named]), ...choices, ...alsoRead]);
  const is = new Map([...known].map(path => [path, whatIs(root, path)] as const));
  for (const [path, what] of is) {
    if (what === 'link') problems.push({ path, code: 'folder_not_real', message: 'is a symbolic link' });
  }
  const closed = new Set([...is.values()].flatMap(what => (typeof what === 'object' ? [what.closed] : [])));
  for (const path of closed) problems.push({ path, code: 'unreadable', message: 'the folder can’t be looked into' });
  // A link may be meant to be the folder, and a closed one may hold it: another one beside it would be a surprise.
  const written = name !== undefined ? named : (choices.find(path => is.get(path) !== 'nothing') ?? choices[0]!);
  const read = [...known].filter(path => is.get(path) === 'folder');
  return { read: read.toSorted((a, b) => Number(b === written) - Number(a === written)), written, problems };
}

const unread = Symbol('a file that says something that nobody may read');

/** The first line of the file that names the folder; undefined without one. */
function nameInFile(root: string): string | typeof unread | undefined {
  const read = readRepositoryFile(root, namingFile, undefined, { bytes: 8192, lineCharacters: 8192 });
  if (read.kind === 'skipped' && read.reason === 'unreadable') return unread;
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

/** What stands at a path to which no link leads; or which folder on the way lets nobody of ours see that. */
function whatIs(root: string, path: RepoPath): 'folder' | 'link' | 'nothing' | { readonly closed: string } {
  let at = root;
  for (const part of path.split('/')) {
    const above = at;
    at = `${at}/${part}`;
    const stats = seen(() => lstatSync(at, { throwIfNoEntry: false }));
    if (stats === 'closed') return { closed: above.slice(root.length + 1) };
    if (stats?.isSymbolicLink() === true && at === `${root}/${path}`) return 'link';
    if (stats?.isDirectory() !== true) return 'nothing';
  }
  return 'folder';
}

function seen<Value>(look: () => Value): Value | 'closed' | undefined {
  try {
    return look();
  } catch (error) {
    if (isShortage(error)) throw error;
    return isClosed(error) ? 'closed' : undefined;
  }
}
