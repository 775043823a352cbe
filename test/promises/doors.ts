import type { Promised, TestAt } from './promised.ts';

const hostile: TestAt = {
  file: 'http/hostile.test.ts',
  title: 'every answer to a hostile request is orderly, and what follows a broken one is not read',
};
const behind: TestAt = {
  file: 'http/hostile.test.ts',
  title: 'what goes wrong behind the door is told in good order, too, whoever is asked',
};
const hosts: TestAt = { file: 'http/doors.test.ts', title: 'no route answers to a host name that is not its own' };
const elsewhere: TestAt = {
  file: 'http/doors.test.ts',
  title: 'an address that others can reach needs authentication and allowed hosts',
};
const pages: TestAt = {
  file: 'http/doors.test.ts',
  title: 'no page of another site learns or changes anything, authentication ',
};
const preflight: TestAt = { file: 'http/doors.test.ts', title: 'a preflight says what a path takes' };
const simple: TestAt = { file: 'http/doors.test.ts', title: 'no simple request of a browser writes' };
const everyToken: TestAt = { file: 'http/doors.test.ts', title: 'every route wants the token, in Authorization alone' };
const compared: TestAt = {
  file: 'http/doors.test.ts',
  title: 'secrets are compared as digests, in constant time, and nowhere else',
};
const racing: TestAt = {
  file: 'daemon/server/token.test.ts',
  title: 'of daemons that make the token at once one wins, whatever they were about to write',
};
const openToken: TestAt = {
  file: 'daemon/server/token.test.ts',
  title: 'a token that others may read, or that is none, is not taken, and nothing is written over it',
};
const canary: TestAt = {
  file: 'fault/secrets.test.ts',
  title: 'a token shown at every door is found again in no log, no answer, and no file but its own',
};
const core: TestAt = {
  file: 'client/start.test.ts',
  title: 'a daemon that a client starts leaves no core file; whoever starts it, a core would hold no memory',
};
const matrix: TestAt = {
  file: 'http/index-keys.test.ts',
  title: 'every endpoint answers every kind of credential as the specification says',
};
const unsaid: TestAt = {
  file: 'http/index-keys.test.ts',
  title: 'who may ask is said of every route, and where it is not said nobody but the owner may',
};
const nextRequest: TestAt = {
  file: 'daemon/server/index-door.test.ts',
  title: 'what is done to a key holds from the next request on',
};
const oneReading: TestAt = {
  file: 'http/index-keys.test.ts',
  title: 'however the id of a repository is written, who may ask for it and which it is are found by one reading',
};
const folders: TestAt = {
  file: 'daemon/server/index-servers.test.ts',
  title: 'what is sent lies in a folder that the whole id names, so that no two ids share one',
};
const bits: TestAt = {
  file: 'daemon/operations/cursor.test.ts',
  title: 'no bit of a cursor can be another, nor can it be longer or shorter',
};
const bound: TestAt = {
  file: 'daemon/operations/cursor.test.ts',
  title: 'a cursor is good for what it was made with alone: repository, list, filters and key',
};
const bindings: TestAt = {
  file: 'http/index-cursors.test.ts',
  title: 'a cursor is good for its own list, filters, repository and key, whole as it was given, and for no other',
};
const restarted: TestAt = {
  file: 'http/index-cursors.test.ts',
  title: 'a walk over an uploaded index goes on while others are published, and over a restart',
};
const walk: TestAt = {
  file: 'daemon/operations/index-lists.test.ts',
  title: 'a walk over ten thousand rows gives each once while twenty versions are published',
};
const buckets: TestAt = { file: 'daemon/server/rate-limit.test.ts' };
const failing: TestAt = {
  file: 'daemon/server/index-door.test.ts',
  title: 'who fails too often is told to wait, and how long; who has a key is served from the same place',
};
const guesses: TestAt = {
  file: 'daemon/server/index-door.test.ts',
  title: 'a hundred thousand guesses, from one place or from everywhere, take no memory, and a good key is served',
};
const inVain: TestAt = {
  file: 'http/doors.test.ts',
  title: 'who asks in vain too often is told to wait, and no longer than that; who shows the token is served',
};

