import type { Config } from '../config-schema.ts';
import { stepsPerSecond } from '../extract/budget.ts';
import { defaultScipLimits, type ScipLimits } from '../extract/scip/limits.ts';
import { createIndexEngine, type EngineNotice, type IndexEngine } from '../jobs/engine.ts';
import { createWatcher } from '../jobs/follow/watcher.ts';
import type { DaemonState } from './open-state.ts';

/** What indexes trees. */
export function engineOf(
  { shadowFolder, ownFolders, inFlightFolder, config, deaths, hasFewFiles }: DaemonState,
  onNotice: (notice: EngineNotice) => void,
): IndexEngine {
  const { limits } = config.values();
  return createIndexEngine({
    shadowFolder,
    ownFolders,
    inFlightFolder,
    ...(hasFewFiles ? { extractWorkers: 1, idleMs: 250 } : {}),
    parseSteps: limits.parse_seconds * stepsPerSecond,
    sourceLimits: { bytes: limits.source_bytes, lineCharacters: limits.source_line_characters },
    scipLimits: () => scipLimitsOf(config.values()),
    dangerousInputs: deaths.dangerousInputs,
    onNotice,
  });
}

export function scipLimitsOf({ limits }: Config): ScipLimits {
  return {
    bytes: limits.scip_bytes,
    documents: limits.scip_documents,
    messageBytes: limits.scip_document_bytes,
    occurrences: limits.scip_occurrences,
    symbols: limits.scip_symbols,
    symbolBytes: limits.scip_symbol_bytes,
    nesting: defaultScipLimits.nesting,
  };
}

/** What follows them. */
export function watcherOf({
  places,
  shadowFolder,
  ownFolders,
  config,
  start,
  observe,
}: DaemonState): ReturnType<typeof createWatcher> {
  return createWatcher({
    cookieFolder: places.cookies,
    shadowFolder,
    ownFolders,
    backend: config.values().watch.backend,
    fileSystemOverride: start.environment['SVC_FSTYPE'],
    onTrouble: cause => observe({ kind: 'daemon.fault', what: 'the watch worker', cause }),
  });
}
