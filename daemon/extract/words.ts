/** Past so many characters a text is seldom one that comes again. */
const maxLength = 40;
/** Past so many other words in its place a word is not looked for any further: hostile input has many of one number. */
const maxProbes = 8;

/**
 * Gives the texts between two places of a source, each short one made once, wherever it comes again: names do all the
 * time, and of a text that is there already the engine knows the number by which its tables keep it.
 */
export function createWords(source: string): (start: number, end: number) => string {
  const starts: number[] = [];
  const texts: string[] = [];
  /** Indexes of `texts`, one higher, by the number made of a text's characters. */
  let places = new Int32Array(512);
  const isAt = (word: number, start: number, length: number): boolean => {
    if (texts[word]!.length !== length) return false;
    const known = starts[word]!;
    for (let at = 0; at < length; at++)
      if (source.charCodeAt(known + at) !== source.charCodeAt(start + at)) return false;
    return true;
  };
  /** The place of a word, or that which it is to have; -1 where it is to have none. */
  const find = (start: number, end: number): number => {
    let number = end - start;
    for (let at = start; at < end; at++) number = (Math.imul(number, 31) + source.charCodeAt(at)) | 0;
    for (let probe = 0; probe < maxProbes; probe++) {
      const place = (number + probe) & (places.length - 1);
      const word = places[place]! - 1;
      if (word < 0 || isAt(word, start, end - start)) return place;
    }
    return -1;
  };
  const grow = (): void => {
    places = new Int32Array(4 * places.length);
    for (const [word, start] of starts.entries()) {
      const place = find(start, start + texts[word]!.length);
      if (place >= 0) places[place] = word + 1;
    }
  };
  return (start, end) => {
    if (end - start > maxLength) return source.slice(start, end);
    const place = find(start, end);
    const word = place < 0 ? 0 : places[place]!;
    if (word > 0) return texts[word - 1]!;
    const text = source.slice(start, end);
    if (place < 0) return text;
    starts.push(start);
    places[place] = texts.push(text);
    if (2 * texts.length > places.length) grow();
    return text;
  };
}
