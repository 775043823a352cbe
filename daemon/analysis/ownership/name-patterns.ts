import { anyCharacter, anyText, fitsName, type NamePattern } from '../../model/name-pattern.ts';

/** Values by patterns of names. */
export interface NamePatterns<Value> {
  /** Those whose patterns a name fits, each once. */
  fitting(name: string): readonly Value[];
}

/**
 * Patterns are cut at their stars, and those that begin with the same parts share them: each part is looked for once, from where
 * the one before it ended, whatever number of patterns have it. What `?` is in is held against the name by itself. Both only where
 * the name has the letters that it takes.
 */
export function namePatterns<Value>(
  entries: Iterable<{ readonly pattern: NamePattern; readonly value: Value }>,
): NamePatterns<Value> {
  const starts = newShelf<Place<Value>>();
  const loose: LoosePatterns<Value> = { ofLength: new Map(), others: [] };
  for (const { pattern, value } of entries) {
    if (pattern.includes(anyCharacter)) putLoose(loose, pattern, value);
    else putInOrder(starts, partsOf(pattern), value);
  }
  return {
    fitting(name) {
      const found: Value[] = [];
      const letters = lettersIn(name);
      for (const length of starts.lengths) {
        const place = length > name.length ? undefined : starts.byText.get(name.slice(0, length));
        if (place !== undefined) follow(place, { name, letters }, length, found);
      }
      lookThrough(loose, { name, letters }, found);
      return found;
    },
  };
}

interface Asked {
  readonly name: string;
  readonly letters: number;
}

/** A bit for each, which others may share. */
function lettersIn(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) bits |= 1 << (text.charCodeAt(at) % 32);
  return bits;
}

/** Where parts of patterns lead to. */
interface Place<Value> {
  /** Of patterns that have no more parts, but for one that the name ends with. */
  readonly rest: Value[];
  ends: Shelf<Value[]> | undefined;
  next: Shelf<Place<Value>> | undefined;
  /** Those that all of what goes on from here takes. */
  letters: number;
}

interface Shelf<Kept> {
  readonly byText: Map<string, Kept>;
  /** Those of the texts. */
  readonly lengths: Set<number>;
}

function newShelf<Kept>(): Shelf<Kept> {
  return { byText: new Map(), lengths: new Set() };
}

function keptAt<Kept>({ byText, lengths }: Shelf<Kept>, text: string, make: () => Kept): Kept {
  const known = byText.get(text);
  if (known !== undefined) return known;
  const made = make();
  byText.set(text, made);
  lengths.add(text.length);
  return made;
}

/** What stands before, between and behind stars: two parts and more. */
function partsOf(pattern: NamePattern): readonly string[] {
  const parts = [''];
  for (const one of pattern) {
    if (one === anyText) parts.push('');
    else parts[parts.length - 1] += one;
  }
  return parts;
}

function putInOrder<Value>(starts: Shelf<Place<Value>>, parts: readonly string[], value: Value): void {
  const newPlace = (): Place<Value> => ({ rest: [], ends: undefined, next: undefined, letters: ~0 });
  const letters = lettersBehind(parts);
  let place = keptAt(starts, parts[0]!, newPlace);
  for (let at = 1; at < parts.length - 1; at++) {
    place.letters &= letters[at]!;
    place.next ??= newShelf();
    place = keptAt(place.next, parts[at]!, newPlace);
  }
  const end = parts.at(-1)!;
  place.letters &= letters.at(-1)!;
  if (end === '') place.rest.push(value);
  else {
    place.ends ??= newShelf();
    keptAt(place.ends, end, () => []).push(value);
  }
}

/** Of each part, its letters and those of the parts behind it. */
function lettersBehind(parts: readonly string[]): readonly number[] {
  const letters = parts.map(lettersIn);
  for (let at = parts.length - 2; at >= 0; at--) letters[at]! |= letters[at + 1]!;
  return letters;
}

/** What patterns that begin so may go on with. */
function follow<Value>(start: Place<Value>, { name, letters }: Asked, begin: number, found: Value[]): void {
  const open: { readonly place: Place<Value>; readonly from: number }[] = [{ place: start, from: begin }];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { place, from } = one;
    if ((place.letters & ~letters) !== 0) continue;
    for (const value of place.rest) found.push(value);
    if (place.ends !== undefined) takeEnds(place.ends, name, from, found);
    if (place.next !== undefined)
      eachNext(place.next, name, from, (next, end) => open.push({ place: next, from: end }));
  }
}

function takeEnds<Value>({ byText, lengths }: Shelf<Value[]>, name: string, from: number, found: Value[]): void {
  for (const length of lengths) {
    if (from + length > name.length) continue;
    for (const value of byText.get(name.slice(-length)) ?? []) found.push(value);
  }
}

/** Each part is taken where it comes first: what is left of the name then is most. */
function eachNext<Value>(
  { byText, lengths }: Shelf<Place<Value>>,
  name: string,
  from: number,
  visit: (place: Place<Value>, end: number) => void,
): void {
  if (byText.size <= (name.length - from) * lengths.size) {
    for (const [part, place] of byText) {
      const at = name.indexOf(part, from);
      if (at >= 0) visit(place, at + part.length);
    }
    return;
  }
  for (const length of lengths) {
    const seen = new Set<Place<Value>>();
    for (let at = from; at + length <= name.length; at++) {
      const place = byText.get(name.slice(at, at + length));
      if (place === undefined || seen.has(place)) continue;
      seen.add(place);
      visit(place, at + length);
    }
  }
}

/** Patterns with characters that are not known: by the length of names that they fit, or of names of any length. */
interface LoosePatterns<Value> {
  readonly ofLength: Map<number, Loose<Value>[]>;
  readonly others: Loose<Value>[];
}

interface Loose<Value> {
  readonly pattern: NamePattern;
  readonly letters: number;
  readonly value: Value;
}

function putLoose<Value>({ ofLength, others }: LoosePatterns<Value>, pattern: NamePattern, value: Value): void {
  const letters = lettersIn(pattern.filter(one => one !== anyText && one !== anyCharacter).join(''));
  const list = pattern.includes(anyText) ? others : (ofLength.get(pattern.length) ?? []);
  list.push({ pattern, letters, value });
  if (list !== others) ofLength.set(pattern.length, list);
}

function lookThrough<Value>(
  { ofLength, others }: LoosePatterns<Value>,
  { name, letters: given }: Asked,
  found: Value[],
): void {
  if (ofLength.size === 0 && others.length === 0) return;
  const characters = [...name];
  for (const list of [ofLength.get(characters.length) ?? [], others]) {
    for (const { pattern, letters, value } of list) {
      if ((letters & ~given) === 0 && fitsName(pattern, characters)) found.push(value);
    }
  }
}
