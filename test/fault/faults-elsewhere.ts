/**
 * What doctor can report beside what `staged-faults.ts` stages: faults that take a machine of their own, an index server,
 * an indexer, or more than one life of a daemon. Each is shown, red and green again, by a test that is named here.
 */
export interface Shown {
  readonly check: string;
  /** What is wrong then. */
  readonly fault: string;
  /** Below `test/`. */
  readonly file: string;
  readonly title: string;
}

const lasting = (check: string, fault: string, file: string, title: string): Shown => ({ check, fault, file, title });
const atOnce = (check: string, fault: string): Shown =>
  lasting(
    check,
    fault,
    'fault/fleeting-faults.test.ts',
    'what no daemon lives long enough to tell turns its check red and green again',
  );
const fullDisk = 'a full disk: reads go on, writes say so, nothing is half applied, and all comes back with the space';
const newer = 'an index that a newer program wrote is told, left alone, and answers again for whom it was written';

export const shownElsewhere: readonly Shown[] = [
  lasting('disk-space', 'the disk is all but full', 'fault/full-disk.ts', fullDisk),
  lasting('log', 'the log can’t be written', 'fault/full-disk.ts', fullDisk),
  lasting('database.storage', 'daemon.db can’t be written', 'fault/full-disk.ts', fullDisk),
  lasting('index.storage', 'an index can’t be written', 'fault/full-disk.ts', fullDisk),
  lasting(
    'daemon.crashes',
    'the last daemon was killed',
    'daemon/server/last-end.test.ts',
    'doctor tells that the last daemon was killed, and when; not after an end in order',
  ),
  lasting(
    'database',
    'daemon.db was damaged, and restored',
    'daemon/operations/restart.test.ts',
    'daemon.db damaged while the daemon was away is restored from its copy, and doctor says so',
  ),
  lasting('index.integrity', 'a newer program wrote the index', 'fault/doctor-checks.test.ts', newer),
  lasting(
    'index.verification',
    'rows of the index are damaged',
    'fault/damage.test.ts',
    'what nobody asks about is compared too: damage is found, told and mended while the daemon rests',
  ),
  lasting(
    'inputs',
    'a file ended three daemons',
    'fault/deadly-input.test.ts',
    'an input in flight in three deaths, whatever they were, is passed over until it is edited; everything else is indexed',
  ),
  lasting(
    'index.failed',
    'a file can’t be parsed',
    'fault/deadly-input.test.ts',
    'an input in flight in three deaths, whatever they were, is passed over until it is edited; everything else is indexed',
  ),
  lasting(
    'repository.file-system',
    'the tree lies on a network file system',
    'fault/watching-doctor.test.ts',
    'doctor names a tree on a network file system, and a git that is missing',
  ),
  lasting(
    'watch',
    'kernel watches have run out',
    'fault/watching-doctor.test.ts',
    'says so with the remedy, and follows the tree all the same',
  ),
  lasting(
    'index.freshness',
    'the kernel dropped events',
    'fault/watching-doctor.test.ts',
    'events that the kernel dropped are found missing, and nothing is called fresh until they are made up for',
  ),
  lasting(
    'index.partial',
    'the syntax of a file is broken',
    'daemon/server/unlisted.test.ts',
    'a file that was read only in part is counted in answers, and named by doctor until it is mended',
  ),
  lasting(
    'indexer.*',
    'an indexer failed',
    'daemon/server/indexer-troubles.test.ts',
    'doctor warns of an indexer that came to nothing, with the reason, until a run is good again',
  ),
  lasting(
    'language-servers',
    'a language server that is configured is missing',
    'daemon/server/backends.test.ts',
    'a language server that is configured is greeted, and its health is told wherever backends are',
  ),
  lasting(
    'repositories.hosted',
    'an uploaded index is damaged',
    'daemon/server/hosted.test.ts',
    'an index that is damaged while it answers is lost as well',
  ),
  lasting(
    'mirrors',
    'the server of a mirror fails',
    'daemon/operations/remote.test.ts',
    'what a hostile or failing server sends changes nothing, and is told',
  ),
  lasting(
    'federations',
    'a member of a federation is gone',
    'daemon/operations/federation.test.ts',
    'a repository that is removed, and a folder that goes, are missing, and come back with what they were',
  ),
  lasting(
    'index_server.repos',
    'a folder that the configuration serves is gone',
    'daemon/server/index-servers.test.ts',
    'a daemon offers it where the configuration says so, from one second to the next, and doctor tells what is amiss',
  ),
  lasting(
    'repository.registered',
    'a folder is in no registered repository',
    'daemon/server/unregistered.test.ts',
    'doctor examines the daemon where nothing is registered, and names the command where one stands elsewhere',
  ),
  atOnce('database.copy', 'the copy of daemon.db can’t be made'),
  atOnce('indexers', 'an indexer changes the tree that it indexes'),
  atOnce('clock', 'the clock was set back'),
  atOnce('daemon.lock', 'the lock was replaced'),
  atOnce('file-system', 'the state folder lies on a network file system'),
  atOnce('daemon.json', 'what leads clients to the daemon is open to others'),
  atOnce('event-loop', 'the main thread is held up'),
];

/** What is said of every daemon and is no fault: never more than `info`, but for a tier that somebody asks for and has not. */
export const told: readonly string[] = [
  'daemon.version',
  'limits',
  'jobs',
  'repository.trust',
  'repository.source',
  'tier.*',
];
