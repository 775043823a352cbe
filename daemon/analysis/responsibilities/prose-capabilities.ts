import type { ProseBlock } from '../../model/prose.ts';
import { firstSentence } from './sentences.ts';

/** Something that a module offers, and the line, 0-based, of the text that says so. */
export interface SaidCapability {
  readonly text: string;
  readonly line: number;
}

/**
 * What the lists of a text say that something can do: those of sections that are called so, and what the introduction lists
 * right behind a paragraph that ends with a colon. In their order.
 */
export function proseCapabilities(blocks: readonly ProseBlock[]): readonly SaidCapability[] {
  const found: SaidCapability[] = [];
  let headings = 0;
  let isOffering = false;
  let depth = 0;
  let announced = false;
  let isAbout = false;
  for (const block of blocks) {
    if (block.kind === 'heading') {
      headings++;
      isAbout = /^\W*(?:about|overview|introduction|description|what is)\b/i.test(block.text);
      const isInside = isOffering && block.level > depth;
      if (!isInside) {
        isOffering = offering.test(block.text);
        depth = block.level;
      }
      announced = false;
    } else if (block.kind === 'item') {
      if ((isOffering || announced) && block.level === 0) found.push(...capabilityIn(block));
    } else if (block.kind === 'paragraph') announced = (headings <= 1 || isAbout) && announcing.test(block.text);
  }
  return found;
}

const offering =
  /^\W*(?:(?:main|key|core|notable|top|all|supported|current)\s+)?(?:features?|capabilit|functionalit|highlights|what (?:it|can|does|you can|you get)|what['’]s (?:included|inside)|benefits|responsibilit|provides)/i;
const announcing =
  /\b(?:features?|provides?|supports?|offers?|includes?|contains?|following|capabilit\w+|can|allows?|helps?|lets|such as)\b[^.]{0,80}:$|\bit:$/i;

const longest = 100;

function capabilityIn({ text, line }: ProseBlock): readonly SaidCapability[] {
  const sentence = firstSentence(text).replace(/^\W+(?=\p{L})/u, '');
  const told = sentence.length <= longest ? sentence : clauseOf(sentence);
  if (/:$/.test(text)) return [];
  const isTelling = /\p{L}{2,}.*\s.*\p{L}{2,}|\p{L}{6,}/u.test(told) && !/^https?:/.test(told);
  return isTelling ? [{ text: told, line }] : [];
}

/** What stands before an explanation; else the words that fit. */
function clauseOf(sentence: string): string {
  const [, lead] =
    /^(.{8,100}?)(?:\s[–—-]\s|:\s|;\s|\s\(|,\s(?:which|so|including|such|and|with|by|for)\b)/.exec(sentence) ?? [];
  if (lead !== undefined) return lead;
  const space = sentence.lastIndexOf(' ', longest);
  return `${sentence.slice(0, space > 0 ? space : longest)}…`;
}
