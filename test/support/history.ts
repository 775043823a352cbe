import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { PathChange } from '../../daemon/model/history.ts';
import type { Workspace } from './repository.ts';

/** What a commit puts at a path: a file of this content, or what else git knows. */
export type Put =
  | string
  | Uint8Array
  | { readonly executable: string }
  | { readonly link: string }
  | { readonly submodule: string }
  | typeof gone;

export const gone = Symbol('gone');

export interface PlannedCommit {
  /** Of earlier ones in the plan, by their names; without it the one before, of the first none. */
  readonly parents?: readonly string[];
  /** As it stands in the commit: `Name <address>`. */
  readonly author?: string;
  /** Unix seconds; without it a minute after the one before. */
  readonly at?: number;
  /** Against the tree of the first parent. In paths and authors U+DC80 to U+DCFF stand for the bytes 80 to FF. */
  readonly puts: Readonly<Record<string, Put>>;
}

/** 2026-01-01. */
const firstSecond = 1_767_225_600;

/**
 * Adds a history to a repository, as fast as git can, and points a branch at its last commit; gives the commits' full
 * hashes by name.
 */
export function addHistory(
  tree: Workspace,
  plan: Readonly<Record<string, PlannedCommit>>,
  branch = 'refs/heads/planned',
): ReadonlyMap<string, string> {
  const names = Object.keys(plan);
  const marks = new Map(names.map((name, index) => [name, index + 1]));
  const parts = names.flatMap((name, index) => {
    const { parents = names.slice(Math.max(0, index - 1), index), author, at, puts } = plan[name]!;
    const time = at ?? firstSecond + 60 * index;
    return [
      parents.length === 0 ? `reset ${branch}\n` : '',
      `commit ${branch}\nmark :${index + 1}\nauthor `,
      bytesOf(author ?? 'Test <test@example.com>'),
      ` ${time} +0000\ncommitter C <c@example.com> ${time} +0000\ndata ${Buffer.byteLength(name)}\n${name}\n`,
      ...parents.map((parent, nth) => `${nth === 0 ? 'from' : 'merge'} :${marks.get(parent)}\n`),
      ...Object.entries(puts).flatMap(([path, put]) => linesFor(path, put)),
      '\n',
    ];
  });
  const exported = tree.path('.git/exported-marks');
  execFileSync('git', ['fast-import', '--quiet', '--force', `--export-marks=${exported}`], {
    cwd: tree.root,
    input: Buffer.concat(parts.map(part => Buffer.from(part as string))),
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
  });
  const made = readFileSync(exported, 'utf8');
  tree.remove('.git/exported-marks');
  const hashes = new Map([...made.matchAll(/^:(\d+) ([0-9a-f]+)$/gm)].map(([, mark, hash]) => [Number(mark), hash!]));
  return new Map(names.map(name => [name, hashes.get(marks.get(name)!)!]));
}

function linesFor(path: string, put: Put): readonly (string | Uint8Array)[] {
  const quoted = `"${[...bytesOf(path)].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`;
  if (put === gone) return [`D ${quoted}\n`];
  if (typeof put === 'object' && 'submodule' in put) return [`M 160000 ${put.submodule} ${quoted}\n`];
  const [mode, content] =
    typeof put === 'string' || put instanceof Uint8Array
      ? ['100644', put]
      : 'link' in put
        ? ['120000', put.link]
        : ['100755', put.executable];
  const bytes = Buffer.from(content as string);
  return [`M ${mode} inline ${quoted}\ndata ${bytes.length}\n`, bytes, '\n'];
}

/** As UTF-8, but for U+DC80 to U+DCFF, which stand for the bytes 80 to FF. */
function bytesOf(text: string): Buffer {
  return Buffer.concat(
    [...text].map(character => {
      const code = character.codePointAt(0)!;
      return code >= 0xdc80 && code <= 0xdcff ? Buffer.of(code & 0xff) : Buffer.from(character);
    }),
  );
}

export interface PlainChange extends PathChange {
  readonly lines: { readonly added: number; readonly deleted: number } | undefined;
}

/**
 * What plain git says that two trees differ in, or a commit and its parent: read part by part from what was asked with
 * `--raw --numstat -z`.
 */
export function plainChanges(listed: string): readonly PlainChange[] {
  const parts = listed.replace(/^\n/, '').split('\0');
  const kinds = new Map<string, PathChange>();
  const changes: PlainChange[] = [];
  for (let at = 0; at < parts.length; ) {
    const [part, one = '', two = ''] = parts.slice(at, at + 3) as [string, string?, string?];
    const [, letter] = /^:.* ([A-Z])\d*$/.exec(part) ?? [];
    const [, added, deleted, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(part) ?? [];
    if (letter === 'R') kinds.set(two, { kind: 'renamed', path: two, from: one });
    else if (letter !== undefined)
      kinds.set(one, { kind: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified', path: one });
    else if (path !== undefined) {
      const lines = added === '-' ? undefined : { added: Number(added), deleted: Number(deleted) };
      changes.push({ ...kinds.get(path === '' ? two : path)!, lines });
    }
    at += letter === 'R' || path === '' ? 3 : letter !== undefined ? 2 : 1;
  }
  return changes;
}

/** What plain git says that a commit changed against its parent; of a merge nothing. */
export function plainChangesOf(tree: Workspace, hash: string): readonly PlainChange[] {
  const parents = tree.git('log', '-1', '--format=%P', hash).split(' ');
  return parents.length > 1 ? [] : plainChanges(tree.git('show', '--raw', '--numstat', '-z', '-M', '--format=', hash));
}
