import { inflateSync } from 'node:zlib';
import type { DeltaArtifact, DeltaLists, DeltaStats } from '../../../client/protocol/delta.ts';
import { difference, type ManifestDelta } from '../../model/delta.ts';
import type { Dialect } from '../../model/document.ts';
import { type ParcelPart, packFacts, unpackFacts } from '../../model/fact-parcel.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { SnapshotMaking } from '../../model/snapshot.ts';
import { type ContentAt, isSameStep, type TakenDelta } from '../../store/taken-deltas.ts';
import type { CommitTrees } from '../commit-tree.ts';
import { factKeyOf } from '../fact-key.ts';
import type { PreparedLinks } from '../index-repository.ts';
import { isRead } from './artifact-shape.ts';
import { baseOf, hereFor, idAfter, isHere, type KnownBase, wrongBase } from './base.ts';
import { commitProblems, namedFiles, onDisk } from './files.ts';
import type { LastFound } from './last-found.ts';
import { countsOf, type DeltaProblem, mostProblems, namedPaths, type ReadArtifact } from './read-artifact.ts';
import { type DeltaWorld, findDelta } from './rows.ts';

/** Where artifacts are held against the truth: a work tree, its index and its commits. */
export interface DeltaSite extends DeltaWorld {
  /** Absolute, real. */
  readonly root: string;
  /** The repository's id here. */
  readonly repo: string;
  /** Undefined outside git. */
  readonly commits: CommitTrees | undefined;
  readonly making: SnapshotMaking;
  readonly limits: { readonly bytes: number; readonly lineCharacters: number };
  readonly versionOf: (dialect: Dialect) => number;
  /** Of a snapshot before the indexed one, while it is kept: its lines wherever they may differ. */
  readonly linesOf: (snapshotId: string) => ReadonlyMap<RepoPath, ManifestLine | undefined> | undefined;
  readonly lastFound: LastFound;
  readonly takenDeltas: () => readonly TakenDelta[];
}

export interface CheckedDelta {
  readonly problems: readonly DeltaProblem[];
  /**
   * Which tree its base is: the indexed one, HEAD's, that of the commit that HEAD came from, or the one that an artifact
   * which waits leads to; undefined: none of them.
   */
  readonly base: KnownBase | undefined;
  /** One that does the same was taken in before, and the index or HEAD is where it leads to. */
  readonly isKnown: boolean;
  readonly newSnapshotId: string;
  /** Commits that have files which the tree has not so: an artifact whose own is not here comes from there. */
  readonly sources: readonly string[];
  /** What it lists, counted. */
  readonly stats: DeltaStats | undefined;
  readonly paths: readonly RepoPath[];
  /** What the tree has where it changes something once that has come, at so many paths at most as tell. */
  readonly files: readonly ContentAt[];
}

/** The outcome of a check, and the links that were made on the way where the base is the indexed tree. */
export interface DeltaCheck {
  readonly checked: CheckedDelta;
  readonly prepared: PreparedLinks | undefined;
}

