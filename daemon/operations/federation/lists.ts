import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { globsMeet } from '../../analysis/ownership/globs-meet.ts';
import { type SearchedText, scoreOf, searchedText, searchTerms } from '../../analysis/text-search.ts';
import type { MemberDecision, MemberModule, MemberOwnership, MemberRows } from '../../model/federation.ts';
import { fitsGlob } from '../../model/fits-glob.ts';
import type { FederationView, KnownMember } from './member-view.ts';
import { ownersOfPath } from './owners-of-path.ts';
import { stalenessOf } from './staleness.ts';
import { unknownMember } from './unknown-member.ts';

type In<Name extends keyof Operations> = InputOf<Operations[Name]>;
type Out<Name extends keyof Operations> = OutputOf<Operations[Name]>;

export function modulesAnswer(
  view: FederationView,
  { q, repos, tags, limit }: In<'federation.modules'>,
): Out<'federation.modules'> {
  const members = chosen(view, repos).filter(member => tags?.every(tag => member.tags.includes(tag)) !== false);
  const all = rowsOf(members, 'modules');
  const found = q === undefined ? all.map(one => ({ ...one, score: undefined })) : bestFirst(all, q, moduleText);
  return {
    modules: found.slice(0, limit).map(({ repoId, row: { capabilities, ...row }, score }) => ({
      ...{ repoId, ...row, capabilities: [...capabilities] },
      ...(score === undefined ? {} : { score }),
    })),
    ...endOf(view, members, found.length),
  };
}

export function decisionsAnswer(
  view: FederationView,
  { q, status, repos, module, limit }: In<'federation.decisions'>,
): Out<'federation.decisions'> {
  const members = chosen(view, repos);
  const all = rowsOf(members, 'decisions').filter(
    ({ row }) =>
      (status === undefined || status.includes(row.status)) &&
      (module === undefined || row.affectedModules.includes(module)),
  );
  const found =
    q === undefined
      ? all.map(one => ({ ...one, score: undefined })).sort((a, b) => newestFirst(a.row, b.row))
      : bestFirst(all, q, ({ searched }) => searched as { readonly title: SearchedText; readonly text: SearchedText });
  return {
    decisions: found.slice(0, limit).map(({ repoId, row, score }) => {
      const { searched: _, affectedModules, ...told } = row;
      return { repoId, ...told, affectedModules: [...affectedModules], ...(score === undefined ? {} : { score }) };
    }),
    ...endOf(view, members, found.length),
  };
}

export function hotspotsAnswer(
  view: FederationView,
  { repos, top, minScore }: In<'federation.hotspots'>,
): Out<'federation.hotspots'> {
  const members = chosen(view, repos);
  const found = rowsOf(members, 'hotspots')
    .filter(({ row }) => row.score >= minScore)
    .sort(
      (a, b) => b.row.score - a.row.score || compare(a.repoId, b.repoId) || compare(a.row.targetId, b.row.targetId),
    );
  return {
    hotspots: found.slice(0, top).map(({ repoId, row }) => ({ repoId, targetType: 'file' as const, ...row })),
    ...endOf(view, members, found.length),
  };
}

export function ownershipAnswer(
  view: FederationView,
  { path, repos, limit }: In<'federation.ownership'>,
): Out<'federation.ownership'> {
  const members = chosen(view, repos);
  const found = members.flatMap(({ repoId, known }) =>
    ownedBy(known?.rows.ownership ?? [], path).map(({ pattern, owners }) => ({
      ...{ repoId, pattern },
      owners: owners.map(owner => ({ ...owner })),
    })),
  );
  return { matches: found.slice(0, limit), ...endOf(view, members, found.length) };
}

/** Patterns of which files may fit a glob; of a path that is none, those that own it, and those of what lies below. */
function ownedBy(rows: readonly MemberOwnership[], path: string | undefined): readonly MemberOwnership[] {
  if (path === undefined) return rows;
  const glob = bare(path);
  if (/[*?]/.test(path)) {
    const met = rows.filter(({ pattern }) => fitsGlob(glob, bare(pattern)) || globsMeet(glob, pattern));
    return met.filter((row, at) => !met.slice(at + 1).some(later => isOverruled(row, later, glob)));
  }
  const owning = ownersOfPath(rows, glob);
  const isAtOrBelow = ({ pattern }: MemberOwnership): boolean => `${bare(pattern)}/`.startsWith(`${glob}/`);
  return rows.filter(row => owning.includes(row) || isAtOrBelow(row));
}

/** Whether a later line of CODEOWNERS is about all that a glob asks for. */
function isOverruled(row: MemberOwnership, later: MemberOwnership, glob: string): boolean {
  const isDeclared = ({ owners }: MemberOwnership): boolean => owners.every(({ source }) => source === 'codeowners');
  const { pattern } = later;
  const isFolder = pattern.startsWith('/') && !/[*?]/.test(pattern);
  return isDeclared(row) && isDeclared(later) && isFolder && glob.startsWith(`${bare(pattern)}/`);
}

function bare(pattern: string): string {
  return pattern.replace(/^\/+/, '').replace(/\/+$/, '');
}

/** Members that are asked about. Throws `resourceNotFound` for one that there is not. */
export function chosen(
  { members, federation }: FederationView,
  repos: readonly string[] | undefined,
): readonly KnownMember[] {
  if (repos === undefined) return members;
  const wanted = new Set(repos);
  const unknown = repos.find(id => !members.some(({ repoId }) => repoId === id));
  if (unknown !== undefined) throw unknownMember(federation.name, unknown);
  return members.filter(({ repoId }) => wanted.has(repoId));
}

interface Row<One> {
  readonly repoId: string;
  readonly row: One;
}

type Lists = Omit<MemberRows, 'files'>;

function rowsOf<Name extends keyof Lists>(members: readonly KnownMember[], name: Name): Row<Lists[Name][number]>[] {
  return members.flatMap(({ repoId, known }) =>
    (known?.rows[name] ?? []).map(row => ({ repoId, row: row as Lists[Name][number] })),
  );
}

function endOf({ now }: FederationView, members: readonly KnownMember[], total: number) {
  const synced = members.map(({ repoId, known }) => ({ repoId, syncedAt: known?.syncedAt }));
  return { total, staleness: stalenessOf(synced, now), timestamp: new Date(now).toISOString() };
}

interface Searched {
  readonly title: SearchedText;
  readonly text: SearchedText;
}

function bestFirst<One extends object>(rows: readonly Row<One>[], q: string, textOf: (row: One) => Searched) {
  const terms = searchTerms(q);
  return rows
    .flatMap(one => {
      const score = scoreOf(terms, textOf(one.row));
      return score === undefined ? [] : [{ ...one, score }];
    })
    .sort((a, b) => b.score - a.score || compare(a.repoId, b.repoId));
}

const moduleTexts = new WeakMap<MemberModule, Searched>();

function moduleText(row: MemberModule): Searched {
  const known = moduleTexts.get(row);
  if (known !== undefined) return known;
  const { moduleId, name, responsibility, capabilities } = row;
  const made = {
    title: searchedText(`${name} ${moduleId}`),
    text: searchedText([responsibility, ...capabilities].join('\n')),
  };
  moduleTexts.set(row, made);
  return made;
}

function newestFirst(a: MemberDecision, b: MemberDecision): number {
  return compare(b.createdAt, a.createdAt) || compare(b.id, a.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
