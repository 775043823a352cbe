import type { ReferenceKind } from './facts.ts';
import type { RepoPath } from './paths.ts';
import type { SymbolKind } from './symbol.ts';

/** What an index server tells of an index, row by row, once it has been checked. Places 0-based; hashes of 32 hex digits. */
export interface MirroredRows {
  readonly files: readonly MirroredFile[];
  readonly symbols: readonly MirroredSymbol[];
  readonly refs: readonly MirroredRef[];
  readonly edges: readonly MirroredEdge[];
}

/** Of a server that keeps paths back several may have one path. */
export interface MirroredFile {
  readonly path: RepoPath;
  readonly language: string;
}

export interface MirroredSymbol {
  readonly hash: string;
  readonly path: RepoPath;
  readonly line: number;
  readonly column: number;
  readonly kind: SymbolKind;
  readonly name: string;
  /** Names of what it stands in, with dots between. */
  readonly container: string;
  readonly signature: string;
  readonly documentation: string;
}

export interface MirroredRef {
  readonly path: RepoPath;
  readonly line: number;
  readonly column: number;
  readonly kind: ReferenceKind;
  readonly target: string;
  /** Of the innermost symbol around it: '' at the top of the file, undefined where the server does not say. */
  readonly enclosing: string | undefined;
}

/** That a reference is a call, and by what. */
export interface MirroredEdge {
  readonly path: RepoPath;
  readonly line: number;
  readonly column: number;
  /** '' at the top of the file. */
  readonly caller: string;
  readonly callee: string;
}

/** What is there anew, and what no more. */
export interface MirroredDeltas {
  readonly files: {
    readonly added: readonly MirroredFile[];
    readonly modified: readonly MirroredFile[];
    readonly deleted: readonly RepoPath[];
  };
  readonly symbols: {
    readonly added: readonly MirroredSymbol[];
    readonly modified: readonly MirroredSymbol[];
    readonly deleted: readonly string[];
  };
  readonly refs: { readonly added: readonly MirroredRef[]; readonly deleted: readonly MirroredRef[] };
  readonly edges: { readonly added: readonly MirroredEdge[]; readonly deleted: readonly MirroredEdge[] };
}

/** How many rows there are. */
export type MirroredCounts = { readonly [List in keyof MirroredRows]: number };
