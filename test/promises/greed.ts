import type { Promised } from './promised.ts';

/** Large bodies, slow readers and many requests: P36 to P40. */
export const greed: readonly Promised[] = [
  {
    number: 36,
    says: 'No body, however it is compressed, nested or filled, makes the daemon take 200 MB more or hold its event loop for 250 ms.',
    tests: [
      { file: 'fault/bombs.test.ts' },
      { file: 'client/protocol/json-signs.test.ts' },
      { file: 'daemon/extract/scip/hostile.test.ts' },
      {
        file: 'daemon/extract/scip/damaged.test.ts',
        title: 'a small gzip file that inflates to a large one stops at the limit',
      },
      {
        file: 'daemon/operations/index-upload.test.ts',
        title: 'what a small body inflates to is bounded as a large one is',
      },
      { file: 'http/telemetry.test.ts', title: 'every refusal is a Status in the type of the request' },
      { file: 'long/bombs.long.ts' },
    ],
    breaks: [
      {
        how: 'the values of a message on the socket are not counted before it is parsed',
        file: 'daemon/server/json.ts',
        from: "if (values > jsonValues) return { kind: 'too_many' };",
        to: '',
        red: { file: 'fault/bombs.test.ts' },
      },
      {
        how: 'nesting is not looked at before JSON is parsed',
        file: 'client/protocol/json-signs.ts',
        from: 'if (++open > depth) depth = open;',
        to: '++open;',
        red: { file: 'client/protocol/json-signs.test.ts' },
      },
      {
        how: 'what a batch of metrics inflates to is not bounded',
        file: 'daemon/jobs/telemetry/body-coding.ts',
        from: '{ maxOutputLength: limitBytes, chunkSize: 256 * 1024 }',
        to: '{ chunkSize: 256 * 1024 }',
        red: { file: 'http/telemetry.test.ts', title: 'every refusal is a Status in the type of the request' },
      },
    ],
  },
  {
    number: 37,
    says: 'An upload goes to a file of its own and takes the place of the old index once it is whole: one that fails, stops, is cut off or dies leaves the old index and no file. One at a time may upload to a repository.',
    tests: [
      { file: 'daemon/operations/index-upload.test.ts' },
      { file: 'daemon/jobs/refused-uploads.test.ts' },
      { file: 'http/streamed-bodies.test.ts' },
      { file: 'fault/upload-crash.test.ts' },
      {
        file: 'daemon/server/hosted.test.ts',
        title: 'what a killed daemon left of an upload goes with the next start',
      },
      { file: 'long/killed-uploads.long.ts' },
    ],
    breaks: [
      {
        how: 'the body of an upload that broke off stays where it lay',
        file: 'daemon/operations/index-server/uploading.ts',
        from: '    await upload.end();\n    throw error;',
        to: '    throw error;',
        red: {
          file: 'daemon/operations/index-upload.test.ts',
          title: 'a body that ends early, at each tenth of it, leaves the old index and no file',
        },
      },
      {
        how: 'two may upload to one repository at once',
        file: 'daemon/server/keep-hosted.ts',
        from: 'if (this.#claims.has(id)) {',
        to: 'if (id === "") {',
        red: {
          file: 'daemon/operations/index-upload.test.ts',
          title:
            'while an upload is under way another of the same repository is told to come again; one of another is not',
        },
      },
      {
        how: 'what a daemon left that died is not deleted',
        file: 'daemon/server/keep-hosted.ts',
        from: '() => this.#clearUploads()',
        to: '() => {}',
        red: {
          file: 'daemon/server/hosted.test.ts',
          title: 'what a killed daemon left of an upload goes with the next start',
        },
      },
      {
        how: 'a body of which nothing comes any more is waited for',
        file: 'http/streamed-body.ts',
        from: 'silence ??= setTimeout(onSilent, silentMs);',
        to: 'silence ??= setTimeout(() => {}, silentMs);',
        red: {
          file: 'http/streamed-bodies.test.ts',
          title: 'a body that stops is cut: one that is handed on when nothing comes, any other when its time is over',
        },
      },
    ],
  },
  {
    number: 38,
    says: 'The daemon tells its health at once whatever else it is asked and does: nothing holds its event loop for 250 ms.',
    tests: [{ file: 'fault/besieged.test.ts' }, { file: 'daemon/server/loop-delay.test.ts' }],
    breaks: [
      {
        how: 'messages of any number of values are parsed while everybody waits',
        file: 'daemon/server/json.ts',
        from: "if (values > jsonValues) return { kind: 'too_many' };",
        to: '',
        red: { file: 'fault/besieged.test.ts' },
      },
    ],
  },
  {
    number: 39,
    says: 'Slow and greedy clients take nobody else’s turn: who does not say all of a request within ten seconds is cut, and who leaves 16 MiB of answers unread.',
    tests: [
      { file: 'http/in-order.test.ts' },
      { file: 'fault/greedy-clients.test.ts' },
      { file: 'daemon/server/connection.test.ts', title: 'a reader that does not read is cut' },
      { file: 'daemon/server/connection.test.ts', title: 'a frame that never ends is cut' },
      { file: 'daemon/server/hostile-rpc.test.ts', title: 'the 129th connection, the 257th subscription' },
      { file: 'http/hostile.test.ts', title: 'a request that never ends is cut, and told so' },
      { file: 'http/hostile.test.ts', title: 'a reader that leaves its answer unread is cut' },
      { file: 'http/hostile.test.ts', title: 'past the connection limit, a connection is told to come again' },
    ],
    breaks: [
      {
        how: 'who leaves answers unread on the socket is not cut',
        file: 'daemon/server/connection.ts',
        from: 'if (this.#socket.writableLength > this.#options.limits.backlogBytes) this.#socket.destroy();',
        to: '',
        red: { file: 'daemon/server/connection.test.ts', title: 'a reader that does not read is cut' },
      },
      {
        how: 'who never ends a request is waited for',
        file: 'http/server.ts',
        from: 'headersTimeout: limits.headersTimeoutMs,',
        to: 'headersTimeout: 0,',
        red: { file: 'http/hostile.test.ts', title: 'a request that never ends is cut, and told so' },
      },
      {
        how: 'all that one connection asks at once is answered at once',
        file: 'http/in-order.ts',
        from: 'return closing(before.at(-1));',
        to: 'return undefined;',
        red: {
          file: 'http/in-order.test.ts',
          title: 'of what one connection asks at once one question is answered at a time, in its order (P39)',
        },
      },
    ],
  },
  {
    number: 40,
    says: 'Every message on the socket gets exactly one reply or the connection closes, whatever its bytes are and however they come; ids never mix, and who cancels is answered at once.',
    tests: [
      { file: 'daemon/server/replies.test.ts' },
      { file: 'daemon/server/connection.test.ts' },
      { file: 'daemon/server/framing.test.ts' },
      { file: 'daemon/server/hostile-wire.test.ts' },
      { file: 'daemon/server/hostile-rpc.test.ts' },
    ],
    breaks: [
      {
        how: 'an id that is in flight is taken twice',
        file: 'daemon/server/connection.ts',
        from: 'if (this.#flights.has(key)) return',
        to: 'if (key === "") return',
        red: { file: 'daemon/server/replies.test.ts' },
      },
      {
        how: 'an id is taken that is rounded as it is read',
        file: 'daemon/server/rpc-message.ts',
        from: '!Number.isSafeInteger(id)',
        to: '!Number.isFinite(id)',
        red: {
          file: 'daemon/server/connection.test.ts',
          title: 'a number that is not told apart from the next is no id, and the sender is told what is',
        },
      },
      {
        how: 'a cancelled request is answered when it has ended',
        file: 'daemon/server/connection.ts',
        from: '    this.#flights.delete(key);\n    answer(faultParts(id, fault));\n    abort.abort();',
        to: '    abort.abort();',
        red: { file: 'daemon/server/connection.test.ts', title: 'cancelling answers at once, and once' },
      },
      {
        how: 'a header may tell two lengths',
        file: 'daemon/server/framing.ts',
        from: 'if (length !== undefined || !/^\\d+$/.test(value!)) return undefined;',
        to: '',
        red: { file: 'daemon/server/framing.test.ts' },
      },
      {
        how: 'a message that is no JSON is dropped without a word',
        file: 'daemon/server/connection.ts',
        from: 'else this.#write([parseErrorReply(notJson)]);',
        to: '',
        red: { file: 'daemon/server/hostile-wire.test.ts' },
      },
    ],
  },
];
