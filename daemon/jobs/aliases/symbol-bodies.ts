import { createHash } from 'node:crypto';
import type { DefinitionFact, Range } from '../../model/facts.ts';
import { lastDescriptorAt, namesOfTypes } from '../../model/identity.ts';
import { lineStarts } from '../../model/line-starts.ts';
import { outermostOf, type SitesByTail } from './outermost.ts';

/** What the definitions of one document say, in digests that don't tell blanks. */
export interface SymbolBodies {
  /**
   * By tail, the digests of the bodies of some definitions, of those that are long enough to tell something and that one
   * symbol of its container and kind has: without each one's own name and any of `names`, wherever they stand.
   */
  unnamed(tails: Iterable<string>, names: ReadonlySet<string>): ReadonlyMap<string, string>;
  /** What a body says from the name on: what stands before it (`export`, `pub`, `internal`) is what a move to another file changes. */
  moving(tail: string): MovingBody;
  /** The lines that some definitions cover, without the names of these, as `LineWeights`. */
  lines(tails: Iterable<string>): LineWeights;
}

/** What stays of a body when it goes elsewhere, in digests. */
export interface MovingBody {
  /** Of the body as it is; '' where it is short. */
  readonly exact: string;
  /** Of the body as it is where it is short; '' of any other. */
  readonly brief: string;
  /** '' where it is short. With what of a type stands outside of it, without its own name and those of the types that it stands in: the same after any of them was renamed, too. */
  readonly nameless: string;
  /** How many words and signs `nameless` is of. */
  readonly tokens: number;
}

/** Hash and number of tokens of each line in turn, as often as the line is there. */
export type LineWeights = Uint32Array;

/** Shorter bodies tell nothing: many have them. */
export const fewestTokens = 12;

export function bodiesOf(byTail: SitesByTail, text: string): SymbolBodies {
  const starts = lineStarts(text);
  const moving = new Map<string, MovingBody>();
  const at = (line: number, column: number): number => (starts[line] ?? text.length) + column;
  const fromName = ({ range, nameRange }: DefinitionFact): readonly string[] => {
    const name = at(nameRange.startLine, nameRange.startColumn);
    const [start, end] = [at(range.startLine, range.startColumn), at(range.endLine, range.endColumn)];
    return tokensOf(text.slice(name < end ? Math.max(start, name) : start, end));
  };
  let outside: ReadonlyMap<string, readonly DefinitionFact[]> | undefined;
  const membersOutside = (tail: string): readonly DefinitionFact[] => {
    if (!tail.endsWith('#')) return [];
    outside ??= allMembersOutside(byTail);
    return outside.get(tail) ?? [];
  };
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
    moving(tail) {
      const known = moving.get(tail);
      if (known !== undefined) return known;
      const sites = byTail.get(tail) ?? [];
      const own = sites.flatMap(fromName);
      const others = membersOutside(tail).flatMap(fromName);
      const made = movingBody(own, others, new Set([...namesOfTypes(tail), sites[0]?.name ?? '']));
      moving.set(tail, made);
      return made;
    },
    lines(tails) {
      const covered = new Set<number>();
      const names = new Set<string>();
      for (const tail of tails) {
        for (const { name, range } of byTail.get(tail) ?? []) {
          names.add(name);
          for (let line = range.startLine; line <= range.endLine; line++) covered.add(line);
        }
      }
      const weights: number[] = [];
      for (const line of covered) {
        const tokens = tokensOf(text.slice(at(line, 0), starts[line + 1])).map(word => (names.has(word) ? '' : word));
        if (tokens.length > 0) weights.push(hashOf(tokens), tokens.length);
      }
      return Uint32Array.from(weights);
    },
  };
}

function movingBody(own: readonly string[], others: readonly string[], names: ReadonlySet<string>): MovingBody {
  const tokens = own.length + others.length;
  return {
    ...(own.length < fewestTokens ? { exact: '', brief: digest(own) } : { exact: digest(own), brief: '' }),
    nameless: tokens < fewestTokens ? '' : digest([...own, ...others].map(word => (names.has(word) ? '' : word))),
    tokens,
  };
}

/** By the tail of what would move as a whole, the sites of its members that stand outside of it: methods in Go, Rust and C++. */
function allMembersOutside(byTail: SitesByTail): ReadonlyMap<string, readonly DefinitionFact[]> {
  const members = new Map<string, DefinitionFact[]>();
  for (const [tail, sites] of byTail) {
    const { root } = outermostOf(tail, byTail);
    if (root === tail) continue;
    const around = byTail.get(root)!;
    for (const site of sites) {
      if (around.some(({ range }) => isWithin(site.range, range))) continue;
      const known = members.get(root);
      if (known === undefined) members.set(root, [site]);
      else known.push(site);
    }
  }
  for (const sites of members.values()) sites.sort((a, b) => before(a.range, b.range));
  return members;
}

function isWithin(inner: Range, outer: Range): boolean {
  const ends = { startLine: inner.endLine, startColumn: inner.endColumn };
  return before(outer, inner) <= 0 && before(ends, { startLine: outer.endLine, startColumn: outer.endColumn }) <= 0;
}

type Start = Pick<Range, 'startLine' | 'startColumn'>;

function before(one: Start, other: Start): number {
  return one.startLine - other.startLine || one.startColumn - other.startColumn;
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
