import type { Promised } from './promised.ts';

/** Hostile repositories and data, and what follows from all of it: P41 to P55. */
export const hostileData: readonly Promised[] = [
  {
    number: 47,
    says: 'To ask about a delta artifact changes nothing. To take one in does all of it or nothing, once however often it is sent; a wrong base is refused with 412, and what is found valid is what is taken in.',
    tests: [
      { file: 'daemon/jobs/mutated-deltas.test.ts' },
      { file: 'daemon/jobs/delta.test.ts' },
      { file: 'daemon/jobs/pending-deltas.test.ts' },
      { file: 'daemon/server/delta.test.ts' },
      { file: 'daemon/server/hostile-deltas.test.ts' },
      { file: 'fault/delta-crash.test.ts' },
      { file: 'long/mutated-deltas.long.ts' },
    ],
    breaks: [
      {
        how: 'asking takes in what it is asked about',
        file: 'daemon/jobs/delta/run-delta.ts',
        from: "if (request.kind === 'validate' || checked.problems.length > 0)",
        to: 'if (checked.problems.length > 0)',
        red: { file: 'daemon/jobs/mutated-deltas.test.ts' },
      },
      {
        how: 'what something speaks against is taken in',
        file: 'daemon/jobs/delta/run-delta.ts',
        from: "if (request.kind === 'validate' || checked.problems.length > 0)",
        to: "if (request.kind === 'validate')",
        red: { file: 'daemon/jobs/mutated-deltas.test.ts' },
      },
      {
        how: 'a wrong base is no reason',
        file: 'daemon/jobs/delta/check-delta.ts',
        from: 'if (hasBase && !isForeign && base === undefined) found.push(await wrongBase(artifact, here, site));',
        to: '',
        red: { file: 'daemon/server/hostile-deltas.test.ts' },
      },
      {
        how: 'what was taken in before is not known again',
        file: 'daemon/jobs/delta/check-delta.ts',
        from: 'const here = hereFor(artifact, site);',
        to: 'const here = { ...hereFor(artifact, site), taken: [] };',
        red: {
          file: 'fault/delta-crash.test.ts',
          title: 'of two who take in the same artifact at once one publishes it, and both hear the same',
        },
      },
    ],
  },
  {
    number: 48,
    says: 'Calls that were observed in production are acknowledged once they are on the disk, and count once however often a batch is sent. What can’t be counted is told as a partial success.',
    tests: [
      { file: 'fault/telemetry-crash.test.ts' },
      { file: 'daemon/jobs/telemetry/telemetry-service.test.ts' },
      { file: 'daemon/server/telemetry.test.ts' },
      { file: 'http/telemetry.test.ts' },
      { file: 'http/hostile-metrics.test.ts' },
    ],
    breaks: [
      {
        how: 'a batch is acknowledged before it is counted',
        file: 'daemon/jobs/telemetry/telemetry-service.ts',
        from: 'return counted(counting, batch, decoded, { digest, takenAt, from: 0 });',
        to: 'setImmediate(() => void counted(counting, batch, decoded, { digest, takenAt, from: 0 }));\n  return { ...decoded.outcome, isRepeated: false, fresh: [], called: decoded.called };',
        red: { file: 'fault/telemetry-crash.test.ts' },
      },
      {
        how: 'metrics that come again count again',
        file: 'daemon/jobs/telemetry/telemetry-service.ts',
        from: "const said = digestOf(batch, 'said', hash('sha256', inflated, 'hex'));",
        to: "const said = digestOf(batch, 'said', String(Math.random()));",
        red: {
          file: 'daemon/jobs/telemetry/telemetry-service.test.ts',
          title: 'metrics that come again count once, however they were packed',
        },
      },
      {
        how: 'a batch that was cut off is counted from its beginning',
        file: 'daemon/jobs/telemetry/telemetry-service.ts',
        from: 'takenAt: cut.takenAt, from: cut.counted }',
        to: 'takenAt: cut.takenAt, from: 0 }',
        red: {
          file: 'daemon/jobs/telemetry/telemetry-service.test.ts',
          title: 'a batch that was cut off and comes again at once is counted on, from where it was',
        },
      },
      {
        how: 'a partial success is told as a whole one',
        file: 'client/protocol/otlp-answers.ts',
        from: "if (rejected === 0 && message === '') return new Uint8Array();",
        to: 'return new Uint8Array();',
        red: { file: 'http/telemetry.test.ts', title: 'what can’t be counted is told as a partial success' },
      },
    ],
  },
  {
    number: 49,
    says: 'A job is queued, runs, and is completed, failed or cancelled, and moves no other way. To cancel one acts at once, of one that has ended it is refused with 412, and of more than a thousand that wait the next is refused with 429.',
    tests: [
      { file: 'daemon/jobs/queue-model.test.ts' },
      { file: 'daemon/jobs/queue.test.ts' },
      { file: 'daemon/jobs/engine.test.ts', title: 'a run cancelled in phase ' },
      { file: 'daemon/server/refresh.test.ts' },
    ],
    breaks: [
      {
        how: 'to cancel a job that has ended succeeds',
        file: 'daemon/jobs/queue.ts',
        from: 'if (active === undefined) throw endedAlready(this.#ended(id));',
        to: 'if (active === undefined) return this.#ended(id);',
        red: { file: 'daemon/jobs/queue-model.test.ts' },
      },
      {
        how: 'a job that was cancelled completes',
        file: 'daemon/jobs/queue.ts',
        from: 'if (!this.#running.delete(id) && !this.#queued.delete(id)) return;',
        to: 'this.#running.delete(id);\n    this.#queued.delete(id);',
        red: { file: 'daemon/jobs/queue-model.test.ts' },
      },
      {
        how: 'the queue takes one too many',
        file: 'daemon/jobs/queue.ts',
        from: 'if (waiting >= this.#options.maxQueued()) {',
        to: 'if (waiting > this.#options.maxQueued()) {',
        red: { file: 'daemon/jobs/queue-model.test.ts' },
      },
      {
        how: 'a run is not told that its job is cancelled',
        file: 'daemon/jobs/queue.ts',
        from: 'active.abort.abort();',
        to: '',
        red: { file: 'daemon/jobs/queue-model.test.ts' },
      },
      {
        how: 'what ran when the process died runs for ever',
        file: 'daemon/jobs/queue.ts',
        from: 'for (const job of ran) store.saveJob({ ...job, ...interrupted, completedAt });',
        to: '',
        red: { file: 'daemon/jobs/queue-model.test.ts' },
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
