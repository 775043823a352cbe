import { blobHash } from '../../backends/git-head.ts';
import type { GraphSite } from '../../model/graph.ts';
import { dayOf } from '../../model/usage.ts';
import type { HistoricalSnapshot } from '../history/historical.ts';

/** When definitions were written, by what git says of the lines that name them. */
export interface WrittenOn {
  /**
   * The last day on which it may have been: that on which its line was committed, or where git has not said that yet, its file
   * last. Undefined where the file lies in the tree otherwise than HEAD has it, or not in HEAD at all: then it may be of this moment.
   */
  dayOf(site: GraphSite): number | undefined;
  /** Of the files that were asked about. */
  readonly files: FilesWritten;
}

export interface FilesWritten {
  /** How many are not as HEAD has them. */
  uncommitted(): number;
  /** Of how many git has not said who wrote which line. */
  untold(): number;
}

export function writtenOn(of: HistoricalSnapshot): WrittenOn {
  const files = new Map<string, DaysOfFile>();
  const fileOf = (path: string): DaysOfFile => {
    const known = files.get(path) ?? daysIn(of, path);
    files.set(path, known);
    return known;
  };
  const count = (told: DaysOfFile['told']): number => [...files.values()].filter(one => one.told === told).length;
  return {
    dayOf: site => fileOf(site.in.path).of(of.graph.shown(site).nameRange.startLine),
    files: { uncommitted: () => count('nothing'), untold: () => count('file') },
  };
}

interface DaysOfFile {
  /** What git's word is about. */
  readonly told: 'lines' | 'file' | 'nothing';
  /** The day on which a line, from 0, was committed, or may have been at the latest. */
  readonly of: (line: number) => number | undefined;
}

function daysIn(of: HistoricalSnapshot, path: string): DaysOfFile {
  const { past, reader, asked, snapshot, fromTop, want } = of;
  const blob = past.tree.get(fromTop(path));
  const text = reader.text(asked.repo.key, snapshot.seq, path);
  if (blob === undefined || text === undefined || !isAsCommitted(text, blob)) {
    return { told: 'nothing', of: () => undefined };
  }
  const last = lastDayOf(of, fromTop(path));
  const content = past.contentOf(fromTop(path));
  const blame = content && past.blameOf(content);
  if (blame !== undefined) return { told: 'lines', of: line => dayOfLine(of, blame, line) ?? last };
  if (content !== undefined) want([content]);
  return { told: 'file', of: () => last };
}

/** Checked out, lines may end otherwise than they were committed, and a mark of UTF-8 is no text: neither moves a line. */
function isAsCommitted(text: string, blob: string): boolean {
  const isIt = (one: string): boolean => blobHash(Buffer.from(one), blob) === blob;
  const lines = text.includes('\r\n') ? [text, text.replaceAll('\r\n', '\n')] : [text];
  return lines.some(one => isIt(one) || isIt(`\ufeff${one}`));
}

/** On which a commit changed a file last; of one that none did, that of the oldest: it came before where history is cut off. */
function lastDayOf({ past: { history } }: HistoricalSnapshot, path: string): number {
  const file = history.fileOf(path);
  const [last = history.commitCount - 1] = file === undefined ? [] : history.commitsOf(file);
  return dayOf(history.commit(last).committedAt * 1000);
}

type Blame = NonNullable<ReturnType<HistoricalSnapshot['past']['blameOf']>>;

/** Undefined of a line whose commit is not known: it is where history is cut off. */
function dayOfLine({ past }: HistoricalSnapshot, { commits, counts }: Blame, line: number): number | undefined {
  let end = 0;
  const run = counts.findIndex(count => {
    end += count;
    return line < end;
  });
  const commit = commits[run] ?? 0;
  const at = commit === 0 ? undefined : past.history.indexOf(past.hashOf(commit));
  return at === undefined ? undefined : dayOf(past.history.commit(at).committedAt * 1000);
}
