import type { Promised } from './promised.ts';

const canaries = {
  file: 'fault/secrets.test.ts',
  title: 'a token shown at every door is found again in no log, no answer, and no file but its own (P31)',
};

/** HTTP, the socket and keys: P26 to P40. */
export const doors: readonly Promised[] = [
  {
    number: 31,
    says: 'Secrets never leave: tokens and keys stand in no log, answer, metric, database, argument list, core file or proposed script, and what lies in files that are no code is not read.',
    tests: [
      { file: 'fault/secrets.test.ts' },
      {
        file: 'client/start.test.ts',
        title: 'a daemon that a client starts leaves no core file; whoever starts it, a core would hold no memory',
      },
    ],
    breaks: [
      {
        how: 'nothing is struck out of the log',
        file: 'client/protocol/mask.ts',
        from: '  if (!mayHoldSecret.test(text) && !hasLongRun(text)) return text;',
        to: '  if (text !== null) return text;',
        red: canaries,
      },
      {
        how: 'a run as long as a token passes',
        file: 'client/protocol/mask.ts',
        from: 'const runLength = 40;',
        to: 'const runLength = 400;',
        red: canaries,
      },
      {
        how: 'the token of the configuration is kept with the state',
        file: 'client/paths.ts',
        from: "    configuredTokenFile: join(runtime, 'token'),",
        to: "    configuredTokenFile: join(state, 'token.configured'),",
        red: canaries,
      },
      {
        how: 'a core would hold memory',
        file: 'cli/daemon.ts',
        from: "    writeFileSync('/proc/self/coredump_filter', '0');",
        to: "    writeFileSync('/proc/self/coredump_filter', '33');",
        red: {
          file: 'client/start.test.ts',
          title: 'a daemon that a client starts leaves no core file; whoever starts it, a core would hold no memory',
        },
      },
    ],
  },
];
