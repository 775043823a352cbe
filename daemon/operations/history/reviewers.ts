import { posix } from 'node:path';
import { weightOfAge } from '../../analysis/ownership/weights.ts';
import type { BlamedContent, FileDiff } from '../../model/history.ts';
import { rounded } from '../../model/rounded.ts';
import type { TouchBefore } from '../readers/read-histories.ts';
import type { HistoricalSnapshot } from './historical.ts';

/** Who should look at a change. */
export interface Review {
  /** Those who wrote most of what is changed first, then who is declared to own changed files; else who works there. */
  readonly suggested: readonly string[];
  readonly reviewers: readonly {
    readonly identity: string;
    readonly lines: number;
    readonly share: number;
    readonly declaredFor: number;
  }[];
  /** Of the change. */
  readonly authors: readonly string[];
  /** Of the lines that are changed, the share that these wrote; undefined where nobody knows. */
  readonly familiarity: number | undefined;
  readonly filesNotBlamed: number;
  /** Of these: of which git could not say who wrote them. */
  readonly filesUntellable: number;
}

const mostSuggested = 5;
/** A line that stays, and that others are put beside. */
const besideWeight = 0.5;
/** Whoever wrote less of what its authors did not write is nobody to ask, */
const leastShare = 0.05;
/** but for those who wrote that much of its lines, however long ago. */
const leastLines = 0.2;

interface Part {
  lines: number;
  weight: number;
}

/** `own`: numbers of the commits that make up the change. */
export function reviewersOf(of: HistoricalSnapshot, files: readonly FileDiff[], own: readonly number[]): Review {
  const { past, people } = of;
  const authors = new Set(own.flatMap(commit => people.personOf(past.authorOf(commit)) ?? []));
  const besides = new Set(of.comparison!.coAuthors.flatMap(one => of.owners.people.authorOf(one)?.identity ?? []));
  const authorsTold = [...new Set([...[...authors].map(people.identityOf), ...besides])].sort();
  const parts = new Map<number, Part>();
  const missing: BlamedContent[] = [];
  for (const file of files) {
    const content = oldContent(of, file);
    const blame = content === undefined ? undefined : past.blameOf(content);
    if (content !== undefined && blame === undefined) {
      missing.push(content);
      addEstimated(of, file.path, linesChanged(file), parts);
    } else if (blame !== undefined) addChanged(of, file, linesOf(blame), parts);
  }
  of.want(missing);
  const declared = declaredOwners(of, files, new Set(authorsTold));
  const total = [...parts.values()].reduce((sum, { weight }) => sum + weight, 0);
  const known = [...parts].sort(([, a], [, b]) => b.weight - a.weight);
  const namesakes = namesakesOf(of, own);
  const isAuthor = (person: number): boolean =>
    authors.has(person) || namesakes.has(person) || besides.has(people.identityOf(person));
  const authored = known.filter(([person]) => isAuthor(person)).reduce((sum, [, { weight }]) => sum + weight, 0);
  const others = known.filter(([person]) => !isAuthor(person));
  const ofOthers = others.reduce((sum, [, { weight }]) => sum + weight, 0);
  const linesOfOthers = others.reduce((sum, [, { lines }]) => sum + lines, 0);
  const reviewers = others
    .filter(
      ([, { weight, lines }]) => weight / ofOthers >= leastShare || (lines > 0 && lines / linesOfOthers >= leastLines),
    )
    .map(([person, { lines, weight }]) => {
      const identity = people.identityOf(person);
      return { identity, lines, share: rounded(weight / ofOthers, 4), declaredFor: declared.get(identity) ?? 0 };
    });
  const onlyDeclared = [...declared]
    .filter(([identity]) => !reviewers.some(one => one.identity === identity))
    .sort(([, a], [, b]) => b - a);
  const all = [
    ...reviewers,
    ...onlyDeclared.map(([identity, declaredFor]) => ({ identity, lines: 0, share: 0, declaredFor })),
  ];
  const suggested = all.map(({ identity }) => identity);
  if (all.length === 0) {
    const there = worksThere(of, files).filter(person => !isAuthor(person));
    suggested.push(...new Set(there.map(people.identityOf)));
  }
  return {
    suggested: suggested.slice(0, mostSuggested),
    reviewers: all.slice(0, 4 * mostSuggested),
    authors: authorsTold,
    familiarity: total === 0 ? undefined : authored / total,
    filesNotBlamed: missing.length,
    filesUntellable: of.untellable(missing),
  };
}

/** The file as it was where the branches parted; undefined of a new one, and of one without lines. */
function oldContent({ past, comparison }: HistoricalSnapshot, { path, from = path, oldBlob, lines }: FileDiff) {
  const { head, mergeBase } = comparison!;
  if (lines === undefined || oldBlob === undefined) return undefined;
  return past.contentBefore({ head, mergeBase, path, oldPath: from, blob: oldBlob });
}

