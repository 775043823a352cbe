import type { Places } from '../../../client/paths.ts';
import type { FileSystemType } from '../../../watch/file-system.ts';
import type { GitAvailability } from '../../backends/git.ts';
import type { LspHealth } from '../../backends/lsp-health.ts';
import type { LoadedConfig } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import type { DaemonDatabase } from '../../store/daemon-db.ts';
import type { StoreError } from '../../store/store-faults.ts';
import type { DecisionSurvey } from '../decisions/decision-answers.ts';
import type { Federations } from '../federations.ts';
import type { RequestContext } from '../handler.ts';
import type { Histories } from '../history/histories.ts';
import type { FileState, HttpListeners, LastEnd } from '../process.ts';
import type { ReadPool } from '../readers/read-pool.ts';
import type { ServedRepositories } from '../served-repository.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { IndexerPlans } from './indexer-checks.ts';

/** The installation as the doctor sees it. */
export interface Installation {
  readonly places: Places;
  readonly fileSystemType: FileSystemType;
  readonly version: string;
  readonly socketPath: () => string;
  readonly config: () => LoadedConfig;
  readonly fileState: () => FileState;
  readonly repositories: Pick<ServedRepositories, 'get' | 'list'>;
  readonly holdsLock: () => boolean;
  /** False where the lock is held, and its file damaged. */
  readonly isLockWhole: () => boolean;
  /** Whether a file holds the token in force. */
  readonly isTokenIn: (file: string) => boolean;
  readonly listeners: Pick<HttpListeners, 'own' | 'failure'>;
  /** What index servers are to serve and can't. */
  readonly indexServers: { troubles(): readonly { readonly id: string; readonly why: string }[] };
  readonly git: () => Promise<GitAvailability>;
  readonly lspHealth: () => Promise<readonly LspHealth[]>;
  readonly precise: IndexerPlans;
  readonly log: Pick<Log, 'status'>;
  readonly database: Pick<
    DaemonDatabase,
    'origin' | 'quarantined' | 'jobs' | 'writeTrouble' | 'remote' | 'keys' | 'readHeads'
  >;
  /** Whether the copy from which a damaged daemon.db is restored could not be made last. */
  readonly isCopyFailing: () => boolean;
  readonly federations: Pick<Federations, 'list' | 'states'>;
  readonly recentDeaths: () => number;
  readonly lastEnd: LastEnd | undefined;
  readonly loopDelayMs: () => number;
  readonly ownershipChecks: ReadPool['ownershipChecks'];
  /** To be told of an index file that can't be read: it may have to be made anew. */
  readonly onDamage: (repo: string, error: StoreError) => void;
  readonly histories: Pick<Histories, 'at' | 'authors' | 'state'>;
  readonly telemetry: Pick<Telemetry, 'isObserved' | 'isEnabled' | 'strayEntries' | 'services' | 'dropped'>;
  /** Looks at the decision records of a repository. */
  readonly decisions: (of: SurveyOf) => Promise<DecisionSurvey>;
}

interface SurveyOf extends Pick<RequestContext, 'now' | 'signal'> {
  readonly repo: RepositoryRecord;
}
