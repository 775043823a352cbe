import type { MountedDocument } from '../model/document.ts';
import type { QuestionKey } from '../model/links.ts';

/** Is there a file at that path? */
export function existsKey(path: string): QuestionKey {
  return `exists\0${path}` as QuestionKey;
}

/** Which files are directly in that directory? */
export function filesKey(directory: string): QuestionKey {
  return `files\0${directory}` as QuestionKey;
}

/** Which documents have that scope? */
export function documentsKey(scope: string): QuestionKey {
  return `documents\0${scope}` as QuestionKey;
}

/** What does the configuration file at that path say? */
export function configKey(path: string): QuestionKey {
  return `config\0${path}` as QuestionKey;
}

/** What does the document export under that name (`*`: what does it export wholesale)? */
export function exportKey(path: string, name: string): QuestionKey {
  return `export\0${path}\0${name}` as QuestionKey;
}

/** Which definitions of that name stand directly in a container (its tail; '' is the scope itself), and what are they? */
export function memberKey(scope: string, container: string, name: string): QuestionKey {
  return `member\0${scope}\0${container}\0${name}` as QuestionKey;
}

/**
 * Every question whose answer may differ because one document changed from `before` to `after`; undefined where the path
 * is absent or was not parsed. `pathAppearedOrVanished` tells that the file itself came or went.
 */
export function* touchedQuestions(
  _before: MountedDocument | undefined,
  _after: MountedDocument | undefined,
  _pathAppearedOrVanished: string | undefined,
): Iterable<QuestionKey> {}