/** Who is let in by HTTP and with keys, and to what: P26 to P35. */
export const doors: readonly Promised[] = [
  {
    number: 26,
    says: 'Every answer over HTTP, those to broken requests included, carries `Access-Control-Allow-Origin: *`, a request id and a JSON body, and tells nothing of the inside. Answers come in the order of requests, and what follows a broken one is not carried out.',
    tests: [
      hostile,
      behind,
      { file: 'http/hostile.test.ts', title: 'a request that never ends is cut, and told so' },
      { file: 'http/hostile.test.ts', title: 'past the connection limit, a connection is told to come again' },
      { file: 'http/hostile.test.ts', title: 'a broken body is refused before anything is asked' },
      { file: 'http/parameters.test.ts' },
      { file: 'http/hostile-values.test.ts' },
      { file: 'http/fuzz.test.ts' },
    ],
    breaks: [
      {
        how: 'an answer to what could not be read has only its own headers',
        file: 'http/answer.ts',
        from: '    ...commonHeaders(requestId),\n    ...answer.headers,',
        to: '    ...answer.headers,',
        red: hostile,
      },
      {
        how: 'CONNECT is left to Node.js',
        file: 'http/server.ts',
        from: "server.on('connect', (request",
        to: "server.on('connected', (request",
        red: hostile,
      },
      {
        how: 'an unexpected error is told with its stack',
        file: 'http/answer.ts',
        from: "return new Fault('operationFailed', 'The operation failed; the log has the cause under this request id', {",
        to: "return new Fault('operationFailed', String((thrown as Error).stack), {",
        red: behind,
      },
      {
        how: 'the answer to broken bytes overtakes those that are due before it',
        file: 'http/in-order.ts',
        from: 'req.complete || writableEnded',
        to: 'req === undefined && writableEnded',
        red: hostile,
      },
      {
        how: 'what follows an oddly framed request is carried out',
        file: 'http/server.ts',
        from: 'if (!wasAnsweredLast(request.socket)) app',
        to: 'app',
        red: hostile,
      },
      {
        how: 'a transfer coding beside chunked is read over',
        file: 'http/admission.ts',
        from: "coding.toLowerCase() !== 'chunked' ||",
        to: "!coding.toLowerCase().endsWith('chunked') ||",
        red: hostile,
      },
    ],
  },
  {
    number: 27,
    says: 'A request whose `Host` is no loopback name, not the bound address and not configured gets 403 on every path, known or not: no web page may rebind its way in.',
    tests: [hosts, { file: 'http/doors.test.ts', title: 'loopback names and configured hosts are its own' }, elsewhere],
    breaks: [
      {
        how: 'a name that ends like a trusted one is trusted',
        file: 'http/hosts.ts',
        from: '(names.has(name) ||',
        to: '([...names].some(one => name.endsWith(one)) ||',
        red: hosts,
      },
      {
        how: 'the host is looked at where the path is known alone',
        file: 'http/app.ts',
        from: 'const misaddressed = refuseHost(raw, gate);',
        to: "const misaddressed = matchRoute(raw.method ?? '', exchange.rawPath).kind === 'route' ? refuseHost(raw, gate) : undefined;",
        red: hosts,
      },
      {
        how: 'an address that stands for all is a name',
        file: 'http/hosts.ts',
        from: "new Set(['0.0.0.0', '::', ''])",
        to: "new Set([''])",
        red: elsewhere,
      },
    ],
  },
  {
    number: 28,
    says: 'No page of another site reads or changes anything, whether authentication is on or off, unless it shows a valid token; what holds nothing of the user’s is open to it while authentication is off.',
    tests: [
      pages,
      preflight,
      {
        file: 'http/doors.test.ts',
        title: 'a valid token is authority enough, whatever the origin; the own origin is no other site',
      },
      {
        file: 'http/hostile-values.test.ts',
        title: 'what a page of another site asks starts nothing, though what it asks for would',
      },
      { file: 'http/index-group.test.ts', title: 'a page of another site is let in for a key alone' },
    ],
    breaks: [
      {
        how: 'a page of the same site counts as our own',
        file: 'http/admission.ts',
        from: "if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;",
        to: "if (site === 'cross-site') return true;",
        red: pages,
      },
      {
        how: 'the origin null is let in',
        file: 'http/admission.ts',
        from: 'if (origin === undefined) return false;',
        to: "if (origin === undefined || origin === 'null') return false;",
        red: pages,
      },
      {
        how: 'without authentication pages may ask for everything',
        file: 'http/admission.ts',
        from: "if (access === 'open' && gate.authentication.kind === 'off')",
        to: "if (gate.authentication.kind === 'off')",
        red: pages,
      },
      {
        how: 'a preflight allows credentials',
        file: 'http/app.ts',
        from: "    'Access-Control-Max-Age': '600',",
        to: "    'Access-Control-Max-Age': '600',\n    'Access-Control-Allow-Credentials': 'true',",
        red: preflight,
      },
    ],
  },
  {
    number: 29,
    says: 'No request that a browser sends without asking first writes anything: a POST with a body must say the type that its route takes, else 415.',
    tests: [simple],
    breaks: [
      {
        how: 'text is read as well',
        file: 'http/app.ts',
        from: '  app.removeAllContentTypeParsers();\n',
        to: '',
        red: simple,
      },
      {
        how: 'a body that is handed on may be of any type',
        file: 'http/respond.ts',
        from: "if (media === undefined || media.includes(mediaTypeOf(headers['content-type']))) return undefined;",
        to: 'if (media !== undefined || media === undefined) return undefined;',
        red: simple,
      },
    ],
  },
  {
    number: 30,
    says: 'The daemon token is 256 random bits, made once, in a file for its owner alone; it is compared by digest in constant time and taken from `Authorization` alone. An empty or unset one is a configuration error (exit 78).',
    tests: [
      racing,
      openToken,
      everyToken,
      compared,
      {
        file: 'http/index-keys.test.ts',
        title: 'a credential is one as it is written, in Authorization alone: each form of it is told apart',
      },
      {
        file: 'daemon/server/process.test.ts',
        title: 'of twenty that ask for the token at once, before there is one, all are told the same',
      },
      {
        file: 'daemon/server/process.test.ts',
        title: 'a configuration that can’t stand ends the start with 78 and says where',
      },
      { file: 'daemon/config.test.ts' },
    ],
    breaks: [
      {
        how: 'tokens are compared in a time that tells how much is right',
        file: 'http/admission.ts',
        from: "return timingSafeEqual(hash('sha256', token, 'buffer'), authentication.digest) ?",
        to: "return hash('sha256', token, 'buffer').equals(authentication.digest) ?",
        red: compared,
      },
      {
        how: 'a token in the query is taken',
        file: 'http/admission.ts',
        from: 'const shown = tokenVerdict(request.headers.authorization, gate.authentication);',
        to: "const shown = tokenVerdict(request.headers.authorization ?? /[?&]token=([^&]+)/.exec(request.url ?? '')?.[1]?.replace(/^/, 'Bearer '), gate.authentication);",
        red: everyToken,
      },
      {
        how: 'who comes second writes over the token of the first',
        file: 'daemon/server/token.ts',
        from: '    linkSync(draft, places.tokenFile);',
        to: '    try { unlinkSync(places.tokenFile); } catch {}\n    linkSync(draft, places.tokenFile);',
        red: racing,
      },
      {
        how: 'a token has 64 bits',
        file: 'daemon/server/token.ts',
        from: 'random(32)',
        to: 'random(8)',
        red: racing,
      },
      {
        how: 'a token that others may read is taken',
        file: 'daemon/server/token.ts',
        from: "    assertPrivateFile(places.tokenFile, places.uid, 'file');\n",
        to: '',
        red: openToken,
      },
      {
        how: 'a token of the configuration may be as short as it likes',
        file: 'daemon/config.ts',
        from: '  if (config.auth.enabled && token.length < 16) {',
        to: '  if (config.auth.enabled && token.length < 0) {',
        red: { file: 'daemon/config.test.ts' },
      },
    ],
  },
  {
    number: 31,
    says: 'Secrets never leave: tokens and keys stand in no log, answer, metric, database, argument list, core file or proposed script, and what lies in files that are no code is not read.',
    tests: [
      { file: 'fault/secrets.test.ts' },
      core,
      { file: 'cli/tokens.test.ts' },
      {
        file: 'http/index-group.test.ts',
        title: 'a secret of the configuration is struck out of the query that the log is told',
      },
    ],
    breaks: [
      {
        how: 'nothing is struck out of the log',
        file: 'client/protocol/mask.ts',
        from: '  if (!mayHoldSecret.test(text) && !hasLongRun(text)) return text;',
        to: '  if (text !== null) return text;',
        red: canary,
      },
      {
        how: 'a run as long as a token passes',
        file: 'client/protocol/mask.ts',
        from: 'const runLength = 40;',
        to: 'const runLength = 400;',
        red: canary,
      },
      {
        how: 'the token of the configuration is kept with the state',
        file: 'client/paths.ts',
        from: "    configuredTokenFile: join(runtime, 'configured-token'),",
        to: "    configuredTokenFile: join(state, 'token.configured'),",
        red: canary,
      },
      {
        how: 'a core would hold memory',
        file: 'cli/daemon.ts',
        from: "    writeFileSync('/proc/self/coredump_filter', '0');",
        to: "    writeFileSync('/proc/self/coredump_filter', '33');",
        red: core,
      },
      {
        how: 'a secret that the configuration alone knows is logged with the query',
        file: 'http/exchange.ts',
        from: "if (group !== 'index' || indexServer === undefined || rawQuery === '') return rawQuery;",
        to: "if (group !== 'index' || rawQuery !== '') return rawQuery;",
        red: {
          file: 'http/index-group.test.ts',
          title: 'a secret of the configuration is struck out of the query that the log is told',
        },
      },
    ],
  },
  {
    number: 32,
    says: 'A key may do what its scope says, on the repositories that it is for, and nothing else; an operation that does not say who may ask it is the owner’s alone. What is done to a key holds from its next request on.',
    tests: [
      matrix,
      unsaid,
      everyToken,
      nextRequest,
      { file: 'http/index-keys.test.ts', title: 'a key lists the repositories that it is for, and opens nothing but' },
      {
        file: 'http/index-keys.test.ts',
        title: 'a revoked key is refused with its next request, and so is a rotated secret',
      },
      { file: 'daemon/operations/tokens.test.ts' },
    ],
    breaks: [
      {
        how: 'a key’s scope is not looked at',
        file: 'daemon/server/authorise.ts',
        from: '  if (!permits(key.scope, needed)) {',
        to: '  if (false) {',
        red: matrix,
      },
      {
        how: 'what does not say who may ask it is open to every key',
        file: 'daemon/server/authorise.ts',
        from: '  if (needed === undefined) {',
        to: '  if (needed === undefined && scope !== undefined) {',
        red: unsaid,
      },
      {
        how: 'a prefix is a prefix of names as well',
        file: 'daemon/model/repo-pattern.ts',
        from: 'id.startsWith(pattern.slice(0, -1)) &&',
        to: 'id.startsWith(pattern.slice(0, -2)) &&',
        red: matrix,
      },
      {
        how: 'a revoked key is good',
        file: 'daemon/server/index-door.ts',
        from: '  if (key.revokedAt !== undefined) return',
        to: '  if (key.revokedAt === 0) return',
        red: nextRequest,
      },
    ],
  },
  {
    number: 33,
    says: 'The id of a repository is read once, for who may ask, for what is looked up and for where it is kept: no other spelling of it leads elsewhere, and no two ids share a folder.',
    tests: [
      oneReading,
      folders,
      { file: 'http/index-group.test.ts', title: 'ids hold slashes, raw or encoded, and the longest template wins' },
    ],
    breaks: [
      {
        how: 'who may ask is found by another spelling than what is answered',
        file: 'daemon/server/authorise.ts',
        from: '  const { repo } = input;',
        to: "  const repo = String(input['repo'] ?? '').toLowerCase() || undefined;",
        red: oneReading,
      },
      {
        how: 'a query may name another repository than the path',
        file: 'http/decode.ts',
        from: '} else if (route.fields.includes(name)) {',
        to: '} else if (false) {',
        red: oneReading,
      },
      {
        how: 'ids that differ in capitals share a folder',
        file: 'daemon/server/repositories.ts',
        from: 'hostedFile(id: string, epoch: string): string {',
        to: 'hostedFile(given: string, epoch: string): string {\n    const id = given.toLowerCase();',
        red: folders,
      },
    ],
  },
  {
    number: 34,
    says: 'A cursor is good for the repository, list, filters, key and snapshot that it was made with, and for nothing else; a walk gives each row once while others are published, and over a restart.',
    tests: [
      bits,
      bound,
      { file: 'daemon/operations/cursor.test.ts', title: 'what is made up is no cursor, whatever it says' },
      bindings,
      restarted,
      {
        file: 'http/index-cursors.test.ts',
        title: 'with another cursor_secret no cursor is good that was made with the one before',
      },
      walk,
      { file: 'daemon/operations/symbol-pages.test.ts' },
    ],
    breaks: [
      {
        how: 'what a cursor is bound to is not signed',
        file: 'daemon/operations/symbols/cursor.ts',
        from: '.update(bound).update(payload)',
        to: '.update(payload)',
        red: bound,
      },
      {
        how: 'signatures are compared as bytes, of which there are several spellings',
        file: 'daemon/operations/symbols/cursor.ts',
        from: "timingSafeEqual(Buffer.from(signature, 'latin1'), Buffer.from(expected, 'latin1'))",
        to: "timingSafeEqual(Buffer.from(signature, 'base64url'), Buffer.from(expected, 'base64url'))",
        red: bits,
      },
      {
        how: 'a page goes on over whatever is the newest',
        file: 'daemon/operations/index-server/reading.ts',
        from: 'const of = at?.of ?? currentPlace(found, options);',
        to: 'const of = currentPlace(found, options);',
        red: restarted,
      },
    ],
  },
  {
    number: 35,
    says: '`Retry-After` is honest: who waits as long is served, a second less is too little. Who fails to show a good token or key is counted by network, in at most 10,000 buckets, and whoever has one is served meanwhile.',
    tests: [buckets, failing, guesses, inVain],
    breaks: [
      {
        how: 'a wait is rounded down',
        file: 'daemon/server/rate-limit.ts',
        from: 'Math.ceil((one - level) / limit.perMinute / 1000)',
        to: 'Math.floor((one - level) / limit.perMinute / 1000)',
        red: buckets,
      },
      {
        how: 'buckets are never forgotten',
        file: 'daemon/server/rate-limit.ts',
        from: '  if (buckets.size < most) return;\n',
        to: '  return;\n',
        red: buckets,
      },
      {
        how: 'who fails with keys is not counted',
        file: 'daemon/server/index-door.ts',
        from: 'const verdict = isGiven ? fault : tooOften(',
        to: 'const verdict = isGiven || true ? fault : tooOften(',
        red: failing,
      },
      {
        how: 'who asks without the daemon token is not counted',
        file: 'http/admission.ts',
        from: '  if (waitS > 0) {',
        to: '  if (waitS < 0) {',
        red: inVain,
      },
    ],
  },
];
