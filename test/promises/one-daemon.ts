import type { Promised } from './promised.ts';

const oneLeader = 'daemon/server/one-leader.test.ts';
const succession = 'daemon/server/succession.test.ts';
const processTest = 'daemon/server/process.test.ts';
const places = 'daemon/server/places.test.ts';
const reachable = 'daemon/server/reachable.test.ts';
const lifecycle = 'daemon/server/lifecycle.test.ts';
const successor = 'client/successor.test.ts';
const socket = 'client/socket.test.ts';
const paths = 'client/paths.test.ts';
const start = 'client/start.test.ts';
const idleExit = 'daemon/server/idle-exit.test.ts';
const crash = 'fault/crash.test.ts';
const deadlyInput = 'fault/deadly-input.test.ts';
const deaths = 'daemon/server/deaths.test.ts';

/** One daemon, always reachable: P1 to P10. */
export const oneDaemon: readonly Promised[] = [
  {
    number: 1,
    says: 'At most one daemon leads for a user and a state folder, however many are started at once; one that dies is replaced by whoever asks next, and one that lost its lock leaves with 75.',
    tests: [
      { file: 'daemon/server/lock.test.ts' },
      { file: oneLeader },
      { file: processTest, title: 'a killed leader is replaced, and each call of looping clients succeeds (P1)' },
      { file: processTest, title: 'a second daemon in the same home leaves at once and changes nothing (P1)' },
      { file: lifecycle, title: 'a leader that lost the lock leaves with 75, within a second (P1)' },
      { file: start, title: 'of many clients that find no daemon one starts it, and all are answered (P1)' },
      { file: 'long/killed-leaders.long.ts' },
    ],
    breaks: [
      {
        how: 'the lock can be shared',
        file: 'daemon/server/lock.ts',
        from: "connection.exec('BEGIN EXCLUSIVE');",
        to: 'if (isEmpty(file)) return { isHeld: () => true, isWhole: () => true, release: () => connection.close() };',
        red: {
          file: oneLeader,
          title:
            'a dozen daemons started at once, by nobody who waits his turn: one leads, the others leave with 75 (P1)',
        },
      },
      {
        how: 'a lock that may only be read is taken, which locks nobody out',
        file: 'daemon/server/lock.ts',
        from: "    connection.pragma('user_version = 0');\n",
        to: '',
        red: {
          file: 'daemon/server/lock.test.ts',
          title: 'a lock that its owner may not open, or not write, is named with what lets him (P1)',
        },
      },
      {
        how: 'a lock file that was replaced counts as held',
        file: 'daemon/server/lock.ts',
        from: 'inode !== undefined && isAt(file, inode)',
        to: 'true',
        red: { file: 'daemon/server/lock.test.ts' },
      },
      {
        how: 'files in the daemon’s own folders are read as anybody’s',
        file: 'daemon/server/open-engine.ts',
        from: 'ownFolders,\n    inFlightFolder,',
        to: 'inFlightFolder,',
        red: {
          file: oneLeader,
          title:
            'a daemon that indexes the tree in which its own folders lie reads none of their files, and leads on (P1)',
        },
      },
      {
        how: 'a leader does not look whether it holds its lock',
        file: 'daemon/server/lifecycle.ts',
        from: 'if (!isLeaving && !options.holdsLock())',
        to: 'if (false)',
        red: { file: lifecycle, title: 'a leader that lost the lock leaves with 75, within a second (P1)' },
      },
      {
        how: 'the lock is kept until the last request has ended',
        file: 'daemon/main.ts',
        from: '        lock.release();\n',
        to: '',
        red: {
          file: succession,
          title: 'an old daemon with a request open cuts nobody off from the new one, nor from itself (P3)',
        },
      },
      {
        how: 'whoever bears the number in daemon.json is taken for the leader',
        file: 'client/leader.ts',
        from: 'locks === undefined ? pidLeftBehind(places) : holderOf(inode, locks)',
        to: 'pidLeftBehind(places)',
        red: {
          file: oneLeader,
          title:
            'a daemon.json that names a stranger’s process: nobody is signalled, and a daemon starts (P1, PID reuse)',
        },
      },
      {
        how: 'a call does not go on to the daemon that follows a killed one',
        file: 'client/socket.ts',
        from: 'if (error instanceof ConnectionLost) return error.mayHaveRun ?',
        to: 'if (error instanceof ConnectionLost && !error.mayHaveRun) return error.mayHaveRun ?',
        red: { file: successor, title: 'a call whose daemon dies is asked again if it only reads (P1)' },
      },
      {
        how: 'every client starts a daemon, without a turn',
        file: 'client/start.ts',
        from: 'if (!takeLock(startLockFile, isFrozen)) {',
        to: 'if (!takeLock(startLockFile, isFrozen) && false) {',
        red: { file: start, title: 'of many clients that find no daemon one starts it, and all are answered (P1)' },
      },
    ],
  },
  {
    number: 2,
    says: 'A daemon that lives and does not answer keeps its socket and its lead: a command ends with 75 and "busy (pid N)", starts no other and removes nothing.',
    tests: [
      {
        file: 'cli/daemon.test.ts',
        title:
          'a frozen daemon is busy: twenty commands end with 75 and its number, its socket and its lead unchanged (P2)',
      },
      { file: socket, title: 'a daemon that takes the call and never answers is busy, and keeps its socket (P2)' },
      {
        file: oneLeader,
        title: 'a command that can’t find the daemon that leads starts no other; once that one is gone it does (P1)',
      },
      { file: reachable, title: 'sockets of dead daemons are removed at a start, those of the living stay (P2, P3)' },
      {
        file: 'long/leaving.long.ts',
        title:
          'a daemon that is frozen for fifteen seconds keeps its socket and its lead; twenty calls are told that it is busy (P2)',
      },
    ],
    breaks: [
      {
        how: 'a daemon that does not answer counts as gone',
        file: 'client/socket.ts',
        from: "(error.reason === 'timeout' || error.reason === 'busy')) throw busy(record);",
        to: "(error.reason === 'timeout' || error.reason === 'busy')) return undefined;",
        red: {
          file: 'cli/daemon.test.ts',
          title:
            'a frozen daemon is busy: twenty commands end with 75 and its number, its socket and its lead unchanged (P2)',
        },
      },
      {
        how: 'its socket is removed as that of a dead one',
        file: 'daemon/server/discovery.ts',
        from: 'if (!Number.isSafeInteger(pid) || isAlive(pid)) continue;\n    const path = join(folder, name);\n    if (!(await isRefused(path))) continue;',
        to: 'const path = join(folder, name);\n    if (!Number.isSafeInteger(pid) || pid === process.pid) continue;',
        red: {
          file: reachable,
          title: 'sockets of dead daemons are removed at a start, those of the living stay (P2, P3)',
        },
      },
    ],
  },
  {
    number: 3,
    says: 'A daemon that leaves never cuts off the one that follows: each has a socket of its own name, clients follow daemon.json, and that is replaced in one step, by its owner alone.',
    tests: [
      {
        file: succession,
        title: 'an old daemon with a request open cuts nobody off from the new one, nor from itself (P3)',
      },
      {
        file: 'daemon/server/discovery.test.ts',
        title: 'a daemon that leaves takes the record of none but itself away (P3)',
      },
      {
        file: 'daemon/server/discovery.test.ts',
        title: 'whoever reads daemon.json while it is replaced reads one record or the other, whole (P3)',
      },
      {
        file: processTest,
        title: 'SIGTERM: idle connections close, the socket and the record are gone, exit 0 (P3, P7)',
      },
      { file: reachable },
      { file: successor },
    ],
    breaks: [
      {
        how: 'all daemons share the name of the socket',
        file: 'daemon/server/open-service.ts',
        from: 'newPath: () => socketPath(places, ',
        to: "newPath: () => socketPath(places, 'svc.sock' || ",
        red: {
          file: reachable,
          title: 'sockets of dead daemons are removed at a start, those of the living stay (P2, P3)',
        },
      },
      {
        how: 'the record of another daemon is taken away',
        file: 'daemon/server/discovery.ts',
        from: 'if (readDaemonRecord(places)?.pid !== pid) return;',
        to: 'if (readDaemonRecord(places) === undefined) return;',
        red: {
          file: 'daemon/server/discovery.test.ts',
          title: 'a daemon that leaves takes the record of none but itself away (P3)',
        },
      },
      {
        how: 'a daemon that leaves stands in daemon.json still',
        file: 'daemon/main.ts',
        from: '        removeDaemonRecord(places, process.pid);\n',
        to: '',
        red: {
          file: processTest,
          title: 'SIGTERM: idle connections close, the socket and the record are gone, exit 0 (P3, P7)',
        },
      },
      {
        how: 'daemon.json is written where it stands',
        file: 'daemon/server/durable-file.ts',
        from: 'const temporary = ',
        to: 'const temporary = path || ',
        red: {
          file: 'daemon/server/discovery.test.ts',
          title: 'whoever reads daemon.json while it is replaced reads one record or the other, whole (P3)',
        },
      },
      {
        how: 'clients stay with the daemon that leaves',
        file: 'client/socket.ts',
        from: 'if (record === undefined || left.has(record.socket)) return undefined;',
        to: 'if (record === undefined) return undefined;',
        red: {
          file: successor,
          title: 'a daemon that left is followed by one start: one that fails is not made again (P3)',
        },
      },
    ],
  },
  {
    number: 4,
    says: 'The runtime folder is 0700, the user’s own and no link, or nothing starts (77, with the fix); socket, token, logs and databases are 0600 whatever the umask; a socket path too long for the system moves to a short private folder and is never cut.',
    tests: [
      { file: places },
      { file: processTest, title: 'modes are closed whatever the umask (P4)' },
      { file: processTest, title: 'a runtime folder that is ' },
      { file: paths },
    ],
    breaks: [
      {
        how: 'the socket is as open as the umask has it',
        file: 'daemon/server/socket-server.ts',
        from: '  chmodSync(path, 0o600);\n',
        to: '',
        red: { file: processTest, title: 'modes are closed whatever the umask (P4)' },
      },
      {
        how: 'folders are what the umask leaves of them',
        file: 'client/paths.ts',
        from: '    chmodSync(folder, 0o700);\n',
        to: '',
        red: { file: paths, title: 'folders are made 0700 under any umask, and nothing in them is open (P4)' },
      },
      {
        how: 'a runtime folder is taken whoever owns it and may write in it',
        file: 'client/paths.ts',
        from: '  assertOwn(places.runtime, places.uid, 0o077);\n',
        to: '',
        red: {
          file: paths,
          title: 'a runtime folder that is open, a link, a file or a stranger’s is refused with the fix (P4)',
        },
      },
      {
        how: 'a runtime folder of another user’s is taken',
        file: 'client/paths.ts',
        from: 'if (stats.uid !== uid) {',
        to: 'if (false) {',
        red: { file: paths, title: 'a private file is a file of ours that is closed (P4, P5)' },
      },
      {
        how: 'a socket path is as long as the runtime folder makes it',
        file: 'client/paths.ts',
        from: 'if (Buffer.byteLength(wanted) <= longestSocketPath) return wanted;',
        to: 'return wanted;',
        red: { file: paths, title: 'a socket path is never cut: a long one moves to a short private folder (P4)' },
      },
    ],
  },
  {
    number: 5,
    says: 'A client says nothing before it knows that socket and folder are the user’s alone (77 else), and the token goes to no address but the one that daemon.json names.',
    tests: [
      {
        file: 'cli/endings.test.ts',
        title: 'a squatter learns nothing: neither on the socket nor on a port that the daemon does not name (P5)',
      },
      { file: socket, title: 'nothing is sent to a socket or folder that others could have made (P5)' },
      {
        file: places,
        title:
          'a runtime folder of another user’s is refused with 77 by daemon and command; its socket hears nothing (P4, P5)',
      },
      {
        file: places,
        title: 'a command says nothing to a daemon while ',
      },
      { file: paths, title: 'daemon.json is trusted only when it is ours, and read only when it is whole (P5)' },
      { file: paths, title: 'a private file is a file of ours that is closed (P4, P5)' },
      { file: paths, title: 'daemon.json leads to a socket of its own home alone, whichever links lead there (P5)' },
      {
        file: 'daemon/server/discovery.test.ts',
        title:
          'who copies the home of a daemon that runs speaks with a daemon of the copy, and never with that one (P5)',
      },
      {
        file: 'client/http.test.ts',
        title: 'answers are parsed, faults keep reason and body, the token goes along (P5)',
      },
    ],
    breaks: [
      {
        how: 'the client connects before it looks',
        file: 'client/connection.ts',
        from: '  assertPeer(path, uid);\n  const socket',
        to: '  const socket',
        red: { file: socket, title: 'nothing is sent to a socket or folder that others could have made (P5)' },
      },
      {
        how: 'the folder of the socket is not looked at',
        file: 'client/connection.ts',
        from: '    assertOwn(dirname(path), uid, 0o077);\n',
        to: '',
        red: { file: socket, title: 'nothing is sent to a socket or folder that others could have made (P5)' },
      },
      {
        how: 'daemon.json is believed whoever can write it',
        file: 'client/paths.ts',
        from: "    assertPrivateFile(places.daemonFile, places.uid, 'file');\n",
        to: '',
        red: { file: paths, title: 'daemon.json is trusted only when it is ours, and read only when it is whole (P5)' },
      },
      {
        how: 'daemon.json is followed wherever it leads',
        file: 'client/paths.ts',
        from: 'record !== undefined && isOfThisHome(places, record.socket) ? record : undefined',
        to: 'record',
        red: {
          file: paths,
          title: 'daemon.json leads to a socket of its own home alone, whichever links lead there (P5)',
        },
      },
      {
        how: 'the token goes to whatever address SVC_URL has',
        file: 'cli/session.ts',
        from: ' || !isSameOrigin(record.url, url)',
        to: '',
        red: {
          file: 'cli/endings.test.ts',
          title: 'a squatter learns nothing: neither on the socket nor on a port that the daemon does not name (P5)',
        },
      },
    ],
  },
  {
    number: 6,
    says: 'A command of the same major version works with whatever daemon runs; a newer one replaces a daemon that has nothing to do, by its drain; jobs and uploads are never cut off for that, and who can’t be understood is told in one line.',
    tests: [
      {
        file: succession,
        title:
          'twenty newer commands at once: each is answered by the one successor, and what ran for others ends well (P6)',
      },
      {
        file: succession,
        title: 'versions against a daemon that indexes: none ends its work, each is answered or told in one line (P6)',
      },
      {
        file: succession,
        title: 'versions against a daemon that is sent an index: none ends the upload, which is taken in once (P6)',
      },
      { file: processTest, title: 'versions: another protocol is told −32006, with advice (P6)' },
      {
        file: successor,
        title: 'versions: the same major goes, a newer client replaces an idle daemon, an older one is told (P6)',
      },
      { file: successor, title: 'versions are ordered by number, not by letter (P6)' },
    ],
    breaks: [
      {
        how: 'a daemon with a job is replaced',
        file: 'client/socket.ts',
        from: 'jobs.queued + jobs.running + uploads === 0',
        to: 'uploads === 0',
        red: {
          file: succession,
          title:
            'versions against a daemon that indexes: none ends its work, each is answered or told in one line (P6)',
        },
      },
      {
        how: 'a daemon that is sent an index does not say so',
        file: 'daemon/operations/daemon.ts',
        from: 'uploads: hosted.underWay(),',
        to: 'uploads: 0,',
        red: {
          file: succession,
          title: 'versions against a daemon that is sent an index: none ends the upload, which is taken in once (P6)',
        },
      },
      {
        how: 'an older command replaces a newer daemon',
        file: 'client/socket.ts',
        from: "options.start.kind === 'command' && isNewer(options.version, link.server.version)",
        to: "options.start.kind === 'command' && options.version !== link.server.version",
        red: {
          file: successor,
          title: 'versions: the same major goes, a newer client replaces an idle daemon, an older one is told (P6)',
        },
      },
      {
        how: 'each newer command ends the daemon that it finds at work',
        file: 'daemon/main.ts',
        from: 'cause => lifecycle.leave(cause)',
        to: 'cause => lifecycle.urge(cause)',
        red: {
          file: succession,
          title: 'two that ask it to stop at the same moment are one wish: what is under way is finished (P7)',
        },
      },
      {
        how: 'a daemon of another major version is spoken to',
        file: 'client/socket.ts',
        from: "if (version === '0' || majorOf(version) === majorOf(options.version)) return link;",
        to: 'return link;',
        red: {
          file: successor,
          title: 'versions: the same major goes, a newer client replaces an idle daemon, an older one is told (P6)',
        },
      },
    ],
  },
  {
    number: 7,
    says: 'Told to stop, a daemon takes no new connection, finishes what is under way, and after ten seconds tells what remains (503, −32007) and leaves with 0; a second signal ends it at once. No job is left running.',
    tests: [
      { file: lifecycle },
      {
        file: succession,
        title:
          'at the end of the drain who asked is told, who only lingers is cut, a job is interrupted; exit 0, and all is in its files (P7)',
      },
      { file: 'http/closing.test.ts' },
      {
        file: succession,
        title: 'two that ask it to stop at the same moment are one wish: what is under way is finished (P7)',
      },
      {
        file: succession,
        title: 'of what the end of the drain cuts off, the successor is asked what only reads, and nothing else (P7)',
      },
      { file: succession, title: 'a second signal ends a daemon that waits for a request (P7)' },
      { file: 'long/leaving.long.ts' },
    ],
    breaks: [
      {
        how: 'new connections are taken',
        file: 'daemon/server/socket-server.ts',
        from: '    drain() {\n      isDraining = true;\n      door.server.close();',
        to: '    drain() {\n      isDraining = true;',
        red: {
          file: succession,
          title: 'two that ask it to stop at the same moment are one wish: what is under way is finished (P7)',
        },
      },
      {
        how: 'active requests are not waited for',
        file: 'daemon/server/lifecycle.ts',
        from: 'await Promise.all([parted, quiet(leftMs)]);',
        to: 'await parted;',
        red: { file: lifecycle, title: 'it gives up leadership at once and waits for the last request (P1, P7)' },
      },
      {
        how: 'a request holds it for as long as it likes',
        file: 'daemon/server/lifecycle.ts',
        from: '> 0 && leftMs() > 0) await passed(Math.min(10, leftMs()));',
        to: '> 0) await passed(10);',
        red: { file: lifecycle, title: 'at ten seconds what remains is told, and it leaves (P7)' },
      },
      {
        how: 'a second signal is not heard',
        file: 'daemon/server/lifecycle.ts',
        from: '    if (isUrged) settle(cutShort);\n',
        to: '',
        red: { file: lifecycle, title: 'a second signal leaves now (P7)' },
      },
      {
        how: 'who is cut off on the socket is not told',
        file: 'daemon/server/socket-server.ts',
        from: 'connection.end(cutOff())',
        to: 'connection.end()',
        red: {
          file: succession,
          title:
            'at the end of the drain who asked is told, who only lingers is cut, a job is interrupted; exit 0, and all is in its files (P7)',
        },
      },
      {
        how: 'the log of daemon.db is left behind',
        file: 'daemon/main.ts',
        from: '        state.database.close();\n',
        to: '',
        red: {
          file: succession,
          title:
            'at the end of the drain who asked is told, who only lingers is cut, a job is interrupted; exit 0, and all is in its files (P7)',
        },
      },
    ],
  },
  {
    number: 8,
    says: 'Killed at any instruction, a daemon leaves the old snapshot or the new one, whole; the next one answers at once, and the jobs that ran are failed as interrupted.',
    tests: [{ file: crash }, { file: 'long/crash-sweep.long.ts' }],
    breaks: [
      {
        how: 'jobs that ran stay running',
        file: 'daemon/main.ts',
        from: '  indexing.jobs.recover();\n',
        to: '',
        red: {
          file: crash,
          title:
            'a job whose daemon was killed is failed, interrupted, and the repository is indexed all the same (P8)',
        },
      },
      {
        how: 'what is published is not one transaction',
        file: 'daemon/store/connection.ts',
        from: '  const result = whole.immediate();\n',
        to: "  const result = work();\n  failpoint('before-commit', file);\n",
        red: {
          file: crash,
          title: 'a daemon killed in the midst of an update leaves the old snapshot or the new one (P8)',
        },
      },
    ],
  },
  {
    number: 9,
    says: 'A daemon that a client started leaves after half an hour in which nobody needed it, and drops nothing: connections, subscriptions, jobs, uploads and watched trees keep it, and a call at the moment of its leaving is asked of the next one.',
    tests: [
      { file: idleExit },
      {
        file: lifecycle,
        title: 'it leaves after idle minutes without a break, and never while something is under way (P9)',
      },
      {
        file: lifecycle,
        title:
          'a thousand calls around the moment of an idle exit: each is answered whole, or told to ask the next daemon (P9)',
      },
      { file: 'long/leaving-leaders.long.ts' },
    ],
    breaks: [
      {
        how: 'it leaves while somebody is connected',
        file: 'daemon/main.ts',
        from: 'service.socket.connections() + hub.subscriberCount() === 0',
        to: 'true',
        red: {
          file: idleExit,
          title: 'a daemon that nobody needs leaves after half an hour; a subscription and a connection keep it (P9)',
        },
      },
      {
        how: 'it leaves while a request is under way',
        file: 'daemon/main.ts',
        from: 'queued + running + dispatcher.inFlight() === 0',
        to: 'queued + running === 0',
        red: {
          file: idleExit,
          title: 'an upload that comes and a repository that is kept keep a daemon that nobody is connected to (P9)',
        },
      },
      {
        how: 'it leaves the repositories that it keeps',
        file: 'daemon/main.ts',
        from: ' && indexing.repositories.list().length === 0',
        to: '',
        red: {
          file: idleExit,
          title: 'an upload that comes and a repository that is kept keep a daemon that nobody is connected to (P9)',
        },
      },
      {
        how: 'a call that a leaving daemon refused is not asked again',
        file: 'client/socket.ts',
        from: "if (!(error instanceof Fault) || error.reason !== 'shuttingDown') return undefined;",
        to: 'return undefined;',
        red: { file: successor, title: 'a call passes from a leaving daemon to its successor (P3)' },
      },
      {
        how: 'who is not answered is not told that nothing was begun',
        file: 'client/socket.ts',
        from: "if (error instanceof ConnectionLost) return error.mayHaveRun ? 'may-have-run' : 'not-begun';",
        to: "if (error instanceof ConnectionLost) return 'may-have-run';",
        red: {
          file: successor,
          title: 'a call that a daemon said goodbye to is asked of the next one, whatever it does (P9)',
        },
      },
    ],
  },
  {
    number: 10,
    says: 'No input brings the daemon down again and again: what was being parsed in three deaths is passed over until its content changes, everything else is indexed, restarts wait from one second to sixty, and doctor names the file and why.',
    tests: [{ file: deadlyInput }, { file: deaths }],
    breaks: [
      {
        how: 'deaths are not counted',
        file: 'daemon/server/deaths.ts',
        from: 'if (deaths < deadlyAfter) continue;',
        to: 'continue;',
        red: {
          file: deadlyInput,
          title:
            'an input in flight in three deaths, whatever they were, is passed over until it is edited; everything else is indexed (P10)',
        },
      },
      {
        how: 'restarts do not wait',
        file: 'daemon/server/deaths.ts',
        from: 'recent < 2 ? 0 : Math.min',
        to: 'recent < 99 ? 0 : Math.min',
        red: {
          file: deaths,
          title:
            'after each death with inputs in flight indexing waits longer, from one second to sixty; a run that ends well ends the row (P10)',
        },
      },
      {
        how: 'indexing begins at once, however long it is to wait',
        file: 'daemon/main.ts',
        from: 'indexing.keep.start(indexing.jobs, state.deaths.backOffMs());',
        to: 'indexing.keep.start(indexing.jobs, 0);',
        red: {
          file: deaths,
          title:
            'a daemon that follows four deaths with inputs in flight answers at once and indexes after four seconds (P10)',
        },
      },
      {
        how: 'what was read to its end stays under suspicion',
        file: 'daemon/server/deaths.ts',
        from: 'if (suspects.delete(hash)) database.landed(hash);',
        to: 'suspects.delete(hash);',
        red: {
          file: deaths,
          title: 'an input that was read to its end is no suspect any more, at this start and at the next (P10)',
        },
      },
    ],
  },
];
