import { tokensOf } from './brackets.ts';
import type { SyntaxTree } from './tree.ts';

/** What stands between two braces. */
interface Block {
  readonly start: number;
  end: number;
  readonly inner: Block[];
}

/** Texts are asked about at most this often for one file, and this many characters of them. */
const maxReads = 60;
const maxRead = 2_000_000;

/**
 * A text without the innermost blocks that make the parser lose its way, found by halving: all that stands around them
 * is read as if they were empty. Undefined where the trouble is outside of all blocks.
 *
 * `damageOf` tells how much of a text can't be read.
 */
export function withoutBrokenBlocks(
  tree: SyntaxTree,
  text: string,
  damageOf: (text: string) => number,
): string | undefined {
  let reads = 0;
  const damageWithout = (blocks: readonly Block[]): number =>
    ++reads > Math.min(maxReads, maxRead / text.length) ? Number.POSITIVE_INFINITY : damageOf(emptied(text, blocks));

  /** Of some blocks of which the emptying lets the rest be read, those that it takes. */
  const broken = (blocks: readonly Block[], emptiedToo: readonly Block[], target: number): readonly Block[] => {
    if (blocks.length < 2) return blocks.flatMap(block => innermost(block, emptiedToo, target));
    const half = blocks.length >> 1;
    const left = blocks.slice(0, half);
    const right = blocks.slice(half);
    if (damageWithout([...emptiedToo, ...left]) <= target) return broken(left, emptiedToo, target);
    if (damageWithout([...emptiedToo, ...right]) <= target) return broken(right, emptiedToo, target);
    const inLeft = broken(left, [...emptiedToo, ...right], target);
    return [...inLeft, ...broken(right, [...emptiedToo, ...inLeft], target)];
  };
  const innermost = (block: Block, emptiedToo: readonly Block[], target: number): readonly Block[] =>
    block.inner.length > 0 && damageWithout([...emptiedToo, ...block.inner]) <= target
      ? broken(block.inner, emptiedToo, target)
      : [block];

  const outermost = blocksOf(tree);
  const target = damageWithout(outermost);
  return target < tree.damage / 2 ? emptied(text, broken(outermost, [], target)) : undefined;
}

function blocksOf(tree: SyntaxTree): Block[] {
  const outermost: Block[] = [];
  const open: Block[] = [];
  for (const { kind, start, end } of tokensOf(tree)) {
    if (kind === '{') {
      const block = { start: end, end, inner: [] };
      (open.at(-1)?.inner ?? outermost).push(block);
      open.push(block);
    } else if (kind === '}' && open.length > 0) open.pop()!.end = start;
  }
  return outermost;
}

function emptied(text: string, blocks: readonly Block[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const block of [...blocks].sort((a, b) => a.start - b.start)) {
    if (block.start < from) continue;
    parts.push(text.slice(from, block.start), text.slice(block.start, block.end).replace(/[^\r\n]/g, ' '));
    from = block.end;
  }
  return parts.join('') + text.slice(from);
}