/** Everything that speaks against an artifact, as far as that can be known, and what it leads to. Changes nothing. */
export async function checkDelta(read: ReadArtifact, site: DeltaSite): Promise<DeltaCheck> {
  const { artifact, unread } = read;
  if (artifact === undefined) return refused(read.problems, undefined);
  const stats = countsOf(artifact.deltas);
  const here = hereFor(artifact, site);
  const known = here.taken.find(one => one.digests.includes(read.digest))?.snapshotId;
  if (known !== undefined && (await isHere(known, here))) {
    const paths = pathsToTakeIn(artifact, site);
    const base = (await baseOf(artifact, here, site))?.base;
    const checked = { problems: [], base, isKnown: true, newSnapshotId: known, stats, paths, files: [], sources: [] };
    return { checked, prepared: undefined };
  }
  const foreign = versionProblems(artifact, site);
  const found = [...read.problems, ...foreign];
  const isForeign = foreign.length > 0;
  const hasBase = isRead(unread, 'base_snapshot_id');
  const { base, toBase } = (hasBase ? await baseOf(artifact, here, site) : undefined) ?? {};
  if (hasBase && !isForeign && base === undefined) found.push(await wrongBase(artifact, here, site));
  const files = await namedFiles(artifact, site);
  const { lines, sources } = files;
  found.push(...files.problems);
  if (found.length >= mostProblems) return refused(found, base, stats);
  found.push(...(await commitProblems(artifact, files, site)));
  if (!isForeign) found.push(...factProblems(artifact, lines, site));
  const isWhole = lines.size === namedPaths(artifact).length && isRead(unread, 'deltas.files', true);
  if (toBase === undefined || !isWhole || isForeign) {
    return refused([...found, ...unchecked(artifact, { isForeign, isWhole, hasBase, base })], base, stats);
  }
  const { delta, newSnapshotId } = movedFrom(toBase, lines, site);
  if (artifact.new_snapshot_id !== undefined && artifact.new_snapshot_id !== newSnapshotId) {
    found.push(invalid('new_snapshot_id', `is not what results, which is ${newSnapshotId}`));
  }
  const repo = artifact.repo ?? site.repo;
  const key = [here.active, artifact.base_snapshot_id, newSnapshotId, repo].join('\0');
  const { lists, linked } = await site.lastFound.of(key, () => findDelta(site, toBase, delta, repo));
  const hasRepo = isRead(unread, 'repo');
  if (hasRepo) found.push(...listProblems(artifact.deltas, lists, unread));
  else found.push(unseen('deltas', 'symbol ids follow from the repository that it names'));
  const paths = pathsToTakeIn(artifact, site);
  const problems = found.slice(0, mostProblems);
  const step = { base: artifact.base_snapshot_id, snapshotId: newSnapshotId };
  const isKnown = here.taken.some(one => isSameStep(one, step)) && (await isHere(newSnapshotId, here));
  const checked = { problems, base, isKnown, newSnapshotId, sources, stats, paths, files: broughtBy(delta) };
  return {
    checked,
    prepared: toBase.size === 0 ? { before: here.active, after: newSnapshotId, linked } : undefined,
  };
}

const mostFiles = 100;

function broughtBy(delta: ManifestDelta): readonly ContentAt[] {
  return [...delta].slice(0, mostFiles).map(([path, { after }]) => [path, after?.entry.hash ?? null]);
}

/**
 * A path at which nothing stands, and nothing stood, is none to look at: of one that a watcher names it must be assumed
 * that a file came and went there, under whose other names all files would be looked at.
 */
function pathsToTakeIn(artifact: DeltaArtifact, site: DeltaSite): readonly RepoPath[] {
  return namedPaths(artifact).filter(path => site.tree.get(path) !== undefined || onDisk(path, site) !== undefined);
}

function refused(problems: readonly DeltaProblem[], base: KnownBase | undefined, stats?: DeltaStats): DeltaCheck {
  const shown = problems.slice(0, mostProblems);
  const nothing = { isKnown: false, newSnapshotId: '', paths: [], files: [], sources: [] };
  return { checked: { problems: shown, base, stats, ...nothing }, prepared: undefined };
}

interface Hindrance {
  readonly isForeign: boolean;
  /** All files that it names are known. */
  readonly isWhole: boolean;
  /** It names a base. */
  readonly hasBase: boolean;
  readonly base: KnownBase | undefined;
}

/** What could not be looked at, for its outcome hangs on what is wrong: whoever mends that learns of the rest then. */
function unchecked(artifact: DeltaArtifact, { isForeign, isWhole, hasBase, base }: Hindrance): readonly DeltaProblem[] {
  const because = [
    ...(isForeign ? ['what other versions make of the files can’t be compared'] : []),
    ...(!isForeign && base === undefined ? ['its base is not known here'] : []),
    ...(isWhole ? [] : ['not all files that it names are as it says']),
  ].join(', and ');
  return [
    ...(isForeign && hasBase && base === undefined
      ? [unseen('base_snapshot_id', 'trees that other versions have read have other ids')]
      : []),
    ...(artifact.new_snapshot_id === undefined ? [] : [unseen('new_snapshot_id', because)]),
    unseen('deltas', because),
    ...(isForeign && artifact.facts !== undefined ? [unseen('facts', because)] : []),
  ];
}

