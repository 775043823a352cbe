/** A file of code, or one that code imports, as a picture of its repository needs it. */
export interface CodeFile {
  readonly path: string;
  readonly language: string;
  /** Lines, blank ones and comments too. */
  readonly loc: number;
  readonly symbolCount: number;
  readonly isTest: boolean;
  /** Anything else stands here for what imports it: a style sheet, data. */
  readonly isCode: boolean;
}

/**
 * What one file says once about where its code comes from: one for each specifier, however many names it takes from there.
 * In languages whose files see each other without a word, one for each file that is used so (`implicit`).
 */
export interface FileImport {
  /** Index into the files. */
  readonly from: number;
  readonly target: ImportTarget;
  /** 1-based; of an implicit one that of the first use. */
  readonly line: number;
  /** Nothing of it is left when the program runs. */
  readonly typeOnly: boolean;
  /** Tests alone need it. */
  readonly isTest: boolean;
  readonly implicit: boolean;
}

export type ImportTarget =
  /** Files of the repository, by index: several where a package or a namespace is meant. */
  | { readonly kind: 'files'; readonly files: readonly number[] }
  /** A package of somebody else's, such as `npm:react`. */
  | { readonly kind: 'external'; readonly id: string; readonly isStandard: boolean }
  /** Nobody knows; `isLocal`: as it is written, it is meant to be of this repository. */
  | { readonly kind: 'unknown'; readonly specifier: string; readonly isLocal: boolean };

/** All files of code, and what else they import, in the order of their paths, and all imports in the order of their files and lines. */
export interface FileGraph {
  readonly files: readonly CodeFile[];
  readonly imports: readonly FileImport[];
}

/** Whether a path is at or below a place; everything is below the root, ''. */
export function isBelow(path: string, place: string): boolean {
  return place === '' || (path.startsWith(place) && (path.length === place.length || path[place.length] === '/'));
}
