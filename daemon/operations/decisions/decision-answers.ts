import { hash } from 'node:crypto';
import { Fault } from '../../../client/protocol/faults.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { inodeOf } from '../../../watch/file-system.ts';
import { scoreOf, searchTerms } from '../../analysis/text-search.ts';
import { consequencesIn, readDecision, textOf } from '../../extract/decisions/read-decision.ts';
import { readRepositoryFile } from '../../extract/read-file.ts';
import type { SettingsFiles } from '../../extract/repository-settings.ts';
import { createDecisionFiles, type SeenFiles, type UnreadFile } from '../../jobs/decisions/decision-files.ts';
import { type Decision, decisionsOf, greatestIn } from '../../jobs/decisions/decisions.ts';
import { type FolderStyle, folderStyle } from '../../jobs/decisions/folder-style.ts';
import { namingFile } from '../../jobs/decisions/folders.ts';
import { rootGone } from '../../jobs/standing-root.ts';
import type { DecisionProblem } from '../../model/decision.ts';
import type { MemberDecision } from '../../model/federation.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import { contentDigest } from '../content-digest.ts';
import { topOf } from '../ownership/ownership-files.ts';
import type { Asked } from '../symbols/answers.ts';
import { decisionNamed } from './decision-named.ts';

/** What is asked of the decisions of a repository. */
export interface DecisionsCall {
  readonly repo: RepositoryRecord;
  /** The folder that the user has configured; empty: none. */
  readonly folder: string;
  /** ISO 8601, for the answer. */
  readonly now: string;
  readonly question: DecisionsQuestion;
}

export type DecisionsQuestion =
  | {
      readonly kind: 'list';
      readonly input: Omit<InputOf<Operations['decisions.list']>, 'repo' | 'sync'>;
      /** The index, whose modules may be asked about beside those that decisions name. */
      readonly asked: Asked;
    }
  | { readonly kind: 'get'; readonly id: string }
  | { readonly kind: 'ground' }
  | { readonly kind: 'survey' }
  /** All of them, as federations know them. */
  | { readonly kind: 'all' };

/** What a new decision is written on. */
export interface DecisionGround extends FolderStyle {
  readonly folder: RepoPath | undefined;
  readonly greatest: number;
  /** Why there is no folder. */
  readonly why: { readonly reason: string; readonly message: string };
}

/** What the doctor tells of them. */
export interface DecisionSurvey {
  readonly count: number;
  readonly folders: readonly string[];
  readonly unread: readonly UnreadFile[];
  /** Of listed documents. */
  readonly problems: readonly (DecisionProblem & { readonly path: string })[];
}

type ListReply = OutputOf<Operations['decisions.list']>;
type GetReply = OutputOf<Operations['decisions.get']>;
type DecisionsReply =
  | ListReply
  | GetReply
  | DecisionGround
  | DecisionSurvey
  | { readonly all: readonly MemberDecision[] };

interface DecisionAnswers {
  /** The answer, and a digest of all that it says but when, and of the documents. Throws `Fault`. */
  answer(
    call: DecisionsCall,
    signal: AbortSignal,
  ): Promise<{ readonly reply: DecisionsReply; readonly digest: string }>;
}

/** Throws what is to be said of a module that the code has not. */
type ModuleCheck = (asked: Asked, moduleId: string) => void;

/** Answers from the files as they are when the question comes; what was read of those that are unchanged is remembered. */
export function decisionAnswers(settings: SettingsFiles, checkModule: ModuleCheck): DecisionAnswers {
  const files = createDecisionFiles();
  const known = new WeakMap<SeenFiles, Known>();
  return {
    async answer({ repo, folder, now, question }, signal) {
      if (inodeOf(repo.root) === undefined) throw rootGone(repo);
      const configured = folder === '' ? folderInSettings(repo.root, settings) : folder;
      const seen = await files.read(repo.root, configured, signal);
      const { decisions, documents } = known.get(seen) ?? knownOf(seen);
      known.set(seen, { decisions, documents });
      const reply = replyTo(question, { repo, seen, decisions, now, checkModule });
      return { reply, digest: contentDigest({ ...reply, documents }) };
    },
  };
}

/** The folder that the repository's own settings name, from a root that may lie below their file. */
function folderInSettings(root: string, settings: SettingsFiles): string {
  const { top, prefix } = topOf(root);
  const folder = settings.of(top).decisionsFolder ?? '';
  return folder.startsWith(prefix) ? folder.slice(prefix.length) : '';
}

interface Known {
  readonly decisions: readonly Decision[];
  /** A digest of all documents. */
  readonly documents: string;
}

function knownOf({ files }: SeenFiles): Known {
  const documents = hash('sha256', files.map(({ path, hash: content }) => `${path}\0${content}`).join('\n'));
  return { decisions: decisionsOf(files), documents };
}

interface Seen {
  readonly repo: RepositoryRecord;
  readonly seen: SeenFiles;
  readonly decisions: readonly Decision[];
  readonly now: string;
  readonly checkModule: ModuleCheck;
}

function replyTo(question: DecisionsQuestion, all: Seen): DecisionsReply {
  switch (question.kind) {
    case 'list':
      return listed(question, all);
    case 'get':
      return shown(decisionNamed(question.id, all.decisions, all.repo, all.seen.unread), all);
    case 'ground':
      return groundOf(all);
    case 'survey':
      return surveyOf(all);
    case 'all':
      return { all: all.decisions.map(told) };
  }
}

