import type { DaemonDatabase } from '../store/daemon-db.ts';
import { analysisHandlers } from './analysis.ts';
import { type ContractsOptions, contractsHandlers } from './contracts.ts';
import { type DaemonOptions, daemonHandlers } from './daemon.ts';
import { type DecisionsOptions, decisionsHandlers } from './decisions.ts';
import { type DeltaOptions, deltaHandlers } from './delta.ts';
import { type DocsOptions, docsHandlers } from './docs.ts';
import { type EnvironmentOptions, environmentHandlers } from './environment.ts';
import type { ObservedConsumersOptions } from './federation/observed-consumers.ts';
import { federationHandlers } from './federation.ts';
import type { Handlers } from './handler.ts';
import { type AskingHistoryOptions, createAskingHistory } from './history/asking-history.ts';
import { hotspotsHandlers } from './hotspots.ts';
import { type IndexServerOptions, indexServerHandlers } from './index-server.ts';
import { type IndexingOptions, indexingHandlers } from './indexing.ts';
import { jobsHandlers } from './jobs.ts';
import { ownershipHandlers } from './ownership.ts';
import { pullRequestHandlers } from './pull-request.ts';
import { refreshHandlers } from './refresh.ts';
import { type RemoteOptions, remoteHandlers } from './remote.ts';
import type { SymbolsHandlers } from './symbols.ts';
import { type SystemOptions, systemHandlers } from './system.ts';
import { telemetryIntake } from './telemetry/take-in.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { type TelemetryIntakeOptions, telemetryIntakeHandlers } from './telemetry.ts';
import { type TokensOptions, tokensHandlers } from './tokens.ts';
import { usageHandlers } from './usage.ts';

export interface HandlersOptions
  extends DaemonOptions,
    Pick<DecisionsOptions, 'decisionsFolder'>,
    DeltaOptions,
    EnvironmentOptions,
    IndexingOptions,
    Pick<RemoteOptions, 'mirrors'>,
    Omit<ContractsOptions, keyof ObservedConsumersOptions>,
    Omit<IndexServerOptions, 'asking'>,
    Omit<SystemOptions, 'histories'>,
    Omit<TelemetryIntakeOptions, 'telemetry'>,
    TokensOptions,
    Omit<AskingHistoryOptions, 'asking'> {
  readonly git: ContractsOptions['git'];
  readonly symbols: SymbolsHandlers;
  readonly telemetry: Telemetry;
  readonly database: Pick<DaemonDatabase, 'lastSync' | 'oldestSync' | 'syncAt'> & DocsOptions['database'];
}

/** Every handler by the name of its operation: a missing one does not compile. */
export function createHandlers(options: HandlersOptions): Handlers {
  const { symbols } = options;
  const askingHistory = createAskingHistory({ asking: symbols.asking, ...options });
  return {
    ...systemHandlers(options),
    ...indexingHandlers(options),
    ...deltaHandlers(options),
    'symbols.get': symbols['symbols.get'],
    'symbols.search': async (input, context) => {
      const answer = await symbols['symbols.search'](input, context);
      options.observe({ kind: 'search.answered', repo: context.repository.id, type: 'names' });
      return answer;
    },
    'symbols.refs': symbols['symbols.refs'],
    ...analysisHandlers(symbols.asking),
    ...hotspotsHandlers(askingHistory),
    ...ownershipHandlers(askingHistory),
    ...pullRequestHandlers(askingHistory),
    ...refreshHandlers(options.jobs),
    ...environmentHandlers(options),
    ...decisionsHandlers({ ...options, asking: symbols.asking }),
    ...docsHandlers({ ...options, asking: symbols.asking }),
    ...jobsHandlers(options.jobs),
    ...daemonHandlers(options),
    ...indexServerHandlers({ ...options, asking: symbols.asking }),
    ...tokensHandlers(options),
    ...remoteHandlers(options),
    ...federationHandlers(options),
    ...contractsHandlers({ ...options, readPool: symbols.asking.readPool }),
    ...telemetryIntakeHandlers({
      ...options,
      telemetry: telemetryIntake({ ...options, readPool: symbols.asking.readPool }),
    }),
    ...usageHandlers({ ...options, asking: symbols.asking, history: askingHistory }),
  };
}