function unseen(path: string, why: string): DeltaProblem {
  return { reason: 'unchecked', path, message: `not checked: ${why}` };
}

function invalid(path: string, message: string): DeltaProblem {
  return { reason: 'invalid', path, message };
}

/** How snapshots are made here, as artifacts tell it. */
export function madeBy(making: SnapshotMaking, dialects: Iterable<Dialect | ''>, versionOf: DeltaSite['versionOf']) {
  const named = [...new Set(dialects)].filter((dialect): dialect is Dialect => dialect !== '').sort();
  return {
    linker: making.linkerVersion,
    source_bytes: making.sourceBytes,
    line_characters: making.lineCharacters,
    extractors: Object.fromEntries(named.map(dialect => [dialect, versionOf(dialect)])),
  };
}

/** Trees that other extractors have read can't be compared: that is said, and not that the base is wrong. */
function versionProblems({ made_by: made }: DeltaArtifact, { making, versionOf }: DeltaSite): readonly DeltaProblem[] {
  if (made === undefined) return [];
  const ours = madeBy(making, Object.keys(made.extractors) as Dialect[], versionOf);
  const differs = (path: string, theirs: number, mine: number | undefined): readonly DeltaProblem[] =>
    theirs === mine
      ? []
      : [
          {
            reason: 'extractor_version',
            path: `made_by.${path}`,
            message: `is ${theirs}, and here it is ${mine ?? 'unknown'}`,
          },
        ];
  return [
    ...differs('linker', made.linker, ours.linker),
    ...differs('source_bytes', made.source_bytes, ours.source_bytes),
    ...differs('line_characters', made.line_characters, ours.line_characters),
    ...Object.entries(made.extractors).flatMap(([dialect, version]) =>
      differs(`extractors.${dialect}`, version, ours.extractors[dialect]),
    ),
  ];
}

function movedFrom(
  toBase: ManifestDelta,
  lines: ReadonlyMap<RepoPath, ManifestLine | undefined>,
  site: DeltaSite,
): { readonly delta: ManifestDelta; readonly newSnapshotId: string } {
  const base = (path: RepoPath) => {
    const change = toBase.get(path);
    return change === undefined ? site.tree.get(path) : change.after;
  };
  const delta = difference(base, lines);
  return { delta, newSnapshotId: idAfter(joined(toBase, delta, site), site) };
}

/** One step in place of two, from the indexed tree to the base and on. */
export function joined(toBase: ManifestDelta, delta: ManifestDelta, { tree }: Pick<DeltaSite, 'tree'>): ManifestDelta {
  const on = [...delta].map(([path, { after }]) => [path, { path, before: tree.get(path), after }] as const);
  return new Map([...toBase, ...on]);
}

/** What the artifact says that a content holds must be what reading it gives: facts are taken from nobody's word. */
function factProblems(
  { facts = {} }: DeltaArtifact,
  lines: ReadonlyMap<RepoPath, ManifestLine | undefined>,
  site: DeltaSite,
): readonly DeltaProblem[] {
  const ours = parcelsOf(lines.values(), site);
  const read = new Set<string | undefined>([...lines.values()].map(line => line?.entry.hash));
  return Object.entries(facts).flatMap(([hash, text]) => {
    if (!read.has(hash) || text === ours.get(hash)) return [];
    const parts = unpackFacts(text);
    const path = `facts.${hash}`;
    if (parts === undefined) return [invalid(path, 'can’t be read')];
    const isSame = sameFacts(parts, unpackFacts(ours.get(hash) ?? ''), site.limits.bytes);
    return isSame ? [] : [invalid(path, 'are not what the content holds')];
  });
}