function told({ file, id, title, createdAt }: Decision): MemberDecision {
  const { status, modules } = file.text;
  return { id, title, status, createdAt, affectedModules: modules, path: file.path, searched: file.searched };
}

/** More are told by nobody who reads them. */
const mostUnread = 100;

function listed({ input, asked }: ListQuestion, { seen, decisions, now, checkModule }: Seen): ListReply {
  const { moduleId, status, search, limit, offset } = input;
  const affecting = moduleId === undefined ? decisions : thoseAffecting(moduleName(moduleId), decisions);
  // A decision may name a module that has gone.
  if (moduleId !== undefined && affecting.length === 0) checkModule(asked, moduleName(moduleId));
  const fitting = affecting.filter(({ file }) => status === undefined || file.text.status === status);
  const found = search === undefined ? fitting.map(decision => ({ decision })) : bestFirst(fitting, search);
  const page = found.slice(offset, offset + limit);
  return {
    decisions: page.map(({ decision, ...score }) => ({ ...summaryOf(decision, now), ...score })),
    total: found.length,
    hasMore: offset + page.length < found.length,
    folder: seen.folders.written ?? null,
    folders: [...seen.folders.read],
    unread: seen.unread.slice(0, mostUnread),
    timestamp: now,
  };
}

type ListQuestion = Extract<DecisionsQuestion, { readonly kind: 'list' }>;

function thoseAffecting(module: string, decisions: readonly Decision[]): readonly Decision[] {
  return decisions.filter(({ file }) => file.text.modules.some(one => moduleName(one) === module));
}

/** A module's id in one spelling, whoever wrote it. */
function moduleName(module: string): string {
  const path = module.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  return path === '' || path === '.' ? '@root' : path;
}

/** Those that have every term, the best first; of equal ones the newest. */
function bestFirst(decisions: readonly Decision[], search: string) {
  const terms = searchTerms(search);
  return decisions
    .flatMap(decision => {
      const score = scoreOf(terms, decision.file.searched);
      return score === undefined ? [] : [{ decision, score }];
    })
    .sort((a, b) => b.score - a.score || (b.decision.number ?? 0) - (a.decision.number ?? 0));
}

function summaryOf(decision: Decision, now: string): Omit<ListReply['decisions'][number], 'score'> {
  const { file, id, title, number, createdAt, createdAtSource, supersedes, supersededBy, problems } = decision;
  const { status, rawStatus, modules, style } = file.text;
  return {
    ...{ id, title, status, createdAt },
    affectedModules: [...modules],
    path: file.path,
    number: number ?? null,
    ...{ rawStatus, createdAtSource },
    format: style.format ?? null,
    supersedes: [...supersedes],
    supersededBy: [...supersededBy],
    problems: [...problems, ...(isAhead(decision, now) ? [future] : [])],
  };
}

/** Clocks differ by a day at most, and by a time zone. */
const daysMs = 2 * 86_400_000;
const future: DecisionProblem = { code: 'future_date', message: 'its date has yet to come' };

function isAhead({ createdAt }: Decision, now: string): boolean {
  return Date.parse(createdAt) > Date.parse(now) + daysMs;
}

/** Read anew, for its text is not remembered. */
function shown(decision: Decision, { repo, now }: Seen): GetReply {
  const { path } = decision.file;
  const read = readRepositoryFile(repo.root, path, undefined, wholeFile);
  if (read.kind !== 'text')
    throw new Fault('resourceNotFound', `${path} is no longer there, or can’t be read`, { details: { path } });
  const { content, sections, metadata } = readDecision(read.bytes);
  return {
    ...summaryOf(decision, now),
    context: textOf(sections, 'context'),
    decision: textOf(sections, 'decision'),
    consequences: [...consequencesIn(sections)],
    sections: sections.map(({ heading, level, kind, text }) => ({ heading, level, kind: kind ?? null, text })),
    metadata: metadata.map(([name, value]) => ({ name, value })),
    links: decision.links.map(({ relation, label, target, id }) => ({ relation, label, target, id: id ?? null })),
    content,
    timestamp: now,
  };
}

const wholeFile = { bytes: 5 * 2 ** 20, lineCharacters: Number.MAX_SAFE_INTEGER } as const;

function groundOf({ seen, decisions }: Seen): DecisionGround {
  const folder = seen.folders.written;
  const trouble = seen.folders.problems.find(({ path }) => path === namingFile);
  const message = trouble?.code === 'unreadable' ? `${namingFile} ${trouble.message}` : (trouble?.message ?? '');
  const why = { reason: trouble?.code ?? '', message };
  return { ...folderStyle(decisions, folder), folder, greatest: greatestIn(decisions), why };
}

function surveyOf({ seen, decisions, now }: Seen): DecisionSurvey {
  const problems = decisions.flatMap(decision =>
    summaryOf(decision, now).problems.map(problem => ({ ...problem, path: decision.file.path })),
  ) as (DecisionProblem & { readonly path: string })[];
  return { count: decisions.length, folders: seen.folders.read, unread: seen.unread, problems };
}
