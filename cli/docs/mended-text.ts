import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';

export type StaleReport = OutputOf<Operations['docs.stale']>['reports'][number];
type StaleReference = StaleReport['stale'][number];

export interface Edit {
  readonly line: number;
  readonly from: string;
  readonly to: string;
}

/** References that stay as they are, by why they do. */
export interface Unmended {
  /** Nobody knows what has taken their place. */
  readonly unknown: number;
  /** What may have is only likely. */
  readonly unsure: number;
  /** They do not stand where they were read, or stand in one that is mended. */
  readonly elsewhere: number;
}

export interface MendedText extends Unmended {
  readonly after: string;
  readonly edits: readonly Edit[];
}

/** What may begin a text, and is counted among the columns of its first line by nobody. */
const byteOrderMark = '\uFEFF';

/** A document with what is known written in place of what is gone. */
export function mendedText(text: string, stale: readonly StaleReference[]): MendedText {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const lines = text.slice(mark.length).split('\n');
  const edits: Edit[] = [];
  let [unknown, unsure, elsewhere] = [0, 0, 0];
  let last: StaleReference | undefined;
  for (const one of fromLineEnds(stale)) {
    const { line, column, endColumn, written, suggestion, reason } = one;
    const at = lines[line - 1];
    const isInLast = last?.line === line && endColumn > last.column;
    if (suggestion === undefined) unknown++;
    else if (/_deleted$/.test(reason)) unsure++;
    else if (written === '' || isInLast || at?.slice(column - 1, endColumn - 1) !== written) elsewhere++;
    else if (suggestion === written || /[\r\n]/.test(suggestion)) unknown++;
    else {
      lines[line - 1] = at.slice(0, column - 1) + suggestion + at.slice(endColumn - 1);
      edits.push({ line, from: written, to: suggestion });
      last = one;
    }
  }
  return { after: mark + lines.join('\n'), edits, unknown, unsure, elsewhere };
}

/** From the end of each line on, so that what stands before stays where it is; of two at one place the first. */
function fromLineEnds(stale: readonly StaleReference[]): readonly StaleReference[] {
  return [...stale].sort((a, b) => a.line - b.line || b.column - a.column);
}
