import { type Dirent, readdirSync } from 'node:fs';
import { decisionName, isNamed, mayBeDecision } from '../../extract/decisions/file-name.ts';
import { type RepoPath, repoPath } from '../../model/paths.ts';
import { isShortage } from '../../model/shortage.ts';
import type { FolderProblem } from './folders.ts';
import { isTemporary } from './leftovers.ts';

/** A file that may hold a decision, by its name: one that is no UTF-8 has U+FFFD in it. */
export interface ListedFile extends DecisionPlace {
  readonly name: string;
}

/** Where decisions lie. */
export interface DecisionPlace {
  readonly folder: RepoPath;
  /** The way to it from the folder that it lies in, of which MADR has categories: `backend/`; '' for that folder itself. */
  readonly category: string;
}

interface Listed {
  readonly files: readonly ListedFile[];
  /** Folders that can't be read, or are too many. */
  readonly problems: readonly FolderProblem[];
  /** Folders in which somebody has begun to write a document, and may have died. */
  readonly begun: ReadonlySet<RepoPath>;
}

/** What is deeper, or that many folders, is about something else. */
const deepest = 3;
const mostFolders = 1000;

/**
 * Files of folders of decisions, then those of the folders below, in the order of their names. Below, a name must begin with a
 * number or a date, for templates and notes lie there as well. No symbolic link is followed.
 */
export function listedFiles(root: string, folders: readonly RepoPath[]): Listed {
  const files: ListedFile[] = [];
  const problems: FolderProblem[] = [];
  const begun = new Set<RepoPath>();
  const places: DecisionPlace[] = folders.map(folder => ({ folder, category: '' }));
  let passedOver = 0;
  for (const place of places) {
    for (const entry of entriesOf(root, place.folder, problems)) {
      const { name } = entry;
      if (isTemporary(name)) begun.add(place.folder);
      if (mayBeDecision(name) && (place.category === '' || isNamed(decisionName(name)))) files.push({ ...place, name });
      const below = entry.isDirectory() ? placeBelow(place, name) : undefined;
      if (below === undefined || folders.includes(below.folder)) continue;
      if (places.length < folders.length + mostFolders) places.push(below);
      else passedOver++;
    }
  }
  if (passedOver > 0) {
    const message = `holds too many folders: ${passedOver} are not looked into`;
    problems.push({ path: folders[0]!, code: 'too_many', message });
  }
  return { files, problems, begun };
}

/** In the order of names. */
function entriesOf(root: string, folder: RepoPath, problems: FolderProblem[]): readonly Dirent[] {
  try {
    const entries = readdirSync(`${root}/${folder}`, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (isShortage(error)) throw error;
    problems.push({ path: folder, code: 'unreadable', message: 'the folder can’t be read' });
    return [];
  }
}

/** Undefined for one that is hidden or too deep. */
function placeBelow({ folder, category }: DecisionPlace, name: string): DecisionPlace | undefined {
  const path = repoPath(`${folder}/${name}`);
  const isTooDeep = category.split('/').length > deepest;
  return path === undefined || isTooDeep || name.startsWith('.')
    ? undefined
    : { folder: path, category: `${category}${name}/` };
}
