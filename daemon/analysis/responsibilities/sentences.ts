/** No summary is longer, but for what says that it was cut. */
const longestSummary = 400;

/** The beginning of a text up to the end of a sentence, as much as a summary holds; of one long sentence the words that fit. */
export function beginningOf(text: string, most: number = longestSummary): string {
  if (text.length <= most) return text;
  let end = 0;
  for (const { index } of text.matchAll(sentenceEnd)) {
    if (index + 1 > most) break;
    if (!abbreviation.test(text.slice(Math.max(0, index - 12), index + 1))) end = index + 1;
  }
  if (end > 0) return text.slice(0, end);
  const space = text.lastIndexOf(' ', most);
  return `${text.slice(0, space > 0 ? space : most).replace(/[\s,;:–—-]+$/, '')}…`;
}

/** The first sentence of a text, without the sign that ends it. */
export function firstSentence(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  for (const { index } of plain.matchAll(sentenceEnd)) {
    if (!abbreviation.test(plain.slice(Math.max(0, index - 12), index + 1))) return plain.slice(0, index);
  }
  return plain.replace(/[.!?]$/, '');
}

/** A sign that ends a sentence, with what begins another behind it. */
const sentenceEnd = /[.!?。](?=\s+["'“(`]?[\p{Lu}\p{N}\p{Lo}]|\s*$)/gu;
const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|Mr|Dr|St|no|[A-Z])\.$/i;
