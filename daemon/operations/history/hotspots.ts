import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { type Candidate, type Hotspot, hotspotScore, hottestFirst } from '../../analysis/hotspots/hotspots.ts';
import { callVolume } from '../../analysis/usage/call-volume.ts';
import type { FileHistory } from '../../model/history.ts';
import { rounded } from '../../model/rounded.ts';
import type { MeasuredDocument } from '../../store/measured-documents.ts';
import { isInScope, scopeIn } from '../scope.ts';
import { completeness } from '../symbols/answers.ts';
import { callsByFile } from '../telemetry/calls-by-file.ts';
import type { HistoricalSnapshot } from './historical.ts';
import type { HistoryPeople } from './history-people.ts';
import { historyTold, isoTime } from './told.ts';

type Input = InputOf<Operations['hotspots.list']>;
type Output = OutputOf<Operations['hotspots.list']>;

/** Code that changes often, by many, and is complex. Throws `invalidParameter` for a scope in which nothing lies. */
export function hotspotsAnswer(of: HistoricalSnapshot, { scope: asked, days, limit, rankBy }: Input): Output {
  const { hotspots: all } = hotspotsIn(of, days);
  const scope = scopeIn(
    all.map(({ candidate }) => candidate.path),
    asked,
  );
  const meant = scope === undefined ? all : all.filter(({ candidate }) => isInScope(candidate.path, scope));
  const calls = rankBy === 'production' ? callsByFile(of, days) : undefined;
  const ranked = calls === undefined ? meant : byProduction(meant, calls, days);
  const newest = of.past.history.commitCount === 0 ? undefined : of.past.history.commit(0).committedAt;
  return {
    hotspots: ranked.slice(0, limit).map(one => hotspotTold(of, one, calls)),
    total: meant.length,
    changed: meant.filter(({ commits }) => commits > 0).length,
    days,
    scope: scope ?? null,
    rankBy,
    lastCommit: newest === undefined ? null : isoTime(newest),
    ...historyTold(of),
    snapshotId: of.snapshot.snapshotId,
    completeness: completeness(of.snapshot, of.asked, 0),
    timestamp: new Date(of.asked.now).toISOString(),
  };
}

/** A score times the logarithm of calls a day; what is not called comes last, by its score. */
function byProduction<One extends Hotspot<CodeFile>>(
  hotspots: readonly One[],
  calls: ReadonlyMap<string, number>,
  days: number,
): readonly One[] {
  const worth = ({ score, candidate }: One): number => score * callVolume((calls.get(candidate.path) ?? 0) / days);
  return [...hotspots].sort((a, b) => worth(b) - worth(a) || b.score - a.score);
}

interface CodeFile extends Candidate {
  readonly document: MeasuredDocument;
}

interface Found {
  readonly key: string;
  readonly people: HistoryPeople;
  /** Those of all code, the hottest first. */
  readonly hotspots: readonly Hotspot<CodeFile>[];
  /** Scores what is no code of the snapshot as if it were. */
  readonly scored: (candidate: Candidate) => Hotspot;
}

const hour = 3600;
const foundKept = 8;
const found = new WeakMap<ReadonlyMap<number, MeasuredDocument>, WeakMap<FileHistory, Found[]>>();

/** Windows end with the hour, so that answers are kept for so long. */
export function hotspotsIn(of: HistoricalSnapshot, days: number): Pick<Found, 'hotspots' | 'scored'> {
  const { asked, past, settings, reader, snapshot } = of;
  const measured = reader.measured(asked.repo.key, snapshot.seq)!;
  const now = (Math.floor(asked.now / 1000 / hour) + 1) * hour;
  const key = JSON.stringify([now, days, settings.halfPoints]);
  const byHistory = found.get(measured) ?? new WeakMap<FileHistory, Found[]>();
  found.set(measured, byHistory);
  const kept = byHistory.get(past.history) ?? [];
  byHistory.set(past.history, kept);
  const known = kept.find(one => one.key === key && one.people === of.people);
  if (known !== undefined) return known;
  const candidates = [...measured.values()]
    .filter(({ language }) => language !== 'configuration')
    .map(document => ({
      path: document.path,
      file: past.history.fileOf(of.fromTop(document.path)),
      cyclomatic: document.cyclomatic,
      document,
    }));
  const { halfPoints } = settings;
  const scored = hotspotScore(past.history, { days, now, halfPoints, personOf: of.people.personOf });
  const made: Found = { key, people: of.people, hotspots: hottestFirst(candidates.map(scored)), scored };
  kept.unshift(made);
  kept.splice(foundKept);
  return made;
}

function hotspotTold(
  of: HistoricalSnapshot,
  hotspot: Hotspot<CodeFile>,
  calls: ReadonlyMap<string, number> | undefined,
): Output['hotspots'][number] {
  const { document, path, cyclomatic } = hotspot.candidate;
  const { direction, velocity, projection30d } = hotspot.trend;
  return {
    targetId: path,
    targetType: 'file',
    score: rounded(hotspot.score, 4),
    trend: { direction, velocity: rounded(velocity, 6), projection30d: rounded(projection30d, 4) },
    metrics: {
      churnCommits30d: hotspot.commits30d,
      churnAuthors30d: hotspot.authors30d,
      complexityCyclomatic: cyclomatic,
      churnCommits: hotspot.commits,
      churnAuthors: hotspot.authors,
      coupledFiles: hotspot.coupled,
      lines: document.lineCount,
      ...(calls === undefined ? {} : { observedCalls: calls.get(path) ?? 0 }),
    },
    language: document.language,
    isTest: document.isTest,
    moduleId: of.moduleOf(path).id,
  };
}
