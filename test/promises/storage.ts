import type { Promised } from './promised.ts';

/** What is stored stays whole: P20 to P25. */
export const storage: readonly Promised[] = [
  {
    number: 20,
    says: 'A damaged index never yields a wrong answer: a closed file is sealed by a digest of the whole, rows of an open one by digests of their own, compared at first reading and while the daemon rests. What does not hold is made anew and logged.',
    tests: [
      { file: 'daemon/store/damage.test.ts' },
      { file: 'daemon/store/damaged-rows.test.ts' },
      { file: 'daemon/jobs/mend-index.test.ts' },
      { file: 'daemon/server/scrub-at-rest.test.ts' },
      { file: 'fault/damage.test.ts' },
      { file: 'long/damage.long.ts' },
    ],
    breaks: [
      {
        how: 'the seal of a closed file is not compared',
        file: 'daemon/store/seal.ts',
        from: 'return sealed === sha256(file) && logBytes(file) === 0;',
        to: 'return logBytes(file) === 0;',
        red: {
          file: 'daemon/store/damage.test.ts',
          title: 'every damage to a file at rest is noticed before it is opened (P20)',
        },
      },
      {
        how: 'a log that lies beside a sealed file is taken for its own',
        file: 'daemon/store/seal.ts',
        from: ' === sha256(file) && logBytes(file) === 0;',
        to: ' === sha256(file);',
        red: {
          file: 'daemon/store/damage.test.ts',
          title: 'every damage to a file at rest is noticed before it is opened (P20)',
        },
      },
      {
        how: 'facts are not compared with their digest at first reading',
        file: 'daemon/store/fact-table.ts',
        from: 'if (!isDigest(row.digest, digestOf(row.facts)))',
        to: 'if (row.facts === undefined)',
        red: {
          file: 'daemon/store/damaged-rows.test.ts',
          title: 'a flipped bit in what is stored of a document is found before it is an answer',
        },
      },
      {
        how: 'what a killed daemon left is not compared before the first answer',
        file: 'daemon/store/scrub.ts',
        from: 'scrub(file, undefined, isOver);\n    return true;',
        to: 'return !isOver() || true;',
        red: {
          file: 'daemon/store/damage.test.ts',
          title: 'what leads to rows is compared before the first answer where a killed daemon left the file (P20)',
        },
      },
      {
        how: 'what the comparison at rest finds is told to nobody',
        file: 'daemon/server/scrub-at-rest.ts',
        from: '      options.damagedAt(repo, error);\n',
        to: '',
        red: { file: 'daemon/server/scrub-at-rest.test.ts' },
      },
      {
        how: 'a damaged document is mended without a word in the log',
        file: 'daemon/log.ts',
        from: "    case 'index.corrupt':\n      logger.error(observation, kind);\n      return;\n",
        to: "      logger.error(observation, kind);\n      return;\n    case 'index.corrupt':\n      return;\n",
        red: {
          file: 'fault/damage.test.ts',
          title: 'whatever becomes of an index file while no daemon runs changes no answer, and is logged (P20)',
        },
      },
    ],
  },
  {
    number: 21,
    says:
      'A corrupt index is put aside, two and a gigabyte at most, and built anew unasked, with 503 and Retry-After meanwhile; what is registered is none of it. A corrupt daemon.db is restored from its last verified copy, and no key opens anything that was taken back since, nor one that ' +
      'is not as it was stored.',
    tests: [
      { file: 'fault/damage.test.ts' },
      { file: 'fault/federation-damage.test.ts' },
      { file: 'daemon/store/daemon-db.test.ts' },
      { file: 'daemon/store/quarantine.test.ts' },
      { file: 'daemon/operations/restart.test.ts' },
      {
        file: 'fault/released-schemas.test.ts',
        title: 'a copy of each released schema is good to restore from (P21, P25)',
      },
      {
        file: 'daemon/store/access-keys.test.ts',
        title: 'a key whose row is not as it was stored is told apart, whatever of it became another (P21)',
      },
      {
        file: 'daemon/server/index-door.test.ts',
        title: 'a key whose row is not as it was stored opens nothing, and doctor names it; another still does (P21)',
      },
    ],
    breaks: [
      {
        how: 'an index that was put aside is not built anew',
        file: 'daemon/server/keep-indexed.ts',
        from: '    this.#discard(repository, what);\n    this.#firstRun(repository);\n',
        to: '    this.#discard(repository, what);\n',
        red: {
          file: 'fault/damage.test.ts',
          title:
            'an index file that is damaged under a running daemon gives right answers or none, and right ones after an edit (P21)',
        },
      },
      {
        how: 'damaged files pile up',
        file: 'daemon/store/quarantine.ts',
        from: 'kept < copiesKept && ',
        to: '',
        red: { file: 'daemon/store/quarantine.test.ts' },
      },
      {
        how: 'a damaged file is kept, however large it is',
        file: 'daemon/store/quarantine.ts',
        from: ' && bytes <= room',
        to: '',
        red: { file: 'daemon/store/quarantine.test.ts' },
      },
      {
        how: 'a copy of daemon.db is not verified before it is restored',
        file: 'daemon/store/daemon-file.ts',
        from: "      requireSound(connection);\n      const version = translated(() => connection.pragma('user_version', { simple: true }));\n      if (version === daemonFile.schemaVersion) requireColumns(connection);\n",
        to: '',
        red: { file: 'daemon/store/daemon-db.test.ts' },
      },
      {
        how: 'other tables under its version are taken for those of daemon.db',
        file: 'daemon/store/daemon-file.ts',
        from: '    requireSound(connection);\n    requireColumns(connection);\n',
        to: '    requireSound(connection);\n',
        red: { file: 'daemon/store/daemon-db.test.ts' },
      },
      {
        how: 'a key that was revoked since the copy was made is good again',
        file: 'daemon/store/daemon-file.ts',
        from: '    revokeWithdrawn(file, sql, nowMs);\n',
        to: '    void nowMs;\n',
        red: {
          file: 'daemon/store/daemon-db.test.ts',
          title:
            'a key that was revoked or given another secret since the copy was made opens nothing after that is restored (P21)',
        },
      },
      {
        how: 'a key whose row is another than was stored opens what it says',
        file: 'daemon/server/index-door.ts',
        from: 'return key?.isSound && timingSafeEqual(digest, key.digest)',
        to: 'return key !== undefined && timingSafeEqual(digest, key.digest)',
        red: {
          file: 'daemon/server/index-door.test.ts',
          title: 'a key whose row is not as it was stored opens nothing, and doctor names it; another still does (P21)',
        },
      },
      {
        how: 'the old secret of a key that was given another is not withdrawn',
        file: 'daemon/store/access-keys.ts',
        from: "        withdraw(file, key.digest);\n        change(id, 'prefix",
        to: "        change(id, 'prefix",
        red: {
          file: 'daemon/store/daemon-db.test.ts',
          title:
            'a key that was revoked or given another secret since the copy was made opens nothing after that is restored (P21)',
        },
      },
    ],
  },
  {
    number: 22,
    says: 'On a full disk or a failing device reads go on and writes are refused with 503, `disk_full` or `io_error`; nothing is half applied, and all comes back without a restart. After a failed sync a database is looked at anew before it is written to.',
    tests: [
      { file: 'fault/full-disk.test.ts' },
      { file: 'fault/full-log.test.ts' },
      { file: 'fault/failed-calls.test.ts' },
      { file: 'daemon/store/failed-device.test.ts' },
      {
        file: 'daemon/store/index-db.test.ts',
        title: 'a full disk fails the publication, not what is there, and it succeeds once there is room (P22)',
      },
      { file: 'daemon/log.test.ts', title: 'a log that can’t be written costs its lines and nothing else' },
      { file: 'fault/store-decision.test.ts' },
      { file: 'long/failed-calls.long.ts' },
      { file: 'long/full-disk.long.ts' },
    ],
    breaks: [
      {
        how: 'an index is written to again after a failed sync',
        file: 'daemon/store/index-db.ts',
        from: "      if (error instanceof StoreError && error.trouble === 'ioError') failed = error;\n",
        to: '',
        red: {
          file: 'daemon/store/failed-device.test.ts',
          title: 'after a failed sync nothing is written to an index until it is opened anew, and reads go on (P22)',
        },
      },
      {
        how: 'daemon.db is written to after a failed sync without being verified',
        file: 'daemon/store/daemon-file.ts',
        from: 'if (isInDoubt) reopen();',
        to: '',
        red: {
          file: 'daemon/store/failed-device.test.ts',
          title: 'after a failed sync daemon.db is verified before it is written to again (P22)',
        },
      },
      {
        how: 'a full disk is no trouble that anybody knows',
        file: 'daemon/store/connection.ts',
        from: "if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return 'diskFull';",
        to: "if (code === 'EDQUOT') return 'diskFull';",
        red: {
          file: 'daemon/store/index-db.test.ts',
          title: 'a full disk fails the publication, not what is there, and it succeeds once there is room (P22)',
        },
      },
      {
        how: 'a write that is refused for want of room says something else',
        file: 'daemon/store/store-faults.ts',
        from: "diskFull: { reason: 'disk_full',",
        to: "diskFull: { reason: 'io_error',",
        red: { file: 'fault/full-disk.test.ts' },
      },
      {
        how: 'a log that can’t be written ends what is being said',
        file: 'daemon/log.ts',
        from: '      droppedLines += lines.length;\n',
        to: '      droppedLines += lines.length;\n      throw caught;\n',
        red: { file: 'fault/full-log.test.ts' },
      },
    ],
  },
  {
    number: 23,
    says: 'A file that must last takes the place of another in one order: written, synced, renamed, its folder synced. A power cut leaves the old one or the new one, whole.',
    tests: [{ file: 'fault/system-calls.test.ts' }, { file: 'fault/store-decision.test.ts' }],
    breaks: [
      {
        how: 'what leads clients to the daemon, and what is restored or copied, is not synced before it takes its name',
        file: 'daemon/store/durably.ts',
        from: '  syncPath(from);\n',
        to: '',
        red: { file: 'fault/system-calls.test.ts' },
      },
      {
        how: 'the folder of what was restored or copied is not synced',
        file: 'daemon/store/durably.ts',
        from: '  syncPath(dirname(to));\n',
        to: '',
        red: {
          file: 'fault/system-calls.test.ts',
          title: 'is safe on the disk before it bears its name, and its name before anybody relies on it (',
        },
      },
      {
        how: 'an index that was uploaded is not synced before it takes its name',
        file: 'daemon/store/new-index.ts',
        from: '  syncPath(fresh);\n',
        to: '',
        red: {
          file: 'fault/system-calls.test.ts',
          title: 'is safe on the disk before it bears its name, and its name before anybody relies on it (',
        },
      },
      {
        how: 'the token is not synced before it takes its name',
        file: 'daemon/server/token.ts',
        from: '    fsyncSync(file);\n',
        to: '',
        red: { file: 'fault/system-calls.test.ts' },
      },
      {
        how: 'a decision is not synced before it takes its name',
        file: 'daemon/jobs/decisions/create-decision.ts',
        from: '    await file.sync();\n',
        to: '',
        red: {
          file: 'fault/store-decision.test.ts',
          title: 'a document is safe on the disk before it bears its name, and its name before it is told (',
        },
      },
    ],
  },
  {
    number: 24,
    says: 'The log of an index stays within 64 MiB under constant load, for nobody who reads keeps a transaction open between answers.',
    tests: [
      { file: 'daemon/store/log-bound.test.ts' },
      { file: 'daemon/store/daemon-db.test.ts', title: 'its log is bounded however much is written while it is open' },
      { file: 'daemon/store/member-file.test.ts', title: 'a log that grows is carried over into the file' },
      { file: 'long/log-bound.long.ts' },
    ],
    breaks: [
      {
        how: 'the log is not carried over while there is work',
        file: 'daemon/store/index-db.ts',
        from: "if (logBytes(file) > limit) connection.pragma('wal_checkpoint(PASSIVE)');",
        to: 'void limit;',
        red: { file: 'daemon/store/log-bound.test.ts' },
      },
      {
        how: 'a reader keeps its transaction',
        file: 'daemon/store/index-reader.ts',
        from: '    connection.inTransaction ? work() : translated(() => transaction.deferred(work) as T);\n',
        to: "    translated(() => {\n      if (!connection.inTransaction) connection.exec('BEGIN');\n      void transaction;\n      return work();\n    });\n",
        red: { file: 'daemon/store/log-bound.test.ts' },
      },
      {
        how: 'the log of daemon.db grows for as long as it is open',
        file: 'daemon/store/daemon-file.ts',
        from: 'const logPages = 256;',
        to: 'const logPages = 0;',
        red: {
          file: 'daemon/store/daemon-db.test.ts',
          title: 'its log is bounded however much is written while it is open',
        },
      },
    ],
  },
  {
    number: 25,
    says: 'An upgrade, a crash in it and a downgrade are safe: every released daemon.db is brought to the present schema with all that it says, in one step; one that a newer version wrote is refused with exit code 78 and left as it is, log and copy too.',
    tests: [
      { file: 'fault/released-schemas.test.ts' },
      {
        file: 'fault/doctor-checks.test.ts',
        title: 'an index that a newer program wrote is told, left alone, and answers again for whom it was written',
      },
      { file: 'daemon/store/index-file.test.ts' },
      { file: 'long/killed-databases.long.ts' },
    ],
    breaks: [
      {
        how: 'a newer schema is not refused',
        file: 'daemon/store/connection.ts',
        from: 'if (version > kind.schemaVersion) {',
        to: 'if (version < 0) {',
        red: {
          file: 'fault/released-schemas.test.ts',
          title: 'a daemon.db that a newer version wrote is refused with 78 and left as it is, log and all (P25)',
        },
      },
      {
        how: 'the log of a newer version is carried over into the file that is refused',
        file: 'daemon/store/connection.ts',
        from: '    if (!isNew && logBytes(file) > 0) requireKnownVersion(file, kind);\n',
        to: '',
        red: {
          file: 'fault/released-schemas.test.ts',
          title: 'a daemon.db that a newer version wrote is refused with 78 and left as it is, log and all (P25)',
        },
      },
      {
        how: 'a refused schema ends with another exit code',
        file: 'daemon/server/start-failure.ts',
        from: 'new StartFailed(78, `daemon.db was written by a newer svc',
        to: 'new StartFailed(75, `daemon.db was written by a newer svc',
        red: {
          file: 'fault/released-schemas.test.ts',
          title: 'a daemon.db that a newer version wrote is refused with 78 and left as it is, log and all (P25)',
        },
      },
      {
        how: 'a copy that a newer version made is taken for damage',
        file: 'daemon/store/daemon-file.ts',
        from: "if (!(error instanceof StoreError && error.trouble === 'corrupt')) throw error;\n    return false;",
        to: "if (!(error instanceof StoreError && ['corrupt', 'newerSchema'].includes(error.trouble))) throw error;\n    return false;",
        red: {
          file: 'fault/released-schemas.test.ts',
          title: 'a copy that a newer version made is neither taken for damage nor written over (P25)',
        },
      },
      {
        how: 'an upgrade is no one step',
        file: 'daemon/store/connection.ts',
        from: '          kind.upgrade(connection, version);\n',
        to: "          kind.upgrade(connection, version);\n          connection.exec('COMMIT; BEGIN IMMEDIATE');\n",
        red: {
          file: 'fault/released-schemas.test.ts',
          title: 'killed at any commit, a process leaves daemon.db at its old schema or at the present one (P8, P25)',
        },
      },
      {
        how: 'a migration that was released is edited',
        file: 'daemon/store/migrations/003.sql',
        from: "ADD COLUMN epoch TEXT NOT NULL DEFAULT '';",
        to: "ADD COLUMN epoch TEXT NOT NULL DEFAULT 'e';",
        red: {
          file: 'fault/released-schemas.test.ts',
          title: 'each released schema of daemon.db is brought to the present one, with every row of it (P25)',
        },
      },
    ],
  },
];
