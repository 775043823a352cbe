import type { Promised } from './promised.ts';

const follow = 'daemon/jobs/follow-repository.test.ts';
const watch = 'watch/watch.test.ts';
const doctor = 'fault/watching-doctor.test.ts';

/** Answers are true: P11 to P19. */
export const trueAnswers: readonly Promised[] = [
  {
    number: 11,
    says: 'A synced query, as the command line sends, sees every write that was over before it was sent, or says in time with 412 and a reason that it can’t. What is stale is never answered as fresh.',
    tests: [
      { file: 'fault/read-your-writes.test.ts' },
      { file: 'long/read-your-writes.long.ts' },
      { file: follow, title: 'a sync sees every write before it (P11)' },
      { file: watch, title: 'cookies that can’t be written make a sync fail with a reason (P11)' },
      { file: watch, title: 'a sync past its deadline says so (P11)' },
      { file: watch, title: 'a sync that waits for a crawl says so at its deadline as well (P11)' },
      {
        file: doctor,
        title:
          'a cookie folder that is removed is made anew; where none can be, a synced question is refused at once (P11)',
      },
      { file: doctor, title: 'a cookie folder that is full or read-only is told too (' },
      {
        file: doctor,
        title:
          'while git holds its lock a synced question is refused in time with the reason, any other is answered (P11)',
      },
    ],
    breaks: [
      {
        how: 'a synced question does not wait until what was seen is published',
        file: 'daemon/jobs/follow/follow-repository.ts',
        from: '    await this.#untilPublished(deadline);\n',
        to: '',
        red: { file: follow, title: 'a sync sees every write before it (P11)' },
      },
      {
        how: 'a cookie is taken for seen once it is written',
        file: 'watch/cookie.ts',
        from: "if (written !== 'written') settle(written);",
        to: "settle(written === 'written' ? 'seen' : written);",
        red: {
          file: watch,
          title: 'a cookie that is not seen in two seconds has every tree of the loop compared (P12)',
        },
      },
      {
        how: 'a cookie that can’t be written is as good as one that is seen',
        file: 'watch/watch.ts',
        from: "throw new SyncFailed('cookie_unwritable');",
        to: 'break;',
        red: { file: watch, title: 'cookies that can’t be written make a sync fail with a reason (P11)' },
      },
      {
        how: 'nobody is told that time is up',
        file: 'watch/watch.ts',
        from: "cancel = loop.clock.after(deadlineMs, () => reject(new SyncFailed('deadline')));",
        to: 'void reject;',
        red: { file: watch, title: 'a sync that waits for a crawl says so at its deadline as well (P11)' },
      },
    ],
  },
  {
    number: 12,
    says: 'Lost events are found out without being told of them: a cookie that does not come, half a queue in one drain or a loop that stood still has all trees compared, seldom where it happens often. Until then nothing is called fresh, and whoever listens is told to begin anew.',
    tests: [
      { file: 'fault/overflow.test.ts' },
      { file: 'long/overflow.long.ts' },
      {
        file: 'fault/watching.test.ts',
        title: 'an overflow of the kernel’s queue is found, though nobody tells (P12)',
      },
      {
        file: doctor,
        title:
          'events that the kernel dropped are found missing, and nothing is called fresh until they are made up for (P12)',
      },
      { file: watch, title: 'a cookie that is not seen in two seconds has every tree of the loop compared (P12)' },
      { file: watch, title: 'a hundred overflows in a row are a few comparisons of the tree (P12)' },
      { file: 'watch/loop.test.ts' },
      {
        file: 'daemon/operations/staleness.test.ts',
        title: 'an index is not fresh whose watcher is silent, behind or without a root (P12)',
      },
    ],
    breaks: [
      {
        how: 'events are not counted',
        file: 'watch/loop.ts',
        from: "if (drained === threshold) recrawlAll('overflow');",
        to: 'void threshold;',
        red: { file: 'watch/loop.test.ts' },
      },
      {
        how: 'what ran over is made good in one tree alone',
        file: 'watch/loop.ts',
        from: 'for (const member of members) member.recrawl(reason);',
        to: '[...members][0]?.recrawl(reason);',
        red: { file: 'watch/loop.test.ts' },
      },
      {
        how: 'a loop that stood still is no reason to look',
        file: 'watch/loop.ts',
        from: 'stalls.tick(now, now - expected > stalledMs);',
        to: 'stalls.tick(now, false);',
        red: { file: 'watch/loop.test.ts' },
      },
      {
        how: 'a cookie that does not come is waited for no longer, and that is all',
        file: 'watch/watch.ts',
        from: "loop.recrawlAll('cookie_lost');",
        to: '',
        red: {
          file: watch,
          title: 'a cookie that is not seen in two seconds has every tree of the loop compared (P12)',
        },
      },
      {
        how: 'each overflow is a comparison of its own',
        file: 'watch/recrawls.ts',
        from: 'if (waitMs <= 0) this.#beginDue();',
        to: 'if (waitMs <= betweenMs) this.#beginDue();',
        red: { file: watch, title: 'a hundred overflows in a row are a few comparisons of the tree (P12)' },
      },
      {
        how: 'the watcher is not asked before an index is called fresh',
        file: 'daemon/operations/served-repository.ts',
        from: 'const isHeard = await repository.follow?.hearOut();',
        to: 'const isHeard = repository.follow && true;',
        red: {
          file: 'daemon/operations/staleness.test.ts',
          title: 'an index is not fresh whose watcher is silent, behind or without a root (P12)',
        },
      },
    ],
  },
  {
    number: 13,
    says: 'Where kernel watches, instances or descriptors run out, what can’t be watched is compared every few seconds, doctor says so with the remedy, other repositories go on as they were, and watches are had again within a minute of relief.',
    tests: [
      {
        file: 'fault/watching.test.ts',
        title: 'folders beyond the limit are polled, and watched again when it is lifted (',
      },
      { file: 'fault/watching.test.ts', title: 'without a single kernel watch everything is polled (' },
      {
        file: doctor,
        title: 'a daemon with ',
      },
      {
        file: doctor,
        title:
          'without a free descriptor nothing is called fresh or thought gone, and work goes on when there is one (P13)',
      },
      { file: watch, title: 'without kernel watches folders are polled, and say why (P13)' },
      {
        file: watch,
        title: 'what happens in a folder without a kernel watch is told within five seconds, unasked (P13)',
      },
      { file: 'long/watch-limit.long.ts' },
    ],
    breaks: [
      {
        how: 'a folder without a watch is left alone',
        file: 'watch/tree.ts',
        from: 'if (!this.#attach(folder)) this.#poller.add(folder);',
        to: 'this.#attach(folder);',
        red: { file: watch, title: 'without kernel watches folders are polled, and say why (P13)' },
      },
      {
        how: 'folders are compared once a minute',
        file: 'watch/poll.ts',
        from: 'const pauseMs = Math.max(everyMs,',
        to: 'const pauseMs = Math.max(longestPauseMs, everyMs,',
        red: {
          file: watch,
          title: 'what happens in a folder without a kernel watch is told within five seconds, unasked (P13)',
        },
      },
      {
        how: 'who was refused a watch asks no more',
        file: 'watch/budget.ts',
        from: 'cancelRetry = clock.after(retryMs, retry);',
        to: 'void retry;',
        red: {
          file: 'fault/watching.test.ts',
          title: 'folders beyond the limit are polled, and watched again when it is lifted (',
        },
      },
      {
        how: 'doctor does not say that descriptors are few',
        file: 'daemon/operations/doctor/surroundings.ts',
        from: '  if (open < most * 0.8 && most - open >= few)',
        to: '  if (open < most * 80)',
        red: {
          file: doctor,
          title:
            'without a free descriptor nothing is called fresh or thought gone, and work goes on when there is one (P13)',
        },
      },
    ],
  },
  {
    number: 14,
    says: 'A repository takes one kernel watch a folder and five more at most; what is ignored, and what git keeps, takes none.',
    tests: [
      { file: watch, title: 'one kernel watch per folder, none for what is ignored (P14)' },
      { file: doctor, title: 'a daemon has one kernel watch a folder and a few more, none for what is ignored (P14)' },
    ],
    breaks: [
      {
        how: 'ignored folders are watched like others',
        file: 'watch/ignore.ts',
        from: "if (matched(name, 'directory') || isRepository(absolute)) return keptScope(tree, path);",
        to: 'if (isRepository(absolute)) return keptScope(tree, path);',
        red: { file: watch, title: 'one kernel watch per folder, none for what is ignored (P14)' },
      },
      {
        how: 'what git keeps is watched like other folders',
        file: 'watch/ignore.ts',
        from: "      if (subject(name) === '.git') return undefined;\n",
        to: '',
        red: { file: watch, title: 'one kernel watch per folder, none for what is ignored (P14)' },
      },
    ],
  },
  {
    number: 15,
    says: 'A checkout of whatever size is two publications at most, and a tree that is half one branch and half another is never shown. What git has in hand is waited for, half a minute at most.',
    tests: [
      { file: 'fault/branch-switch.test.ts' },
      { file: 'long/branch-switch.long.ts' },
      { file: 'long/git-work.long.ts' },
      { file: 'daemon/jobs/git-hold.test.ts' },
      { file: follow, title: 'a branch switch is published at most twice, and never half (P15)' },
      { file: follow, title: 'while git holds its lock nothing is published; after half a minute it is (P15)' },
      {
        file: follow,
        title: 'a command of git that is over is heard out before any of its changes is published (P15)',
      },
    ],
    breaks: [
      {
        how: 'nothing of git’s is taken for work under way',
        file: 'daemon/jobs/follow/git-hold.ts',
        from: 'const held = holds.find(name => lookAt(gitDir, name) !== undefined);',
        to: "const held = holds.find(name => lookAt(gitDir, 'no' + name) !== undefined);",
        red: { file: follow, title: 'while git holds its lock nothing is published; after half a minute it is (P15)' },
      },
      {
        how: 'a lock is waited for an hour',
        file: 'daemon/jobs/follow/git-hold.ts',
        from: 'export const longestHoldMs = 30_000;',
        to: 'export const longestHoldMs = 3_600_000;',
        red: {
          file: 'daemon/jobs/git-hold.test.ts',
          title: 'a lock that nobody takes away is waited for half a minute (P15)',
        },
      },
      {
        how: 'what was read while git came and went is published',
        file: 'daemon/jobs/follow/git-hold.ts',
        from: 'if (gitHold(gitDir) !== undefined || indexPrint(gitDir) !== before) throw overtaken();',
        to: 'void before;',
        red: {
          file: 'daemon/jobs/git-hold.test.ts',
          title: 'what was read while git came and went is of no tree (P15)',
        },
      },
      {
        how: 'the first change that is named of a checkout is published before the others are heard of',
        file: 'daemon/jobs/follow/follow-repository.ts',
        from: "if (this.#pending.kind === 'paths' && print !== this.#heardPrint) {",
        to: "if (this.#pending.kind === 'paths' && print !== print) {",
        red: {
          file: follow,
          title: 'a command of git that is over is heard out before any of its changes is published (P15)',
        },
      },
    ],
  },
  {
    number: 16,
    says: 'After any sequence of edits, moves, links, modes, branch switches, stops, ends and faults of the device, the index equals, row for row, a fresh one of the same tree.',
    tests: [
      { file: 'oracle/oracle.test.ts' },
      { file: 'long/oracle.long.ts' },
      { file: 'daemon/jobs/oracle.test.ts' },
      { file: 'daemon/link/incremental.test.ts' },
    ],
    breaks: [
      {
        how: 'what lies behind a barrel is not linked anew when it changes',
        file: 'daemon/link/touched.ts',
        from: 'for (const name of news) touched.add(handedKey(path, name));',
        to: '',
        red: { file: 'daemon/link/incremental.test.ts' },
      },
      {
        how: 'a run that fails is not tried again',
        file: 'daemon/jobs/follow/follow-repository.ts',
        from: '        this.#giveBack(changes, sinceMs);\n',
        to: '',
        red: { file: follow, title: 'a run that fails says so to who waits, and is tried again' },
      },
    ],
  },
  {
    number: 17,
    says: 'A file that is read while it is written is published whole or not at all. One that was written just before it was read is read once more, and an edit that keeps length and modification time is found.',
    tests: [
      { file: 'fault/torn-writes.test.ts' },
      { file: 'daemon/jobs/racily-clean.test.ts' },
      {
        file: 'daemon/extract/read-file.test.ts',
        title: 'a file rewritten all the time is one of its versions or no answer, never a mixture (P17)',
      },
      {
        file: 'daemon/extract/read-file.test.ts',
        title: 'what is written into a file between two reads of it makes no mixture (P17)',
      },
      { file: 'daemon/extract/read-file.test.ts', title: 'a file replaced while it is read is read again (P17)' },
      {
        file: 'daemon/extract/read-file.test.ts',
        title: 'a write within one tick of the kernel’s clock is noticed though the stat data stay the same (P17)',
      },
    ],
    breaks: [
      {
        how: 'nobody looks whether a file was written to while it was read',
        file: 'daemon/extract/read-file.ts',
        from: 'if (bytes === undefined || !sameFileStat(stat, fileStatOf(fstatSync(descriptor, { bigint: true })))) {',
        to: 'if (bytes === undefined) {',
        red: {
          file: 'daemon/extract/read-file.test.ts',
          title: 'what is written into a file between two reads of it makes no mixture (P17)',
        },
      },
      {
        how: 'stat data of the last tick are trusted',
        file: 'daemon/extract/read-file.ts',
        from: 'return startedMs - stat.ctimeMs <= tickMs;',
        to: 'return startedMs < stat.ctimeMs - tickMs;',
        red: {
          file: 'daemon/extract/read-file.test.ts',
          title: 'a write within one tick of the kernel’s clock is noticed though the stat data stay the same (P17)',
        },
      },
      {
        how: 'stat data of a file that was written just now are kept as proof',
        file: 'daemon/jobs/extract-service.ts',
        from: 'const racy = stat === undefined || ',
        to: 'const racy = stat === undefined && ',
        red: {
          file: 'daemon/jobs/racily-clean.test.ts',
          title:
            'stat data of a file that was written just before it was indexed prove nothing: it is read again (P17)',
        },
      },
      {
        how: 'length and modification time alone tell files apart',
        file: 'daemon/model/file-stat.ts',
        from: '    one.ctimeMs === other.ctimeMs &&\n',
        to: '',
        red: {
          file: 'daemon/jobs/racily-clean.test.ts',
          title:
            'another text of the same length under the same modification time is found by a look at the tree (P17)',
        },
      },
    ],
  },
  {
    number: 18,
    says: 'A clock that is set ten years on or back changes nothing that waits, lasts or is old: deadlines, limits of rates, cursors, jobs and what is kept of calls and of names that went. No age is below zero, and a key that was once past its time stays so.',
    tests: [
      { file: 'fault/moved-clock.test.ts' },
      { file: 'daemon/clock.test.ts' },
      {
        file: 'daemon/store/index-db.test.ts',
        title: 'a clock that is set ten years on, or back, makes no version older or younger (P18)',
      },
      {
        file: 'daemon/operations/index-upload.test.ts',
        title:
          'replaced indexes go once they are neither among the last five nor younger than a quarter of an hour, whatever is done to the clock (P18)',
      },
      {
        file: 'daemon/operations/staleness.test.ts',
        title: 'how old an index is does not hang on what is done to the clock since it was compared (P18)',
      },
      {
        file: 'daemon/store/daemon-db.test.ts',
        title:
          'a job that ends after the clock was set ten years back is known, though a thousand have ended later (P18)',
      },
      {
        file: 'daemon/server/history.test.ts',
        title: 'what went is known for ninety days that have passed, whatever the clock is set to (P18)',
      },
      {
        file: 'daemon/server/keep-telemetry.test.ts',
        title: 'calls of days that are kept stay, though the clock is set ten years on (P18)',
      },
      {
        file: 'daemon/server/index-door.test.ts',
        title: 'a key that was past its time stays so, whatever clocks say and however often the daemon starts (P18)',
      },
      {
        file: 'daemon/server/index-door.test.ts',
        title: 'each key has its own bucket, nobody’s are counted by network, and how long to wait is told (P18)',
      },
    ],
    breaks: [
      {
        how: 'deadlines are counted by the time of day',
        file: 'daemon/clock.ts',
        from: 'monotonicMs: () => performance.now(),',
        to: 'monotonicMs: () => Date.now(),',
        red: { file: 'fault/moved-clock.test.ts' },
      },
      {
        how: 'a key that is past its time is judged by the clock alone',
        file: 'daemon/server/keep-keys.ts',
        from: '      if (isExpired || expired.has(id)) return true;\n',
        to: '      void isExpired;\n',
        red: {
          file: 'daemon/server/index-door.test.ts',
          title: 'a key that was past its time stays so, whatever clocks say and however often the daemon starts (P18)',
        },
      },
      {
        how: 'versions are as old as the clock says',
        file: 'daemon/store/retention.ts',
        from: 'known?.get(seq) ?? this.#clock?.timeOf(published_at) ?? published_at',
        to: 'this.#clock?.timeOf(published_at) ?? published_at',
        red: {
          file: 'daemon/store/index-db.test.ts',
          title: 'a clock that is set ten years on, or back, makes no version older or younger (P18)',
        },
      },
      {
        how: 'uploaded indexes are as old as the clock says',
        file: 'daemon/server/keep-hosted.ts',
        from: 'this.#publishedMs.get(epoch) ?? timeOf(publishedAt)',
        to: 'timeOf(publishedAt)',
        red: {
          file: 'daemon/operations/index-upload.test.ts',
          title:
            'replaced indexes go once they are neither among the last five nor younger than a quarter of an hour, whatever is done to the clock (P18)',
        },
      },
      {
        how: 'what is old goes by the clock alone',
        file: 'daemon/clock.ts',
        from: 'Math.min(clock.now().getTime(), beganMs + clock.monotonicMs())',
        to: 'Math.max(clock.now().getTime(), beganMs)',
        red: {
          file: 'daemon/server/keep-telemetry.test.ts',
          title: 'calls of days that are kept stay, though the clock is set ten years on (P18)',
        },
      },
      {
        how: 'an index is as old as the clock says',
        file: 'daemon/operations/served-repository.ts',
        from: 'sinceComparedMs?.() ?? now.getTime() - snapshot.publishedAt',
        to: 'now.getTime() - snapshot.publishedAt + 0 * (sinceComparedMs?.() ?? 0)',
        red: {
          file: 'daemon/operations/staleness.test.ts',
          title: 'how old an index is does not hang on what is done to the clock since it was compared (P18)',
        },
      },
      {
        how: 'jobs that ended in a time to come push out those that end now',
        file: 'daemon/store/daemon-db.ts',
        from: 'ORDER BY completed_at > ?, completed_at DESC',
        to: 'ORDER BY completed_at > ? + 1e15, completed_at DESC',
        red: {
          file: 'daemon/store/daemon-db.test.ts',
          title:
            'a job that ends after the clock was set ten years back is known, though a thousand have ended later (P18)',
        },
      },
    ],
  },
  {
    number: 19,
    says: 'Trees on network file systems are compared every few seconds, which doctor says. Databases and the lock are never placed on one: the start ends with 78 and names the remedy.',
    tests: [
      { file: watch, title: 'network file systems are polled (P19)' },
      {
        file: watch,
        title: 'neither databases nor the lock are kept on a file system whose locks can’t be trusted (P19)',
      },
      {
        file: 'daemon/server/process.test.ts',
        title: 'a folder for databases on NFS ends the start with 78, and nothing is placed there (P19)',
      },
      { file: doctor, title: 'doctor names a tree on a network file system, and a git that is missing (P19)' },
    ],
    breaks: [
      {
        how: 'SMB is taken for a local disk',
        file: 'watch/file-system.ts',
        from: "  [0xfe534d42, { name: 'SMB2', locks: 'untrusted' }],\n",
        to: '',
        red: { file: watch, title: 'network file systems are polled (P19)' },
      },
      {
        how: 'the folder for indexes is not looked at',
        file: 'daemon/operations/doctor/untrusted-place.ts',
        from: 'for (const folder of [state, data]) {',
        to: 'void data;\n  for (const folder of [state]) {',
        red: {
          file: watch,
          title: 'neither databases nor the lock are kept on a file system whose locks can’t be trusted (P19)',
        },
      },
      {
        how: 'the daemon starts wherever its folders lie',
        file: 'daemon/server/open-state.ts',
        from: '  refuseUntrustedPlaces(start);\n',
        to: '',
        red: {
          file: 'daemon/server/process.test.ts',
          title: 'a folder for databases on NFS ends the start with 78, and nothing is placed there (P19)',
        },
      },
    ],
  },
];
