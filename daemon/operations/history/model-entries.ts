import { hash } from 'node:crypto';
import type { RefreshScope } from '../../../client/protocol/refresh.ts';
import type { BlamedContent } from '../../model/history.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { allResponsibilities } from '../analysis/all-responsibilities.ts';
import { type AnalysedSnapshot, analysed } from '../analysis/analyses.ts';
import { architectureAnswer } from '../analysis/architecture.ts';
import {
  type HistoricalContext,
  type HistoricalSnapshot,
  type HistoricalSources,
  historicalSnapshot,
} from './historical.ts';
import { hotspotsIn } from './hotspots.ts';

/** What a part of the model is made of now. */
export interface ModelEntries {
  /** A digest of each entry, which changes when it does. */
  readonly entries: ReadonlyMap<string, string>;
  /** Of ownership: what git has to be asked about. */
  readonly contents: readonly BlamedContent[];
}

/** Plain values, so that it crosses to the read worker. Without history a part may have no entries. */
export interface EntriesCall extends Omit<HistoricalContext, 'at'> {
  readonly scope: RefreshScope;
  readonly at: HistoricalContext['at'] | undefined;
}

/** The entries of a part of the model. `check` throws where nobody wants them any more. */
export async function modelEntries(
  reader: IndexReader,
  sources: HistoricalSources,
  call: EntriesCall,
  check: () => void,
): Promise<ModelEntries> {
  const { at, scope } = call;
  if (scope === 'responsibilities') {
    const all = await allResponsibilities(reader, call.asked, { check, onProgress: () => {} });
    return { entries: new Map(all.map(({ told, digest: said }) => [told.moduleId, said])), contents: [] };
  }
  return analysed(reader, call.asked, snapshot => {
    const withHistory = (tell: (of: HistoricalSnapshot) => ModelEntries): ModelEntries =>
      at === undefined ? nothing : tell(historicalSnapshot(snapshot, sources, { ...call, at }, () => {}));
    switch (scope) {
      case 'modules':
        return { entries: modulesOf(snapshot), contents: [] };
      case 'ownership':
        return withHistory(ownershipOf);
      case 'hotspots':
        return withHistory(of => ({ entries: scoresOf(of), contents: [] }));
    }
  });
}

const nothing: ModelEntries = { entries: new Map(), contents: [] };

/** As the architecture tells of them by default: themselves and what they depend on. */
function modulesOf(of: AnalysedSnapshot): ReadonlyMap<string, string> {
  const told = architectureAnswer(of, {
    ...{ granularity: 'module', depth: 2, includeExternalDeps: false, inferModules: true, refresh: false },
    ...{ format: 'json', sync: false },
  });
  if (typeof told === 'string' || told.granularity !== 'module') return new Map();
  const { modules, dependencies, entrypoints } = told;
  return new Map(
    modules.map(module => {
      const uses = dependencies.filter(({ from }) => from === module.id);
      const starts = entrypoints.filter(({ moduleId }) => moduleId === module.id);
      return [module.id, digest([module, uses, starts])];
    }),
  );
}

/** By what decides them, so that nobody need be asked who wrote what: contents, their history, and who is declared. */
function ownershipOf({ past, fromRoot }: HistoricalSnapshot): ModelEntries {
  const entries = new Map<string, string>();
  const contents: BlamedContent[] = [];
  for (const path of past.tree.keys()) {
    const own = fromRoot(path);
    const content = past.contentOf(path);
    if (own === undefined || content === undefined) continue;
    contents.push(content);
    entries.set(own, digest([content.blob, content.basis]));
  }
  return { entries, contents };
}

/** To two places: what is less is no news. */
function scoresOf(of: HistoricalSnapshot): ReadonlyMap<string, string> {
  return new Map(hotspotsIn(of, 30).hotspots.map(({ candidate, score }) => [candidate.path, score.toFixed(2)]));
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'hex').slice(0, 16);
}
