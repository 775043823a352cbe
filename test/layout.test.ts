import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { defaultParseSteps } from '../daemon/extract/budget.ts';
import { dialectOf } from '../daemon/extract/dialect.ts';
import { extract } from '../daemon/extract/syntax.ts';
import type { Dialect } from '../daemon/model/document.ts';
import { packageRoot } from '../daemon/package-root.ts';

/** What stands below the threads and the work of the daemon. */
const ground = [
  'daemon/model/',
  'daemon/extract/',
  'daemon/link/',
  'daemon/backends/',
  'daemon/store/',
  'daemon/analysis/',
  'daemon/clock.ts',
  'daemon/events.ts',
  'daemon/failpoint.ts',
  'client/protocol/',
  'client/paths.ts',
  'client/open-files.ts',
  'client/own-file.ts',
  'client/output-file.ts',
  'client/registration.ts',
  'watch/',
];
const entryMay = ['daemon/workers/', 'daemon/jobs/', 'daemon/operations/', 'daemon/clock.ts', 'daemon/tidy-heap.ts'];

/**
 * Who may import whom, from the bottom to the top. A room is a folder or a file; the first row that holds a file decides.
 * ARCHITECTURE.md shows the same table in words.
 */
const rooms: readonly { readonly room: string; readonly may: readonly string[] }[] = [
  { room: 'client/protocol/', may: ['client/protocol/'] },
  { room: 'client/', may: ['client/'] },
  { room: 'watch/', may: ['watch/'] },
  { room: 'daemon/model/', may: ['daemon/model/'] },
  {
    room: 'daemon/extract/otlp/',
    may: ['daemon/extract/', 'daemon/model/', 'client/protocol/json-members.ts', 'client/protocol/nearest.ts'],
  },
  { room: 'daemon/extract/', may: ['daemon/extract/', 'daemon/model/', 'daemon/package-root.ts'] },
  { room: 'daemon/link/', may: ['daemon/link/', 'daemon/model/'] },
  {
    room: 'daemon/backends/',
    may: [
      'daemon/backends/',
      'daemon/model/',
      'daemon/indexer-names.ts',
      'client/protocol/',
      'client/this-user.ts',
      'watch/wildmatch.ts',
    ],
  },
  {
    room: 'daemon/store/',
    may: [
      'daemon/store/',
      'daemon/model/',
      'daemon/package-root.ts',
      'daemon/failpoint.ts',
      'client/protocol/',
      'daemon/analysis/rank.ts',
    ],
  },
  { room: 'daemon/analysis/', may: ['daemon/analysis/', 'daemon/model/'] },
  { room: 'daemon/workers/compare.ts', may: entryMay },
  { room: 'daemon/workers/copy.ts', may: entryMay },
  { room: 'daemon/workers/extract.ts', may: entryMay },
  { room: 'daemon/workers/federation.ts', may: entryMay },
  { room: 'daemon/workers/history.ts', may: entryMay },
  { room: 'daemon/workers/hosted.ts', may: entryMay },
  { room: 'daemon/workers/link.ts', may: entryMay },
  { room: 'daemon/workers/read.ts', may: entryMay },
  { room: 'daemon/workers/telemetry.ts', may: entryMay },
  { room: 'daemon/workers/watch.ts', may: entryMay },
  { room: 'daemon/workers/write.ts', may: entryMay },
  { room: 'daemon/workers/', may: ['daemon/workers/', 'daemon/model/', 'client/protocol/'] },
  { room: 'daemon/jobs/', may: [...ground, 'daemon/workers/', 'daemon/jobs/', 'daemon/tidy-heap.ts'] },
  {
    room: 'daemon/operations/',
    may: [
      ...ground,
      'daemon/workers/',
      'daemon/jobs/',
      'daemon/operations/',
      'daemon/config.ts',
      'daemon/config-schema.ts',
      'daemon/log.ts',
      'daemon/metrics.ts',
    ],
  },
  {
    room: 'daemon/server/',
    may: [
      'daemon/',
      'watch/',
      'client/protocol/',
      'client/paths.ts',
      'client/open-files.ts',
      'client/own-file.ts',
      'client/registration.ts',
      'client/this-user.ts',
      'http/server.ts',
    ],
  },
  { room: 'daemon/main.ts', may: ['daemon/', 'client/protocol/', 'client/paths.ts'] },
  {
    room: 'daemon/',
    may: [
      'daemon/clock.ts',
      'daemon/config-schema.ts',
      'daemon/events.ts',
      'daemon/index-server-config.ts',
      'daemon/index-server-reading.ts',
      'daemon/index-server-schema.ts',
      'daemon/index-server-settings.ts',
      'daemon/indexer-names.ts',
      'daemon/toml-file.ts',
      'daemon/model/',
      'client/protocol/',
      'client/paths.ts',
      'client/own-file.ts',
      'client/this-user.ts',
    ],
  },
  { room: 'http/', may: ['http/', 'client/'] },
  { room: 'cli/daemon.ts', may: ['cli/', 'client/', 'daemon/'] },
  { room: 'cli/', may: ['cli/', 'client/'] },
  { room: 'test/', may: [''] },
];

