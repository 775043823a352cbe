import { blobHash } from '../../backends/git-head.ts';
import type { GraphSite } from '../../model/graph.ts';
import { dayOf } from '../../model/usage.ts';
import type { HistoricalSnapshot } from '../history/historical.ts';

/** When definitions were written, as far as git has said it of their files, and these are as they were committed. */
export interface WrittenOn {
  /** The day on which the line that names one was committed; undefined where that is not known. */
  dayOf(site: GraphSite): number | undefined;
  /** Of how many of the files that were asked about it is not known. */
  unknown(): number;
}

export function writtenOn(of: HistoricalSnapshot): WrittenOn {
  const files = new Map<string, DayOfLine | undefined>();
  const fileOf = (path: string): DayOfLine | undefined => {
    if (!files.has(path)) files.set(path, daysIn(of, path));
    return files.get(path);
  };
  return {
    dayOf: site => fileOf(site.in.path)?.(of.graph.shown(site).nameRange.startLine),
    unknown: () => [...files.values()].filter(one => one === undefined).length,
  };
}

/** The day on which a line, from 0, was committed. */
type DayOfLine = (line: number) => number | undefined;

function daysIn(of: HistoricalSnapshot, path: string): DayOfLine | undefined {
  const { past, reader, asked, snapshot, fromTop, want } = of;
  const content = past.contentOf(fromTop(path));
  const text = reader.text(asked.repo.key, snapshot.seq, path);
  if (content === undefined || text === undefined) return undefined;
  if (blobHash(Buffer.from(text), content.blob) !== content.blob) return undefined;
  const blame = past.blameOf(content);
  if (blame === undefined) {
    want([content]);
    return undefined;
  }
  const { commits, counts } = blame;
  return line => {
    let end = 0;
    const run = counts.findIndex(count => {
      end += count;
      return line < end;
    });
    const commit = commits[run] ?? 0;
    const at = commit === 0 ? undefined : past.history.indexOf(past.hashOf(commit));
    return at === undefined ? undefined : dayOf(past.history.commit(at).committedAt * 1000);
  };
}
