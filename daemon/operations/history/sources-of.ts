import type { BlameRun } from '../../model/history.ts';
import type { OwnershipSources } from '../ownership/ownership-sources.ts';
import type { ReadHistory } from '../readers/read-histories.ts';

/** What is known of a history, as owners are told from it. */
export function sourcesOf(past: ReadHistory): OwnershipSources {
  return {
    version: past.version,
    history: past.history,
    people: past.people,
    isIgnored: past.isIgnored,
    blamed: path => {
      const content = past.contentOf(path);
      if (content === undefined) return 'none';
      const blame = past.blameOf(content);
      if (blame === undefined) return 'pending';
      return {
        id: `${content.blob} ${content.basis} ${path}`,
        // Of most files what is made of them is known.
        get runs(): readonly BlameRun[] {
          let line = 0;
          return Array.from(blame.commits, (commit, at) => {
            const count = blame.counts[at]!;
            line += count;
            return { line: line - count, count, commit: commit === 0 ? '' : past.hashOf(commit) };
          });
        },
      };
    },
  };
}
