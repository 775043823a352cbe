import { withoutBrokenBlocks } from './blocks.ts';
import { bracketEdits } from './brackets.ts';
import { type MendedText, mendedText } from './mended-text.ts';
import type { SyntaxTree } from './tree.ts';

/** Parses a text in place of the file's; undefined where the file's budget is spent. */
export type Read = (text: MendedText) => SyntaxTree | undefined;

/** Of a file of this many characters one may be unread, before other readings are tried. */
const wholesome = 50;
/** In what the parser calls an error, much is found all the same; in what it never gets, nothing. */
const loss = 4;
/** What is broken by hand has few brackets too many or too few. */
const maxEdits = 16;

/**
 * Of the ways to read a broken file, the one that leaves the least of it unread. A parser that loses its way at an open
 * bracket, or at a piece of code that its grammar lacks, takes the rest of the file for something else.
 *
 * `first` is the tree of the first of `texts`; the others, of its length, may be parsed in its place.
 */
export function leastDamaged(first: SyntaxTree, texts: readonly string[], read: Read): SyntaxTree {
  const isFine = (damage: number): boolean => damage * wholesome <= first.source.length;
  const whole = Math.max(...texts.slice(1).map(codeIn));
  let best = first;
  let bestPlain = { tree: first, text: texts[0]! };
  const consider = (text: MendedText): SyntaxTree | undefined => {
    const tree = read(text);
    if (tree !== undefined && tree.damage + loss * text.leftOut < best.damage) best = tree;
    return tree;
  };
  for (const [index, text] of texts.entries()) {
    if (index > 0 && isFine(best.damage)) return best;
    const leftOut = index === 0 ? 0 : whole - codeIn(text);
    const tree = index === 0 ? first : consider(mendedText(text, [], leftOut));
    if (tree === undefined) return best;
    if (tree === best) bestPlain = { tree, text };
    for (const strict of [true, false]) {
      if (best.damage === 0) return best;
      const edits = bracketEdits(tree, strict);
      if (edits.length > 0 && edits.length <= maxEdits) consider(mendedText(text, edits, leftOut));
    }
  }
  if (isFine(best.damage)) return best;
  const { tree, text } = bestPlain;
  const damageOf = (one: string): number => read(mendedText(one, []))?.damage ?? Number.POSITIVE_INFINITY;
  const readable = withoutBrokenBlocks(tree, text, damageOf);
  if (readable !== undefined) consider(mendedText(readable, [], codeIn(text) - codeIn(readable)));
  return best;
}

function codeIn(text: string): number {
  return text.replace(/\s+/g, '').length;
}
