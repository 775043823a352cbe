import { amount } from '../../../client/protocol/amount.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import { qualifiedName } from '../../../client/protocol/qualified-name.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { coChangesOf } from '../../analysis/history/co-changes.ts';
import { type Candidate, type Hotspot, hottestFirst } from '../../analysis/hotspots/hotspots.ts';
import { isManifestName } from '../../analysis/modules/packages.ts';
import { riskOfChange } from '../../analysis/pull-request/risk.ts';
import { dialectOf } from '../../extract/dialect.ts';
import { isCode as isCodeDialect } from '../../model/families.ts';
import type { FileDiff } from '../../model/history.ts';
import { moduleIdOf } from '../../model/module.ts';
import { isTestPath } from '../../model/mount.ts';
import { baseName, directoryOf } from '../../model/paths.ts';
import { rounded } from '../../model/rounded.ts';
import type { MeasuredDocument } from '../../store/measured-documents.ts';
import type { CodeSides } from '../readers/changed-code.ts';
import { completeness } from '../symbols/answers.ts';
import { changedSymbols } from './changed-symbols.ts';
import type { HistoricalSnapshot } from './historical.ts';
import { hotspotsIn } from './hotspots.ts';
import { markdownOf } from './pull-request-markdown.ts';
import { reviewersOf } from './reviewers.ts';
import { historyTold, unblamedTold, unreadTold, untellableTold, warned } from './told.ts';

type Input = InputOf<Operations['pr.summary']>;
export type PullRequest = Exclude<OutputOf<Operations['pr.summary']>, string>;

/** What is told of a branch that is to be merged, as JSON or as the text of a comment. */
export function pullRequestAnswer(of: HistoricalSnapshot, input: Input): PullRequest | string {
  const summary = summaryOf(of, input);
  return input.format === 'markdown' ? markdownOf(summary) : summary;
}

function summaryOf(of: HistoricalSnapshot, input: Input): PullRequest {
  const { asked, snapshot } = of;
  const { base, head, mergeBase, baseName, ...compared } = of.comparison!;
  const files = compared.files.filter(({ path, from }) => of.fromRoot(path) ?? of.fromRoot(from ?? path));
  const moduleIdAt = modulesBefore(of, files);
  const told = files.map(file => fileTold(of, file, moduleIdAt)).sort((a, b) => (a.path < b.path ? -1 : 1));
  const { total, symbols, gravest, missed } = changedSymbols(of, files, input.includeSymbols ? input.symbolLimit : 0);
  const filesNotRead = files.filter(one => sidesToRead(of, one).includes(undefined)).length;
  const hotspots = hotspotsTouched(of, files);
  const own = of.past.commitsOf(of.comparison!);
  const review = reviewersOf(of, files, own);
  const usual = usuallyChangesWith(of, files, new Set(own));
  const modules = [...new Set(files.flatMap(file => modulesOf(of, file, moduleIdAt)))].sort();
  const linesOf = (side: 'linesAdded' | 'linesRemoved') => told.reduce((sum, one) => sum + one[side], 0);
  const code = told.filter(({ path }) => isCode(of, path));
  const risk = riskOfChange({
    lines: linesOf('linesAdded') + linesOf('linesRemoved'),
    files: files.length,
    modules,
    hotspots,
    gravest: gravest && {
      ...{ name: qualifiedName(gravest), risk: gravest.risk, change: gravest.change },
      users: gravest.directCount + gravest.transitiveCount,
    },
    missed,
    touchesCode: code.some(({ path }) => !isTest(of, path)),
    touchesTests: code.some(({ path }) => isTest(of, path)),
    familiarity: review.familiarity,
    leftOut: usual.length,
    removed: files.filter(one => one.kind === 'deleted' && isCodeDialect(dialectOf(one.path))).length,
  });
  return {
    filesChanged: files.length,
    linesAdded: linesOf('linesAdded'),
    linesRemoved: linesOf('linesRemoved'),
    modulesAffected: modules,
    hotspotsTouched: hotspots,
    suggestedReviewers: input.includeOwnership ? [...review.suggested] : [],
    riskAssessment: risk.level,
    riskFactors: [...risk.factors, ...unreadFactor(filesNotRead)],
    riskScore: risk.score,
    ...{ base, baseName, head, headName: input.headBranch, mergeBase },
    commits: own.length,
    authors: [...review.authors],
    files: told.slice(0, input.limit),
    reviewers: input.includeOwnership ? [...review.reviewers] : [],
    symbolsChanged: [...symbols],
    symbolsTotal: total,
    symbolsOmitted: files.filter(one => sidesToRead(of, one).some(isUntold)).length,
    usuallyChangesWith: usual,
    filesNotBlamed: review.filesNotBlamed,
    filesNotRead,
    truncated: told.length > input.limit || (input.includeSymbols && total > symbols.length),
    ...warned([
      ...unblamedTold(
        review.filesNotBlamed - review.filesUntellable,
        'who changed these counts in their place; ask again, or wait with sync',
      ),
      ...untellableTold(review.filesUntellable, 'who changed these counts in their place'),
      ...unreadTold(filesNotRead),
    ]),
    ...historyTold(of),
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, asked, 0),
    timestamp: new Date(asked.now).toISOString(),
  };
}

