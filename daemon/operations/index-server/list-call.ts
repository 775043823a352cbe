import type { SymbolKind } from '../../model/symbol.ts';
import { type SignedValues, signedValues } from '../symbols/cursor.ts';
import type { ShownAs } from './shown.ts';

/** One question about a served snapshot; plain values, so that it crosses to the read worker. */
export interface ListCall {
  readonly file: { readonly indexFile: string; readonly key: string };
  readonly of: SnapshotPlace;
  readonly as: ShownAs;
  readonly list: ListAsked;
  /** Where the page begins; undefined: at the beginning. */
  readonly from: Place | undefined;
  readonly limit: number;
  /** Fewer rows than were asked for may be given: told in the answer. */
  readonly isClamped: boolean;
  readonly cursor: CursorBinding;
  /** Milliseconds. */
  readonly now: number;
}

/** A published snapshot: its number among all that there were, and where it lies. */
export interface SnapshotPlace {
  readonly syncSeq: number;
  readonly epoch: string;
  readonly fileSeq: number;
}

/** So many rows of the document at a position of the order have been given. */
export interface Place {
  readonly position: number;
  readonly given: number;
}

export type ListAsked =
  | { readonly kind: 'files' }
  | {
      readonly kind: 'symbols';
      readonly language: string | undefined;
      readonly symbolKind: SymbolKind | undefined;
      readonly file: string | undefined;
    }
  | {
      readonly kind: 'refs';
      readonly language: string | undefined;
      readonly fromFile: string | undefined;
      readonly to: string | undefined;
    }
  | {
      readonly kind: 'callgraph';
      readonly language: string | undefined;
      readonly caller: string | undefined;
      readonly callee: string | undefined;
      readonly callerFile: string | undefined;
    }
  | { readonly kind: 'batch'; readonly ids: readonly string[] }
  | {
      readonly kind: 'search symbols';
      readonly query: string;
      readonly language: string | undefined;
      readonly symbolKind: SymbolKind | undefined;
    }
  | { readonly kind: 'search files'; readonly query: string }
  /** What differs from an earlier sequence of the same file. */
  | { readonly kind: 'changes'; readonly since: number; readonly before: EarlierSnapshot | undefined };

/** Undefined parts: nothing was there, or it is not known any more. */
export interface EarlierSnapshot {
  readonly indexFile: string;
  readonly fileSeq: number;
}

/** What makes a cursor good for one list of one asker alone. */
export interface CursorBinding {
  /** HMAC key, hex. */
  readonly secret: string;
  readonly binding: readonly unknown[];
}

type CursorValues = [epoch: string, fileSeq: number, syncSeq: number, position: number, given: number];

export function listCursors({ secret, binding }: CursorBinding): SignedValues<CursorValues> {
  return signedValues<CursorValues>(secret, binding);
}
