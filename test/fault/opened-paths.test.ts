import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { documents, metadata } from '../daemon/jobs/uploads.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../support/repository.ts';
import { scipBytes } from '../support/scip.ts';
import { callsOf, tracers } from './system-calls.ts';

const opening = ['open', 'openat', 'openat2', 'creat'];

/** A word that is in a path that only a label has. */
const mark = 'no-such-folder-but-a-label';
const inside = `${mark}/a.ts`;

/** Paths that lead out of wherever they are looked at. */
const escaping = (outside: Workspace): readonly string[] => [
  outside.path('secret.ts'),
  `../${basename(outside.root)}/secret.ts`,
  `a/../../${basename(outside.root)}/secret.ts`,
  `../../../../..${outside.path('secret.ts')}`,
  `file://${outside.path('secret.ts')}`,
  `/proc/self/root${outside.path('secret.ts')}`,
  '/etc/passwd',
  '../../../../../../../../etc/passwd',
  `.git/${mark}`,
  `C:\\${mark}`,
];

interface Opened {
  readonly path: string;
  readonly isWritten: boolean;
}

function openedIn(trace: string): readonly Opened[] {
  return callsOf(trace).flatMap(({ name, words }) => {
    const path = /"((?:[^"\\]|\\.)*)"/.exec(words)?.[1];
    return path === undefined || !opening.includes(name)
      ? []
      : [{ path, isWritten: /O_WRONLY|O_RDWR|O_CREAT/.test(words) }];
  });
}

/** Nothing that a label names was opened, and nothing was opened to be written but in these folders. */
function assertLabelsOnly(trace: string, outside: Workspace, written: readonly string[]): void {
  const opened = openedIn(trace);
  assert.ok(opened.length > 20, 'nothing was seen');
  // The runtime itself asks /etc/passwd who it runs as.
  const named = [basename(outside.root), mark];
  assert.deepEqual(
    opened.filter(({ path }) => named.some(name => path.includes(name))),
    [],
  );
  const elsewhere = opened.filter(
    ({ path, isWritten }) =>
      isWritten && path.startsWith('/') && ![...written, '/dev/', '/proc/'].some(one => path.startsWith(one)),
  );
  assert.deepEqual(elsewhere, []);
}

for (const { name: by, tracing } of tracers) {
  test(`what an uploaded index calls its documents is opened nowhere, and what leads out of it is told (P45, ${by})`, t => {
    const outside = temporaryFolder(t, '-- secret.ts --\nexport const canary = 1;\n');
    const [home, folder] = [temporaryHome(t), temporaryFolder(t)];
    const paths = [...escaping(outside), inside];
    const labelled = paths.map(relativePath => ({ ...documents[0]!, relativePath }));
    folder.write('upload.scip', scipBytes({ metadata, documents: [...documents, ...labelled] }));
    const { through, env } = tracing(t, folder.path('trace'), opening);
    const program = fileURLToPath(new URL('take-upload.js', import.meta.url));
    const [command = '', ...words] = [
      ...through,
      process.execPath,
      program,
      home.path,
      'acme/x',
      folder.path('upload.scip'),
    ];
    const done = spawnSync(command, words, { env: { ...home.env, ...env }, encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
    const { data } = JSON.parse(done.stdout) as { data: { stats: { files: number } } };
    assert.equal(data.stats.files, documents.length + 1, 'what stays in it is a document like others');
    assert.ok(done.stdout.includes('secret.ts'), `${done.stdout} tells what was left out`);
    assertLabelsOnly(readFileSync(folder.path('trace'), 'utf8'), outside, [home.path]);
  });

  test(`what an artifact, an index, calls and documents name beside the work tree is opened nowhere (P45, ${by})`, async t => {
    const outside = temporaryFolder(t, '-- secret.ts --\nexport const canary = 1;\n');
    const paths = escaping(outside);
    const tree = gitRepository(t, '-- a.ts --\nexport const a = 1;\n');
    tree.write('README.md', `# A\n\n${paths.map(path => `See [\`${path}\`](${path}), and \`a\`.`).join('\n\n')}\n`);
    const folder = temporaryFolder(t);
    const { through, env } = tracing(t, folder.path('trace'), opening);
    const home = temporaryHome(t, env);
    const daemon = await startDaemon(t, home, through);
    const { client, caller } = daemon;
    await client.daemon.addRepo({ root: tree.root, id: 'app' });
    await ready(daemon);
    const refused: string[] = [];
    const tell = (error: unknown): void => void refused.push(`${error} ${JSON.stringify(error)}`);
    const files = [...paths, inside].map(path => ({ path, language: 'typescript', hash: 'a'.repeat(64) }));
    const artifact = JSON.stringify({
      delta_schema_version: 1,
      base_snapshot_id: (await client.symbols.search({ q: 'a', repo: 'app' })).snapshotId,
      timestamp: 1_760_000_000,
      deltas: { files: { added: files } },
    });
    await client.delta.validate({ artifact, repo: 'app' }).then(answer => tell(JSON.stringify(answer)), tell);
    await client.delta.ingest({ artifact, repo: 'app' }).catch(tell);
    writeFileSync(
      folder.path('index.scip'),
      scipBytes({ metadata, documents: paths.map(relativePath => ({ ...documents[0]!, relativePath })) }),
    );
    await client.indexing.index({ repo: 'app', scip: folder.path('index.scip') }).catch(tell);
    const calls = paths.map(file_path => ({ service_name: 'app', function_name: 'a', file_path, call_count: 1 }));
    await client.telemetry.ingestCalls({ body: JSON.stringify({ calls }), repo: 'app' }).catch(tell);
    await caller.call('docs.index', { repo: 'app' } as never).catch(tell);
    for (const path of paths) {
      await caller.call('docs.file', { repo: 'app', path } as never).catch(tell);
      await caller.call('analysis.complexity', { repo: 'app', path } as never).catch(tell);
      await caller.call('ownership.get', { repo: 'app', path } as never).catch(tell);
    }
    assert.ok(refused.length >= paths.length, refused.join('\n'));
    assert.ok(
      refused.some(text => text.includes('secret.ts')),
      refused.join('\n'),
    );
    assert.equal(await daemon.stop(), 0);
    const trace = () => readFileSync(folder.path('trace'), 'utf8');
    await until('the trace is whole', () => trace().includes(home.places.daemonDb) || by !== 'by strace');
    assertLabelsOnly(trace(), outside, [home.path]);
  });
}
