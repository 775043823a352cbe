import type { ReferenceKind } from '../model/facts.ts';
import { packImport } from '../model/imported-symbol.ts';
import { writeGroups } from './encoded-words.ts';
import { definitionWords, headerWords, type LinkContent, magic, packTraits } from './link-format.ts';

/** A link body of rows, or of numbers that `renumbered` puts rows in the place of. */
export function encodeLinks(content: LinkContent): Uint8Array {
  const definitions = [...content.definitions].sort((a, b) => a.symbol - b.symbol);
  const indexOf = new Map(definitions.map((definition, index) => [definition.symbol, index]));
  const targets = [...content.targets.keys()].sort((a, b) => a - b);
  const names = [...content.unresolved.keys()].sort((a, b) => a - b);
  const occurrenceCount = sumOf(content.targets.values());
  const referenceCount = sumOf(content.unresolved.values());
  const words = new Uint32Array(
    headerWords +
      definitions.length * definitionWords +
      content.slots.length +
      targets.length * 2 +
      1 +
      occurrenceCount +
      names.length * 2 +
      1 +
      referenceCount +
      content.calls.length +
      content.imports.length,
  );
  words.set([
    magic,
    definitions.length,
    content.slots.length,
    targets.length,
    occurrenceCount,
    names.length,
    referenceCount,
    content.isPartial ? 1 : 0,
    content.calls.length,
    content.imports.length,
  ]);
  let at = headerWords;
  for (const definition of definitions) {
    words.set([definition.symbol, definition.name, packTraits(definition), definition.slot], at);
    at += definitionWords;
  }
  for (const symbol of content.slots) words[at++] = indexOf.get(symbol)!;
  at = writeGroups(words, at, targets, symbol =>
    content.targets.get(symbol)!.map(one => one.reference * 128 + Math.round(one.confidence * 100)),
  );
  at = writeGroups(words, at, names, name => content.unresolved.get(name)!);
  words.set(content.calls, at);
  at += content.calls.length;
  for (const one of content.imports) words[at++] = packImport(one);
  return new Uint8Array(words.buffer);
}

/** Which of a document's references are calls, as a body keeps it. */
export function callBits(count: number, kindOf: (reference: number) => ReferenceKind): Uint32Array {
  return bitsOf(count, at => kindOf(at) === 'call');
}

/** A bit for each of so many, from the lowest of the first word. */
export function bitsOf(count: number, isSet: (at: number) => boolean): Uint32Array {
  const bits = new Uint32Array(Math.ceil(count / 32));
  for (let at = 0; at < count; at++) if (isSet(at)) bits[at >>> 5]! |= 1 << (at & 31);
  return bits;
}

function sumOf(groups: Iterable<{ readonly length: number }>): number {
  let sum = 0;
  for (const group of groups) sum += group.length;
  return sum;
}
