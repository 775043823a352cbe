/** A word as a number of 32 bits, to count or spread words by: FNV-1a over its UTF-16 code units, cheap and the same everywhere. Two words may share one. */
export function wordHash(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** A word that a text of some family's code says (`familyOf`); of '' what speaks of any. */
export function spokenWord(family: string, word: string): number {
  return wordHash(`${family} ${word}`);
}
