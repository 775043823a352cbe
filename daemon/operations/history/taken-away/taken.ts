import type { SymbolKind } from '../../../model/symbol.ts';

/** Something that a change takes away from where others find it. */
export interface TakenAway {
  /** `unexported`: its file, or one that handed it on, exports it no more; `moved`: its file lies somewhere else. */
  readonly change: 'removed' | 'unexported' | 'moved';
  readonly hash: string;
  readonly name: string;
  /** Name of what it stands in; '' at the top. */
  readonly container: string;
  readonly kind: SymbolKind;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** How many lines of it. */
  readonly lines: number;
  /** Whether others could name it. */
  readonly exported: boolean;
  /** Files that still look for it, sorted; never empty of what is unexported or moved. */
  users(): readonly string[];
}

/** What somebody still looks for; nothing where nobody does. */
export function left(one: Omit<TakenAway, 'users'>, users: readonly string[]): readonly TakenAway[] {
  return users.length === 0 ? [] : [{ ...one, users: () => users }];
}
