/**
 * Reads single lines of a text's bytes, 0-based and without what ends them; '' past the end. Nothing is decoded but the
 * lines that are asked for. The mark that may stand in front is no part of the text.
 */
export function sourceLines(bytes: Buffer): (line: number) => string {
  const starts = [hasMark(bytes) ? 3 : 0];
  /** Where a line begins; undefined past the end. */
  const startOf = (line: number): number | undefined => {
    while (starts.length <= line) {
      const end = bytes.indexOf(lineFeed, starts.at(-1));
      if (end < 0) return undefined;
      starts.push(end + 1);
    }
    return starts[line];
  };
  return line => {
    const start = startOf(line);
    if (start === undefined) return '';
    const next = startOf(line + 1);
    if (next === undefined) return bytes.toString('utf8', start);
    const end = next - 1 > start && bytes[next - 2] === carriageReturn ? next - 2 : next - 1;
    return bytes.toString('utf8', start, end);
  };
}

/** The text without the mark that may stand in front. */
export function wholeText(bytes: Buffer): string {
  return bytes.toString('utf8', hasMark(bytes) ? 3 : 0);
}

/** Whether a byte order mark stands in front. */
export function hasMark(bytes: Buffer): boolean {
  return bytes.length >= 3 && bytes.readUIntBE(0, 3) === byteOrderMark;
}

const byteOrderMark = 0xefbbbf;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
