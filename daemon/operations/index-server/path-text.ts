/** Shown paths in lower case, one behind the other in the order of documents, to be searched in one go. */
export interface PathText {
  readonly text: string;
  /** Of each place in the order, where its path begins in the text; and where the text ends. */
  readonly starts: Uint32Array;
}

/** Stands in no path. */
const between = '\0';

export function pathText(order: Uint32Array, shownPathOf: (document: number) => string): PathText {
  const starts = new Uint32Array(order.length + 1);
  const paths: string[] = [];
  let length = 0;
  order.forEach((document, place) => {
    const path = shownPathOf(document).toLowerCase();
    paths.push(path);
    length += path.length + between.length;
    starts[place + 1] = length;
  });
  return { text: paths.map(path => path + between).join(''), starts };
}

/** Each path that holds a text in lower case: its place in the order, and itself. */
export function eachHolding(
  { text, starts }: PathText,
  wanted: string,
  take: (place: number, path: string) => void,
): void {
  if (wanted.includes(between)) return;
  let place = 0;
  for (let at = text.indexOf(wanted); at >= 0 && at < text.length; at = text.indexOf(wanted, starts[place])) {
    place = placeAt(starts, at, place);
    take(place, text.slice(starts[place], starts[place + 1]! - between.length));
    place++;
  }
}

/** The last place from `first` on that begins at an offset or before it. */
function placeAt(starts: Uint32Array, offset: number, first: number): number {
  let low = first;
  let high = starts.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low;
}