/** The text may be deflated otherwise elsewhere: what it inflates to counts. */
function sameFacts(theirs: readonly ParcelPart[], ours: readonly ParcelPart[] = [], mostBytes: number): boolean {
  return (
    theirs.length === ours.length &&
    theirs.every(({ dialect, version, facts, text }, index) => {
      const own = ours[index]!;
      const isAlike = dialect === own.dialect && version === own.version && Buffer.compare(facts, own.facts) === 0;
      return isAlike && inflated(text, mostBytes) === inflated(own.text, mostBytes);
    })
  );
}

function inflated(text: Uint8Array, maxOutputLength: number): string | undefined {
  try {
    return new TextDecoder().decode(inflateSync(text, { maxOutputLength }));
  } catch {
    return undefined;
  }
}

/** The facts of some lines as artifacts carry them, by content hash. */
export function parcelsOf(
  lines: Iterable<ManifestLine | undefined>,
  { desk }: Pick<DeltaSite, 'desk'>,
): ReadonlyMap<string, string> {
  const parts = new Map<string, Map<string, ParcelPart>>();
  for (const line of lines) {
    const key = line === undefined ? undefined : factKeyOf(line);
    if (key === undefined) continue;
    const { hash, dialect, version } = key;
    const ofHash = parts.get(hash) ?? new Map<string, ParcelPart>();
    parts.set(hash, ofHash);
    if (!ofHash.has(dialect)) ofHash.set(dialect, { dialect, version, facts: desk.facts(key)!, text: desk.text(key)! });
  }
  const sorted = (of: ReadonlyMap<string, ParcelPart>) => [...of.keys()].sort().map(dialect => of.get(dialect)!);
  return new Map([...parts].map(([hash, of]) => [hash, packFacts(sorted(of))]));
}

/** Every row that is named and does not follow, and every one that follows and is not named. */
function listProblems(named: DeltaLists, due: DeltaLists, unread: ReadonlySet<string>): readonly DeltaProblem[] {
  const problems: DeltaProblem[] = [];
  for (const group of Object.keys(due) as (keyof DeltaLists)[]) {
    const lists = due[group] as Readonly<Record<string, readonly unknown[]>>;
    for (const [list, rows] of Object.entries(lists)) {
      const theirs = (named[group] as Readonly<Record<string, readonly unknown[]>>)[list]!;
      const path = `deltas.${group}.${list}`;
      if (isRead(unread, path)) problems.push(...compared(path, theirs, rows));
    }
  }
  return problems;
}

function compared(path: string, theirs: readonly unknown[], ours: readonly unknown[]): readonly DeltaProblem[] {
  // Whoever made it made it as we do, mostly: texts are put together where that is not so.
  if (theirs.length === ours.length && theirs.every((row, at) => isSameRow(row, ours[at]))) return [];
  const due = new Map<string, number>();
  for (const row of ours) {
    const text = textOf(row);
    due.set(text, (due.get(text) ?? 0) + 1);
  }
  const surplus = new Set<string>();
  for (const row of theirs) {
    if (surplus.size >= mostProblems) break;
    const text = textOf(row);
    const left = due.get(text) ?? 0;
    if (left > 0) due.set(text, left - 1);
    else surplus.add(text);
  }
  const missing = [...due].filter(([, left]) => left > 0);
  const shown = (row: string): string => (row.length > 300 ? `${row.slice(0, 300)}…` : row);
  return [
    ...[...surplus].map(row => invalid(path, `does not follow from the files: ${shown(row)}`)),
    ...missing.map(([row]) => invalid(path, `is missing: ${shown(row)}`)),
  ];
}

function isSameRow(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const fields = Object.keys(one) as (keyof typeof one)[];
  return fields.length === Object.keys(other).length && fields.every(field => one[field] === other[field]);
}

/** Fields may stand in any order. */
function textOf(row: unknown): string {
  if (typeof row !== 'object' || row === null) return JSON.stringify(row);
  return JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
}
