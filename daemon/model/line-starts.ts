/** Where the lines of a text begin, in UTF-16 code units. Facts number lines by line feeds alone, as parsers do. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
