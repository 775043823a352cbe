/** A change of a text: `remove` characters at `at` are blanked, `insert` is put before them. */
export interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** A text to parse in place of another. */
export interface MendedText {
  readonly text: string;
  /** Position in the original, by position in `text`; one more for the end. Absent where both have one length. */
  readonly origin?: Int32Array;
  /** How much of the code is not in it. */
  readonly leftOut: number;
}

/** `edits` ascend by place. */
export function mendedText(original: string, edits: readonly Edit[], leftOut = 0): MendedText {
  if (edits.length === 0) return { text: original, leftOut };
  const parts: string[] = [];
  const origin = new Int32Array(original.length + 1 + edits.reduce((sum, edit) => sum + edit.insert.length, 0));
  let from = 0;
  let at = 0;
  const keep = (end: number): void => {
    parts.push(original.slice(from, end));
    while (from < end) origin[at++] = from++;
  };
  for (const edit of edits) {
    keep(edit.at);
    parts.push(edit.insert, ' '.repeat(edit.remove));
    origin.fill(from, at, at + edit.insert.length);
    at += edit.insert.length;
    for (let blank = 0; blank < edit.remove; blank++) origin[at++] = from++;
  }
  keep(original.length);
  origin[at] = original.length;
  return { text: parts.join(''), origin, leftOut };
}

/** The marks that a merge leaves where it could not decide; what stands between them is code of both sides. */
export function withoutConflictMarks(text: string): string {
  if (!/^<{7} /m.test(text) || !/^>{7} /m.test(text)) return text;
  return text.replace(/^(?:<{7} .*|\|{7}(?: .*)?|={7}|>{7} .*)$/gm, line => line.replace(/[^\r]/g, ' '));
}
