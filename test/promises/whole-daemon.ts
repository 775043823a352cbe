import type { Promised } from './promised.ts';

const twinsOfUploads = {
  file: 'daemon/operations/index-twins.test.ts',
  title: 'of an upload, ',
};
const twinsOverHttp = { file: 'http/index-twins.test.ts' };
const evil = {
  file: 'fault/system-calls.test.ts',
  title:
    'whatever is asked about an evil repository, only git runs, nobody far is called, and what must last is written in order',
};
const nobodyFar = {
  file: 'fault/no-network.test.ts',
  title:
    'whatever a repository and the environment name, nobody is called but the server that the user has configured (P51)',
};
const keysGoNowhereElse = {
  file: 'daemon/operations/remote.test.ts',
  title: 'what a key’s file must be, and where a key never goes',
};
const rotation = { file: 'fault/log-rotation.test.ts' };
const steady = { file: 'long/steady.long.ts' };
const forged = { file: 'fault/forged-lines.test.ts' };
const staged = {
  file: 'fault/doctor-checks.test.ts',
  title: 'each fault turns one check red and no other, its end turns it green, and readiness agrees (P54)',
};
const complete = {
  file: 'fault/doctor-checks.test.ts',
  title:
    'whatever doctor can report has a fault that is shown, or is told of every daemon; and nothing else is shown (P54)',
};
const fleeting = { file: 'fault/fleeting-faults.test.ts' };