const topLevel = new Set([
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'biome.json',
  'config.example.toml',
  'README.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  'LICENSE',
  '.ci',
  '.gitignore',
  '.npmrc',
  'client',
  'watch',
  'daemon',
  'http',
  'cli',
  'test',
]);

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: packageRoot,
  encoding: 'utf8',
})
  .split('\0')
  .filter(file => file !== '');
const sources = files.filter(file => file.endsWith('.ts') && !file.startsWith('test/fixtures/'));

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const limits = { parseSteps: defaultParseSteps };
const imports = (await Promise.all(sources.map(importsOf))).flat();

test('every import goes where the table allows', () => {
  const strays = imports.filter(one => {
    const row = rooms.find(({ room }) => one.from.startsWith(room));
    return row === undefined || !row.may.some(room => one.to.startsWith(room));
  });
  assert.deepEqual(strays, []);
});

test('no file imports itself by way of others', () => {
  assert.deepEqual(cyclesOf(imports.filter(one => !one.typeOnly)), []);
});

test('every import names a file that exists', () => {
  const known = new Set(sources);
  assert.deepEqual(
    imports.filter(one => !known.has(one.to)),
    [],
  );
});

test('the top level holds what the design lists and nothing else', () => {
  const entries = new Set(files.map(file => file.split('/')[0]!));
  assert.deepEqual(
    [...entries].filter(entry => !topLevel.has(entry)),
    [],
  );
});

/** Read by the product's own extraction, which a string that looks like an import does not fool. */
async function importsOf(from: string): Promise<Import[]> {
  const bytes = readFileSync(join(packageRoot, from));
  const { imports: found } = await extract(bytes, dialectOf(from) as Dialect, limits);
  const dynamic = /\bimport\(/;
  const lines = bytes.toString('utf8').split('\n');
  // What is read or started as a program of its own is named as the build writes it, and is not imported.
  const isImported = (line: number): boolean => !/\bnew URL\(|\brequire\(/.test(lines[line] ?? '');
  return found
    .filter(one => one.specifier.startsWith('.') && isImported(one.line))
    .map(one => ({
      from,
      to: normalize(join(dirname(from), one.specifier)),
      typeOnly: one.typeOnly || dynamic.test(lines[one.line] ?? ''),
    }));
}

function cyclesOf(edges: readonly Import[]): string[] {
  const next = new Map<string, Import[]>();
  for (const edge of edges) next.set(edge.from, [...(next.get(edge.from) ?? []), edge]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
    if (done.has(file) || trail.includes(file)) return;
    for (const edge of next.get(file) ?? []) visit(edge.to, [...trail, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return cycles;
}

/** Where an expression is made from text of ours: names that count as secret, parts and lists of long patterns, routes of the protocol. */
const makeExpressions = [
  'client/protocol/mask.ts',
  'daemon/analysis/unwired/doubts.ts',
  'daemon/extract/languages/c/macros.ts',
  'daemon/extract/languages/kotlin/readable.ts',
  'daemon/store/graph/harmless-marks.ts',
  'daemon/store/graph/spoken-names.ts',
  'http/routes.ts',
];

test('no expression is made from what somebody sends', () => {
  const made = sources.filter(
    file => !file.startsWith('test/') && /\bRegExp\(/.test(readFileSync(join(packageRoot, file), 'utf8')),
  );
  assert.deepEqual(made.sort(), makeExpressions);
});
