/** Whether a text has any of some words in it. */
export type Literals = (text: string) => boolean;

/**
 * A test for many words at once that skips over most of a text: Wu and Manber's (A fast algorithm for multi-pattern searching,
 * 1994), by blocks of two characters. Of each word it looks for the part that is seldom met elsewhere, as long as the shortest
 * word is: at least three characters.
 */
export function literals(words: readonly string[]): Literals {
  const length = Math.min(...words.map(word => word.length));
  const shifts = new Uint8Array(tableSize).fill(length - 1);
  const byEnd: { readonly word: string; readonly offset: number }[][] = [];
  for (const word of words) {
    const offset = rarestPart(word, length);
    for (let i = 1; i < length; i++) {
      const block = blockOf(word.charCodeAt(offset + i - 1), word.charCodeAt(offset + i));
      shifts[block] = Math.min(shifts[block]!, length - 1 - i);
    }
    const end = blockOf(word.charCodeAt(offset + length - 2), word.charCodeAt(offset + length - 1));
    byEnd[end] = [...(byEnd[end] ?? []), { word, offset }];
  }
  return text => {
    for (let i = length - 1; i < text.length; ) {
      const block = blockOf(text.charCodeAt(i - 1), text.charCodeAt(i));
      const shift = shifts[block]!;
      if (shift > 0) i += shift;
      else {
        const start = i - length + 1;
        for (const { word, offset } of byEnd[block]!) if (text.startsWith(word, start - offset)) return true;
        i++;
      }
    }
    return false;
  };
}

const tableSize = 16_384;

function blockOf(first: number, second: number): number {
  return ((first << 7) ^ second) & (tableSize - 1);
}

/** Where the part begins that ends with the rarest two characters: marks are rarer than capitals, those than other letters. */
function rarestPart(word: string, length: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let offset = 0; offset + length <= word.length; offset++) {
    const common = commonness(word.charCodeAt(offset + length - 2)) * commonness(word.charCodeAt(offset + length - 1));
    if (common < least) {
      best = offset;
      least = common;
    }
  }
  return best;
}

function commonness(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return 'etaoinsrhldcu'.includes(String.fromCharCode(unit)) ? 8 : 4;
  if (unit >= 0x41 && unit <= 0x5a) return 2;
  return unit === 0x2e || unit === 0x28 ? 3 : 1;
}