/** What follows from all of it: P50 to P55. */
export const wholeDaemon: readonly Promised[] = [
  {
    number: 50,
    says: 'What a served repository keeps back (paths, their beginnings, documentation, signatures) makes no difference to any byte of any answer of the index server: two repositories that differ in that alone are answered alike, filters, searches, order, totals, cursors and errors included; one that a key is not for is as one that is not there.',
    tests: [{ file: 'daemon/operations/index-twins.test.ts' }, twinsOverHttp],
    breaks: [
      {
        how: 'lists go by the paths that are kept back',
        file: 'daemon/operations/index-server/listed.ts',
        from: "  return exposePaths && pathPrefixStrip === '';",
        to: "  return exposePaths || pathPrefixStrip === '';",
        red: twinsOfUploads,
      },
      {
        how: 'hashes of contents are those of the files',
        file: 'daemon/operations/index-server/shown.ts',
        from: '      redacted ? createHmac',
        to: '      !redacted ? createHmac',
        red: twinsOverHttp,
      },
      {
        how: 'texts tell of paths',
        file: 'daemon/operations/index-server/shown.ts',
        from: '      const text = (of: string): string => mask.text(',
        to: '      const text = (of: string): string => String(',
        red: twinsOfUploads,
      },
      {
        how: 'documentation is shown though it is kept back',
        file: 'daemon/operations/index-server/shown.ts',
        from: '        ...(privacy.exposeDocs ?',
        to: '        ...(row.documentation !== undefined ?',
        red: twinsOverHttp,
      },
      {
        how: 'the name of a file is told with its folder',
        file: 'daemon/operations/index-server/pages.ts',
        from: "    basename: path.slice(path.lastIndexOf('/') + 1),",
        to: '    basename: path,',
        red: twinsOverHttp,
      },
    ],
  },
  {
    number: 51,
    says: 'Nobody is called but servers that the user has configured, whatever repositories and the environment name; a whole session goes as well without a network.',
    tests: [
      evil,
      { file: 'fault/system-calls.test.ts', title: 'a command calls nobody far' },
      { file: 'fault/no-network.test.ts' },
      keysGoNowhereElse,
      { file: 'long/no-network.long.ts' },
    ],
    breaks: [
      {
        how: 'the daemon reports home',
        file: 'daemon/operations/system.ts',
        from: "    'system.health': (_, { now }) => ({",
        to: "    'system.health': (_, { now }) => (void fetch('http://192.0.2.1/').catch(() => {}), {",
        red: evil,
      },
      {
        how: 'a mirror is read through what the environment names',
        file: 'daemon/backends/remote-fetch.ts',
        from: '        request(base + path, {',
        to: "        request((process.env['HTTP_PROXY'] ?? base) + path, {",
        red: nobodyFar,
      },
    ],
  },
  {
    number: 52,
    says: 'A daemon at work stays as it is: memory, descriptors, threads, timers, programs, write-ahead logs, temporary files and the log do not grow. The log is at most five files of 10 MB, closed to others, and its rotation loses no line.',
    tests: [
      { file: 'daemon/log.test.ts' },
      rotation,
      { file: 'daemon/workers/either-signal.test.ts' },
      steady,
      { file: 'bench/soak.ts' },
    ],
    breaks: [
      {
        how: 'rotation throws a file away',
        file: 'daemon/log.ts',
        from: 'renameSync(older, ',
        to: 'rmSync(older); void (',
        red: rotation,
      },
      {
        how: 'more files are kept than are configured',
        file: 'daemon/log.ts',
        from: 'for (let number = files - 1; number >= 1; number--) {',
        to: 'for (let number = files + 50; number >= 1; number--) {',
        red: rotation,
      },
      {
        how: 'a file grows past its size',
        file: 'daemon/log.ts',
        from: 'bytes + text.length > settings().fileBytes',
        to: 'bytes > settings().fileBytes',
        red: rotation,
      },
      {
        how: 'a signal that lasts keeps a word of each that passed',
        file: 'daemon/workers/either-signal.ts',
        from: 'for (const one of both) one.removeEventListener',
        to: 'for (const one of []) (one as AbortSignal).removeEventListener',
        red: { file: 'daemon/workers/either-signal.test.ts' },
      },
      {
        how: 'bodies of uploads stay',
        file: 'daemon/server/keep-hosted.ts',
        from: 'await rm(file, { force: true }).catch(',
        to: 'await Promise.resolve().catch(',
        red: steady,
      },
    ],
  },
  {
    number: 53,
    says: 'A line of the log is one JSON object, and nothing that anybody sends or names, in a path, query, header, branch, author or file, makes another or a control character of it; request ids are sane and unique.',
    tests: [
      forged,
      {
        file: 'daemon/log.test.ts',
        title: 'a line is one JSON object, whatever stands in a path, and is in the file by the next turn',
      },
    ],
    breaks: [
      {
        how: 'line ends are written as such',
        file: 'daemon/log.ts',
        from: '        const masked = maskSecrets(line);',
        to: "        const masked = maskSecrets(line).replaceAll('\\\\n', '\\n').replaceAll('\\\\\"', '\"');",
        red: forged,
      },
      {
        how: 'any request id is taken',
        file: 'http/answer.ts',
        from: '/^[\\x20-\\x7e]{1,128}$/.test(header)',
        to: 'header.length > 0',
        red: forged,
      },
    ],
  },
  {
    number: 54,
    says: 'Nothing fails in silence: each fault has a check of doctor of its own, which is red while it lasts, green after it, and says what to do; /ready agrees.',
    tests: [
      { file: 'fault/doctor-checks.test.ts' },
      fleeting,
      { file: 'fault/watching-doctor.test.ts' },
      { file: 'fault/full-disk.test.ts' },
    ],
    breaks: [
      {
        how: 'a daemon without free descriptors finds itself well',
        file: 'daemon/operations/doctor/surroundings.ts',
        from: '  if (open < most * 0.8 && most - open >= few)',
        to: '  if (open < most * 80)',
        red: fleeting,
      },
      {
        how: 'a clock that was set back is no fault',
        file: 'daemon/operations/doctor/surroundings.ts',
        from: '  if (aheadMs <= mostAheadMs)',
        to: '  if (aheadMs >= -Infinity)',
        red: fleeting,
      },
      {
        how: 'what has no index is ready',
        file: 'daemon/operations/system.ts',
        from: '      if (waiting.length > 0) {',
        to: '      if (waiting.length > 1) {',
        red: staged,
      },
      {
        how: 'a fault is told without its remedy',
        file: 'daemon/operations/doctor/daemon.ts',
        from: ", 'Close it to other users')],\n  };\n}",
        to: ", 'Close it to other users')].slice(1),\n  };\n}",
        red: staged,
      },
      {
        how: 'a check comes that no fault is shown for',
        file: 'daemon/operations/doctor/stored-state.ts',
        from: "  const check = 'database.copy';",
        to: "  const check = 'database.backup';",
        red: complete,
      },
      {
        how: 'a full disk is none',
        file: 'daemon/operations/doctor/daemon.ts',
        from: '  if (free >= littleSpace)',
        to: '  if (free >= 0)',
        red: { file: 'fault/full-disk.test.ts' },
      },
    ],
  },
  {
    number: 55,
    says: 'The same tree has the same snapshot id and the same rows, wherever it lies and whatever the time zone, the language, the order of folders and the number of threads.',
    tests: [{ file: 'daemon/jobs/same-tree.test.ts' }, { file: 'daemon/model/snapshot.test.ts' }],
    breaks: [
      {
        how: 'the order in which files were found enters',
        file: 'daemon/model/snapshot.ts',
        from: 'for (const path of [...lines.keys()].sort()) {',
        to: 'for (const path of lines.keys()) {',
        red: {
          file: 'daemon/model/snapshot.test.ts',
          title: 'the same lines give the same id, in whatever order they came',
        },
      },
      {
        how: 'files of a package are linked in the order in which they were found',
        file: 'daemon/model/manifest.ts',
        from: 'const sorted = [...group].sort();',
        to: 'const sorted = [...group];',
        red: { file: 'daemon/model/snapshot.test.ts', title: 'a scope with several files lists them sorted' },
      },
      {
        how: 'paths are sorted as the language of whoever runs it has them',
        file: 'daemon/model/snapshot.ts',
        from: 'for (const path of [...lines.keys()].sort()) {',
        to: 'for (const path of [...lines.keys()].sort((a, b) => a.localeCompare(b))) {',
        red: { file: 'daemon/jobs/same-tree.test.ts' },
      },
      {
        how: 'when a file was written enters',
        file: 'daemon/model/manifest.ts',
        from: '    this.#hash.set(line);',
        to: '    this.#hash.set({ ...line, version: line.stat?.mtimeMs ?? 0 });',
        red: { file: 'daemon/jobs/same-tree.test.ts' },
      },
    ],
  },
];
