import { inSlices } from '../../jobs/in-slices.ts';
import type { MemberFile, MemberHotspot, MemberModule, MemberOwnership, MemberRows } from '../../model/federation.ts';
import type { FileHistory } from '../../model/history.ts';
import { rounded } from '../../model/rounded.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { allResponsibilities } from '../analysis/all-responsibilities.ts';
import { type AnalysedSnapshot, analysed } from '../analysis/analyses.ts';
import {
  type HistoricalContext,
  type HistoricalSnapshot,
  type HistoricalSources,
  historicalSnapshot,
} from '../history/historical.ts';
import { hotspotsIn } from '../history/hotspots.ts';
import { allFiles } from '../ownership/asked-files.ts';
import { topOf } from '../ownership/ownership-files.ts';
import type { OwnershipSources } from '../ownership/ownership-sources.ts';
import { type MemberOwners, memberOwners } from './member-owners.ts';

/** What is asked of a member's index and history; plain values, so that it crosses to the read worker. */
export interface MemberRowsCall extends Omit<HistoricalContext, 'at'> {
  /** Undefined where nothing is committed, or there is no git. */
  readonly at: HistoricalContext['at'] | undefined;
  /** '' where there is no work tree. */
  readonly root: string;
  /** Files of which owners and times are wanted. */
  readonly files: readonly string[];
}

export type IndexRows = Omit<MemberRows, 'decisions'>;

/** What a federation knows of a member's code. `check` throws where nobody wants it any more. */
export async function memberRows(
  reader: IndexReader,
  sources: HistoricalSources,
  call: MemberRowsCall,
  check: () => void,
): Promise<IndexRows> {
  const responsibilities = await allResponsibilities(reader, call.asked, { check, onProgress: () => {} });
  const modules: MemberModule[] = [];
  const ownership: MemberOwnership[] = [];
  const { files, ids, languages } = filesByModule(reader, call);
  await inSlices(ids, check, moduleId => {
    const told = responsibilities.find(one => one.told.moduleId === moduleId)?.told;
    const owners = withOwners(reader, sources, call, of => of?.of(files.get(moduleId) ?? []) ?? []);
    modules.push({
      moduleId,
      name: told?.name ?? moduleId,
      responsibility: told?.summary ?? '',
      capabilities: told?.capabilities ?? [],
      confidence: told?.confidence ?? 0,
      language: languages.get(moduleId) ?? '',
      ownerRef: owners[0]?.identity ?? '',
    });
    const written = owners.filter(({ source }) => source !== 'codeowners');
    if (written.length > 0) ownership.push({ pattern: patternOf(moduleId), owners: written });
  });
  const declared = withOwners(reader, sources, call, of => of?.declared ?? []);
  const known = filesTold(reader, sources, call);
  return { modules, ownership: [...declared, ...ownership], hotspots: hottest(reader, sources, call), files: known };
}

function patternOf(moduleId: string): string {
  return moduleId === '@root' ? '*' : `/${moduleId}/`;
}

interface ModuleFiles {
  readonly ids: readonly string[];
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly languages: ReadonlyMap<string, string>;
}

function filesByModule(reader: IndexReader, { asked }: MemberRowsCall): ModuleFiles {
  return analysed(reader, asked, of => {
    const files = new Map<string, string[]>();
    for (const path of allFiles(of, '')) {
      const { id } = of.moduleOf(path);
      const known = files.get(id) ?? [];
      known.push(path);
      files.set(id, known);
    }
    const { modules } = of.modules();
    return {
      files,
      ids: modules.map(({ id }) => id),
      languages: new Map(modules.map(({ id, language }) => [id, language])),
    };
  });
}

/** Without history owners are those that are declared; without a work tree there are none. */
function withOwners<Told>(
  reader: IndexReader,
  sources: HistoricalSources,
  call: MemberRowsCall,
  tell: (owners: MemberOwners | undefined, snapshot: AnalysedSnapshot, past: FileHistory | undefined) => Told,
): Told {
  const { at, root, settings, asked } = call;
  const now = asked.now / 1000;
  return analysed(reader, asked, snapshot => {
    if (at !== undefined) {
      const of = historicalSnapshot(snapshot, sources, { ...call, at }, () => {});
      return tell(memberOwners(of.owners, at.prefix, now), snapshot, of.past.history);
    }
    if (root === '') return tell(undefined, snapshot, undefined);
    const { top, prefix } = topOf(root);
    const state = sources.owners.of({ top, sources: nothingWritten, configured: settings.people, now });
    return tell(memberOwners(state, prefix, now), snapshot, undefined);
  });
}

const nothingWritten: OwnershipSources = {
  version: '',
  history: undefined,
  people: [],
  isIgnored: () => false,
  blamed: () => 'none',
};

function filesTold(
  reader: IndexReader,
  sources: HistoricalSources,
  call: MemberRowsCall,
): Readonly<Record<string, MemberFile>> {
  const prefix = call.at?.prefix ?? '';
  return withOwners(reader, sources, call, (owners, snapshot, past) =>
    Object.fromEntries(
      call.files.map(path => {
        const [newest] = past?.touches(`${prefix}${path}`) ?? [];
        const committedAt = newest === undefined ? {} : { committedAt: past!.commit(newest.commit).committedAt * 1000 };
        const all = owners?.of([path]) ?? [];
        const declared = all.filter(({ source }) => source === 'codeowners');
        const owning = (declared.length > 0 ? declared : all.filter(({ scope }) => scope !== 'contributor')).map(
          ({ identity }) => identity,
        );
        return [path, { owners: owning, moduleId: snapshot.moduleOf(path).id, ...committedAt }];
      }),
    ),
  );
}

/** What nobody changes and is not complex is asked about by nobody. */
const mostHotspots = 5_000;

function hottest(reader: IndexReader, sources: HistoricalSources, call: MemberRowsCall): readonly MemberHotspot[] {
  const { at } = call;
  if (at === undefined) return [];
  return analysed(reader, call.asked, snapshot => {
    const of: HistoricalSnapshot = historicalSnapshot(snapshot, sources, { ...call, at }, () => {});
    return hotspotsIn(of, 30)
      .hotspots.filter(({ score }) => score > 0)
      .slice(0, mostHotspots)
      .map(({ candidate, score, commits30d }) => ({
        targetId: candidate.path,
        score: rounded(score, 4),
        churnCommits30d: commits30d,
        complexityCyclomatic: candidate.cyclomatic,
        language: candidate.document.language,
      }));
  });
}