/** The id of the module that a path is in, or was: where a change takes a package's manifest away, it was that. */
type ModuleIdAt = (path: string) => string;

function modulesBefore(of: HistoricalSnapshot, files: readonly FileDiff[]): ModuleIdAt {
  const gone = files.map(({ path, from, kind }) => from ?? (kind === 'deleted' ? path : ''));
  const manifests = gone.filter(path => isManifestName(baseName(path))).flatMap(path => of.fromRoot(path) ?? []);
  const packages = new Set(manifests.map(directoryOf));
  const paths = new Set(gone.flatMap(path => of.fromRoot(path) ?? []));
  return path => {
    const there = of.moduleOf(path);
    if (!paths.has(path)) return there.id;
    let folder = directoryOf(path);
    while (folder.length > there.path.length && !packages.has(folder)) folder = directoryOf(folder);
    return folder.length > there.path.length ? moduleIdOf(folder) : there.id;
  };
}

/** The level is of what is known. */
function unreadFactor(files: number): readonly string[] {
  if (files === 0) return [];
  return [`is known in part: ${amount(files, 'file')} of it ${files === 1 ? 'has' : 'have'} not been read yet`];
}

/** What is moved into the repository's root has come, and what is moved out of it gone. */
function fileTold(
  of: HistoricalSnapshot,
  { path, from = path, kind, lines }: FileDiff,
  moduleIdAt: ModuleIdAt,
): PullRequest['files'][number] {
  const [to, before] = [of.fromRoot(path), of.fromRoot(from)];
  const own = to ?? before ?? path;
  const crosses = to === undefined ? 'deleted' : 'added';
  return {
    path: own,
    ...(from === path || to === undefined || before === undefined ? {} : { from: before }),
    status: from !== path && (to === undefined || before === undefined) ? crosses : kind,
    linesAdded: lines?.added ?? 0,
    linesRemoved: lines?.deleted ?? 0,
    binary: lines === undefined,
    moduleId: moduleIdAt(own),
  };
}

/** Of a renamed file both. */
function modulesOf(of: HistoricalSnapshot, { path, from }: FileDiff, moduleIdAt: ModuleIdAt): readonly string[] {
  return [path, ...(from === undefined ? [] : [from])].flatMap(one => {
    const own = of.fromRoot(one);
    return own === undefined ? [] : [moduleIdAt(own)];
  });
}

/** The hottest part of all code. */
const hotShare = 0.1;
const fewestHot = 5;
/** In a quiet repository even the hottest files are none, and what nobody works on is none anywhere. */
const leastHot = 0.25;

