import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { ownership } from '../../../client/protocol/ownership.ts';
import { declaredTogether } from '../../analysis/ownership/declared-owners.ts';
import { type OwnerEntry, ownersOf, suggestedReviewers } from '../../analysis/ownership/owners.ts';
import { type AuthoredTouch, quarterShares } from '../../analysis/ownership/quarters.ts';
import type { Weights } from '../../analysis/ownership/weights.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { completeness } from '../symbols/answers.ts';
import { type AskedFiles, askedFiles } from './asked-files.ts';
import type { FileLines, OwnershipState } from './ownership-state.ts';

type Input = InputOf<(typeof ownership)['ownership.get']>;
type Output = Omit<OutputOf<(typeof ownership)['ownership.get']>, 'commit' | 'historyIsCut' | 'warnings'>;

/** A file of rules may have one for each folder. */
const mostRules = 50;

/**
 * Who owns a file, a directory or a module of a snapshot, by what is known of the history by now. `prefix`: the root's path from the
 * top of the work tree, '' or ending in `/`. Throws what `askedFiles` does.
 */
export function ownershipAnswer(of: AnalysedSnapshot, state: OwnershipState, prefix: string, input: Input): Output {
  const { asked: request, snapshot } = of;
  const asked = askedFiles(of, input);
  const { codeowners, people } = state;
  const declared = declaredTogether(
    codeowners.declared(),
    asked.files.map(file => `${prefix}${file}`),
  );
  const blamed = blameOf(asked, state, prefix);
  const owners = ownersOf({
    declared: declared.owners,
    people,
    weights: blamed.weights,
    known: blamed.known,
    now: request.now / 1000,
  });
  const unresolved = owners.filter(one => one.source === 'codeowners' && one.unresolved);
  return {
    path: asked.path,
    kind: asked.kind,
    ...(asked.moduleId === undefined ? {} : { moduleId: asked.moduleId }),
    owners: owners.map(shown),
    suggestedReviewers: [...suggestedReviewers(owners, lastAuthor(asked, state, prefix))],
    declared: {
      status: declared.kind,
      file: codeowners.path ?? null,
      rules: declared.rules.slice(0, mostRules).map(({ line, text, section }) => ({
        line,
        pattern: text,
        section: codeowners.content?.sections[section]?.name ?? '',
      })),
    },
    unresolvedOwners: unresolved.map(({ identity }) => identity),
    coverage: {
      files: asked.files.length,
      blamedFiles: blamed.files,
      pendingFiles: blamed.pending,
      lines: blamed.lines,
      knownLines: blamed.knownLines,
      botLines: blamed.knownLines - linesOfPeople(blamed.weights),
    },
    ...(input.includeHistory ? { history: [...quarterShares(touchesOf(asked, state, prefix))] } : {}),
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, request, 0),
    timestamp: new Date(request.now).toISOString(),
  };
}

function shown(owner: OwnerEntry): Output['owners'][number] {
  if (owner.source === 'git-blame') return owner;
  const { members, ...entry } = owner;
  return members === undefined ? entry : { ...entry, members: [...members] };
}

interface Blamed extends FileLines {
  readonly files: number;
  readonly pending: number;
  /** How much of all lines is known by whom it is, 0 to 1: files that have yet to be looked at count as those that were. */
  readonly known: number;
}

function blameOf({ files }: AskedFiles, state: OwnershipState, prefix: string): Blamed {
  const all = files.map(file => state.linesOf(`${prefix}${file}`));
  const blamed = all.filter(one => typeof one !== 'string');
  const pending = all.filter(one => one === 'pending').length;
  const lines = state.together(blamed);
  const lookedAt = blamed.length / Math.max(1, blamed.length + pending);
  const known = (lines.knownLines / Math.max(1, lines.lines)) * lookedAt;
  return { ...lines, files: blamed.length, pending, known };
}

function linesOfPeople({ authors }: Weights): number {
  return [...authors.values()].reduce((sum, { lines }) => sum + lines, 0);
}

/** Of a file alone: of many, somebody has changed one. */
function lastAuthor({ kind, path }: AskedFiles, state: OwnershipState, prefix: string): string | undefined {
  const { history } = state.sources;
  if (kind !== 'file' || history === undefined) return undefined;
  for (const { commit } of history.touches(`${prefix}${path}`)) {
    const { author: number, number: commitNumber } = history.commit(commit);
    const author = state.sources.isIgnored(commitNumber) ? undefined : state.authorOf(number);
    if (author !== undefined) return author.identity;
  }
  return undefined;
}

function* touchesOf({ files }: AskedFiles, state: OwnershipState, prefix: string): Iterable<AuthoredTouch> {
  const { history } = state.sources;
  if (history === undefined) return;
  for (const file of files) {
    for (const { commit, lines } of history.touches(`${prefix}${file}`)) {
      const { number, author, authoredAt } = history.commit(commit);
      if (state.sources.isIgnored(number)) continue;
      yield { author: state.authorOf(author), authoredAt, lines };
    }
  }
}
