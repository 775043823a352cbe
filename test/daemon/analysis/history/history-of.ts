import { fileHistoryOf } from '../../../../daemon/analysis/history/file-history.ts';
import type { CommitFacts, FileHistory, PathChange } from '../../../../daemon/model/history.ts';
import { GrowingColumns } from '../../../../daemon/store/history/growing-columns.ts';

/** A commit in short: `name < parents @time by author: changes`, such as `c < b @30 by Ann: M a.ts, R a.ts > b.ts`. */
export function commitsOf(text: string): readonly CommitFacts[] {
  const lines = text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  return lines.map(line => {
    const parts = /^(\w+)(?: < ([\w ]+?))?(?: @(\d+))?(?: by (\w+))?(?:: (.*))?$/.exec(line);
    if (parts === null) throw new Error(`no commit: ${line}`);
    const [, name = '', parents = '', time = '0', author = 'Ann', changes = ''] = parts;
    return {
      hash: hashOf(name),
      parents: parents === '' ? [] : parents.split(' ').map(hashOf),
      author: { name: author, email: `${author.toLowerCase()}@example.com` },
      authoredAt: Number(time),
      committedAt: Number(time),
      changes: changes === '' ? [] : changes.split(', ').map(changeOf),
    };
  });
}

/** The full hash of a commit of that name. */
export function hashOf(name: string): string {
  return Buffer.from(name.padEnd(20, '.').slice(0, 20), 'latin1').toString('hex');
}

/** The history of the commit that is given first. */
export function historyOf(commits: readonly CommitFacts[]): FileHistory {
  return fileHistoryOf(columnsOf(commits), commits[0]!.hash)!;
}

export function columnsOf(commits: readonly CommitFacts[]): GrowingColumns {
  const columns = new GrowingColumns();
  const people = new Map<string, number>();
  const pathNumber = (path: string): number => {
    if (columns.pathNumber(path) === undefined) columns.addPath(path);
    return columns.pathNumber(path)!;
  };
  for (const { hash, parents, author, authoredAt, committedAt, changes } of commits) {
    if (!people.has(author.name)) {
      columns.addPerson(author);
      people.set(author.name, people.size + 1);
    }
    const latin = (one: string): string => Buffer.from(one, 'hex').toString('latin1');
    const who = people.get(author.name)!;
    columns.addCommit({ hash: latin(hash), parents: parents.map(latin), author: who, authoredAt, committedAt });
    for (const { kind, path, from } of changes) {
      const kinds = ['added', 'modified', 'deleted', 'renamed'];
      columns.addChange(kinds.indexOf(kind), pathNumber(path), from === undefined ? -1 : pathNumber(from));
    }
  }
  columns.findParents();
  return columns;
}

function changeOf(text: string): PathChange {
  const [letter, path = '', , to = ''] = text.split(' ');
  if (letter === 'R') return { kind: 'renamed', path: to, from: path };
  return { kind: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified', path };
}