function hotspotsTouched(of: HistoricalSnapshot, files: readonly FileDiff[]): PullRequest['hotspotsTouched'] {
  const { hotspots: all, scored } = hotspotsIn(of, 30);
  const place = Math.max(fewestHot, Math.ceil(all.length * hotShare));
  const least = Math.max(leastHot, all[place - 1]?.score ?? 0);
  const isHot = ({ score, commits }: Hotspot): boolean => score >= least && commits > 0;
  const changed = new Set(files.flatMap(({ path, from = path }) => [of.fromRoot(path), of.fromRoot(from)]));
  const touched = all.filter(one => isHot(one) && changed.has(one.candidate.path));
  const gone = files.flatMap(file => goneCandidate(of, file) ?? []).map(scored);
  return hottestFirst([...touched, ...gone.filter(isHot)]).map(({ candidate, score, trend }) => ({
    path: candidate.path,
    score: rounded(score, 4),
    trend: trend.direction,
  }));
}

/** Of a file that the change takes away and that the index has no more; undefined of any other, and as long as nobody has read it. */
function goneCandidate(of: HistoricalSnapshot, file: FileDiff): Candidate | undefined {
  const { before } = of.comparison!.sidesOf(file);
  if (file.kind !== 'deleted' || typeof before !== 'object' || documentAt(of, before.path) !== undefined) {
    return undefined;
  }
  return { path: before.path, file: of.past.history.fileOf(file.path), cyclomatic: before.cyclomatic };
}

/** What is worth a word in a comment: two files that go together more often than not, and did so more than once in a while. */
const closest = { strength: 0.5, together: 5, days: 730, most: 10 } as const;
/** A change of more files is no work on any of them. */
const mostAsked = 50;

function usuallyChangesWith(
  of: HistoricalSnapshot,
  files: readonly FileDiff[],
  own: ReadonlySet<number>,
): PullRequest['usuallyChangesWith'] {
  if (files.length > mostAsked) return [];
  const { history, tree } = of.past;
  const changed = new Set(files.flatMap(({ path, from = path }) => [path, from]));
  const oldest = Math.floor(of.asked.now / 1000) - closest.days * 86_400;
  const found = new Map<string, PullRequest['usuallyChangesWith'][number]>();
  for (const { path: changedPath, from = changedPath } of files) {
    const file = history.fileOf(changedPath) ?? history.fileOf(from);
    if (file === undefined) continue;
    const { commits, others } = coChangesOf(history, [file], oldest, commit => own.has(history.commit(commit).number));
    for (const { path: top, together } of others) {
      const path = of.fromRoot(top);
      const strength = rounded(together / commits, 4);
      const isClose = together >= closest.together && strength >= closest.strength;
      if (!isClose || path === undefined || changed.has(top) || !tree.has(top)) continue;
      if ((found.get(path)?.strength ?? 0) >= strength) continue;
      found.set(path, { path, because: of.fromRoot(changedPath) ?? changedPath, strength, together });
    }
  }
  const sorted = [...found.values()].sort((a, b) => b.strength - a.strength || (a.path < b.path ? -1 : 1));
  return sorted.slice(0, closest.most);
}

const byPath = new WeakMap<ReadonlyMap<number, MeasuredDocument>, ReadonlyMap<string, MeasuredDocument>>();

function documentAt({ reader, asked, snapshot }: HistoricalSnapshot, path: string): MeasuredDocument | undefined {
  const measured = reader.measured(asked.repo.key, snapshot.seq)!;
  const known = byPath.get(measured) ?? new Map([...measured.values()].map(one => [one.path, one]));
  byPath.set(measured, known);
  return known.get(path);
}

/** Whatever is checked out. */
function isCode(of: HistoricalSnapshot, path: string): boolean {
  return documentAt(of, path) !== undefined || isCodeDialect(dialectOf(path));
}

function isTest(of: HistoricalSnapshot, path: string): boolean {
  return documentAt(of, path)?.isTest ?? isTestPath(path);
}

type Side = CodeSides[keyof CodeSides];

/** What has to be read to tell of a file's symbols; what the index has of the head is. */
function sidesToRead({ graph, comparison, fromRoot }: HistoricalSnapshot, file: FileDiff): readonly Side[] {
  const { asInHead, sidesOf } = comparison!;
  const { before, after } = sidesOf(file);
  const path = fromRoot(file.path) ?? '';
  if (!asInHead.has(path)) return [before, after];
  return [before, graph.documentAt(path) === undefined ? 'unreadable' : 'none'];
}

function isUntold(side: Side): boolean {
  return side === undefined || side === 'unreadable';
}