/** The number of the commit that wrote each line, 0 where that is not known. */
function linesOf({ commits, counts }: { readonly commits: Int32Array; readonly counts: Int32Array }): Int32Array {
  const lines = new Int32Array(counts.reduce((sum, count) => sum + count, 0));
  let line = 0;
  commits.forEach((commit, run) => {
    lines.fill(commit, line, line + counts[run]!);
    line += counts[run]!;
  });
  return lines;
}

/** Adds what is taken away and, where lines are only put in, what stands next to them. */
function addChanged(of: HistoricalSnapshot, { hunks }: FileDiff, lines: Int32Array, parts: Map<number, Part>): void {
  const { past, people } = of;
  const add = (line: number, share: number): void => {
    const commit = lines[line];
    if (commit === undefined || commit === 0) return;
    const person = people.personOf(past.authorOf(commit));
    if (person === undefined) return;
    const part = parts.get(person) ?? { lines: 0, weight: 0 };
    part.lines++;
    part.weight += share * weightAt(of, past.authoredAt(commit));
    parts.set(person, part);
  };
  for (const { oldLine, oldCount } of hunks) {
    for (let line = oldLine; line < oldLine + oldCount; line++) add(line, 1);
    if (oldCount > 0) continue;
    add(oldLine - 1, besideWeight);
    add(oldLine, besideWeight);
  }
}

/** Of a file's changes, so many of the last ones are looked at. */
const mostTouches = 100;

/** As long as nobody has looked who wrote the lines: as if whoever changed the file had written as much of them as they did of it. */
function addEstimated(of: HistoricalSnapshot, path: string, changed: number, parts: Map<number, Part>): void {
  const { past, people, comparison } = of;
  const { head, mergeBase } = comparison!;
  const touches = past.touchesBefore({ head, mergeBase, path }, mostTouches);
  const before = touches.filter(({ number }) => !past.isIgnored(number));
  const sizeOf = ({ lines }: TouchBefore): number => lines?.added || 1;
  const all = before.reduce((sum, touch) => sum + sizeOf(touch), 0);
  for (const touch of before) {
    const person = people.personOf(past.authorOf(touch.number));
    if (person === undefined) continue;
    const part = parts.get(person) ?? { lines: 0, weight: 0 };
    part.weight += changed * (sizeOf(touch) / all) * weightAt(of, past.authoredAt(touch.number));
    parts.set(person, part);
  }
}

/** What a line that was written then counts now. */
function weightAt({ asked }: HistoricalSnapshot, authoredAt: number): number {
  return weightOfAge(asked.now / 1000 - authoredAt);
}

/** Lines that are taken away, or that others are put beside. */
function linesChanged({ hunks }: FileDiff): number {
  return hunks.reduce((sum, { oldCount }) => sum + (oldCount || 2 * besideWeight), 0);
}

/** Files that lie beside new ones are looked at up to so many. */
const mostBeside = 100;

/**
 * Who changed the files before, or what lies beside them where nobody did, the most and newest first: somebody to ask where
 * the authors of a change wrote all that it changes themselves.
 */
function worksThere(of: HistoricalSnapshot, files: readonly FileDiff[]): readonly number[] {
  const changersOf = (paths: readonly string[]): readonly number[] => {
    const parts = new Map<number, Part>();
    for (const path of paths) addEstimated(of, path, 1, parts);
    return [...parts].sort(([, a], [, b]) => b.weight - a.weight).map(([person]) => person);
  };
  const folders = new Set(files.map(({ path }) => posix.dirname(path)));
  const beside = [...of.past.tree.keys()].filter(path => folders.has(posix.dirname(path))).slice(0, mostBeside);
  return [...changersOf(files.map(({ path }) => path)), ...changersOf(beside)];
}

/** Who goes by the full name of an author of the change: mostly the same by another address, and nobody to ask. */
function namesakesOf({ past, people }: HistoricalSnapshot, own: readonly number[]): ReadonlySet<number> {
  const names = new Set(
    own.map(commit => past.people[past.authorOf(commit)]!.name).filter(name => /\S\s+\S/.test(name)),
  );
  const found = new Set<number>();
  past.people.forEach(({ name }, author) => {
    const person = names.has(name) ? people.personOf(author) : undefined;
    if (person !== undefined) found.add(person);
  });
  return found;
}

/** Whom the base's CODEOWNERS names for changed files, with how many; teams whose members nobody has told as teams. */
function declaredOwners(
  { owners: { people, codeowners }, comparison }: HistoricalSnapshot,
  files: readonly FileDiff[],
  authors: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const { ofFile } = comparison?.declared ?? codeowners.declared();
  for (const { path } of files) {
    const declared = ofFile(path);
    const owners = declared.kind === 'owned' ? declared.owners : [];
    const identities = owners.flatMap(owner => {
      const standing = people.standingOf(owner);
      return standing.kind === 'people' ? standing.identities : [people.identityOfOwner(owner)];
    });
    for (const one of new Set(identities)) if (!authors.has(one)) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return counts;
}
