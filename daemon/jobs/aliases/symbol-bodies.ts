import { createHash } from 'node:crypto';
import type { DefinitionFact } from '../../model/facts.ts';
import { lastDescriptorAt } from '../../model/identity.ts';
import { lineStarts } from '../../model/line-starts.ts';

/** The definitions of a document by tail, each with all of its sites there. */
export type SitesByTail = ReadonlyMap<string, readonly DefinitionFact[]>;

/** What the definitions of one document say, in digests that don't tell blanks. */
export interface SymbolBodies {
  /**
   * By tail, the digests of the bodies of some definitions, of those that are long enough to tell something and that one
   * symbol of its container and kind has: without each one's own name and any of `names`, wherever they stand.
   */
  unnamed(tails: Iterable<string>, names: ReadonlySet<string>): ReadonlyMap<string, string>;
  /**
   * The digest of a body as it is, from the name on: what stands before it (`export`, `pub`, `internal`) is what a move
   * to another file changes. '' where it is short.
   */
  exact(tail: string): string;
  /** The lines that some definitions cover, as `LineWeights`. */
  lines(tails: Iterable<string>): LineWeights;
}

/** Hash and number of tokens of each line in turn, as often as the line is there. */
export type LineWeights = Uint32Array;

/** Shorter bodies tell nothing: many have them. */
export const fewestTokens = 12;

export function bodiesOf(byTail: SitesByTail, text: string): SymbolBodies {
  const starts = lineStarts(text);
  const at = (line: number, column: number): number => (starts[line] ?? text.length) + column;
  return {
    unnamed(tails, names) {
      const digests = new Map<string, string>();
      const groups = new Set(Array.from(tails, tail => groupOf(tail, byTail)));
      for (const [tail, sites] of byTail) {
        if (!groups.has(groupOf(tail, byTail))) continue;
        const tokens = sites.flatMap(({ name, range }) =>
          tokensOf(text.slice(at(range.startLine, range.startColumn), at(range.endLine, range.endColumn))).map(word =>
            word === name || names.has(word) ? '' : word,
          ),
        );
        if (tokens.length >= fewestTokens) digests.set(tail, digest(tokens));
      }
      return withoutTwins(digests, byTail);
    },
    exact(tail) {
      const tokens = (byTail.get(tail) ?? []).flatMap(({ range, nameRange }) => {
        const name = at(nameRange.startLine, nameRange.startColumn);
        const [start, end] = [at(range.startLine, range.startColumn), at(range.endLine, range.endColumn)];
        return tokensOf(text.slice(name < end ? Math.max(start, name) : start, end));
      });
      return tokens.length < fewestTokens ? '' : digest(tokens);
    },
    lines(tails) {
      const covered = new Set<number>();
      for (const tail of tails) {
        for (const { range } of byTail.get(tail) ?? []) {
          for (let line = range.startLine; line <= range.endLine; line++) covered.add(line);
        }
      }
      const weights: number[] = [];
      for (const line of covered) {
        const tokens = tokensOf(text.slice(at(line, 0), starts[line + 1]));
        if (tokens.length > 0) weights.push(hashOf(tokens), tokens.length);
      }
      return Uint32Array.from(weights);
    },
  };
}

function withoutTwins(digests: Map<string, string>, byTail: SitesByTail): ReadonlyMap<string, string> {
  const bearers = new Map<string, string[]>();
  for (const [tail, body] of digests) {
    const key = `${groupOf(tail, byTail)}\0${body}`;
    bearers.set(key, [...(bearers.get(key) ?? []), tail]);
  }
  for (const tails of bearers.values()) if (tails.length > 1) for (const tail of tails) digests.delete(tail);
  return digests;
}

/** Container and kind. */
function groupOf(tail: string, byTail: SitesByTail): string {
  return `${tail.slice(0, lastDescriptorAt(tail))}\0${byTail.get(tail)?.[0]?.kind}`;
}

/** Words and signs. */
function tokensOf(text: string): readonly string[] {
  return text.match(token) ?? [];
}

const token = /[\p{L}\p{N}_$]+|[^\s]/gu;

export function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** FNV-1a: lines of two files are compared by the hundred, and one that collides weighs next to nothing. */
function hashOf(tokens: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const word of tokens) {
    for (let index = 0; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
    hash = Math.imul(hash ^ 0x20, 0x01000193);
  }
  return hash >>> 0;
}
