import type { BlameRun, FileHistory, HistoryCommit, Person, Touch } from '../../../../daemon/model/history.ts';
import type { OwnershipSources } from '../../../../daemon/operations/ownership/ownership-sources.ts';
import type { Workspace } from '../../../support/repository.ts';

/** What git says of HEAD's history, renames aside. `pending`: paths that nobody has looked at yet. */
export function sourcesOfGit(tree: Workspace, pending: readonly string[] = []): OwnershipSources {
  const people: Person[] = [];
  const history = historyOf(tree, person => {
    const known = people.findIndex(({ name, email }) => name === person.name && email === person.email);
    return known >= 0 ? known : people.push(person) - 1;
  });
  const tracked = new Set(tree.git('ls-files').split('\n'));
  return {
    version: `${history?.head} ${pending.join()}`,
    history,
    people,
    isIgnored: () => false,
    blamed: path =>
      pending.includes(path)
        ? 'pending'
        : tracked.has(path)
          ? { id: `${history?.head} ${path}`, runs: runsOf(tree, path) }
          : 'none',
  };
}

function historyOf({ git }: Workspace, numberOf: (person: Person) => number): FileHistory {
  const lines = git('log', '--format=%x00%H%x09%P%x09%at%x09%ct%x09%an%x09%ae', '--numstat').split('\0').slice(1);
  const commits: HistoryCommit[] = [];
  const touches = new Map<string, Touch[]>();
  for (const [at, text] of lines.entries()) {
    const [head = '', ...changes] = text.split('\n').filter(line => line !== '');
    const [hash, parents, authoredAt, committedAt, name, email] = head.split('\t') as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const author = numberOf({ name, email });
    const parentCount = parents === '' ? 0 : parents.split(' ').length;
    commits.push({
      number: commits.length,
      hash,
      parentCount,
      author,
      authoredAt: Number(authoredAt),
      committedAt: Number(committedAt),
    });
    for (const change of changes) {
      const [added, deleted, path] = change.split('\t') as [string, string, string];
      const counted = added === '-' ? undefined : { added: Number(added), deleted: Number(deleted) };
      touches.set(path, [...(touches.get(path) ?? []), { commit: at, path, kind: 'modified', lines: counted }]);
    }
  }
  const paths = [...touches.keys()];
  return {
    head: commits[0]!.hash,
    commitCount: commits.length,
    commit: at => commits[at]!,
    fileCount: paths.length,
    fileOf: path => (touches.has(path) ? paths.indexOf(path) : undefined),
    pathOf: file => paths[file]!,
    commitsOf: file => Int32Array.from(touches.get(paths[file]!)!, ({ commit }) => commit),
    filesOf: at =>
      Int32Array.from(paths.flatMap((path, file) => (touches.get(path)!.some(one => one.commit === at) ? file : []))),
    touches: path => touches.get(path) ?? [],
    isBinary: path => touches.get(path)?.[0]?.lines === undefined && touches.has(path),
    indexOf: hash => {
      const at = commits.findIndex(one => one.hash === hash);
      return at < 0 ? undefined : at;
    },
  };
}

function runsOf({ git }: Workspace, path: string): readonly BlameRun[] {
  const runs: BlameRun[] = [];
  for (const line of git('blame', '--line-porcelain', 'HEAD', '--', path).split('\n')) {
    const [, commit, at] = /^([0-9a-f]{40}) \d+ (\d+)/.exec(line) ?? [];
    if (commit !== undefined) runs.push({ line: Number(at) - 1, count: 1, commit });
  }
  return runs;
}
